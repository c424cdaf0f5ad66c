//! Any bytes as `.gitignore`, and any text as `include` and `exclude` of a manifest: what is left out is
//! reported with a place in the file, the last line decides, and no line takes another line with it.

use skills_format::{Contents, Diagnostic, Tree};
use skills_lint::Config;
use skills_repository::package_losses;
use std::path::Path;
use std::{env, fs, process};

const FILES: [&str; 4] = ["a/SKILL.md", "a/b/c.md", "a/x.log", "a/{é}.md"];
/// Bytes of lines that are read of a file.
const MAX_LINES: usize = 64 * 1024;

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let base = env::temp_dir().join(format!("skills-ignore-{}", process::id()));
    let root = base.join("skills");
    for file in FILES {
        let path = root.join(file);
        let folder = path.parent().expect("a folder");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, ""));
        assert!(written.is_ok(), "{written:?}");
    }
    assert!(fs::create_dir_all(base.join(".git")).is_ok());
    let tree = Tree::read(&root, Contents::Skills { max: 0 }).expect("a tree");
    let line = serde_json::Value::from(String::from_utf8_lossy(bytes));
    // JSON escapes `/` and DEL otherwise than TOML does, but writes neither as an escape.
    let listed =
        |key: &str| format!("[package]\nname = 'x'\n{key} = ['y', {line}, 'skills/a/x.log']\n");
    let plain = "[package]\nname = 'x'\n".to_owned();
    // When git ignores the manifest, cargo does not ask git.
    let named = [bytes, b"\n/skills/a/x.log\n!/Cargo.toml\n"].concat();
    let spared = [bytes, b"\n!/skills/\n!/skills/**\n"].concat();
    let is_read = bytes.len() < MAX_LINES / 2;
    for (ignored, manifest) in [
        (bytes, plain.clone()),
        (&named, plain.clone()),
        (&spared, plain),
        (b"", listed("exclude")),
        (b"", listed("include")),
    ] {
        let written = fs::write(base.join(".gitignore"), ignored)
            .and_then(|()| fs::write(base.join("Cargo.toml"), &manifest));
        assert!(written.is_ok(), "{written:?}");
        let found = losses(&root, &tree);
        for one in &found {
            let text = match one.path.rsplit('/').next() {
                Some(".gitignore") => ignored,
                Some("Cargo.toml") => manifest.as_bytes(),
                _ => continue,
            };
            assert!(one.span().end <= text.len(), "{one:?}");
        }
        let is_lost = found.iter().any(|one| one.path.starts_with("skills/"));
        assert!(!is_read || ignored != named || is_lost, "{found:?}");
        assert!(!is_read || ignored != spared || !is_lost, "{found:?}");
    }
    assert!(fs::remove_dir_all(&base).is_ok());
}

fn losses(root: &Path, tree: &Tree) -> Vec<Diagnostic> {
    package_losses(root, "skills", tree, &Config::default()).unwrap_or_default()
}
