//! The skill of a schedule: its name, text, folder and activation.

use skills_format::{
    Contents, Digest, Limits, Prose, SKILL_FILE, Severity, SkillName, Tree, TreeFile, prose,
};
use skills_host::files::copy::{is_there, make_folder, remove, rename, write_file};
use skills_host::files::folder::Durable;
use skills_lint::{Config, check};
use skills_runtime::Catalog;
use skills_session::activation::activate;
use skills_session::{Activation, Dialect};
use skills_store::{Error, ErrorKind, disk};
use std::path::Path;

/// The name of the source of scheduled skills.
pub const SOURCE: &str = "scheduler";
/// The default format of the result.
const PLAIN: &str = "The result of the task as plain text, and nothing around it. If there is nothing \
                     to report, say so in one sentence.";
/// Maximum characters of the task in the description.
const SHORT_TASK: usize = 120;

/// Returns the name of a skill: the short name, and eight hex digits computed from the task and `when`.
pub(crate) fn name(
    short: &str,
    task: &str,
    output: Option<&str>,
    when: &str,
) -> Result<String, Error> {
    let parts = [short, task, output.unwrap_or_default(), when];
    let digest = Digest::of(parts.join("\0").as_bytes()).to_string();
    let hash = digest.rsplit(':').next().and_then(|hex| hex.get(..8));
    let name = format!("{short}-{}", hash.unwrap_or_default());
    let checked = SkillName::new(short).and_then(|_| SkillName::new(&name));
    checked.map(SkillName::into_string).map_err(|error| {
        let message = format!("the short name '{}': {error}", short.escape_debug());
        Error::new(ErrorKind::Usage, message)
            .help("write lower-case letters, digits and hyphens, such as daily-report")
    })
}

/// Returns the text of the `SKILL.md`.
pub(crate) fn text(name: &str, task: &str, output: Option<&str>) -> String {
    let words: Vec<&str> = task.split_whitespace().collect();
    let mut short: String = words.join(" ").chars().take(SHORT_TASK).collect();
    if short.chars().count() == SHORT_TASK {
        short.push('…');
    }
    let description = format!(
        "A scheduled task: {short} — Use only when its schedule runs it, or a person runs it by hand."
    );
    let description = serde_json::Value::String(description);
    let (task, output) = (task.trim(), output.unwrap_or(PLAIN).trim());
    format!(
        "---\nname: {name}\ndescription: {description}\n---\n\n## Task\n\n{task}\n\n## Output format\n\n{output}\n"
    )
}

/// Writes the folder of a new skill. Returns false if an equal skill exists already.
///
/// # Errors
///
/// [`ErrorKind::Refused`] if another folder has the name, or the skill fails the check. Then nothing of it stays.
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
    let written =
        write_file(&part.join(SKILL_FILE), text.as_bytes(), Durable::Yes).and_then(|_| {
            match error_in(&part, name)? {
                Some(found) => Err(Error::new(
                    ErrorKind::Refused,
                    format!("the skill would fail the check: {found}"),
                )
                .help("change the words of the task")),
                None => rename(&part, &folder),
            }
        });
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
    if let Some(found) = error_in(&folder, name)? {
        return Err(failed(format!("its skill fails the check: {found}").into()));
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

/// Returns the first error of a strict check of a folder.
fn error_in(folder: &Path, name: &str) -> Result<Option<String>, Error> {
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
    let found = check("", &tree, &Config::default()).diagnostics;
    let first = found.iter().find(|it| it.severity == Severity::Error);
    Ok(first.map(|found| format!("{} [{}]", found.message, found.rule)))
}
