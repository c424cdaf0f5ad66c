//! The bundles of a folder, as the program `skills` finds them.

use crate::files::{Opened, Playground};
use skills_clients::check::clients;
use skills_format::disk::Kind;
use skills_format::{Diagnostic, RuleId, SkillFiles, Tree, TreeFile, is_litter};
use skills_lint::{
    CONFIG_FILE, Clients, Config, Found, LinkEnd, Place, Scope, Surroundings, check_bundle,
};
use skills_repository::repository::{
    Settings, bundle_folder, check_text, inner_skills, is_below_tests, plugin_manifests, with_inner,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The rules that need more than the files of a page: git, the run bits of a disk, the plugins and the locks of a
/// repository. The program `skills` checks them.
pub const NOT_CHECKED: &[RuleId] = &[
    RuleId::BundleEmpty,
    RuleId::LockStale,
    RuleId::ManifestForm,
    RuleId::ManifestName,
    RuleId::ManifestPath,
    RuleId::PowersWidened,
    RuleId::ScriptMode,
    RuleId::SkillFileMissing,
];

/// A bundle of a folder.
pub(crate) struct Bundle {
    pub(crate) dir: String,
    pub(crate) tree: Tree,
    config: Config,
}

/// The findings of everything that was opened.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) suppressed: usize,
}

impl Playground {
    /// Checks a tree, which has the paths of what was opened.
    pub(crate) fn checked(&self, tree: &Tree) -> Checked {
        self.checked_with(tree, &|bundle, name| {
            let mut found = bundle.check(&bundle.tree, tree, name);
            let inner = inner_skills(&bundle.tree, &bundle.config, &|_| true, &str::to_owned);
            with_inner(&mut found.diagnostics, inner);
            found
        })
    }

    /// Checks a tree for the fixes of everything: `skills check --fix` leaves a skill in the folder of another as it is.
    pub(crate) fn fixable(&self, tree: &Tree) -> Vec<Diagnostic> {
        let check = |bundle: &Bundle, name: &str| bundle.check(&bundle.tree, tree, name);
        self.checked_with(tree, &check).diagnostics
    }

    fn checked_with(&self, tree: &Tree, check: &dyn Fn(&Bundle, &str) -> Found) -> Checked {
        let Opened::Folder(name) = &self.kind else {
            return of_text(tree, &Settings::default());
        };
        let (bundles, faults) = bundles(tree, name);
        let mut checked = Checked {
            diagnostics: faults,
            suppressed: 0,
        };
        for bundle in &bundles {
            let found = check(bundle, name);
            checked.diagnostics.extend(found.diagnostics);
            checked.suppressed += found.suppressed.len();
        }
        Diagnostic::sort(&mut checked.diagnostics);
        checked
    }

    /// Checks the skill of a folder for one client alone. No other skill is looked at.
    pub(crate) fn checked_for(&self, skill: &SkillFiles<'_>, client: &str) -> Vec<Diagnostic> {
        let mut settings = Settings::default();
        settings.clients = vec![client.to_owned()];
        let Opened::Folder(name) = &self.kind else {
            return of_text(&self.tree, &settings).diagnostics;
        };
        let (configs, _) = configs(&self.tree);
        let alone = Tree {
            files: skill.files.to_vec(),
            ..Tree::default()
        };
        let dir = skill.dir.rsplit_once('/').map_or("", |(above, _)| above);
        let mut bundle = Bundle {
            config: nearest(&configs, skill.dir).cloned().unwrap_or_else(config),
            dir: dir.to_owned(),
            tree: alone,
        };
        bundle.config.clients = settings.clients;
        bundle.check(&bundle.tree, &self.tree, name).diagnostics
    }
}

/// Checks a pasted text, whose folder is unknown.
fn of_text(tree: &Tree, settings: &Settings) -> Checked {
    let Some(file) = tree.files.first() else {
        return Checked::default();
    };
    let text = file.bytes.as_deref().unwrap_or_default();
    let found = check_text(Path::new(&file.path), text, settings);
    Checked {
        diagnostics: found.diagnostics,
        suppressed: found.suppressed.len(),
    }
}

impl Bundle {
    /// Checks files of the bundle. `all` are all files that were opened, in a folder of a name.
    fn check(&self, tree: &Tree, all: &Tree, name: &str) -> Found {
        let around = Around { tree: all };
        let scope = Scope {
            dir: &self.dir,
            root_name: name,
            around: Some(&around),
            clients: Clients::new(clients(), &self.config.clients),
            ..Scope::default()
        };
        check_bundle(None, "", tree, &self.config, scope)
    }
}

