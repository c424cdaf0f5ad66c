//! Judges an agent's change of a skill.
//!
//! A change is taken at once if only Markdown of the skill changed, no rule loosened, no named power was gained, and a
//! check finds nothing new. Everything else waits for the user, with the reasons. What prose means is not judged: a
//! repair may reword or strike a prohibition. Each repair is a commit, and one command takes it back.

use crate::improve::AGAIN;
use serde_json::{Map, Value};
use skills_format::text::appearance::is_hidden;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Limits, Prose, Severity, Skill, SkillFile, is_no_part};
use skills_host::files::snapshot::{Entry, Snapshot};
use skills_host::install::checked;
use skills_host::review::compare_snapshots;
use skills_permit::PowerKind;
use skills_session::options::ToolNames;
use skills_store::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Reads a result. One over the limits of a skill is refused.
pub(crate) fn read(folder: &Path, base: &Snapshot) -> Result<Snapshot, Error> {
    let below = format!("{}/", folder.shown());
    let inside = |error: Error| refused(format!("{error:#}").replace(&below, ""));
    let result = Snapshot::read(folder).map_err(inside)?;
    if result.is_repository {
        let why = "the agent created a git repository in the skill's folder";
        return Err(refused(why));
    }
    let limits = Limits::default();
    let most_files = limits.skill_files.max(base.entries.len());
    let most_bytes = limits.skill_bytes.max(base.bytes());
    if result.entries.len() > most_files || result.bytes() > most_bytes {
        let why = format!("the result has more than {most_files} files or {most_bytes} bytes");
        return Err(refused(why));
    }
    Ok(result)
}

/// Returns the accepted part of a result: the files that the digest covers, with the uncovered files of the old
/// version. Also returns the paths that are not accepted.
pub(crate) fn taken(base: &Snapshot, result: &Snapshot) -> (Snapshot, Vec<String>) {
    let taken = result.counted().with(base.beside());
    let paths: BTreeSet<_> = result.entries.keys().chain(base.entries.keys()).collect();
    let mut left_out = Vec::new();
    for path in paths {
        if taken.entries.get(path) != result.entries.get(path) {
            left_out.push(path.to_string());
        }
    }
    (taken, left_out)
}

/// Returns the reasons for the user to look at a change first; empty if the change may be taken at once.
///
/// # Errors
///
/// The result is not this skill any more, or holds what no repair may make: nothing of it is kept.
pub(crate) fn judge(
    name: &str,
    base: &Snapshot,
    result: &Snapshot,
    tools: &ToolNames,
) -> Result<Vec<String>, Error> {
    let after = skill(name, result)
        .filter(|after| !after.body.trim().is_empty())
        .ok_or_else(|| refused("its SKILL.md is gone, empty, or not a skill any more"))?;
    let mut cautions = files(base, result)?;
    if let Some(before) = skill(name, base) {
        cautions.extend(fields(&before, &after)?);
    }
    // The same comparison that `skills diff` and the gate of updates make.
    for changes in compare_snapshots(name, Some(base), result).skills {
        for power in changes.loosened.into_iter().chain(changes.gained) {
            // A skill may call a tool by the host's name.
            let is_renamed = power.kind == PowerKind::Tools
                && changes
                    .lost
                    .iter()
                    .chain(&changes.tightened)
                    .any(|old| old.kind == power.kind && tools.of(&old.text) == power.text);
            if !is_renamed {
                cautions.push(format!("it gains {}: {}", power.kind.label(), power.text));
            }
        }
    }
    cautions.extend(new_findings(&findings(name, base), &findings(name, result)));
    Ok(cautions)
}

fn refused(why: impl Into<Prose>) -> Error {
    super::refused(why, AGAIN)
}

fn skill(name: &str, files: &Snapshot) -> Option<Skill> {
    let (path, file) = files.skill_file()?;
    SkillFile::read(path, name, &file.bytes).lenient().0
}

/// Refuses new links and names that look like other names. Returns the changed files that are not Markdown.
fn files(base: &Snapshot, result: &Snapshot) -> Result<Vec<String>, Error> {
    let mut cautions = Vec::new();
    for (path, entry) in &result.entries {
        let old = base.entries.get(path);
        // A file that is not part of a skill is not taken, so its content does not matter.
        if old == Some(entry) || matches!(entry, Entry::File(_)) && is_no_part(path) {
            continue;
        }
        if path.chars().any(|c| c.is_control() || is_hidden(c)) {
            let why = format!("the name of {} has hidden characters", path.escape_debug());
            return Err(refused(why));
        }
        let Entry::File(file) = entry else {
            return Err(refused(format_args!("{path} is a new link")));
        };
        let was_run = matches!(old, Some(Entry::File(old)) if old.executable);
        let is_markdown = path.to_ascii_lowercase().ends_with(".md");
        if !is_markdown || std::str::from_utf8(&file.bytes).is_err() || file.executable && !was_run
        {
            let what = if old.is_some() {
                "is changed"
            } else {
                "is new"
            };
            cautions.push(format!("{path} {what}"));
        }
    }
    let gone = base
        .entries
        .keys()
        .filter(|path| !result.entries.contains_key(*path));
    cautions.extend(gone.map(|path| format!("{path} is removed")));
    Ok(cautions)
}

/// Refuses a changed name. Returns the other changed fields, except the description and the tools, whose changes are
/// powers.
fn fields(before: &Skill, after: &Skill) -> Result<Vec<String>, Error> {
    let (old, new) = (front_matter(before)?, front_matter(after)?);
    if old.get("name") != new.get("name") || before.name != after.name {
        return Err(refused("its name was changed"));
    }
    // Without the field a skill allows every tool: only a list that stays a list is judged by its powers.
    let has_tools = [before, after].map(|skill| !skill.fields.allowed_tools.is_empty());
    let is_open = |key: &&String| match key.as_str() {
        "description" => false,
        "allowed-tools" => has_tools[0] != has_tools[1],
        _ => true,
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).filter(is_open).collect();
    let changed = keys
        .into_iter()
        .filter(|key| old.get(*key) != new.get(*key));
    Ok(changed
        .map(|key| format!("the field `{}` is changed", key.escape_debug()))
        .collect())
}

/// Returns the fields of a skill. Unreadable fields are an error, and not equal to missing fields.
fn front_matter(skill: &Skill) -> Result<Map<String, Value>, Error> {
    let read = serde_json::from_str(&skill.front_matter_texts());
    read.map_err(|error| refused(format_args!("its fields cannot be compared: {error}")))
}

fn findings(name: &str, files: &Snapshot) -> Vec<Diagnostic> {
    let (_, mut all) = checked(files, name);
    all.retain(|found| found.severity != Severity::Info);
    all
}

/// Returns the findings of each rule that finds more than before.
fn new_findings(old: &[Diagnostic], new: &[Diagnostic]) -> Vec<String> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for found in old {
        *known.entry(found.rule.as_str()).or_default() += 1;
    }
    let mut more = Vec::new();
    for found in new {
        let left = known.entry(found.rule.as_str()).or_default();
        if *left == 0 {
            more.push(format!(
                "{}:{}: {} [{}]",
                found.path, found.start, found.message, found.rule
            ));
        } else {
            *left -= 1;
        }
    }
    more
}
