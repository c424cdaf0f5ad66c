//! The skill of a schedule: its name, text, folder and activation.

use crate::schedule::names::ScheduleName;
use skills_format::{
    Contents, Diagnostic, Digest, FileKind, Limits, Prose, SKILL_FILE, Severity, SkillName, Tree,
    TreeFile, prose,
};
use skills_lint::{Config, check};
use skills_runtime::Catalog;
use skills_session::activation::activate;
use skills_session::{Activation, Dialect};
use skills_store::files::copy::{is_there, make_folder, remove, rename, write_file};
use skills_store::files::folder::Durable;
use skills_store::{Error, ErrorKind, disk};
use std::path::Path;

/// The name of the source of scheduled skills.
pub const SOURCE: &str = "scheduler";
/// The default format of the result.
const PLAIN: &str = "The result of the task as plain text, and nothing around it. If there is nothing \
                     to report, say so in one sentence.";
/// Maximum characters of the task in the description.
const SHORT_TASK: usize = 120;
/// The user's words for a scheduled skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskWords<'w> {
    /// The short name.
    pub short: &'w str,
    /// The task.
    pub task: &'w str,
    /// The format of the result; `None` for plain text.
    pub output: Option<&'w str>,
}

impl TaskWords<'_> {
    /// Returns the name of the skill: the short name, and eight hex digits computed from the task and `when`.
    pub(crate) fn name(&self, when: &str) -> Result<ScheduleName, Error> {
        let parts = [self.short, self.task, self.output.unwrap_or_default(), when];
        let digest = Digest::of(parts.join("\0").as_bytes()).to_string();
        let hash = digest.rsplit(':').next().and_then(|hex| hex.get(..8));
        let name = format!("{}-{}", self.short, hash.unwrap_or_default());
        let refused = |what: &dyn std::fmt::Display| {
            let message = format!("the short name '{}': {what}", self.short.escape_debug());
            Error::new(ErrorKind::Usage, message)
                .help("write lower-case letters, digits and hyphens, such as daily-report")
        };
        SkillName::new(self.short).map_err(|error| refused(&error))?;
        ScheduleName::new(&name).map_err(|error| refused(&error))
    }

    /// Returns the text of the `SKILL.md`.
    pub(crate) fn text(&self, name: &str) -> String {
        let words: Vec<&str> = self.task.split_whitespace().collect();
        let mut short: String = words.join(" ").chars().take(SHORT_TASK).collect();
        if short.chars().count() == SHORT_TASK {
            short.push('…');
        }
        let description = format!(
            "A scheduled task: {short} — Use only when its schedule runs it, or a person runs it by hand."
        );
        let description = serde_json::Value::String(description);
        let output = self.output.unwrap_or(PLAIN);
        format!(
            "---\nname: {name}\ndescription: {description}\n---\n\n## Task\n\n{}\n\n## Output format\n\n{}\n",
            self.task.trim(),
            output.trim()
        )
    }
}

/// Returns the errors of a strict check of a skill's text.
pub(crate) fn errors_of(name: &str, text: &str) -> Vec<Diagnostic> {
    let tree = Tree {
        files: vec![TreeFile {
            path: format!("{name}/{SKILL_FILE}"),
            utf8: true,
            kind: FileKind::Regular,
            size: text.len() as u64,
            bytes: Some(text.as_bytes().to_vec()),
        }],
        faults: Vec::new(),
    };
    errors(check("", &tree, &Config::default()).diagnostics)
}

fn errors(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain(|found| found.severity == Severity::Error);
    found
}

/// Writes the folder of a new skill. Returns false if an equal skill exists already.
///
/// # Errors
///
/// [`ErrorKind::Refused`] if another folder has the name. If the folder cannot be written, nothing of it stays.
pub(crate) fn write(skills: &Path, name: &str, text: &str) -> Result<bool, Error> {
    let folder = skills.join(name);
    if is_there(&folder)? {
        let there = disk::read(&folder.join(SKILL_FILE), text.len() as u64);
        if there.is_ok_and(|there| there == text.as_bytes()) {
            return Ok(false);
        }
        let message = prose!("the name '{name}' is taken: {} exists", &folder);
        return Err(Error::new(ErrorKind::Refused, message).help("remove it, or use another name"));
    }
    // A killed process leaves a hidden folder, and never half a skill.
    let part = skills.join(format!(".{name}.part"));
    remove(&part)?;
    make_folder(&part)?;
    let written = write_file(&part.join(SKILL_FILE), text.as_bytes(), Durable::Yes)
        .and_then(|_| rename(&part, &folder));
    if written.is_err() {
        // On a full disk this frees the space of the part. The first error is reported.
        let _ = remove(&part);
    }
    written.map(|()| true)
}

/// Activates a skill, after a strict check of its folder.
pub(crate) fn start(
    skills: &Path,
    name: &str,
    home: Option<&Path>,
    dialect: &dyn Dialect,
) -> Result<Activation, Error> {
    let folder = skills.join(name);
    if !folder.join(SKILL_FILE).is_file() {
        let message = prose!("its skill {} is not there", &folder);
        return Err(Error::new(ErrorKind::NotFound, message).help("remove the schedule"));
    }
    let failed = |message: Prose| {
        Error::new(ErrorKind::Refused, message).help("`skills check` on its folder shows more")
    };
    if let Some(found) = errors_in(&folder, name)?.first() {
        let message = format!(
            "its skill fails the check: {} [{}]",
            found.message, found.rule
        );
        return Err(failed(message.into()));
    }
    let mut builder = Catalog::builder().directory(SOURCE, skills);
    if let Some(home) = home {
        builder = builder.home(home);
    }
    let catalog = builder.load();
    let entry = catalog
        .get(name)
        .ok_or_else(|| failed(prose!("no skill in {} has the name '{name}'", &folder)))?;
    let activation = activate(dialect, &entry, "");
    activation.map_err(|error| failed(format!("its skill does not start: {error:#}").into()))
}

/// Returns the errors of a strict check of a folder.
fn errors_in(folder: &Path, name: &str) -> Result<Vec<Diagnostic>, Error> {
    let max = skills_lint::MAX_FILE;
    let limits = Limits::default();
    let tree = Tree::read(folder, Contents::All { max, limits })
        .map_err(|error| Error::io(folder, "cannot be read", error))?;
    let under = |file: TreeFile| TreeFile {
        path: format!("{name}/{}", file.path),
        ..file
    };
    let tree = Tree {
        files: tree.files.into_iter().map(under).collect(),
        ..tree
    };
    Ok(errors(check("", &tree, &Config::default()).diagnostics))
}
