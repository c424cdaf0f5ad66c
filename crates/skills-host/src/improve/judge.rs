//! Judges an agent's change of a skill.

// A repair may not add findings: no rule may find more errors or warnings than before. So a skill with faults can be
// repaired, and no repair adds a fault.
//
// `allowed-tools` may lose entries, or get the host's name of a tool. The field is neither added nor removed: without
// the field a skill allows every tool.
//
// Automatic changes are for the user's own skills only. A change that needs a look (of a script, an executable bit, an
// address, a removed file; a finding of hidden text, secrets or remote execution) waits for the user.

mod address;
mod caution;
mod sign;

use crate::improve::candidate::Reason;
use crate::improve::judge::caution::cautions;
use crate::install::candidate::checked;
use serde_json::{Map, Value};
use skills_format::text::path::PathText as _;
use skills_format::{
    Diagnostic, Limits, Prose, RuleId, Severity, Skill, SkillFile, ToolRule, is_no_part,
};
use skills_runtime::options::ToolNames;
use skills_store::Error;
use skills_store::files::copy::list;
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, FileBytes, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The fields that an agent may change.
const OPEN: &[&str] = &["description", "allowed-tools"];
/// Rules whose findings need the user's look, even if they existed before.
const GRAVE: &[RuleId] = &[
    RuleId::HiddenText,
    RuleId::Secret,
    RuleId::RemoteExec,
    RuleId::AuthorizedKey,
    RuleId::LinkEscape,
    RuleId::Symlink,
];
/// Maximum depth and number of entries, as for a trusted skill. The limits of files and bytes do not count folders.
const MAX_LEVELS: usize = 32;
const MAX_ENTRIES: usize = 20_000;
const HELP: &str = "nothing was taken; try again, or change the skill manually";

/// The verdict on a result that may be taken.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// The reasons for the user to look at the change first.
    pub(crate) cautions: Vec<String>,
}

/// Reads a result. A folder over the limits of a skill is not read.
pub(crate) fn read(folder: &Path, base: &Snapshot) -> Result<Snapshot, Reason> {
    if folder.is_symlink() {
        return Err(refused("the agent put a link in the place of its copy"));
    }
    let below = format!("{}/", folder.shown());
    let inside = |error: Error| refused(format!("{error:#}").replace(&below, ""));
    let limits = Limits::default();
    let most_files = limits.skill_files.max(base.entries.len());
    let most_bytes = limits.skill_bytes.max(base.size());
    let depth = |path: &RelativePath| path.split('/').count();
    let most_levels = base.entries.keys().map(depth).fold(MAX_LEVELS, usize::max);
    let (mut files, mut bytes, mut entries) = (0, 0, 0);
    let mut folders = vec![(folder.to_owned(), 1)];
    while let Some((folder, level)) = folders.pop() {
        for (_, path) in list(&folder).map_err(inside)? {
            let metadata = path
                .symlink_metadata()
                .map_err(|error| refused(format!("{error}")))?;
            entries += 1;
            if level > most_levels {
                let why = format!("the result has folders below level {most_levels}");
                return Err(refused(why));
            }
            if entries > MAX_ENTRIES {
                let why = format!("the result has more than {MAX_ENTRIES} files and folders");
                return Err(refused(why));
            }
            if metadata.is_dir() {
                folders.push((path, level + 1));
                continue;
            }
            (files, bytes) = (files + 1, bytes + metadata.len());
        }
        if files > most_files || bytes > most_bytes {
            let why = format!("the result has more than {most_files} files or {most_bytes} bytes");
            return Err(refused(why));
        }
    }
    let result = Snapshot::read(folder).map_err(inside)?;
    if result.is_repository {
        return Err(refused(
            "the agent created a git repository in the skill's folder",
        ));
    }
    Ok(result)
}

/// Returns the accepted part of a result: the files that the digest covers, with the uncovered files of the old
/// version. Also returns the paths that are not accepted.
pub(crate) fn taken(base: &Snapshot, result: &Snapshot) -> (Snapshot, Vec<String>) {
    let taken = result.counted().with_beside_of(base);
    let paths: BTreeSet<_> = result.entries.keys().chain(base.entries.keys()).collect();
    let mut left_out = Vec::new();
    for path in paths {
        if taken.entries.get(path) != result.entries.get(path) {
            left_out.push(path.to_string());
        }
    }
    (taken, left_out)
}

