//! Any bytes as `.gitignore`: a line that is left out is reported with a place in the file, the last line decides, and no line takes
//! another line with it.

use skills_repository::repository::{Repository, Settings, Start};
use std::path::Path;
use std::{env, fs, process};

/// Bytes of lines that are read of a file.
const MAX_LINES: usize = 64 * 1024;

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let base = env::temp_dir().join(format!("skills-ignore-{}", process::id()));
    let skill = base.join("skills/a");
    assert!(fs::create_dir_all(&skill).is_ok() && fs::create_dir_all(base.join(".git")).is_ok());
    assert!(fs::write(skill.join("SKILL.md"), "").is_ok());
    let named = [bytes, b"\n/skills/a/\n"].concat();
    let spared = [bytes, b"\n!/skills/\n!/skills/**\n"].concat();
    let is_read = bytes.len() < MAX_LINES / 2;
    for (ignored, expected) in [
        (bytes, None),
        (named.as_slice(), Some(0)),
        (spared.as_slice(), Some(1)),
    ] {
        assert!(fs::write(base.join(".gitignore"), ignored).is_ok());
        let start = Start::new(Path::new("."), Some(&base)).expect("a folder");
        let repository = Repository::open(start, &Settings::default()).expect("a repository");
        for one in &repository.faults {
            assert!(one.span().end <= ignored.len(), "{one:?}");
        }
        let skills: usize = repository.bundles.iter().map(|bundle| bundle.skills).sum();
        assert!(
            !is_read || expected.is_none_or(|expected| expected == skills),
            "{:?}",
            repository.faults
        );
    }
    assert!(fs::remove_dir_all(&base).is_ok());
}
