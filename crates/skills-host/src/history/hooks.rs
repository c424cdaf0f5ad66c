//! The hooks that a configuration names: `[hook "NAME"]` with an event and a command, from git 2.54 on.
//!
//! `core.hooksPath` does not turn these hooks off. `hook.NAME.enabled` does, so their names are read first, which runs
//! no hook. A repository that came with an archive can choose any name.

use crate::git::observer::Observer;
use crate::git::process::Most;
use crate::git::program::{Call, Git, SETTINGS};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Maximum number of names. Each name becomes an argument of each call.
const MAX_HOOKS: usize = 100;
/// Bounds of the list of names, which is shorter than the arguments of a call may be.
const MOST: Most = Most {
    bytes: 64 << 10,
    records: 10_000,
    memory: 2 << 30,
};

/// Returns the settings that turn off the hooks of every configuration that git reads in the place of a call.
///
/// # Errors
///
/// [`ErrorKind::Refused`]: too many hooks, or a name that no setting can name.
pub(crate) fn settings_without_hooks(
    folder: &Path,
    git: &Git,
    call: Call,
    observer: &dyn Observer,
) -> Result<Vec<String>, Error> {
    let refused = |what: &str| {
        let message = prose!(
            "the repository of {} is not used: its configuration names {what}",
            folder
        );
        let help = "look at what `git config --show-origin --get-regexp '^hook\\.'` prints there";
        Error::new(ErrorKind::Refused, message).help(help)
    };
    let call = call.answer(1).most(MOST);
    let call = call.arguments(&[
        "config",
        "--null",
        "--name-only",
        "--get-regexp",
        r"^hook\.",
    ]);
    let keys = git.output(call, observer)?;
    let mut settings = BTreeSet::new();
    for key in keys.split(|byte| *byte == 0).filter(|key| !key.is_empty()) {
        let key = str::from_utf8(key).map_err(|_| refused("a hook whose name is not UTF-8"))?;
        // `hook.jobs` names no hook.
        let name = key
            .strip_prefix("hook.")
            .and_then(|rest| rest.rsplit_once('.'));
        let Some((name, _)) = name else {
            continue;
        };
        // In `-c KEY=VALUE` the first sign ends the key.
        if name.contains('=') {
            return Err(refused("a hook whose name holds `=`"));
        }
        let off = format!("hook.{name}.enabled=false");
        // The settings of every call are part of what git lists.
        if !SETTINGS.contains(&off.as_str()) {
            settings.insert(off);
        }
    }
    if settings.len() > MAX_HOOKS {
        return Err(refused(&format!("more than {MAX_HOOKS} hooks")));
    }
    Ok(settings.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::observer::Quiet;
    use std::fmt::Write as _;
    use std::fs;

    /// Returns the settings for a configuration with these hooks, or the error.
    fn settings(names: &[String]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let git = Git::default();
        let call = || Call::new("x").argument("-C").argument(folder.path());
        let init = call().arguments(&["init", "--quiet", "--template="]);
        git.output(init, &Quiet).unwrap();
        let mut config = String::from("[hook]\njobs = 2\n");
        for name in names {
            // An enabled hook, and keys of any case.
            write!(
                config,
                "[Hook \"{name}\"]\nEvent = update\nenabled = true\n"
            )
            .unwrap();
        }
        fs::write(folder.path().join("included"), &config).unwrap();
        let config = folder.path().join(".git/config");
        let text = fs::read_to_string(&config).unwrap() + "[include]\npath = ../included\n";
        fs::write(&config, text).unwrap();
        settings_without_hooks(folder.path(), &git, call(), &Quiet)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_name_is_turned_off_or_refused() {
        let names =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.into()).collect() };
        let off = settings(&names(&["a", "Other Evil.event", "ä", "a"])).unwrap();
        let expected = [
            "hook.Other Evil.event.enabled=false",
            "hook.a.enabled=false",
            "hook.ä.enabled=false",
        ];
        assert_eq!(off, expected);
        assert_eq!(settings(&[]), Ok(Vec::new()));
        assert!(
            settings(&names(&["a=b"]))
                .unwrap_err()
                .contains("holds `=`")
        );
        let many: Vec<String> = (0..=MAX_HOOKS).map(|n| format!("h{n}")).collect();
        assert!(settings(&many).unwrap_err().contains("more than 100 hooks"));
        assert_eq!(settings(&many[1..]).unwrap().len(), MAX_HOOKS);
    }
}