/// Splits a folder into its bundles, in order of their folders. Also returns the faults of the `skills.toml` files.
pub(crate) fn bundles(tree: &Tree, name: &str) -> (Vec<Bundle>, Vec<Diagnostic>) {
    let (configs, faults) = configs(tree);
    let skills: BTreeSet<&str> = tree
        .skills_of_any_case()
        .iter()
        .map(|skill| skill.dir)
        .collect();
    let is_kept =
        |file: &&TreeFile| is_checked(&file.path, &skills) && !is_excluded(&configs, file);
    let kept = Tree {
        files: tree.files.iter().filter(is_kept).cloned().collect(),
        ..Tree::default()
    };
    let dirs: BTreeSet<String> = kept
        .skills_of_any_case()
        .iter()
        .map(|skill| skill.dir.to_owned())
        .collect();
    let is_marked =
        |folder: &str| configs.contains_key(folder) || folder.is_empty() && name == "skills";
    let folders: BTreeSet<&str> = dirs
        .iter()
        .map(|dir| bundle_folder(dir, is_marked))
        .collect();
    let mut parts: BTreeMap<String, Tree> = BTreeMap::new();
    for file in kept.files {
        let dir = skill_of(&file.path, &dirs);
        let folder = bundle_folder(dir.unwrap_or(&file.path), is_marked);
        // A file beside the skills is of a bundle only if the bundle has a skill.
        if folders.contains(folder) {
            parts.entry(folder.to_owned()).or_default().files.push(file);
        }
    }
    let bundles = parts.into_iter().map(|(dir, tree)| Bundle {
        config: nearest(&configs, &dir).cloned().unwrap_or_else(config),
        dir,
        tree,
    });
    (bundles.collect(), faults)
}

fn configs(tree: &Tree) -> (BTreeMap<String, Config>, Vec<Diagnostic>) {
    let (mut configs, mut faults) = (BTreeMap::new(), Vec::new());
    for file in &tree.files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let text = file.bytes.as_deref().map(std::str::from_utf8);
        if name == CONFIG_FILE
            && let Some(Ok(text)) = text
        {
            let (mut config, found) = Config::parse(&file.path, text);
            config.place = Place {
                shown: folder.to_owned(),
                before: String::new(),
            };
            config.honours_comments = true;
            configs.insert(folder.to_owned(), config);
            faults.extend(found);
        }
    }
    (configs, faults)
}

fn config() -> Config {
    let mut config = Config::default();
    config.honours_comments = true;
    config
}

/// Returns the options of the nearest folder above a path, itself included.
fn nearest<'c>(configs: &'c BTreeMap<String, Config>, path: &str) -> Option<&'c Config> {
    above(path).find_map(|folder| configs.get(folder))
}

fn is_excluded(configs: &BTreeMap<String, Config>, file: &TreeFile) -> bool {
    let config = nearest(configs, &file.path);
    config.is_some_and(|config| config.excludes(&config.place.relative(&file.path)))
}

/// Returns whether a file is read: not the files of git and of editors, nor folders of tests outside of the skills.
fn is_checked(path: &str, skills: &BTreeSet<&str>) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_litter(name) || path.split('/').any(|part| part == ".git") {
        return false;
    }
    let mut folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let first = folders.find(|folder| skills.contains(folder) || is_below_tests(folder.split('/')));
    skills.contains("") || first.is_none_or(|folder| skills.contains(folder))
}

/// Iterates over a path and the folders above it, the root last.
fn above(path: &str) -> impl Iterator<Item = &str> {
    let folders = path
        .rmatch_indices('/')
        .filter_map(|(at, _)| path.get(..at));
    std::iter::once(path).chain(folders).chain([""])
}

/// Returns the folder of the outermost skill that holds a path.
fn skill_of<'d>(path: &str, dirs: &'d BTreeSet<String>) -> Option<&'d str> {
    let found = above(path).filter_map(|folder| dirs.get(folder));
    found.last().map(String::as_str)
}

/// What lies around the skills: the other files that were opened.
struct Around<'t> {
    tree: &'t Tree,
}

impl Surroundings for Around<'_> {
    fn kind(&self, path: &str) -> Option<Kind> {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop()?,
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        if path.is_empty() {
            return Some(Kind::Folder);
        }
        if self.tree.get(&path).is_some() {
            return Some(Kind::File);
        }
        let below = format!("{path}/");
        let files = &self.tree.files;
        let at = files.partition_point(|file| file.path.as_bytes() < below.as_bytes());
        let is_folder = files
            .get(at)
            .is_some_and(|file| file.path.starts_with(&below));
        is_folder.then_some(Kind::Folder)
    }

    fn plugin(&self, dir: &str) -> Option<String> {
        let has = |folder: &&str| {
            let mut manifests =
                plugin_manifests().filter(|path| !path.ends_with("marketplace.json"));
            manifests.any(|path| self.tree.get(&skills_format::join(folder, path)).is_some())
        };
        above(dir).find(has).map(str::to_owned)
    }

    // A page sees files and no links.
    fn link_end(&self, _: &str) -> LinkEnd {
        LinkEnd::Nothing
    }

    // The page shows what a build says.
    fn is_shipped(&self, _: &str) -> bool {
        true
    }

    fn is_runnable(&self, _: &str) -> Option<bool> {
        None
    }
}
