//! A repository of skills: its bundles, their options, and the skills that are checked.
//!
//! A repository holds one or more bundles: folders whose skills are loaded together. [`Repository::open`]
//! finds them below a path. The rules then see one bundle at a time.

mod around;
mod bundle;
mod folders;
mod ignored;
mod inner;
mod lookalike;
mod manifest;
mod mirror;
mod page;
mod plugin;
mod settings;
pub(crate) mod start;
#[cfg(test)]
mod tests;
mod walk;

pub use bundle::{Bundle, bundle_folder};
pub use folders::is_below_tests;
pub use inner::{inner_skills, with_inner};
pub use plugin::plugin_manifests;
pub use settings::Settings;
pub use start::{NotASkill, Start};
pub use walk::LeftOut;

use crate::git::folder::commit;
use crate::repository::around::Around;
use crate::repository::ignored::Ignored;
use crate::repository::plugin::Plugins;
use crate::repository::walk::{Root, Walk, Walked};
use skills_format::disk::{Folder as OpenFolder, is_absent, read_regular};
use skills_format::{Contents, Diagnostic, FileKind, RuleId, Tree, TreeFile};
use skills_lint::empty_help;
use skills_lint::{
    ALL_CLIENTS, Clients, Config, FixLevel, FixedTree, Found, MAX_FILE, Scope, check_bundle,
    limits_in_repository, rules,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A walked folder, and the bundles in it.
#[derive(Debug)]
pub struct Repository {
    /// The bundles, in order of their folders.
    pub bundles: Vec<Bundle>,
    /// Problems of `skills.toml` files, of ignore files, and of plugin manifests.
    pub faults: Vec<Diagnostic>,
    /// The numbers of skills that were not checked.
    pub left_out: LeftOut,
    /// The walked folder, open.
    pub folder: OpenFolder,
    settings: Settings,
    start: Start,
    around: Around,
}

fn walk(
    folder: &OpenFolder,
    start: &Start,
    settings: &Settings,
    root: Root,
) -> io::Result<(Tree, Walked)> {
    let mut walk = Walk::new(start, settings, root);
    let tree = Tree::guided(folder, Contents::Names, &mut walk)?;
    Ok((tree, walk.end()))
}

/// Walks the skill at the root of a repository, without the folders that hold other skills. Returns `None` if
/// the root is not a skill.
fn of_root(
    folder: &OpenFolder,
    start: &Start,
    settings: &Settings,
    tree: &Tree,
) -> io::Result<Option<(Tree, Walked)>> {
    if !start.is_root_skill() {
        return Ok(None);
    }
    let skills = tree.files.iter().filter(|file| is_entry(&file.path));
    let others = skills.filter_map(|file| file.path.split_once('/'));
    let others: BTreeSet<String> = others.map(|(folder, _)| folder.to_owned()).collect();
    // The `skill.md` of a website is a page for agents, beside the skills of its repository.
    if !others.is_empty() && tree.get("SKILL.md").is_none() && !start.is_root_alone {
        return Ok(None);
    }
    walk(folder, start, settings, Root::Without(others)).map(Some)
}

/// Gives findings of the walk the level of the configuration, or drops those that it allows.
fn level(faults: &mut Vec<Diagnostic>, bundle: Option<&Bundle>, settings: &Settings) {
    use RuleId::{ManifestForm, ManifestName, ManifestPath, Symlink, Unfinished};

    let mut config = bundle.map_or_else(Config::default, |bundle| bundle.config.clone());
    settings.over(&mut config);
    let ids = [
        ManifestForm,
        ManifestName,
        ManifestPath,
        Symlink,
        Unfinished,
    ];
    faults.retain_mut(|finding| {
        let Some(id) = ids.iter().find(|id| finding.is(**id)) else {
            return true;
        };
        let severity = rules::find(id.as_str()).and_then(|rule| config.severity(rule));
        if let Some(severity) = severity {
            // Some faults are never errors.
            finding.severity = finding.severity.max(severity);
        }
        severity.is_some()
    });
}

/// Returns whether a path ends with `SKILL.md`, case-insensitive.
fn is_entry(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("SKILL.md")
}

/// Checks the text of a `SKILL.md` whose folder is unknown. Rules about the name of the folder and about other
/// files do not apply.
pub fn check_text(shown: &Path, text: &[u8], settings: &Settings) -> Found {
    use RuleId::{LinkBroken, LinkCase, LinkEscape, LinkSibling};

    let file = TreeFile {
        path: "SKILL.md".to_owned(),
        utf8: true,
        kind: FileKind::Regular,
        size: u64::try_from(text.len()).unwrap_or(u64::MAX),
        bytes: Some(text.to_vec()),
    };
    let mut tree = Tree::default();
    tree.files.push(file);
    let mut config = Config::default();
    settings.over(&mut config);
    let scope = Scope {
        clients: Clients::new(skills_clients::check::clients(), &config.clients),
        ..Scope::default()
    };
    let mut found = check_bundle(None, "", &tree, &config, scope);
    let shown = start::slashed(shown);
    for finding in found.diagnostics.iter_mut().chain(&mut found.suppressed) {
        finding.path.clone_from(&shown);
    }
    let of_files = [LinkBroken, LinkEscape, LinkCase, LinkSibling];
    let concerns_files = |finding: &Diagnostic| of_files.iter().any(|id| finding.is(*id));
    found.diagnostics.retain(|finding| !concerns_files(finding));
    found
}

impl Repository {
    /// Finds the bundles of a path.
    ///
    /// # Errors
    ///
    /// If the folder cannot be opened or listed, or a `skills.toml` cannot be read.
    ///
    /// # Cost
    ///
    /// Lists the folders below the path, or of the bundle that holds the path. Reads ignore files, `skills.toml`
    /// files and plugin manifests. Compares the files of skills with equal names.
    pub fn open(start: Start, settings: &Settings) -> io::Result<Self> {
        let folder = OpenFolder::open(&start.on_disk)?;
        let root = if start.is_root_skill() {
            Root::Folder
        } else {
            Root::Skill
        };
        let (mut tree, mut walked) = walk(&folder, &start, settings, root)?;
        let others = of_root(&folder, &start, settings, &tree)?;
        if start.is_root_skill() {
            // The tree of the root skill holds this `SKILL.md`. Kept here, the root would claim every file as its own.
            tree.files
                .retain(|file| file.path.contains('/') || !is_entry(&file.path));
        }
        if let Some(reason) = walked.broken.take() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        let around = Around::new(&start);
        let mut plugins = Plugins::read(&start, &walked.plugins);
        let mut bundles = bundle::all(&start, settings, tree, &walked, &plugins, &around);
        if start.is_root_alone {
            bundles.clear();
        }
        if let Some((tree, walked)) = others {
            let plugins = Plugins::read(&start, &walked.plugins);
            bundles.extend(bundle::all(
                &start, settings, tree, &walked, &plugins, &around,
            ));
        }
        mirror::find(&folder, &mut bundles);
        let mut faults = walked.faults;
        faults.append(&mut plugins.faults);
        level(&mut faults, bundles.first(), settings);
        for finding in &mut faults {
            finding.path = start.shorten(&finding.path);
        }
        // Of a folder that was walked for one skill, the manifests and options of other skills were not asked for.
        faults.retain(|finding| start.concerns(&finding.path));
        Ok(Self {
            bundles,
            faults,
            left_out: walked.left_out,
            folder,
            settings: settings.clone(),
            start,
            around,
        })
    }

    /// Runs every rule over a bundle.
    ///
    /// # Cost
    ///
    /// Reads the files of the checked skills, and the `SKILL.md` of the other skills.
    pub fn check(&self, bundle: &Bundle) -> Found {
        let asked = |dir: &str| bundle.checks(dir);
        let texts = |path: &str| self.text(path);
        let scope = Scope {
            texts: &texts,
            ..self.scope(bundle, &asked)
        };
        let folder = Some(&self.folder);
        let root = &self.start.shown;
        let mut found = check_bundle(folder, root, &bundle.tree, &bundle.config, scope);
        if bundle.skills == bundle.mirrors {
            // A folder that holds only links to skills of another bundle is what installers leave. And where a bundle
            // has no skill, another may hold one: `Repository::empty` reports on all bundles together.
            let found = &mut found.diagnostics;
            found.retain(|finding| !finding.is(RuleId::BundleEmpty));
        }
        found.diagnostics.extend(self.lookalikes(bundle));
        with_inner(&mut found.diagnostics, self.inner(bundle));
        self.finish(&mut found.diagnostics);
        self.shorten(&mut found.suppressed);
        found
    }

    /// Replaces the text of a file for later checks, or lets the file on the disk count again. The path is absolute.
    ///
    /// The bundles and their options stay those of [`Repository::open`].
    pub fn replace_text(&mut self, path: PathBuf, text: Option<Arc<[u8]>>) {
        match text {
            Some(text) => self.settings.texts.insert(path, text),
            None => self.settings.texts.remove(&path),
        };
    }

    /// Returns the text that replaces the file of an absolute path.
    pub fn replaced_text(&self, path: &Path) -> Option<Arc<[u8]>> {
        self.settings.texts.get(path).cloned()
    }

    /// Returns whether one of these absolute paths is a file that a walk sees: below the walked folder, and not ignored by
    /// git.
    pub fn sees_one_of<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) -> bool {
        let mut ignored = Ignored::new(&self.start);
        let mut paths = paths.into_iter().filter_map(|path| self.path_in(path));
        paths.any(|path| ignored.is_seen(&path))
    }

    /// Returns whether nothing stands at a path below the walked folder.
    pub fn is_absent(&self, path: &str) -> bool {
        let found = self.folder.stat(Path::new(path));
        found.is_err_and(|error| is_absent(&error))
    }

    /// Returns the text that replaces a file below the walked folder.
    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        let texts = &self.settings.texts;
        if texts.is_empty() {
            return None;
        }
        texts.get(&self.start.on_disk.join(path)).cloned()
    }

    /// Reads a file below the walked folder, or the text that replaces it. A file that is longer than `most` is an error.
    pub fn read_file(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        match self.text(path) {
            Some(text) if u64::try_from(text.len()).is_ok_and(|length| length <= most) => {
                Ok(text.to_vec())
            }
            Some(_) => Err(io::ErrorKind::FileTooLarge.into()),
            None => read_regular(&self.folder.file_below(Path::new(path))?, most),
        }
    }

    /// Returns the absolute path of a printed path.
    pub fn on_disk(&self, shown: &str) -> Option<PathBuf> {
        let inside = self.start.inside(shown)?;
        Some(start::lexical(&self.start.on_disk.join(inside)))
    }

    /// Returns the path relative to the walked folder of an absolute path.
    pub fn path_in(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.start.on_disk).ok()?;
        Some(start::slashed(inside))
    }

    /// Reads the bytes of the bundle's checked skills, for [`Repository::fix`].
    pub fn read(&self, bundle: &Bundle) -> Tree {
        let contents = Contents::All {
            max: MAX_FILE,
            limits: limits_in_repository(bundle.config.limits),
        };
        bundle.tree.filled(&self.folder, contents)
    }

    /// Applies fixes to a tree with the bytes of a bundle's skills.
    ///
    /// # Cost
    ///
    /// One check for each round of fixes, and a final check.
    pub fn fix(&self, bundle: &Bundle, tree: &mut Tree, level: FixLevel) -> FixedTree {
        // Mirrors are fixed like their originals. Otherwise a fixed original and its copy would differ.
        let asked = |dir: &str| bundle.asked.contains(dir);
        let scope = self.scope(bundle, &asked);
        let root = &self.start.shown;
        let mut fixed = skills_lint::fix(root, tree, level, &|tree| {
            check_bundle(None, root, tree, &bundle.config, scope).diagnostics
        });
        self.finish(&mut fixed.diagnostics);
        fixed
    }

    /// Checks a bundle with another text for its one requested `SKILL.md` than the text on the disk.
    ///
    /// # Cost
    ///
    /// Reads the files of the skill.
    pub fn check_text(&self, bundle: &Bundle, text: &[u8]) -> Found {
        let mut tree = self.read(bundle);
        let skills = tree.skills_of_any_case().into_iter();
        let asked = skills.filter(|skill| bundle.checks(skill.dir));
        let entries: Vec<String> = asked.map(|skill| skill.file.path.clone()).collect();
        for file in &mut tree.files {
            if entries.contains(&file.path) {
                file.size = u64::try_from(text.len()).unwrap_or(u64::MAX);
                file.bytes = Some(text.to_vec());
            }
        }
        let asked = |dir: &str| bundle.checks(dir);
        let scope = self.scope(bundle, &asked);
        let mut found = check_bundle(None, &self.start.shown, &tree, &bundle.config, scope);
        self.finish(&mut found.diagnostics);
        self.shorten(&mut found.suppressed);
        found
    }

    /// Reports that no skill was found, unless the rule is allowed.
    pub fn empty(&self) -> Option<Diagnostic> {
        let rule = rules::find(RuleId::BundleEmpty.as_str())?;
        let first = self.bundles.first();
        let mut config = first.map_or_else(Config::default, |bundle| bundle.config.clone());
        self.settings.over(&mut config);
        let severity = config.severity(rule)?;
        let path = self.shown(self.start.asked.first().map_or("", String::as_str));
        let finding = Diagnostic::new(
            RuleId::BundleEmpty,
            severity,
            path,
            "the folder contains no skills",
        );
        Some(finding.help(empty_help(!config.exclude.is_empty())))
    }

    /// Returns the printed path of a path relative to the walked folder.
    pub fn shown(&self, path: &str) -> String {
        self.start
            .shorten(&skills_format::join(&self.start.shown, path))
    }

    /// Returns the path relative to the walked folder of a printed path.
    pub fn path_of(&self, shown: &str) -> Option<String> {
        self.start.inside(shown)
    }

    /// Returns the path from the root of the git repository of a printed path, which starts from the working folder.
    /// Returns `None` outside of a git repository.
    pub fn rooted_path(&self, shown: &str, working_folder: Option<&Path>) -> Option<String> {
        self.start.rooted_path(shown, working_folder)
    }

    /// Returns the path relative to the walked folder of a path from the root of the git repository.
    pub fn unrooted(&self, path: &str) -> Option<String> {
        self.start.unrooted(path)
    }

    /// Returns the root of the git repository.
    pub fn root(&self) -> Option<&Path> {
        self.start.is_git.then_some(&self.start.root)
    }

    /// Returns the id of the commit that is checked out. Returns `None` outside of a git repository, and before its first
    /// commit.
    pub fn commit(&self) -> Option<String> {
        commit(self.root()?)
    }

    /// Returns whether an absolute path is one of the checked paths, or below one.
    pub fn asks(&self, path: &Path) -> bool {
        let inside = path.strip_prefix(&self.start.on_disk);
        inside.is_ok_and(|inside| self.start.asks(&start::slashed(inside)))
    }

    /// Reports names in `sealed` that match no skill. `names` holds the names of each bundle's skills.
    pub fn unknown_seals(&self, names: &[Vec<String>]) -> Vec<Diagnostic> {
        let mut by_config: BTreeMap<Option<&String>, (&Config, BTreeSet<&str>)> = BTreeMap::new();
        for (bundle, names) in self.bundles.iter().zip(names) {
            let entry = by_config.entry(bundle.config_path.as_ref());
            let (_, known) = entry.or_insert_with(|| (&bundle.config, BTreeSet::new()));
            known.extend(names.iter().map(String::as_str));
        }
        let configs = by_config.values();
        let unknown = configs.flat_map(|(config, names)| config.unknown_seals(names));
        unknown.collect()
    }

    /// Reports names in `clients` that no client has.
    pub fn unknown_clients(&self) -> Vec<Diagnostic> {
        let clients = skills_clients::check::clients().iter();
        let clients = clients.filter(|client| !client.facts.is_empty());
        let names = clients.flat_map(|it| it.names.iter().copied().chain([it.name]));
        let known: Vec<&str> = names.chain([ALL_CLIENTS]).collect();
        // One file can configure several bundles.
        let bundles = self.bundles.iter();
        let configs: BTreeMap<Option<&String>, &Config> = bundles
            .map(|bundle| (bundle.config_path.as_ref(), &bundle.config))
            .collect();
        let unknown = configs
            .values()
            .flat_map(|config| config.unknown_clients(&known));
        unknown.collect()
    }

    fn scope<'s>(
        &'s self,
        bundle: &'s Bundle,
        asked: &'s (dyn Fn(&str) -> bool + Sync),
    ) -> Scope<'s> {
        Scope {
            dir: &bundle.dir,
            root_name: &self.start.name,
            asked,
            around: Some(&self.around),
            clients: Clients::new(skills_clients::check::clients(), &bundle.config.clients),
            ..Scope::default()
        }
    }

    /// Reports folders among the skills that have no `SKILL.md`, and skills that have no folder.
    fn lookalikes(&self, bundle: &Bundle) -> Vec<Diagnostic> {
        let rule = rules::find(RuleId::SkillFileMissing.as_str());
        let Some(severity) = rule.and_then(|rule| bundle.config.severity(rule)) else {
            return Vec::new();
        };
        let findings = bundle.lookalikes.iter().map(|lookalike| {
            let path = skills_format::join(&self.start.shown, &lookalike.folder);
            lookalike.finding(severity, path)
        });
        findings.collect()
    }

    fn finish(&self, found: &mut Vec<Diagnostic>) {
        self.shorten(found);
        Diagnostic::sort(found);
    }

    fn shorten(&self, found: &mut [Diagnostic]) {
        for finding in found {
            finding.path = self.start.shorten(&finding.path);
        }
    }
}
