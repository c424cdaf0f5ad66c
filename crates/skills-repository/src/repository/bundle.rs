//! The bundles of a repository: folders whose skills are loaded together.

use crate::repository::around::Around;
use crate::repository::lookalike::Lookalike;
use crate::repository::plugin::Plugins;
use crate::repository::settings::Settings;
use crate::repository::start::{Start, is_in};
use crate::repository::walk::{Walked, nearest, relative, shown_config};
use skills_format::tree::in_folder;
use skills_format::{FileKind, TRIGGERS_FILE, Tree, TreeFault, TreeFile, join, left_out};
use skills_lint::{Config, Place};
use std::collections::{BTreeMap, BTreeSet};

/// One bundle of a repository.
#[derive(Debug)]
#[non_exhaustive]
pub struct Bundle {
    /// The name of the plugin, else of the folder.
    pub name: String,
    /// The printed path of the folder.
    pub path: String,
    /// The number of skills, checked and mirrored.
    pub skills: usize,
    /// The number of mirrors among the skills: copies of, or links to, skills that are checked elsewhere.
    pub mirrors: usize,
    /// The number of skills whose `SKILL.md` is not read: it is a link, or its path is not UTF-8. A finding reports each.
    pub unchecked: usize,
    /// The options of the bundle.
    pub config: Config,
    /// The printed path of the bundle's `skills.toml`.
    pub config_path: Option<String>,
    /// The files of the skills, without bytes. Paths are relative to the walked folder.
    pub tree: Tree,
    /// The folder, relative to the walked folder.
    pub(crate) dir: String,
    /// The folders of the requested skills.
    pub(crate) asked: BTreeSet<String>,
    /// Folders that resemble skills and have no `SKILL.md`.
    pub(crate) lookalikes: Vec<Lookalike>,
    /// True if the folder is `skills` of an Agent Plugin: its specification forbids a search below a skill.
    pub(crate) is_agent_plugin: bool,
    /// The folders of skills that are copies of skills of other bundles.
    pub(crate) copies: BTreeSet<String>,
}

impl Bundle {
    /// Returns whether the skill of a folder is checked.
    pub fn checks(&self, dir: &str) -> bool {
        self.asked.contains(dir) && !self.copies.contains(dir)
    }

    /// Returns the files and folders of checked skills that no skill ships, in order, also what `include` brings back. Paths are relative to the walked folder.
    pub fn not_shipped(&self) -> BTreeSet<String> {
        let mut parts = BTreeSet::new();
        let skills = self.tree.skills().into_iter();
        for skill in skills.filter(|skill| self.checks(skill.dir)) {
            let has = |below: &str| self.tree.get(&join(skill.dir, below)).is_some();
            let below = skill.files.iter();
            let below = below.filter_map(|file| in_folder(skill.dir, &file.path));
            let left_out = below.filter_map(|path| Some(left_out(path, &has)?.0));
            let left_out = left_out.filter(|part| *part != TRIGGERS_FILE);
            parts.extend(left_out.map(|part| join(skill.dir, part)));
        }
        parts
    }

    /// Returns whether the bundle has a file beside its skills, an unreadable part, or a folder that resembles a skill.
    fn has_loose_files(&self) -> bool {
        let skills = self.tree.skills_of_any_case();
        let dirs: BTreeSet<String> = skills.iter().map(|skill| skill.dir.to_owned()).collect();
        let is_loose = |file: &TreeFile| skill_of(&file.path, &dirs).is_none();
        !self.tree.faults.is_empty()
            || self.tree.files.iter().any(is_loose)
            || !self.lookalikes.is_empty()
    }

    /// Returns the number of checked skills.
    pub fn checked(&self) -> usize {
        self.skills.saturating_sub(self.mirrors + self.unchecked)
    }
}

