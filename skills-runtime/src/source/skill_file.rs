//! Reads one `SKILL.md`, and what stands beside it.

use crate::source::diagnostics::shown;
use crate::source::options::How;
use skills_format::disk;
use skills_format::{Diagnostic, OPENAI_FILE, OpenAiFile, Skill, SkillFile};
use std::path::Path;

/// The reason why an `agents/openai.yaml` behind a broken link cannot be read.
pub(crate) const NOWHERE: &str = "a link leads nowhere";

/// Returns whether a skill can have an `agents/openai.yaml`. Most have no such folder: one call says so.
pub(crate) fn has_agents(dir: &Path) -> bool {
    disk::is_there(&dir.join(AGENTS))
}

/// Returns whether a skill's missing `agents/openai.yaml` is a broken link. Its author wrote a restraint that nobody can
/// read, so the skill is closed, as `check` says.
pub(crate) fn leads_openai_nowhere(dir: &Path) -> bool {
    [AGENTS, OPENAI_FILE]
        .iter()
        .any(|path| disk::leads_nowhere(&dir.join(path)))
}

/// The folder of [`OPENAI_FILE`].
const AGENTS: &str = "agents";

/// Parses a file's bytes. Returns the skill, without its body if it `is_listed`, and the findings about the file.
pub(crate) fn parse(
    path: &Path,
    dir: &Path,
    bytes: &[u8],
    is_listed: bool,
    how: How,
    openai: Option<OpenAiFile>,
) -> (Option<Skill>, Vec<Diagnostic>) {
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    let mut file = SkillFile::read(shown(path), folder, bytes).with_openai(openai);
    if is_listed {
        file = file.listed();
    }
    let (mut skill, findings) = file.lenient_with(how.lenient);
    if let Some(skill) = skill.as_mut().filter(|_| how.namespaced) {
        // Neither a name nor a call of a tool on this machine is for such a source to choose.
        skill.fields.command_tool = None;
        skill.fields.aliases = [].as_slice().into();
    }
    (skill, findings)
}
