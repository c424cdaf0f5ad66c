//! The programs, the files that they find, and the skills that they list.

use serde::Deserialize;
use skills_lint::DropReason;

/// A program whose way of reading a folder is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reader {
    /// Claude Code: the folder is the name, and a description that cannot be read is taken from the body.
    ClaudeCode,
    /// Codex: strict YAML with one repair, names as written, six levels of folders.
    Codex,
    /// Gemini CLI: one level of folders, YAML, and lines where it is not YAML.
    GeminiCli,
    /// `OpenCode`: every depth and every link, a name and a description that are text, no restraint.
    Opencode,
}

/// A file of the name `SKILL.md`, at any depth of a folder.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The path below the folder, with `/`: `tidy/SKILL.md`.
    pub path: String,
    /// The path with every link resolved. Two paths of one file have the same.
    pub resolved: String,
    /// True if the file itself is a link.
    pub is_link: bool,
    /// The content of the file.
    pub text: Vec<u8>,
    /// The content of `agents/openai.yaml` beside the file.
    pub policy: Option<String>,
}

/// A skill that a program lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSkill {
    /// The name as the program writes it.
    pub name: String,
    /// The description.
    pub description: String,
    /// When to use the skill; empty if the program does not read it.
    pub when_to_use: String,
    /// The path of the file below the folder.
    pub path: String,
}

/// What a program makes of one file, wherever the file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Listed(ReadSkill),
    /// The file closes the skill to the model.
    Closed,
    Dropped(DropReason),
}

impl Found {
    /// Returns the names of the folders above the file, the outermost first.
    pub(super) fn folders(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.path.split('/').collect();
        names.pop();
        names
    }
}