/// Splits the files of a walk into bundles, in order of their folders.
pub(crate) fn all(
    start: &Start,
    settings: &Settings,
    tree: Tree,
    walked: &Walked,
    plugins: &Plugins,
    around: &Around,
) -> Vec<Bundle> {
    let dirs: BTreeSet<String> = tree
        .skills_of_any_case()
        .iter()
        .map(|skill| skill.dir.to_owned())
        .collect();
    let listing = listing(plugins, &dirs);
    let mut parts: BTreeMap<Key, BundlePart> = BTreeMap::new();
    let marks = Marks::new(start, plugins, walked);
    let bundle_of = |path: &str, dir: Option<&str>| marks.folder_of(dir.unwrap_or(path));
    let mut last: Option<(String, Key)> = None;
    for file in tree.files {
        // Files are sorted by path, so most belong to the skill of the previous file: the look-up is skipped.
        if let Some((dir, folder)) = &last
            && is_in(&file.path, dir)
            && let Some(part) = parts.get_mut(folder)
        {
            part.files.push(file);
            continue;
        }
        let dir = skill_of(&file.path, &dirs);
        let folder = bundle_of(&file.path, dir);
        let by = dir.and_then(|dir| plugins.listed.get(dir));
        let mut by = by.into_iter().flatten();
        let key = (folder.clone(), by.next().cloned());
        for other in by {
            // The skill is checked once.
            let other = parts.entry((folder.clone(), Some(other.clone())));
            other.or_default().links += usize::from(start.asks(&file.path));
        }
        let part = parts.entry(key.clone()).or_default();
        if let Some(dir) = dir {
            part.dirs.insert(dir.to_owned());
            last = Some((dir.to_owned(), key));
        } else if file.kind == FileKind::Link && around.leads_to_skill(start, &file.path) {
            // The skill is checked at the link's target, and would otherwise be reported twice.
            part.links += usize::from(start.asks(&file.path));
            continue;
        } else if !start.asks(&file.path) {
            continue;
        }
        part.files.push(file);
    }
    for fault in tree.faults {
        let dir = skill_of(&fault.path, &dirs);
        let folder = bundle_of(&fault.path, dir);
        let by = dir.and_then(|dir| plugins.listed.get(dir)?.first());
        let part = parts.entry((folder, by.cloned())).or_default();
        part.faults.push(fault);
    }
    for found in &walked.lookalikes {
        let dir = &*found.folder;
        let below = format!("{dir}/");
        let holds_skills = dirs
            .range(below.clone()..)
            .next()
            .is_some_and(|dir| dir.starts_with(&below));
        if start.asks(dir) && !holds_skills && marks.is_bundle(parent_of(dir)) {
            let part = parts.entry((marks.folder_of(dir), None)).or_default();
            part.lookalikes.push(found.clone());
        }
    }
    let bundles = parts.into_iter();
    bundles
        .map(|((dir, plugin), part)| {
            let name = plugin.unwrap_or_else(|| name(&dir, start, plugins, &listing));
            part.bundle(dir, name, start, settings, walked, plugins)
        })
        .filter(|bundle| bundle.skills > 0 || bundle.has_loose_files())
        .collect()
}

/// The folder of a bundle, and the plugin of a marketplace that lists its skills one by one.
type Key = (String, Option<String>);

/// Returns the plugins that list skills of the tree one by one.
fn listing<'p>(plugins: &'p Plugins, dirs: &BTreeSet<String>) -> BTreeSet<&'p str> {
    let listed = plugins.listed.iter().filter(|(dir, _)| dirs.contains(*dir));
    let names = listed.flat_map(|(_, names)| names);
    names.map(String::as_str).collect()
}

/// The files of one bundle, during the split.
#[derive(Default)]
struct BundlePart {
    files: Vec<TreeFile>,
    faults: Vec<TreeFault>,
    dirs: BTreeSet<String>,
    lookalikes: Vec<Lookalike>,
    /// The number of links to skills of the repository.
    links: usize,
}

impl BundlePart {
    fn bundle(
        self,
        dir: String,
        name: String,
        start: &Start,
        settings: &Settings,
        walked: &Walked,
        plugins: &Plugins,
    ) -> Bundle {
        let asked: BTreeSet<String> = self
            .dirs
            .into_iter()
            .filter(|dir| start.asks(dir))
            .collect();
        let (config, config_path) = config(&dir, start, settings, walked);
        let shown = start.shorten(&join(&start.shown, &dir));
        let mut tree = Tree::default();
        let is_asked =
            |path: &str| start.asks(path) || start.asked.iter().any(|asked| is_in(asked, path));
        tree.files = self.files;
        tree.faults = self.faults;
        let skills = tree.skills_of_any_case();
        let unread = skills.iter().filter(|skill| {
            asked.contains(skill.dir) && !(skill.file.utf8 && skill.file.kind == FileKind::Regular)
        });
        // Two folders whose names are not UTF-8 can have one path here, and count once.
        let unread: BTreeSet<&str> = unread.map(|skill| skill.dir).collect();
        let unchecked = unread.len();
        tree.faults.retain(|fault| is_asked(&fault.path));
        let is_agent_plugin = dir
            .strip_suffix("skills")
            .is_some_and(|plugin| plugins.portable.contains(plugin.trim_end_matches('/')));
        Bundle {
            is_agent_plugin,
            name,
            path: shown,
            skills: asked.len() + self.links,
            mirrors: self.links,
            unchecked,
            config,
            config_path,
            tree,
            dir,
            asked,
            lookalikes: self.lookalikes,
            copies: BTreeSet::new(),
        }
    }
}

