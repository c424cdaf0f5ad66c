//! The skills that no program can load: a `SKILL.md` that cannot be read, or is not text.

use crate::commands::doctor::checked::{Checked, Trouble};
use crate::commands::doctor::circles;
use crate::commands::doctor::place::file_remedy;
use crate::commands::doctor::remedy::{aside, of_link, shell};
use crate::output::counted;
use skills_format::disk::resolved_ahead;
use skills_format::{Diagnostic, Position, Prose, RuleId, SKILL_FILE, Severity, command, prose};
use skills_runtime::Catalog;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The maximum number of faults of one folder that are reported one by one.
const MOST: usize = 5;

/// Checks that the skills of each folder can be loaded. The check of the rights reports the faulty folders, and what they
/// hide.
pub(super) fn check<'f>(
    folders: impl Iterator<Item = &'f Path>,
    faulty: &BTreeSet<PathBuf>,
) -> Checked {
    let mut loaded = 0;
    let mut troubles = Vec::new();
    // A skill is often linked from the folders of several clients.
    let mut seen = BTreeSet::new();
    for folder in folders {
        // Links are followed, as clients follow them.
        let found = Catalog::builder().directory("folder", folder).load();
        loaded += found.catalog.iter().count();
        let is_new = |lost: &Diagnostic| {
            let real = resolved_ahead(Path::new(&lost.path));
            !(lost.is(RuleId::Unreadable) && is_hidden(&real, faulty)) && seen.insert(real)
        };
        troubles.extend(of_folder(folder, &found.diagnostics, is_new));
        troubles.extend(circles::of_folder(folder));
    }
    Checked::new("skills", counted(loaded, "skill"), troubles)
}

/// Returns whether a path cannot be read because of a faulty folder: the folder itself, or what it hides.
fn is_hidden(real: &Path, faulty: &BTreeSet<PathBuf>) -> bool {
    let mut above = real.ancestors();
    let seen = above.find(|path| path.symlink_metadata().is_ok());
    seen.is_some_and(|seen| faulty.contains(seen))
}

/// Returns what keeps the skills of a folder from being loaded, of the files that `is_new` lets pass.
fn of_folder(
    folder: &Path,
    diagnostics: &[Diagnostic],
    mut is_new: impl FnMut(&Diagnostic) -> bool,
) -> Vec<Trouble> {
    // The check of the rights reports the folder itself.
    let is_below = |found: &&Diagnostic| Path::new(&found.path) != folder;
    let lost = diagnostics
        .iter()
        .filter(is_below)
        .filter(|found| is_lost(found));
    // Each file is reported once, with its first fault.
    let lost: Vec<&Diagnostic> = lost.filter(|found| is_new(found)).collect();
    let mut troubles: Vec<Trouble> = lost.iter().take(MOST).map(|found| trouble(found)).collect();
    if let more @ 1.. = lost.len().saturating_sub(MOST) {
        let message = prose!(
            "{} in {} cannot be loaded",
            counted(more, "more skill"),
            folder
        );
        let all = command("check").path(folder);
        troubles.push(Trouble::new(message, prose!("{} shows them", all)));
    }
    troubles
}

/// Returns whether a skill is missing because of a fault.
fn is_lost(found: &Diagnostic) -> bool {
    let is_file = |rule| found.is(rule);
    found.severity == Severity::Error
        || [RuleId::Unreadable, RuleId::NotAFile, RuleId::LinkBroken]
            .into_iter()
            .any(is_file)
}

fn trouble(found: &Diagnostic) -> Trouble {
    let path = Path::new(&found.path);
    // A fault of a whole file has no line.
    let place = match found.start {
        Position::START => Prose::from(path),
        start => prose!("{}:{start}", path),
    };
    match found.message.strip_suffix("; the skill is skipped") {
        // A client can list what this program skips.
        Some(message) => Trouble::new(
            prose!("{}: {message}; this program skips the skill", place),
            prose!(
                "{}; {} shows which clients list the skill",
                help(found, path),
                command("list --everywhere")
            ),
        ),
        None => Trouble::new(
            prose!("{}: {}; the skill is not loaded", place, &found.message),
            help(found, path),
        ),
    }
}

