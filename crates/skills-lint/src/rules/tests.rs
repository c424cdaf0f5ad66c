//! Helpers for the tests of the rules.

use crate::check::fix::{FixLevel, FixedTree, fix};
use crate::check::{check, check_bundle};
use crate::client::{Client, Clients, Condition, Fact, Loss};
use crate::rules::rule::Level;
use crate::view::scope::Scope;
use skills_check::Config;
use skills_format::diagnostic::Diagnostic;
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
    let tree = tree(files);
    let mut config = Config::default();
    let _ = config.set(rule, Level::Warn);
    let found = check("skills", &tree, &config).diagnostics;
    let found = found
        .into_iter()
        .filter(|finding| finding.rule.as_str() == rule);
    found.map(|finding| finding.message.to_string()).collect()
}

pub(crate) fn tree<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Tree {
    Tree {
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
    }
}

/// Returns the findings of one rule about files, for clients that have facts. Without names, the common clients are
/// asked.
pub(crate) fn told_to<T: AsRef<[u8]>>(
    rule: &str,
    clients: &[Client],
    named: &[&str],
    files: &[(&str, T)],
) -> Vec<Diagnostic> {
    let mut config = Config::default();
    let _ = config.set(rule, Level::Warn);
    let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
    let scope = Scope {
        clients: Clients::new(clients, &named),
        ..Scope::default()
    };
    let mut found = check_bundle(None, "", &tree(files), &config, scope).diagnostics;
    found.retain(|finding| finding.rule.as_str() == rule);
    found
}

/// Returns a common client with one fact that loses a skill or a restraint.
pub(crate) fn client(
    name: &'static str,
    on: Condition,
    loses: Loss,
    values: &[&'static str],
) -> Client {
    Client {
        name,
        title: name.to_uppercase().leak(),
        common: true,
        facts: vec![Fact {
            on,
            does: "it is lost",
            loses,
            values: values.to_vec().leak(),
            source: "a test",
            ..Fact::default()
        }]
        .leak(),
        ..Client::default()
    }
}

/// Changes the facts of a client.
pub(crate) fn with_facts(client: &mut Client, change: impl FnMut(&mut Fact)) {
    let mut facts = client.facts.to_vec();
    facts.iter_mut().for_each(change);
    client.facts = facts.leak();
}

/// Checks and fixes a tree.
pub(crate) fn fix_bundle(
    root: &str,
    tree: &mut Tree,
    config: &Config,
    scope: Scope<'_>,
    level: FixLevel,
) -> FixedTree {
    fix(root, tree, level, &|tree| {
        check_bundle(None, root, tree, config, scope).diagnostics
    })
}
