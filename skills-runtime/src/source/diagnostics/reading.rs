//! Makes the diagnostics about reading folders. Each rule has one function.

use crate::source::diagnostics::{info, shown, warning};
use skills_format::{Diagnostic, MAX_SKILL_FILE, PluginFault, RuleId, Severity, prose};
use std::io;
use std::path::{Path, PathBuf};

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    if skills_format::disk::is_not_a_file(error) {
        not_a_file(path)
    } else if skills_format::disk::is_not_a_folder(error) {
        warning(RuleId::Unreadable, path, "it is not a folder")
            .help("put a folder there, or remove it")
    } else {
        warning(
            RuleId::Unreadable,
            path,
            format!("it cannot be read: {error}"),
        )
        .help("fix its permissions, or remove it")
    }
}

pub(crate) fn not_a_file(path: &Path) -> Diagnostic {
    warning(RuleId::NotAFile, path, "it is not a regular file")
        .help("put a regular file there; pipes, devices and folders are not read")
}

pub(crate) fn too_large(path: &Path, size: u64) -> Diagnostic {
    let message =
        format!("the file has {size} bytes; the maximum is {MAX_SKILL_FILE}; the skill is skipped");
    Diagnostic::new(RuleId::TooLarge, Severity::Error, shown(path), message)
        .help("move most of it to files of their own, and link them")
}

/// Reports a file that the host handed over and that is not used.
pub(crate) fn left_out(root: &Path, path: &str, message: &str) -> Diagnostic {
    let path = format!("{}/{path}", shown(root));
    Diagnostic::new(RuleId::PathForm, Severity::Error, path, message)
}

pub(crate) fn file_name(path: &Path, name: &str) -> Diagnostic {
    warning(
        RuleId::FileName,
        path,
        format!("`{name}` is read as `SKILL.md`"),
    )
    .help("rename it to `SKILL.md`: other programs do not find it")
}

/// Reports the `SKILL.md` of a folder that also holds skills. `inner` are their folders, relative to it.
pub(crate) fn skill_above(path: &Path, fate: RootFile, inner: &[PathBuf]) -> Diagnostic {
    const MOST: usize = 3;
    let fate = match fate {
        RootFile::Loaded => "it is loaded as a skill",
        RootFile::Unnamed => "it has no name and is not loaded as a skill",
        RootFile::Faulty => "it is not loaded as a skill",
    };
    let named: Vec<String> = inner
        .iter()
        .take(MOST)
        .map(|folder| format!("`{}`", shown(folder)))
        .collect();
    let more = match inner.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.join(", ");
    let message = format!("{fate}; the skills in its folder are read too: {named}{more}");
    warning(RuleId::NestedSkill, path, message).help("move it into a folder of its own")
}

/// The use of a `SKILL.md` at the root of a source that also has skills below.
#[derive(Clone, Copy)]
pub(crate) enum RootFile {
    Loaded,
    Unnamed,
    Faulty,
}

impl RootFile {
    /// Decides the use by the findings about the skill. `None`: the file is no skill.
    pub(crate) fn of(findings: Option<&[Diagnostic]>) -> Self {
        match findings {
            None => Self::Faulty,
            Some(findings) if findings.iter().any(|it| it.is(RuleId::NameMissing)) => Self::Unnamed,
            Some(_) => Self::Loaded,
        }
    }
}

pub(crate) fn broken_link(path: &Path) -> Diagnostic {
    warning(RuleId::LinkBroken, path, "the link leads to nothing").help("fix it, or remove it")
}

/// Reports a link that leaves the folder of an untrusted source. Trusting a skill of the source does not
/// permit the link: the person did not look at its target.
pub(crate) fn escaping_link(path: &Path, root: &Path) -> Diagnostic {
    let message = prose!(
        "the link leads out of `{}`, or is absolute, and is not followed",
        root
    );
    warning(RuleId::LinkEscape, path, message)
        .help("put a copy there, or a relative link to a file in that folder")
}

pub(crate) fn repeated_link(path: &Path) -> Diagnostic {
    info(
        RuleId::LinkRepeated,
        path,
        "the link leads to a folder that is already read",
    )
}

pub(crate) fn too_deep(path: &Path, depth: usize, others: usize) -> Diagnostic {
    let and = also_too_deep(others);
    let message = format!("it is more than {depth} folders deep, so it is not read{and}");
    warning(RuleId::LimitReached, path, message)
}

fn also_too_deep(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => "; 1 other folder is also too deep".to_owned(),
        others => format!("; {others} other folders are also too deep"),
    }
}

/// Reports a folder in a folder of an Agent Plugin's `skills` that is not a skill.
pub(crate) fn below_plugin(path: &Path, others: usize) -> Diagnostic {
    let and = also_too_deep(others);
    let message = format!(
        "it is not read: only the folders directly in `skills` of an Agent Plugin are skills{and}"
    );
    warning(RuleId::ManifestPath, path, message).help("move the folder of the skill into `skills`")
}

/// Reports the fault of an Agent Plugin's manifest. `text` is the manifest.
pub(crate) fn plugin_fault(path: &Path, text: &str, fault: &PluginFault) -> Diagnostic {
    let (severity, end) = if fault.is_fatal {
        (Severity::Error, NOT_LOADED)
    } else {
        (Severity::Warning, "")
    };
    let message = format!("{}{end}", fault.message);
    Diagnostic::new(fault.rule, severity, shown(path), message)
        .at(text.as_bytes(), fault.span)
        .help(fault.help)
}

/// Reports a `plugin.json` that cannot be read, or is not JSON. The plugin can be an Agent Plugin, which is rejected then.
pub(crate) fn unreadable_plugin(path: &Path, why: &str) -> Diagnostic {
    let message = format!("{why}{NOT_LOADED}");
    Diagnostic::new(RuleId::ManifestForm, Severity::Error, shown(path), message)
        .help("correct the file, or remove it: without one, the plugin is named after its folder")
}

const NOT_LOADED: &str = "; the plugin is not loaded";

pub(crate) fn too_many(path: &Path, limit: usize, what: &str) -> Diagnostic {
    let message = format!(
        "there are more than {limit} {what}: this folder and all folders after it are left out"
    );
    warning(RuleId::LimitReached, path, message)
}

pub(crate) fn untrusted(root: &Path, skills: usize) -> Diagnostic {
    let are = if skills == 1 {
        "1 skill is".to_owned()
    } else {
        format!("{skills} skills are")
    };
    let them = if skills == 1 { "it" } else { "them" };
    let message = format!("{are} listed, and cannot be started until a person trusts {them}");
    info(RuleId::Untrusted, root, message)
}

/// Reports a skill that has changed since you trusted it. `what` names the changed files.
pub(crate) fn no_longer_trusted(dir: &Path, name: &str, what: &str) -> Diagnostic {
    let what = if what.is_empty() {
        "its folder cannot be read"
    } else {
        what
    };
    let message = format!("skill '{name}' has changed since you trusted it: {what}");
    warning(RuleId::TrustChanged, dir, message).help("look at what changed, and trust it again")
}
