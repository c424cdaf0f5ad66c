//! Helpers for the tests of the rules.

use crate::check::check;
use crate::config::Config;
use crate::rules::rule::Level;
use skills_format::tree::{FileKind, Tree, TreeFile};

/// Returns the messages of one rule about a `SKILL.md` with more lines of front matter.
pub(crate) fn told(rule: &str, fields: &str) -> Vec<String> {
    let text = format!(
        "---\nname: release-notes\ndescription: Writes notes. Use when published.\n{fields}\n---\n\nGo.\n"
    );
    told_of(rule, &[("release-notes/SKILL.md", &text)])
}

/// Returns the messages of one rule about files.
pub(crate) fn told_of<T: AsRef<[u8]>>(rule: &str, files: &[(&str, T)]) -> Vec<String> {
    let tree = Tree {
        files: files
            .iter()
            .map(|(path, text)| TreeFile {
                path: (*path).to_owned(),
                utf8: true,
                kind: FileKind::Regular,
                size: text.as_ref().len() as u64,
                bytes: Some(text.as_ref().to_vec()),
            })
            .collect(),
        faults: Vec::new(),
    };
    let mut config = Config::default();
    let _ = config.set(rule, Level::Warn);
    let found = check("skills", &tree, &config).diagnostics;
    let found = found
        .into_iter()
        .filter(|finding| finding.rule.as_str() == rule);
    found.map(|finding| finding.message.to_string()).collect()
}
