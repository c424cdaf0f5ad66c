//! Finds the faults of a skill's `arguments.schema.json` when the skill is listed. A start reads the file again.

use crate::source::diagnostics::{reading, shown, warning};
use skills_arguments::SchemaFile;
use skills_format::MAX_ARGUMENTS_FILE;
use skills_format::disk::{self, Refused, is_absent};
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity};
use std::fs::File;
use std::path::Path;

/// Returns whether a skill has an `arguments.schema.json`, also one that is a broken link. Most skills have none: one call
/// says so.
pub(crate) fn is_there(dir: &Path) -> bool {
    disk::is_there(&dir.join(ARGUMENTS_FILE))
}

/// Returns the findings about a file, which was opened inside of its skill.
pub(crate) fn findings(path: &Path, opened: Result<File, Refused>) -> Vec<Diagnostic> {
    let file = match opened {
        Ok(file) => file,
        // A start takes neither for a file of the skill, and starts the skill without types.
        Err(Refused::Escape) => return vec![escape(path)],
        Err(Refused::Io(error)) if is_absent(&error) => return vec![nowhere(path)],
        Err(Refused::Io(error)) => return vec![closing(reading::unreadable(path, &error))],
    };
    match disk::read_regular(&file, MAX_ARGUMENTS_FILE) {
        Ok(bytes) => faults(path, &bytes),
        Err(error) => match file.metadata() {
            Ok(found) if !found.is_file() => vec![closing(reading::not_a_file(path))],
            Ok(found) if found.len() > MAX_ARGUMENTS_FILE => {
                of_file(path, &[], &SchemaFile::too_large(found.len()))
            }
            _ => vec![closing(reading::unreadable(path, &error))],
        },
    }
}

/// Returns the faults in the bytes of a file.
pub(crate) fn faults(path: &Path, bytes: &[u8]) -> Vec<Diagnostic> {
    of_file(path, bytes, &SchemaFile::read(bytes))
}

fn of_file(path: &Path, bytes: &[u8], file: &SchemaFile) -> Vec<Diagnostic> {
    let faults = file.faults.iter().map(|fault| {
        let found = Diagnostic::new(
            fault.rule,
            Severity::Warning,
            shown(path),
            fault.message.clone(),
        );
        let found = match fault.span {
            Some(span) => found.at(bytes, span),
            None => found,
        };
        found.help(fault.help.clone())
    });
    // Said once: every fault of the file has the same consequence.
    let mut faults: Vec<Diagnostic> = faults.collect();
    if let Some(first) = faults.first_mut() {
        *first = closing(first.clone());
    }
    faults
}

/// Adds the consequence of a fault.
fn closing(mut found: Diagnostic) -> Diagnostic {
    found.message = found.message.and("; the skill does not start");
    found
}

fn escape(path: &Path) -> Diagnostic {
    let message =
        "the link leads out of the skill, and is not followed: the arguments have no types";
    warning(RuleId::LinkEscape, path, message).help("put a copy of the file there")
}

fn nowhere(path: &Path) -> Diagnostic {
    let message = "the link leads to nothing: the arguments have no types";
    warning(RuleId::LinkBroken, path, message).help("fix it, or remove it")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes its files")]
mod tests {
    use super::*;
    use skills_format::disk::Folder;
    use std::fs;

    #[test]
    fn a_file_that_cannot_be_read_has_a_finding() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(ARGUMENTS_FILE);
        let told = || {
            let folder = Folder::open(dir.path()).unwrap();
            let found = findings(&path, folder.file_within(Path::new(ARGUMENTS_FILE)));
            let told = found
                .iter()
                .map(|it| (it.rule.as_str(), it.message.to_string()));
            told.collect::<Vec<_>>()
        };
        fs::write(&path, " ".repeat(64 * 1024 + 1)).unwrap();
        assert_eq!(
            told(),
            [(
                "schema-form",
                "the file has 65537 bytes; the maximum is 65536; the skill does not start"
                    .to_owned()
            )]
        );
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert_eq!(
            told(),
            [(
                "not-a-file",
                "it is not a regular file; the skill does not start".to_owned()
            )]
        );
        fs::remove_dir(&path).unwrap();
        fs::write(
            &path,
            r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#,
        )
        .unwrap();
        assert_eq!(told(), []);
    }
}