/// Judges a result. The first broken bound refuses the whole result.
pub(crate) fn judge(
    name: &str,
    base: &Snapshot,
    result: &Snapshot,
    tools: &ToolNames,
) -> Result<Verdict, Reason> {
    let (before, after) = (skill(name, base), skill(name, result));
    let Some(after) = after else {
        return Err(refused(
            "its SKILL.md is gone, empty, or not a skill any more",
        ));
    };
    files(base, result)?;
    if let Some(before) = &before {
        fields(before, &after, tools)?;
    }
    if after.body.trim().is_empty() {
        return Err(refused("its SKILL.md has no instructions any more"));
    }
    let (old, new) = (findings(name, base), findings(name, result));
    no_worse(&old, &new)?;
    let description = |skill: &Skill| skill.description.clone();
    let old_description = before.as_ref().map_or_else(String::new, description);
    let mut cautions = cautions(base, result, [&old_description, &description(&after)]);
    for rule in GRAVE {
        if new.iter().any(|found| found.is(*rule)) {
            cautions.push(format!("a check finds {}", rule.as_str()));
        }
    }
    Ok(Verdict { cautions })
}

fn refused(why: impl Into<Prose>) -> Reason {
    Reason::new(why, HELP)
}

fn skill(name: &str, files: &Snapshot) -> Option<Skill> {
    let (path, file) = files.skill_file()?;
    SkillFile::read(path, name, &file.bytes).lenient().0
}

/// Rejects emptied files, new links, and conflict markers.
fn files(base: &Snapshot, result: &Snapshot) -> Result<(), Reason> {
    for (path, entry) in &result.entries {
        let old = base.entries.get(path);
        // A file that is not part of a skill is not taken, so its content does not matter.
        if old == Some(entry) || matches!(entry, Entry::File(_)) && is_no_part(path) {
            continue;
        }
        match entry {
            Entry::Link(_) => return Err(refused(format_args!("{path} is a new link"))),
            Entry::File(file) => {
                let is_empty = |file: &FileBytes| file.bytes.trim_ascii().is_empty();
                let was_empty = matches!(old, Some(Entry::File(old)) if is_empty(old));
                if is_empty(file) && !was_empty {
                    return Err(refused(format_args!("{path} is empty")));
                }
                if has_conflict(&file.bytes) {
                    return Err(refused(format_args!(
                        "{path} holds the marks of a conflict"
                    )));
                }
            }
        }
    }
    Ok(())
}

fn has_conflict(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines.any(|line| line.starts_with(b"<<<<<<< ") || line.starts_with(b">>>>>>> "))
}

/// Rejects changed fields, except the description. Tools may be removed, or renamed to the host's name.
fn fields(before: &Skill, after: &Skill, tools: &ToolNames) -> Result<(), Reason> {
    let (old, new) = (front_matter(before)?, front_matter(after)?);
    if old.get("name") != new.get("name") || before.name != after.name {
        return Err(refused("its name was changed"));
    }
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for key in keys {
        if !OPEN.contains(&key.as_str()) && old.get(key) != new.get(key) {
            return Err(refused(format_args!(
                "the field `{}` was changed",
                key.escape_debug()
            )));
        }
    }
    let (old, new) = (&before.fields.allowed_tools, &after.fields.allowed_tools);
    if old.is_empty() != new.is_empty() {
        let what = if new.is_empty() { "removed" } else { "added" };
        return Err(refused(format_args!("`allowed-tools` was {what}")));
    }
    let is_known = |new: &&ToolRule| {
        old.iter().any(|old| {
            let is_same = new.tool == old.tool || new.tool == tools.of(&old.tool);
            is_same && new.pattern == old.pattern
        })
    };
    match new.iter().find(|new| !is_known(new)) {
        Some(rule) => Err(refused(format_args!("`allowed-tools` allows {rule} now"))),
        None => Ok(()),
    }
}

/// Returns the fields of a skill. Unreadable fields are an error, and not equal to missing fields.
fn front_matter(skill: &Skill) -> Result<Map<String, Value>, Reason> {
    let read = serde_json::from_str(&skill.front_matter_texts());
    read.map_err(|error| refused(format_args!("its fields cannot be compared: {error}")))
}

fn findings(name: &str, files: &Snapshot) -> Vec<Diagnostic> {
    let (_, mut all) = checked(files, name);
    all.retain(|found| found.severity != Severity::Info);
    all
}

/// Rejects a result in which a rule finds more than before.
fn no_worse(old: &[Diagnostic], new: &[Diagnostic]) -> Result<(), Reason> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for found in old {
        *known.entry(found.rule.as_str()).or_default() += 1;
    }
    for found in new {
        let left = known.entry(found.rule.as_str()).or_default();
        if *left == 0 {
            let (path, start, rule) = (&found.path, found.start, found.rule);
            let why = format!(
                "a check finds more: {path}:{start}: {} [{rule}]",
                found.message
            );
            return Err(refused(why));
        }
        *left -= 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
