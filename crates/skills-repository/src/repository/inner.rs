//! Skills in the folders of other skills.

use crate::repository::bundle::Bundle;
use crate::repository::folders::is_below_templates;
use crate::repository::{Repository, is_entry};
use skills_clients::client::{self, Client};
use skills_format::tree::{SKILL_FILE, in_folder, is_resource};
use skills_format::{Diagnostic, FileKind, RuleId, Severity, Tree, TreeFile, join, prose};
use skills_lint::{ALL_CLIENTS, Config, MAX_FILE, check_bundle, enumerated, hides, rules};

impl Repository {
    /// Reports each skill in the folder of another skill of a bundle. An Agent Plugin has none: its specification says that
    /// such a file is no skill.
    pub(super) fn inner(&self, bundle: &Bundle) -> Vec<Diagnostic> {
        if bundle.is_agent_plugin {
            return Vec::new();
        }
        // Most bundles have one `SKILL.md` a skill, and each skill is not looked at then.
        let files = bundle.tree.files.iter();
        if files.filter(|file| is_entry(&file.path)).count() <= bundle.asked.len() {
            return Vec::new();
        }
        let outer = OuterSkills {
            dir: &bundle.dir,
            tree: &bundle.tree,
            config: &bundle.config,
            asked: &|dir| bundle.checks(dir),
            root: &self.start.shown,
            shown: &|path| self.start.shorten(path),
            text: &|file| self.read_file(&file.path, MAX_FILE).ok(),
        };
        outer.inner(&|tree| {
            let scope = self.scope(bundle, &|_| true);
            let root = &self.start.shown;
            check_bundle(Some(&self.folder), root, tree, &bundle.config, scope).diagnostics
        })
    }
}

/// The skills of a bundle in whose folders others may lie.
pub struct OuterSkills<'b> {
    /// The folder of the bundle, relative to the tree's root.
    pub dir: &'b str,
    /// The files of the bundle.
    pub tree: &'b Tree,
    /// The options of the bundle.
    pub config: &'b Config,
    /// Returns whether the skill of a folder is checked.
    pub asked: &'b dyn Fn(&str) -> bool,
    /// The path before every path of the tree for display.
    pub root: &'b str,
    /// Returns the form of a path in a message.
    pub shown: &'b dyn Fn(&str) -> String,
    /// Reads a file of the tree.
    pub text: &'b dyn Fn(&TreeFile) -> Option<Vec<u8>>,
}

impl OuterSkills<'_> {
    /// Reports each skill in the folder of another skill, with its own findings: some clients load it, so its author
    /// must know them. They are warnings at most, because to the other clients it is a file of the outer skill, for
    /// example a template. `check` returns the findings of a tree.
    pub fn inner(&self, check: &dyn Fn(&Tree) -> Vec<Diagnostic>) -> Vec<Diagnostic> {
        let rule = rules::find(RuleId::NestedSkill.as_str());
        let Some(severity) = rule.and_then(|rule| self.config.severity(rule)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for skill in self.tree.skills_of_any_case() {
            if !(self.asked)(skill.dir) {
                continue;
            }
            // A `SKILL.md` directly in `skills` lies in the folder in which clients search.
            let is_top = skill.dir.rsplit('/').next() == Some("skills");
            let top = if is_top { skill.dir } else { self.dir };
            if is_top && let Some(finding) = self.hiding(skill.dir, skill.files, severity) {
                found.push(finding);
                continue;
            }
            for (dir, file) in inner_files(skill.files, skill.dir) {
                let below = in_folder(skill.dir, &file.path).unwrap_or_default();
                // A template has the form of a skill, and is none.
                if below.split('/').any(|part| part == "assets") || is_below_templates(below) {
                    continue;
                }
                let shown = join(self.root, &file.path);
                let outer = join(self.root, &skill.file.path);
                let depth = relative(top, dir).split('/').count();
                let message = prose!(
                    "the skill lies in the folder of another, {}{}",
                    (self.shown)(&outer),
                    readers(&self.config.clients, depth)
                );
                let is_default = rule.is_none_or(|rule| self.config.is_default(rule));
                let severity =
                    if is_default && (is_resource(below) || self.is_page(skill.files, dir)) {
                        severity.max(Severity::Warning)
                    } else {
                        severity
                    };
                let finding = Diagnostic::new(RuleId::NestedSkill, severity, &*shown, message);
                found.push(finding.help("move its folder beside the other, or rename the file"));
                found.extend(self.own_findings(skill.files, dir, &shown, check));
            }
        }
        found
    }

    /// Returns whether a `SKILL.md` above an inner one links it: it is a page of the skill then.
    fn is_page(&self, files: &[TreeFile], dir: &str) -> bool {
        let link = format!("{}/{SKILL_FILE})", dir.rsplit('/').next().unwrap_or(dir));
        files.iter().any(|file| {
            let above = file.path.strip_suffix(SKILL_FILE);
            let is_above = above.is_some_and(|above| !above.is_empty() && dir.starts_with(above));
            let text = is_above.then(|| (self.text)(file)).flatten();
            text.is_some_and(|text| String::from_utf8_lossy(&text).contains(&link))
        })
    }

    /// Reports a `SKILL.md` at the top of a folder of skills, as a build does: it is the mistake, and not each skill below.
    fn hiding(&self, dir: &str, files: &[TreeFile], severity: Severity) -> Option<Diagnostic> {
        let mut inner = inner_files(files, dir)
            .filter(|(_, file)| !is_resource(in_folder(dir, &file.path).unwrap_or_default()));
        let (_, first) = inner.next()?;
        let (message, help) = hides(&(self.shown)(&join(self.root, &first.path)), inner.count());
        let path = join(self.root, &join(dir, SKILL_FILE));
        Some(Diagnostic::new(RuleId::NestedSkill, severity, path, message).help(help))
    }

    /// Checks an inner skill alone. The other files of its folder are checked as files of the outer skill.
    fn own_findings(
        &self,
        files: &[TreeFile],
        dir: &str,
        shown: &str,
        check: &dyn Fn(&Tree) -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let below = format!("{dir}/");
        let files = files.iter().filter(|file| file.path.starts_with(&below));
        let tree = Tree {
            files: files.cloned().collect(),
            ..Tree::default()
        };
        let mut found = check(&tree);
        // A link to a file of the outer skill leads to that file, wherever a client loads the inner skill from.
        found.retain(|finding| finding.path == shown && !finding.is(RuleId::LinkEscape));
        for finding in &mut found {
            let rule = rules::find(finding.rule.as_str());
            let is_default = rule.is_none_or(|rule| self.config.is_default(rule));
            // A level that the keeper set counts. Hidden text is meant for a model wherever the file lies.
            if is_default && !finding.is(RuleId::HiddenText) {
                finding.severity = finding.severity.max(Severity::Warning);
            }
        }
        found
    }
}