fn help(found: &Diagnostic, path: &Path) -> Prose {
    if found.is(RuleId::LinkBroken) {
        return prose!(
            "make what the link leads to, or remove the link: {}",
            shell("rm", path)
        );
    }
    if found.is(RuleId::NotAFile) {
        return of_link(path).unwrap_or_else(|| prose!("move it out of the way: {}", aside(path)));
    }
    if found.is(RuleId::Unreadable) {
        return file_remedy(path);
    }
    let is_file = path.file_name().is_some_and(|name| name == SKILL_FILE);
    let skill = path.parent().filter(|_| is_file).unwrap_or(path);
    let check = command("check").path(skill);
    if found.is(RuleId::NotUtf8) {
        prose!("save the file as UTF-8; then {} checks it", check)
    } else {
        prose!("{} shows what to write", check)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn skill(folder: &Path, name: &str, bytes: &[u8]) {
        fs::create_dir_all(folder.join(name)).expect("a folder");
        fs::write(folder.join(name).join(SKILL_FILE), bytes).expect("a file");
    }

    #[test]
    fn skills_that_are_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        skill(
            folder,
            "good",
            b"---\nname: good\ndescription: Is good.\n---\nGo.\n",
        );
        skill(
            folder,
            "latin",
            b"---\nname: latin\ndescription: Gr\xFC\xDFt.\n---\nGo.\n",
        );
        skill(folder, "plain", b"No front matter.\n");
        fs::create_dir_all(folder.join("nested").join(SKILL_FILE)).expect("a folder");
        fs::create_dir(folder.join("link")).expect("a folder");
        symlink("nowhere", folder.join("link").join(SKILL_FILE)).expect("a link");
        symlink("nowhere", folder.join("whole")).expect("a link");
        let checked = check(std::iter::once(folder), &BTreeSet::new());
        assert_eq!(&*checked.found, "1 skill");
        let base = folder.display().to_string();
        let told: Vec<String> = checked
            .troubles
            .iter()
            .map(|trouble| format!("{} | {}", trouble.message, trouble.help).replace(&base, "[F]"))
            .collect();
        let expected = [
            "[F]/latin/SKILL.md:3:16: the file is not UTF-8; this program skips the skill | save the file as UTF-8; then \
             `skills check [F]/latin` checks it; `skills list --everywhere` shows which clients list the skill",
            "[F]/link/SKILL.md: the link leads to nothing; the skill is not loaded | make what the link leads to, or \
             remove the link: `rm [F]/link/SKILL.md`",
            "[F]/nested/SKILL.md: it is not a regular file; the skill is not loaded | move it out of the way: \
             `mv [F]/nested/SKILL.md [F]/nested/SKILL.md.aside`",
            "[F]/plain/SKILL.md: the file does not begin with front matter; this program skips the skill | \
             `skills check [F]/plain` shows what to write; `skills list --everywhere` shows which clients list the \
             skill",
            "[F]/whole: the link leads to nothing; the skill is not loaded | make what the link leads to, or remove the \
             link: `rm [F]/whole`",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn each_skill_is_reported_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        skill(&one, "plain", b"No front matter.\n");
        fs::create_dir(&other).expect("a folder");
        symlink(one.join("plain"), other.join("plain")).expect("a link");
        skill(&other, "own", b"No front matter.\n");
        let folders = [one.as_path(), &other].into_iter();
        let told = check(folders, &BTreeSet::new()).troubles;
        let told: Vec<bool> = told
            .iter()
            .map(|it| it.message.contains("/one/plain/"))
            .collect();
        assert_eq!(told, [true, false]);
    }

    /// A superuser may read every folder. What is not there stands in for what cannot be seen.
    #[test]
    fn a_folder_that_hides_its_skill() {
        let folder = tempfile::tempdir().expect("a folder");
        let faulty = BTreeSet::from([folder.path().join("closed")]);
        skill(folder.path(), "closed", b"");
        let hides = |path: &str| is_hidden(&folder.path().join(path), &faulty);
        assert!(hides("closed") && hides("closed/hidden.md"));
        // The fault is that of the file, or of a folder that nobody reported.
        assert!(!hides("closed/SKILL.md") && !hides("open/SKILL.md"));
    }

    /// A superuser may read every file, so the remedy is asked for by itself.
    #[test]
    fn a_file_without_rights() {
        let folder = tempfile::tempdir().expect("a folder");
        skill(folder.path(), "closed", b"");
        let file = folder.path().join("closed").join(SKILL_FILE);
        fs::set_permissions(&file, Permissions::from_mode(0o000)).expect("its mode");
        let found = Diagnostic::new(
            RuleId::Unreadable,
            Severity::Warning,
            file.display().to_string(),
            "it cannot be read: Permission denied (os error 13)",
        );
        let [trouble] = &of_folder(folder.path(), &[found], |_| true)[..] else {
            panic!("one trouble");
        };
        let file = file.display();
        assert_eq!(
            &*trouble.message,
            format!(
                "{file}: it cannot be read: Permission denied (os error 13); the skill is not loaded"
            )
        );
        assert_eq!(&*trouble.help, format!("`chmod u+r {file}`"));
    }
}
