//! The home folder, and the programs that this program starts.

use crate::commands::doctor::checked::{Checked, Trouble};
use crate::commands::doctor::programs::SearchPath;
use crate::commands::doctor::remedy::{first_on_the_path, on_the_path, shell};
use crate::environment::Environment;
use skills_format::disk::resolved;
use skills_format::prose;
use skills_format::text::command::shell_word;
use skills_format::text::path::PathText as _;
use skills_host::agent::AgentCommand;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The name of this program in a shell.
const SKILLS: &str = "skills";

/// Checks the home folder and the programs.
pub(super) fn checks(environment: &Environment) -> Vec<Checked> {
    let path = SearchPath(Environment::search_path());
    let stand = environment.working_folder.as_deref();
    vec![
        home(
            Environment::variable("HOME").as_deref(),
            environment.home.as_deref(),
        ),
        own(&path, Environment::own_path().as_deref()),
        git(&path),
        curl(&path),
        pager(Environment::variable("PAGER"), &path, stand),
        editor(
            ["VISUAL", "EDITOR"].map(|name| (name, Environment::variable(name))),
            &path,
            stand,
        ),
    ]
}

/// Checks the home folder. `variable` is the value of HOME, which only Unix needs.
fn home(variable: Option<&OsStr>, home: Option<&Path>) -> Checked {
    const LOST: &str = "no skill, no setting and no record of the person is found";
    // `~NAME` is the folder in the user database, which does not depend on HOME.
    const SET: &str = "`eval export HOME=~$(id -un)`";
    let trouble = match (variable, home) {
        _ if cfg!(windows) && home.is_some() => None,
        (value, None) => Some(Trouble::new(prose!("{}: {}", unset(value), LOST), SET)),
        (value, Some(home)) if value.is_none_or(OsStr::is_empty) => Some(Trouble::new(
            prose!(
                "{}: this program takes {}, and others may take no folder",
                unset(value),
                home
            ),
            format!("`export HOME={}`", shell_word(&home.shown())),
        )),
        (Some(_), Some(home)) if !home.is_dir() => Some(Trouble::new(
            prose!("HOME is {}: there is no such folder", home),
            shell("mkdir -p", home),
        )),
        (Some(_), Some(home)) if home.to_str().is_none() => Some(Trouble::new(
            prose!(
                "the path of the home folder, {}, is not UTF-8: no skill can be installed there",
                home
            ),
            "rename the home folder, or set HOME to a folder with a path in UTF-8",
        )),
        _ => None,
    };
    let found = home.map(|home| prose!("{}", home)).unwrap_or_default();
    Checked::new("home", found, trouble.into_iter().collect())
}

/// Returns what is wrong with the value of HOME, which leads to no folder.
fn unset(value: Option<&OsStr>) -> String {
    match value {
        None => "HOME is not set".to_owned(),
        Some(value) if value.is_empty() => "HOME is empty".to_owned(),
        Some(value) => format!(
            "HOME is not an absolute path, `{}`",
            value.to_string_lossy()
        ),
    }
}

/// Checks which program a shell starts as `skills`.
fn own(path: &SearchPath, own: Option<&Path>) -> Checked {
    let first = path.find(SKILLS, None);
    // `cargo skills` is another file of the same installation.
    let is_named = |own: &&Path| own.file_stem().is_some_and(|stem| stem == SKILLS);
    let of_cargo = own.filter(|own| own.file_stem().is_some_and(|stem| stem == "cargo-skills"));
    let beside =
        of_cargo.map(|own| own.with_file_name(format!("{SKILLS}{}", std::env::consts::EXE_SUFFIX)));
    let own = beside.as_deref().or(own);
    let folder = |own: &Path| own.parent().unwrap_or(own).to_owned();
    let trouble = match (&first, own) {
        (Some(first), Some(own)) if resolved(first) != resolved(own) => Some(Trouble::new(
            prose!(
                "a shell starts {} as `skills`, and not this program, {}",
                first.as_path(),
                own
            ),
            prose!(
                "{}, or remove the other program from its folder",
                first_on_the_path(&folder(own))
            ),
        )),
        (None, Some(own)) if is_named(&own) => Some(Trouble::new(
            prose!(
                "{} is not on the search path: a shell does not find the commands that are printed",
                own
            ),
            on_the_path(&folder(own)),
        )),
        _ => None,
    };
    let found = match &first {
        Some(first) => prose!("a shell starts {}", first.as_path()),
        None => "a shell finds no program `skills`".into(),
    };
    Checked::new("program", found, trouble.into_iter().collect())
}

fn git(path: &SearchPath) -> Checked {
    match path.find("git", None) {
        Some(git) => Checked::new("git", git.as_path(), Vec::new()),
        None => Checked::new(
            "git",
            "",
            vec![Trouble::new(
                "there is no program git on the search path: skills of git repositories cannot be installed or \
                 updated, and no history is kept",
                path.how_to_get("git"),
            )],
        ),
    }
}

/// Looks for curl, which only archives of the web need.
fn curl(path: &SearchPath) -> Checked {
    let found = if let Some(curl) = path.find("curl", None) {
        prose!("{}", curl.as_path())
    } else {
        prose!(
            "not here, and needed only for archives of https addresses: {}",
            path.how_to_get("curl")
        )
    };
    Checked::new("curl", found, Vec::new())
}

