//! What skills may do, with the lines that say so.

use crate::outcome::{Failure, Outcome};
use crate::output::table::{print_field, print_fields};
use crate::output::{Ctx, one_line, some_of};
use serde_json::json;
use skills_format::{join, prose};
use skills_host::review::Side;
use skills_lint::{PowerFile, powers};
use skills_permit::{Power, PowerKind, Powers};
use skills_runtime::Skill;
use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;

/// Stands below printed powers.
pub(crate) const NOTE: &str = "powers are found by reading the text of the files: the list may miss some, and may name too many";
/// The width of a label in cells.
const LABEL: usize = 13;
/// The maximum number of places that are printed for a power.
const PLACES: usize = 8;

/// Prints what the skills of a folder may do, with the lines that say so.
pub(crate) fn of_path(path: &Path, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let folder = cx.env.absolute(path);
    if let Err(error) = folder.metadata() {
        return Err(Failure::failed(
            prose!("cannot read {}: {error}", path),
            "name a folder of skills, the folder of one skill, or a skill that `skills list` shows",
        ));
    }
    let side = Side::of_folder(&folder)?;
    if side.skills.is_empty() {
        return Err(Failure::not_so(
            prose!("{} contains no skills", path),
            "a skill is a folder with a file `SKILL.md`: name the folder that holds it",
        ));
    }
    let skills = side.skills.iter();
    let skills = skills.map(|skill| (skill, skill.powers().iter().collect()));
    let skills: Vec<(_, Vec<Power>)> = skills.collect();
    let documents = skills.iter().map(|(skill, powers)| {
        // The folder is relative to the named one, and empty if that is the skill.
        json!({ "name": skill.name(), "path": skill.folder, "powers": powers })
    });
    let documents: Vec<_> = documents.collect();
    cx.report(&json!({ "skills": documents }))?;
    for (at, (skill, powers)) in skills.iter().enumerate() {
        if at > 0 {
            writeln!(cx)?;
        }
        let name = one_line(&skill.name());
        writeln!(cx, "{}", cx.strong(name))?;
        print(powers, cx)?;
    }
    cx.note(NOTE);
    Ok(Outcome::Done)
}

/// Reads the powers of a skill of a catalog. A file that cannot be read is a power of its own.
pub(crate) fn of_entry(entry: &Skill<'_>) -> Powers {
    // Of a skill on the disk, the run bits count too.
    if let Some(folder) = entry.folder() {
        return of_folder(folder);
    }
    let files = match entry.files() {
        Ok(files) => files,
        Err(error) => return unreadable(&error),
    };
    let read: Vec<(String, Option<Vec<u8>>)> = files
        .into_iter()
        .map(|file| {
            let bytes = entry
                .read(&file.path)
                .ok()
                .map(std::borrow::Cow::into_owned);
            (file.path.into_owned(), bytes)
        })
        .collect();
    powers(read.iter().map(|(path, bytes)| PowerFile {
        path,
        bytes: bytes.as_deref(),
        is_executable: false,
    }))
}

/// Reads the powers of a skill's folder, with its links, and also one with a name that is not UTF-8: a question for trust
/// must not show such a skill as one without powers.
fn of_folder(folder: &Path) -> Powers {
    let side = match Side::of_folder(folder) {
        Ok(side) => side,
        Err(error) => return unreadable(&error),
    };
    let mut all = Powers::default();
    for skill in &side.skills {
        for power in skill.powers().iter() {
            all.insert(power.kind, power.text.as_str());
            for place in &power.places {
                let path = join(&skill.folder, &place.path);
                all.add(power.kind, power.text.as_str(), &path, place.line);
            }
        }
    }
    all
}

fn unreadable(error: &dyn Display) -> Powers {
    let mut powers = Powers::default();
    powers.insert(PowerKind::Unreadable, format!("the files: {error}"));
    powers
}

/// Prints powers, by kind.
pub(crate) fn print(powers: &[Power], cx: &mut Ctx) -> Result<(), Failure> {
    if powers.is_empty() {
        return print_field(LABEL, "powers", "none found", cx);
    }
    let powers = folded(powers);
    for kind in PowerKind::ALL {
        let of_kind = powers.iter().filter(|power| power.kind == kind);
        let shown: Vec<String> = of_kind.map(in_words).collect();
        print_fields(LABEL, kind.label(), &shown, cx)?;
    }
    Ok(())
}

/// Formats a power with its first places: `git push (SKILL.md:10 and 2 more)`.
pub(crate) fn in_words(power: &Power) -> String {
    if power.places.is_empty() {
        return power.text.clone();
    }
    // A whole file has no line.
    let places = power.places.iter().map(|place| match place.line {
        0 => place.path.clone(),
        line => format!("{}:{line}", place.path),
    });
    let places: Vec<String> = places.collect();
    format!("{} ({})", power.text, some_of(&places, PLACES))
}

/// Folds code that is not read: one power for all code of a kind, without digests and with every place.
pub(crate) fn folded<'p>(powers: impl IntoIterator<Item = &'p Power>) -> Vec<Power> {
    let mut folded = Powers::default();
    for power in powers {
        let mut text = power.text.as_str();
        if power.kind == PowerKind::Unreadable {
            text = text.split(" sha256:").next().unwrap_or(text);
            text = text.trim_end_matches(" in code");
        }
        folded.insert(power.kind, text);
        for place in &power.places {
            folded.add(power.kind, text, &place.path, place.line);
        }
    }
    folded.iter().collect()
}

/// Summarizes powers on one line: `commands: git push, rm; hosts: a.org`.
pub(crate) fn summary(powers: &Powers) -> Vec<(&'static str, String)> {
    const MOST: usize = 8;
    let powers: Vec<Power> = powers.iter().collect();
    let powers = folded(&powers);
    let kinds = PowerKind::ALL.into_iter().filter_map(|kind| {
        let of_kind = powers.iter().filter(|power| power.kind == kind);
        let texts = of_kind.map(|power| match kind {
            PowerKind::Unreadable => in_words(power),
            _ => power.text.clone(),
        });
        let texts: Vec<String> = texts.collect();
        (!texts.is_empty()).then(|| (kind.label(), some_of(&texts, MOST)))
    });
    kinds.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_that_is_not_utf8_hides_no_power() {
        use std::ffi::OsStr;
        use std::fs;
        use std::os::unix::ffi::OsStrExt as _;

        let dir = tempfile::tempdir().expect("a folder");
        let text = "---\nname: b\ndescription: B.\n---\n\nRun `git push`.\n";
        fs::write(dir.path().join("SKILL.md"), text).expect("a file");
        let plain = of_folder(dir.path());
        assert!(plain.hold(PowerKind::Commands, "git push"));
        let odd = dir.path().join(OsStr::from_bytes(b"\xFF.md"));
        fs::write(&odd, "Run `git fetch`.\n").expect("a file");
        let powers = of_folder(dir.path());
        assert!(powers.hold(PowerKind::Commands, "git push"));
        assert!(powers.hold(PowerKind::Commands, "git fetch"));
        std::os::unix::fs::symlink("x", dir.path().join("run.sh")).expect("a link");
        let is_told =
            |powers: &Powers| powers.hold(PowerKind::Unreadable, "file run.sh, a link to x");
        assert!(is_told(&of_folder(dir.path())));
        fs::remove_file(&odd).expect("a file");
        assert!(is_told(&of_folder(dir.path())), "as a snapshot reads it");
        let missing = of_folder(&dir.path().join("SKILL.md"));
        assert!(missing.texts(PowerKind::Unreadable).next().is_some());
    }
}
