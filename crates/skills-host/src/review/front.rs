//! The front matter of a skill, if every client reads it alike.

use crate::review::side::ReviewedSkill;
use skills_format::SKILL_FILE;
use skills_format::skill::file::SkillFile;
use skills_lint::has_repeats;

/// The maximum number of bytes of a `SKILL.md` that every client reads.
const MOST_BYTES: usize = 1_000_000;

/// Returns whether the front matter of the new version differs, and one of the two is not read alike by every client: the fields
/// that are compared here need not be those that a client reads.
pub(super) fn is_read_apart(old: Option<&ReviewedSkill>, new: &ReviewedSkill) -> bool {
    let is_same =
        old.is_some_and(|old| old.entry_name() == new.entry_name() && block(old) == block(new));
    !(is_same || old.is_none_or(is_plain) && is_plain(new))
}

/// Returns everything that a client can take for the front matter. Without a second `---`, that is the whole text.
fn block(skill: &ReviewedSkill) -> Option<&str> {
    let text = skill.text()?;
    let (mut marks, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        let is_first = marks == 0 && line.trim_start_matches('\u{feff}').starts_with("---");
        marks += usize::from(is_first || line.trim() == "---");
        if marks == 2 && text.len() <= MOST_BYTES {
            return Some(&text[..end]);
        }
    }
    Some(if marks == 0 { "" } else { text })
}

/// Returns whether every client finds the same fields: the two lines are `---` and nothing else, between them is YAML without a
/// fault and without what YAML's versions read in two ways, and the skill is valid.
fn is_plain(skill: &ReviewedSkill) -> bool {
    let Some(text) = skill.text().filter(|text| text.len() <= MOST_BYTES) else {
        return false;
    };
    let file = SkillFile::read(SKILL_FILE, "", text.as_bytes());
    let (Some(Ok(document)), Some(Ok(fields))) = (&file.document, &file.front_matter) else {
        return false;
    };
    let yaml = document.yaml.of(text);
    let is_line = |text: &str| {
        ["---\n", "---\r\n"]
            .iter()
            .find(|it| text.starts_with(**it))
            .map(|it| it.len())
    };
    let end = &text[document.yaml.end..];
    let is_odd =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    skill.entry_name() == Some(SKILL_FILE)
        && is_line(text) == Some(document.yaml.start)
        && (end == "---" || is_line(end).is_some())
        && !["---", "\n...", "<<"].iter().any(|it| yaml.contains(it))
        && !yaml.replace("\r\n", "\n").contains(is_odd)
        && !has_repeats(fields)
        && file.strict().is_some()
}
