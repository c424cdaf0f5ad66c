//! The readers of programs, as the rules ask them about one file.

use crate::reading::{Found, Reader, Seen};
use skills_lint::{Reading, SkillText};

pub(super) fn claude_code(file: &SkillText<'_>) -> Reading {
    read(Reader::ClaudeCode, file)
}

pub(super) fn codex(file: &SkillText<'_>) -> Reading {
    read(Reader::Codex, file)
}

pub(super) fn gemini_cli(file: &SkillText<'_>) -> Reading {
    read(Reader::GeminiCli, file)
}

pub(super) fn opencode(file: &SkillText<'_>) -> Reading {
    read(Reader::Opencode, file)
}

fn read(reader: Reader, file: &SkillText<'_>) -> Reading {
    let SkillText {
        folder,
        text,
        policy,
    } = *file;
    let path = format!("{folder}/SKILL.md");
    let seen = reader.sees(&Found {
        resolved: path.clone(),
        path,
        is_link: false,
        text: text.as_bytes().to_vec(),
        policy: policy.map(str::to_owned),
    });
    match seen {
        Seen::Listed(skill) => Reading::Listed(skill.description),
        Seen::Closed => Reading::Closed,
        Seen::Dropped(reason) => Reading::Dropped(reason),
    }
}
