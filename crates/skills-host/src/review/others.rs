//! Every other file that differs between two commits. No rule looks for these files, so none is missing in the list.

use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::MOST_TREE;
use crate::review::files::{ChangedFile, ChangedKind};
use crate::review::plugin_files::is_plugin_file;
use crate::review::revision::{Revision, within};
use crate::review::side::{nearest, shown};
use skills_format::join;
use skills_lint::CONFIG_FILE;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;

const NOTHING: &str = "000000";
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";

/// Returns the files below the folder of two revisions that differ between them, and are in no skill, beside none and reached by none.
///
/// # Errors
///
/// [`ErrorKind::Program`] if git cannot list them.
pub fn others(
    git: &Git,
    [old, new]: [&Revision; 2],
    observer: &dyn Observer,
) -> Result<Vec<ChangedFile>, Error> {
    let prefix = &new.side.prefix;
    let what = format!("cannot compare {} and {}", old.commit, new.commit);
    let mut call = within(&new.top, what.clone()).most(MOST_TREE);
    call = call.arguments(&[
        "diff-tree",
        "-r",
        "-z",
        "--raw",
        "--no-renames",
        "--no-abbrev",
    ]);
    call = call.arguments(&["--ignore-submodules=none", &old.commit, &new.commit, "--"]);
    if !prefix.is_empty() {
        call = call.argument(format!(":(literal){prefix}"));
    }
    let output = git.output(call, observer)?;
    let sides = [Compared::of(old), Compared::of(new)];
    let mut found = Vec::new();
    // `:100644 120000 OLD NEW M`, then the path.
    let mut fields = output.split(|byte| *byte == 0);
    while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
        let head = String::from_utf8_lossy(head);
        let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
        let (&[old_mode, new_mode, old_id, new_id, _], Some(path)) = (&words[..], fields.next())
        else {
            return Err(Error::new(ErrorKind::Program, what));
        };
        let path = path.strip_prefix(prefix.as_bytes()).unwrap_or(path);
        let path = shown(path);
        let modes = [old_mode, new_mode];
        let is_seen = |at: usize| modes[at] == NOTHING || sides[at].knows(&path);
        if is_seen(0) && is_seen(1) {
            continue;
        }
        let is_link = |at: usize| {
            modes[at] == SUBMODULE
                || modes[at] == LINK && !sides[at].revision.to_files.contains(&path)
        };
        let (kind, denied) = if new_mode != NOTHING && (is_link(0) || is_link(1)) {
            (ChangedKind::Link, true)
        } else if decides(&new.side.of_top(&path)) || sides.iter().any(|it| it.is_flat(&path)) {
            (ChangedKind::Deciding, true)
        } else {
            (ChangedKind::Other, false)
        };
        let note = match modes {
            [NOTHING, _] => "added",
            [_, NOTHING] => "removed",
            _ => "changed",
        };
        let id = |id: &str, mode: &str| (mode != NOTHING).then(|| format!("git:{id}"));
        found.push(ChangedFile {
            old: id(old_id, old_mode),
            new: id(new_id, new_mode),
            ..ChangedFile::note(kind, &path, note.to_owned(), denied)
        });
    }
    Ok(found)
}

/// Returns whether forges, hooks of git or clients read a file: most of their names begin with a dot.
fn decides(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.any(|part| part.starts_with('.') || FORGES.contains(&part)) || is_plugin_file(path)
}

const FORGES: [&str; 4] = [
    "CODEOWNERS",
    "Jenkinsfile",
    "azure-pipelines.yml",
    "lefthook.yml",
];

/// What of a commit was compared.
struct Compared<'r> {
    revision: &'r Revision,
    /// The folders of the skills.
    skills: BTreeSet<&'r str>,
}

impl<'r> Compared<'r> {
    fn of(revision: &'r Revision) -> Self {
        let skills = revision.side.skills.iter();
        let skills = skills.map(|skill| skill.folder.as_str()).collect();
        Self { revision, skills }
    }

    fn knows(&self, path: &str) -> bool {
        let side = &self.revision.side;
        nearest(path, |folder| self.skills.contains(folder)).is_some()
            || side.beside.contains_key(path)
            || side.outside.contains_key(path)
            || side.links.contains_key(path)
    }

    /// Returns whether a text is a skill of a flat bundle, which is one file.
    fn is_flat(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let config = self.revision.side.beside.get(&join(folder, CONFIG_FILE));
        name.to_ascii_lowercase().ends_with(".md")
            && config.is_some_and(|config| String::from_utf8_lossy(&config.bytes).contains("flat"))
    }
}