/// Adds the findings of [`OuterSkills::inner`] to those of a bundle, of which the same findings go: about a file of the
/// outer skill they can be milder.
pub fn with_inner(found: &mut Vec<Diagnostic>, inner: Vec<Diagnostic>) {
    let is_told = |finding: &Diagnostic| {
        let is_it = |own: &Diagnostic| {
            (own.rule, own.start, &own.path) == (finding.rule, finding.start, &finding.path)
        };
        inner.iter().any(is_it)
    };
    // A `SKILL.md` that hides skills is not meant as a skill of this folder.
    let is_of_hiding = |finding: &Diagnostic| {
        finding.is(RuleId::NameMismatch)
            && inner
                .iter()
                .any(|it| it.is(RuleId::NestedSkill) && it.path == finding.path)
    };
    if !inner.is_empty() {
        found.retain(|finding| !is_told(finding) && !is_of_hiding(finding));
    }
    found.extend(inner);
}

/// Returns the `SKILL.md` files below the folder of a skill, each with its folder.
fn inner_files<'f>(
    files: &'f [TreeFile],
    outer: &'f str,
) -> impl Iterator<Item = (&'f str, &'f TreeFile)> {
    let regular = files.iter().filter(|file| file.kind == FileKind::Regular);
    regular.filter_map(move |file| {
        let dir = file.path.strip_suffix("/SKILL.md")?;
        (dir != outer).then_some((dir, file))
    })
}

/// Returns the path below a folder.
fn relative<'p>(folder: &str, path: &'p str) -> &'p str {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.trim_start_matches('/')
}

/// Says which clients load a skill so many folders below the folder of skills: of the clients that the author names, else
/// of all whose search is known.
fn readers(named: &[String], depth: usize) -> String {
    let is_named = |client: &Client| {
        let is_it = |name: &String| *name == client.name || client.names.contains(name);
        named.is_empty() || named.iter().any(|name| name == ALL_CLIENTS || is_it(name))
    };
    let mut load = Vec::new();
    let mut pass = Vec::new();
    for client in client::all().iter().filter(|client| is_named(client)) {
        let Some(discovery) = &client.discovery else {
            continue;
        };
        match discovery.depth {
            Some(most) if most < depth => pass.push(client.title.as_str()),
            _ => load.push(client.title.as_str()),
        }
    }
    [
        (load, "loads it too", "load it too"),
        (pass, "does not load it", "do not load it"),
    ]
    .into_iter()
    .map(|(clients, one, many)| match clients.len() {
        0 => String::new(),
        1 => format!("; {} {one}", enumerated(&clients)),
        _ => format!("; {} {many}", enumerated(&clients)),
    })
    .collect()
}