/// Returns the folder of the outermost skill that holds a path.
fn skill_of<'d>(path: &str, dirs: &'d BTreeSet<String>) -> Option<&'d str> {
    if let Some(root) = dirs.get("") {
        return Some(root);
    }
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let mut known = folders.chain([path]).filter_map(|dir| dirs.get(dir));
    known.next().map(String::as_str)
}

fn parent_of(dir: &str) -> &str {
    dir.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The folders that are marked as bundles.
struct Marks<'a> {
    plugins: &'a Plugins,
    walked: &'a Walked,
    /// True if the walked folder is marked. Asked once: the answer is on the disk.
    is_walked: bool,
}

impl<'a> Marks<'a> {
    fn new(start: &Start, plugins: &'a Plugins, walked: &'a Walked) -> Self {
        Self {
            plugins,
            walked,
            is_walked: start.is_marked() || walked.configs.contains_key(""),
        }
    }

    fn is_marked(&self, folder: &str) -> bool {
        match folder {
            "" => self.is_walked,
            _ => self.walked.configs.contains_key(folder) || self.plugins.skills.contains(folder),
        }
    }

    fn is_bundle(&self, folder: &str) -> bool {
        folder.rsplit('/').next() == Some("skills") || self.is_marked(folder)
    }

    fn folder_of(&self, dir: &str) -> String {
        bundle_folder(dir, |folder| self.is_marked(folder)).to_owned()
    }
}

/// Returns the folder of the bundle to which a skill's folder belongs: the nearest folder above it that is called `skills`
/// or marked, else its parent. The path of the walked folder is empty.
pub fn bundle_folder(dir: &str, is_marked: impl Fn(&str) -> bool) -> &str {
    let parent = parent_of(dir);
    let above = parent
        .rmatch_indices('/')
        .filter_map(|(at, _)| parent.get(..at));
    let is_named = |folder: &str| folder.rsplit('/').next() == Some("skills");
    let mut folders = std::iter::once(parent).chain(above).chain([""]);
    let bundle = folders.find(|folder| is_named(folder) || is_marked(folder));
    bundle.unwrap_or(parent)
}

/// Returns the name of the plugin that a bundle belongs to, else of the bundle's folder.
///
/// A plugin that lists its skills one by one does not name the others of the folder.
fn name(dir: &str, start: &Start, plugins: &Plugins, listing: &BTreeSet<&str>) -> String {
    let folders = dir.rmatch_indices('/').filter_map(|(at, _)| dir.get(..at));
    let plugin = std::iter::once(dir)
        .chain(folders)
        .chain([""])
        .find_map(|folder| plugins.names.get(folder).map(|name| (folder, name)))
        .filter(|(_, name)| !listing.contains(name.as_str()));
    if let Some((folder, name)) = plugin {
        let below = dir.trim_start_matches(folder).trim_matches('/');
        if !below.contains('/') {
            return name.clone();
        }
    }
    match dir.rsplit('/').next() {
        None | Some("") => match start.on_disk.file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => ".".to_owned(),
        },
        Some("skills") => dir.to_owned(),
        Some(name) => name.to_owned(),
    }
}

/// Returns the options of a bundle, and the printed path of their file.
fn config(
    dir: &str,
    start: &Start,
    settings: &Settings,
    walked: &Walked,
) -> (Config, Option<String>) {
    let (mut config, folder, path) = match nearest(&walked.configs, dir) {
        Some((folder, config)) => (config.clone(), folder, Some(shown_config(start, folder))),
        None => (Config::default(), "", None),
    };
    // Rules match paths relative to the folder of the options, so the place is set before paths are shortened.
    config.place = if folder.starts_with("..") {
        Place {
            shown: start.shown.clone(),
            before: relative(start, folder, ""),
        }
    } else {
        Place {
            shown: join(&start.shown, folder),
            before: String::new(),
        }
    };
    settings.over(&mut config);
    (config, path)
}
