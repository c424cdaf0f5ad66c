//! Hints: each command of the program that an output shows in backquotes must work as printed.

use crate::change::{link, remove_folder, set_time};
use crate::folder::Folder;
use crate::program::Call;
use crate::words::words;
use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

/// The hints of a session that were tried so far.
#[derive(Default)]
pub(crate) struct Hints {
    tried: BTreeSet<String>,
}

impl Hints {
    /// Tries each new hint in the output of a call, in a copy of the folder. Returns the hints that do not work.
    pub(crate) fn faults(
        &mut self,
        call: &Call,
        output: &[String],
        folder: &Folder,
    ) -> Result<Vec<String>, String> {
        let mut faults = Vec::new();
        let is_help = |word: &String| matches!(word.as_str(), "-h" | "--help");
        // A hint does not repeat the options of the call, so it works where the sources are not those of options.
        let names_sources = |word: &String| word == "--layer";
        if call
            .arguments
            .iter()
            .any(|word| is_help(word) || names_sources(word))
        {
            return Ok(faults);
        }
        for hint in shown(output) {
            if !self.tried.insert(hint.clone()) {
                continue;
            }
            if let Some(fault) = fault(&hint, call, folder)? {
                let of = call.arguments.join(" ");
                faults.push(format!("the hint `{hint}` of `skills {of}`: {fault}\n"));
            }
        }
        Ok(faults)
    }
}

/// Returns the hints of an output. The text of a skill for a model contains no hint.
fn shown(output: &[String]) -> Vec<String> {
    let mut is_skill = false;
    let mut found = Vec::new();
    for line in output {
        is_skill |= line.contains("<skill_content");
        if !is_skill {
            found.extend(hints(line));
        }
        is_skill &= !line.contains("</skill_content");
    }
    found
}

/// Returns the commands in backquotes. In a line of JSON the strings are escaped.
fn hints(line: &str) -> Vec<String> {
    let is_json = line.trim_start().starts_with('"');
    let parts = line.split('`').skip(1).step_by(2);
    let commands = parts.filter(|part| part.starts_with("skills "));
    commands
        .map(|command| {
            if is_json {
                command.replace("\\\"", "\"").replace("\\\\", "\\")
            } else {
                command.to_owned()
            }
        })
        .collect()
}

/// Returns why a hint does not work; `None` if it works.
fn fault(hint: &str, call: &Call, folder: &Folder) -> Result<Option<String>, String> {
    let mut words = match words(hint) {
        Ok(words) => words,
        Err(error) => return Ok(Some(error)),
    };
    let is_placeholder =
        |word: &&String| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    // A help is one constant sentence: the person puts the name in the place of `ID`. The command and its options exist.
    if words.iter().any(|word| is_placeholder(&word)) {
        words.push("--help".to_owned());
    }
    let hinted = Call {
        arguments: words.into_iter().skip(1).collect(),
        variables: call.variables.clone(),
        input: None,
    };
    let is_remote = hinted
        .arguments
        .iter()
        .any(|word| word.contains("https://"));
    let output = in_a_copy(folder, || hinted.run(folder))?.lines;
    // On a terminal the program would ask.
    let is_asked = |line: &String| line.contains("this is not a terminal");
    let is_wrong = |line: &String| {
        line.starts_with("error: no ") && !line.ends_with("were named")
            || line.starts_with("For more information, try")
    };
    // In a description, the name of a group of commands prints its help.
    let is_error = |line: &String| line.starts_with("error: ");
    let failed = output.last().is_some_and(|line| line == "? 2")
        && output.iter().any(is_error)
        && !output.iter().any(is_asked);
    Ok((failed && !is_remote || output.iter().any(is_wrong)).then(|| output.join("\n")))
}

/// Runs a function in a copy of the folder. The copy has the path of the folder meanwhile, since state files contain
/// paths.
fn in_a_copy<T>(folder: &Folder, act: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let path = folder.path();
    let kept = path.with_extension("kept");
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    fs::rename(path, &kept).map_err(failed)?;
    let done = copy(&kept, path).map_err(failed).and_then(|()| act());
    remove_folder(path).map_err(failed)?;
    fs::rename(&kept, path).map_err(failed)?;
    done
}

/// Copies a folder with the times of its files. A read-only file gets a new time.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &to)?;
        } else if kind.is_symlink() {
            link(&fs::read_link(&path)?, &to)?;
        } else if kind.is_file() {
            fs::copy(&path, &to)?;
            let metadata = entry.metadata()?;
            if !metadata.permissions().readonly() {
                set_time(&to, metadata.modified()?)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::hints;

    #[test]
    fn commands_in_backquotes() {
        assert_eq!(
            hints("look with `skills show a`, not `a`, then `skills trust 'a b'`"),
            ["skills show a", "skills trust 'a b'"]
        );
        assert_eq!(
            hints(r#"  "help": "`skills show 'it'\\''s'`""#),
            [r"skills show 'it'\''s'"]
        );
    }
}