fn pager(value: Option<OsString>, path: &SearchPath, stand: Option<&Path>) -> Checked {
    let found = match named("PAGER", value, path, stand) {
        Ok(Some(found)) => prose!("{}", found.as_path()),
        Ok(None) => match path.find("less", None) {
            Some(less) => prose!("{}, since PAGER is not set", less.as_path()),
            None => "PAGER is not set: long texts are printed whole".into(),
        },
        Err(trouble) => return Checked::new("pager", "", vec![trouble]),
    };
    Checked::new("pager", found, Vec::new())
}

fn editor(
    values: [(&'static str, Option<OsString>); 2],
    path: &SearchPath,
    stand: Option<&Path>,
) -> Checked {
    let mut found = None;
    let mut troubles = Vec::new();
    for (name, value) in values {
        match named(name, value, path, stand) {
            Ok(program) => found = found.or(program),
            Err(trouble) => troubles.push(trouble),
        }
    }
    let found = match found {
        Some(found) => prose!("{}", found.as_path()),
        None => "VISUAL and EDITOR are not set: conflicts of a merge are edited in a copy".into(),
    };
    Checked::new("editor", found, troubles)
}

/// Finds the program of a command in a variable; `None` if the variable is not set.
fn named(
    name: &str,
    value: Option<OsString>,
    path: &SearchPath,
    stand: Option<&Path>,
) -> Result<Option<PathBuf>, Trouble> {
    let value = value.filter(|value| !value.to_string_lossy().trim().is_empty());
    let Some(value) = value else {
        return Ok(None);
    };
    let value = value.to_string_lossy();
    let help = || format!("set {name} to a program that is there, or leave it out: `unset {name}`");
    let command = AgentCommand::parse(&value)
        .map_err(|error| Trouble::new(prose!("{}: {}", name, &error), help()))?;
    let program = command.words().first().map_or("", String::as_str);
    match path.find(program, stand) {
        Some(found) => Ok(Some(found)),
        None => Err(Trouble::new(
            format!("{name} is `{value}`, and there is no program `{program}`"),
            help(),
        )),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn said(check: &Checked) -> Vec<(&str, &str)> {
        let troubles = check.troubles.iter();
        troubles
            .map(|it| (it.message.as_str(), it.help.as_str()))
            .collect()
    }

    #[test]
    fn the_home_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let there = folder.path();
        let gone = there.join("gone");
        for (variable, home, wrong) in [
            (Some(there.as_os_str()), Some(there), None),
            (Some("".as_ref()), None, Some("HOME is empty: no skill")),
            (
                Some("".as_ref()),
                Some(there),
                Some("HOME is empty: this program takes "),
            ),
            (
                Some("x".as_ref()),
                None,
                Some("HOME is not an absolute path, `x`: "),
            ),
            (None, None, Some("HOME is not set: no skill")),
            (
                None,
                Some(there),
                Some("HOME is not set: this program takes "),
            ),
            (Some(gone.as_os_str()), Some(&*gone), Some("HOME is ")),
        ] {
            let check = home_of(variable, home);
            let message = said(&check)
                .first()
                .map(|(message, _)| (*message).to_owned());
            match wrong {
                None => assert_eq!(message, None),
                Some(wrong) => assert!(
                    message.as_ref().is_some_and(|it| it.starts_with(wrong)),
                    "{message:?}: {wrong}"
                ),
            }
        }
    }

    fn home_of(variable: Option<&OsStr>, home: Option<&Path>) -> Checked {
        super::home(variable, home)
    }

    #[test]
    fn the_program_of_a_shell() {
        let folder = tempfile::tempdir().expect("a folder");
        let [mine, other] = ["mine", "other"].map(|name| folder.path().join(name));
        for place in [&mine, &other] {
            std::fs::create_dir(place).expect("a folder");
            std::fs::copy("/bin/sh", place.join("skills")).expect("a program");
        }
        std::fs::copy("/bin/sh", mine.join("cargo-skills")).expect("a program");
        let own = mine.join("skills");
        let check = |folders: &[&PathBuf], own: &Path| {
            let path = SearchPath(folders.iter().map(|it| (*it).clone()).collect());
            super::own(&path, Some(own)).troubles.into_iter().next()
        };
        assert_eq!(check(&[&mine, &other], &own), None);
        assert_eq!(check(&[&mine], &mine.join("cargo-skills")), None);
        let shadowed = check(&[&other, &mine], &own).expect("another program");
        assert!(
            shadowed.message.contains("/other/skills as `skills`"),
            "{shadowed:?}"
        );
        let help = format!("`export PATH={}:\"$PATH\"`", mine.display());
        assert!(shadowed.help.starts_with(&help), "{shadowed:?}");
        let away = check(&[], &own).expect("not on the path");
        assert_eq!(
            &*away.help,
            format!("`export PATH=\"$PATH\":{}`", mine.display())
        );
        assert_eq!(check(&[], &folder.path().join("a-test")), None);
    }

    #[test]
    fn the_programs_of_variables() {
        let path = SearchPath(vec!["/bin".into()]);
        let named = |value: &str| super::named("PAGER", Some(value.into()), &path, None);
        assert_eq!(named("sh -c 'a b'"), Ok(Some("/bin/sh".into())));
        assert_eq!(named(" "), Ok(None));
        for value in ["frob -x", "'sh"] {
            let trouble = named(value).expect_err("not a program");
            assert!(trouble.help.ends_with("`unset PAGER`"), "{trouble:?}");
        }
        let both = [
            ("VISUAL", Some("frob".into())),
            ("EDITOR", Some("frob".into())),
        ];
        assert_eq!(said(&editor(both, &path, None)).len(), 2);
    }
}
