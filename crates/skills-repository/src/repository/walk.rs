//! The walk: decides which folders of a repository are entered.

use crate::git::index::TrackedSkills;
use crate::git::patterns::Skipped;
use crate::repository::around::link_end;
use crate::repository::folders::{
    NEVER, filled_part, is_below_templates, is_entered, is_of_tests, names_tests,
};
use crate::repository::ignored::{self, Ignored};
use crate::repository::lookalike::Lookalike;
use crate::repository::plugin;
use crate::repository::settings::Settings;
use crate::repository::start::{Start, is_in, is_in_package, is_skill as is_skill_folder, lexical};
use skills_format::disk::{Folder, Item, Kind};
use skills_format::tree::filled::has_skill_file;
use skills_format::{Diagnostic, Guide, RuleId, Severity, join};
use skills_lint::rules::LINK_ABOVE;
use skills_lint::{CONFIG_FILE, Config, LinkEnd, misnamed};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

/// Maximum number of left-out folders in which skills are counted.
const MAX_COUNTED: usize = 2000;

/// The numbers of skills that were found and not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Ignored skills.
    pub ignored: usize,
    /// Skills in folders of tests, where invalid skills are often intended, and of built files, which are copies.
    pub tests: usize,
    /// Skills that `exclude` or `--exclude` matches.
    pub excluded: usize,
    /// Skills in the data of this program: its store and its trash.
    pub own: usize,
    /// True if counting stopped at the maximum number of folders: the other numbers are then too small.
    pub is_cut: bool,
}

/// The results of a walk beside the files of skills.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The `skills.toml` files, by their folders.
    pub(crate) configs: BTreeMap<String, Config>,
    /// Folders with a plugin manifest.
    pub(crate) plugins: Vec<String>,
    /// Folders that resemble skills and have no `SKILL.md`.
    pub(crate) lookalikes: Vec<Lookalike>,
    pub(crate) faults: Vec<Diagnostic>,
    /// The reason why a `skills.toml` is unreadable. The check then stops, since the levels are unknown.
    pub(crate) broken: Option<String>,
    pub(crate) left_out: LeftOut,
}

/// The guide of a walk through a repository.
pub(crate) struct Walk<'w> {
    start: &'w Start,
    settings: &'w Settings,
    ignored: Option<Ignored>,
    tracked: TrackedSkills,
    /// True if ignored files of a skill are left out. In a package they stay, since the macro bakes them.
    ignores_in_skills: bool,
    /// True if folders of tests are left out. Requesting such a folder turns this off.
    leaves_tests: bool,
    walked: Walked,
    counted: usize,
    /// Requested folders that `exclude` matches: checked all the same.
    named: Vec<String>,
    root: Root,
    /// True once the root was listed.
    is_begun: bool,
}

/// The kind of the walked folder when it has a `SKILL.md`.
pub(crate) enum Root {
    /// A skill: everything below it belongs to the skill.
    Skill,
    /// A folder of other skills.
    Folder,
    /// A skill without these folders, which hold other skills.
    Without(BTreeSet<String>),
}

impl<'w> Walk<'w> {
    pub(crate) fn new(start: &'w Start, settings: &'w Settings, root: Root) -> Self {
        let ignored = start.is_git.then(|| Ignored::new(start));
        let mut walk = Self {
            start,
            settings,
            ignored,
            tracked: TrackedSkills::of(&start.on_disk),
            ignores_in_skills: !is_in_package(&start.on_disk),
            leaves_tests: !names_tests(start),
            walked: Walked::default(),
            counted: 0,
            named: Vec::new(),
            root,
            is_begun: false,
        };
        walk.read_configs_above();
        walk
    }

    pub(crate) fn end(self) -> Walked {
        let mut walked = self.walked;
        walked
            .faults
            .extend(self.ignored.into_iter().flat_map(Ignored::end));
        if let Some((file, reason)) = self.tracked.fault() {
            let finding = ignored::finding(self.start, file, &Skipped::index(reason));
            // The ignore files can have asked the same index.
            if !walked.faults.contains(&finding) {
                walked.faults.push(finding);
            }
        }
        walked
    }

    /// Reads the nearest `skills.toml` above the walked folder, up to the root.
    fn read_configs_above(&mut self) {
        let above = self.start.on_disk.ancestors().skip(1);
        let mut up = String::new();
        for folder in above.take_while(|folder| folder.starts_with(&self.start.root)) {
            up = join(&up, "..");
            if let Ok(folder) = Folder::open(folder)
                && folder.stat(Path::new(CONFIG_FILE)).is_ok()
            {
                self.read_config(&folder, &up.clone());
                return;
            }
        }
    }

    /// Reads the `skills.toml` of a folder, given by its path relative to the walked folder.
    fn read_config(&mut self, folder: &Folder, path: &str) {
        let shown = self.shown_config(path);
        let on_disk = lexical(&self.start.on_disk.join(path).join(CONFIG_FILE));
        let text = match self.settings.texts.get(&on_disk) {
            Some(text) => String::from_utf8(text.to_vec()).map_err(std::io::Error::other),
            None => folder.text(Path::new(CONFIG_FILE)),
        };
        let (config, faults) = match text {
            Ok(text) => Config::parse(&shown, &text),
            Err(error) => {
                self.walked.broken = Some(format!("cannot read {shown}: {error}"));
                Default::default()
            }
        };
        self.walked.faults.extend(faults);
        self.walked.configs.insert(path.to_owned(), config);
    }

    /// Returns the printed path of a folder's `skills.toml`.
    fn shown_config(&self, folder: &str) -> String {
        shown_config(self.start, folder)
    }

    /// Returns whether no `exclude` was read so far.
    fn excludes_nothing(&self) -> bool {
        let mut configs = self.walked.configs.values();
        configs.all(|config| config.exclude.is_empty())
    }

    /// Returns whether `exclude` matches a path. The nearest `skills.toml` decides.
    fn is_excluded(&self, path: &str) -> bool {
        let config = nearest(&self.walked.configs, path);
        let Some((folder, config)) = config.filter(|(_, config)| !config.exclude.is_empty()) else {
            return false;
        };
        config.excludes(&relative(self.start, folder, path))
    }

    /// Returns whether a folder is named `skills`.
    fn is_skills(&self, path: &str) -> bool {
        match path.rsplit('/').next() {
            None | Some("") => !self.start.is_git && self.start.on_disk.ends_with("skills"),
            Some(name) => name == "skills",
        }
    }

    /// Reports links of a folder of skills that lead to a folder above. A link to the folder of a skill is reported with the
    /// skills.
    fn report_circles(&mut self, path: &str, items: &[Item]) {
        for item in items.iter().filter(|item| item.kind == Kind::Link) {
            let below = join(path, &item.name.to_string_lossy());
            let link = self.start.on_disk.join(&below);
            if link_end(&link) == LinkEnd::Above && !is_skill_folder(&link) {
                let (message, help) = LINK_ABOVE;
                self.report(RuleId::Symlink, Severity::Error, &below, message, help);
            }
        }
    }

    /// Reports the `skills.toml` in the folder of a skill.
    fn report_config(&mut self, path: &str) {
        let message = "this file is inside of a skill, and is not read";
        let help = "move it beside the folders of the skills";
        let below = join(path, CONFIG_FILE);
        self.report(RuleId::ConfigForm, Severity::Warning, &below, message, help);
    }

    /// Reports a file whose name is nearly that of the options: nothing in it would be read.
    fn report_misnamed_config(&mut self, path: &str, items: &[Item]) {
        let names = items.iter().filter_map(|item| item.name.to_str());
        if let Some((name, message)) = misnamed(names) {
            let below = join(path, name);
            self.report(
                RuleId::ConfigForm,
                Severity::Error,
                &below,
                &message,
                "rename it",
            );
        }
    }

    /// Reports the temporary files of a `skills check --fix` that was killed.
    fn report_left_overs(&mut self, folder: &Folder, path: &str, items: &[Item]) {
        for item in items.iter().filter(|item| folder.is_left_over(item)) {
            let below = join(path, &item.name.to_string_lossy());
            let message = "the file is what a killed `skills` left when it wrote a file";
            let help = "remove it; the next `skills check --fix` that writes into the folder removes it too";
            self.report(RuleId::Unfinished, Severity::Warning, &below, message, help);
        }
    }

    /// Reports a fault of a path below the walked folder.
    fn report(&mut self, rule: RuleId, level: Severity, path: &str, message: &str, help: &str) {
        let shown = join(&self.start.shown, path);
        let finding = Diagnostic::new(rule, level, shown, message);
        self.walked.faults.push(finding.help(help));
    }

    /// Returns whether a folder with the name of a filled folder, or a folder below one, is entered. The files that a
    /// program put there are not walked: the index knows the skills among them.
    fn enters(&self, folder: &Folder, path: &str, item: &Item) -> bool {
        if NEVER.iter().any(|never| item.name == *never) {
            return false;
        }
        let below = join(path, &item.name.to_string_lossy());
        let is_asked = |asked: &String| {
            let filled = filled_part(&below).unwrap_or_default();
            !asked.is_empty()
                && (is_in(asked, &below) || is_in(&below, asked) && is_in(asked, filled))
        };
        self.start.asked.iter().any(is_asked)
            || item.name != "node_modules"
                && !is_entered(item)
                && has_skill_file(folder, &item.name)
            || self.tracked.holds(&below)
    }

    /// Counts the skills in a left-out folder.
    fn count(&mut self, folder: &Folder, name: &OsStr) -> usize {
        let mut waiting: Vec<Folder> = folder.child(name).into_iter().collect();
        let mut skills = 0;
        while let Some(folder) = waiting.pop() {
            self.counted += 1;
            if self.counted > MAX_COUNTED {
                self.walked.left_out.is_cut = true;
                return skills;
            }
            let items = folder.items(10_000).unwrap_or_default();
            if is_skill(&items) {
                skills += 1;
                continue;
            }
            let folders = items.iter().filter(|item| is_entered(item));
            waiting.extend(folders.filter_map(|item| folder.child(&item.name).ok()));
        }
        skills
    }
}

impl Guide for Walk<'_> {
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        self.is_begun = true;
        if let (Root::Without(folders), "") = (&self.root, path) {
            let is_entered = |item: &Item| {
                let name = item.name.to_string_lossy();
                item.kind != Kind::Folder
                    || is_entered(item)
                        && !name.starts_with('.')
                        && !folders.contains(name.as_ref())
            };
            items.retain(is_entered);
        }
        let has = |name: &str| items.iter().any(|item| item.name == name);
        if in_skill && has(CONFIG_FILE) && !path.is_empty() && is_skill(items) {
            self.report_config(path);
        }
        if !in_skill {
            if has(CONFIG_FILE) {
                self.read_config(folder, path);
            }
            self.report_misnamed_config(path, items);
            if plugin::MANIFESTS.iter().any(|(top, _)| has(top)) {
                self.walked.plugins.push(path.to_owned());
            }
            if !path.is_empty() {
                let found = Lookalike::of(path, items);
                self.walked.lookalikes.extend(found);
            }
        }
        if let Some(ignored) = &mut self.ignored {
            ignored.enter(folder, path, has(".gitignore"));
        }
        let is_deep = self.start.is_flat && !path.is_empty();
        if is_deep && !in_skill {
            items.clear();
        }
        // Fast path: without ignore files and excludes, no path has to be built and matched.
        let is_whole = self.ignored.is_none()
            && self.named.is_empty()
            && self.excludes_nothing()
            && (in_skill || !items.iter().any(|item| item.name == DATA));
        let is_in_filled = !in_skill && filled_part(path).is_some();
        items.retain(|item| {
            let is_left = item.kind == Kind::Folder
                && !in_skill
                && (is_in_filled || !is_entered(item))
                && !self.enters(folder, path, item);
            if is_left || item.name == ".git" {
                return false;
            }
            if is_whole && (in_skill || item.kind != Kind::Folder) {
                return true;
            }
            let below = join(path, &item.name.to_string_lossy());
            let is_folder = item.kind == Kind::Folder;
            let is_top = path.is_empty() && self.start.is_git && self.start.walked().is_empty();
            let is_template = |path: &str| {
                is_folder && !in_skill && (is_below_templates(path) || is_top && path == "template")
            };
            if is_template(&below) && !self.start.asked.iter().any(|asked| is_template(asked)) {
                return false;
            }
            if is_folder && !in_skill && is_data(folder, item) {
                self.walked.left_out.own += self.count(folder, &item.name);
                return false;
            }
            // A requested path is checked, even if it is excluded.
            let is_above = |asked: &String| !asked.is_empty() && is_in(asked, &below);
            if self.start.asked.iter().any(is_above) {
                if self.is_excluded(&below) && self.start.asked.contains(&below) {
                    self.named.push(below);
                }
                return true;
            }
            if self.named.iter().any(|named| is_in(&below, named)) {
                return true;
            }
            if self.leaves_tests && !in_skill && is_of_tests(folder, path, item) {
                self.walked.left_out.tests += self.count(folder, &item.name);
                return false;
            }
            let counts = !in_skill || self.ignores_in_skills;
            let ignored = self.ignored.as_mut().filter(|_| counts);
            if ignored.is_some_and(|ignored| ignored.leaves_out(&below, is_folder)) {
                if is_folder && !in_skill {
                    self.walked.left_out.ignored += self.count(folder, &item.name);
                }
                return false;
            }
            if self.is_excluded(&below) {
                if is_folder && !in_skill {
                    self.walked.left_out.excluded += self.count(folder, &item.name);
                }
                return false;
            }
            true
        });
        self.report_left_overs(folder, path, items);
        if !in_skill && (self.is_skills(path) || path.split('/').any(|part| part == "skills")) {
            self.report_circles(path, items);
        }
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        is_skill(items) && (self.is_begun || !matches!(self.root, Root::Folder))
    }
}

/// The name of the folder in which this program keeps its data.
const DATA: &str = "skills";

/// Returns whether a folder holds the data of this program: its store has copies of every installed skill, and its trash what
/// was removed.
fn is_data(folder: &Folder, item: &Item) -> bool {
    if item.name != DATA {
        return false;
    }
    let items = folder.child(&item.name).ok();
    let items = items.and_then(|data| data.items(100).ok());
    let items = items.unwrap_or_default();
    let has = |name: &str| items.iter().any(|item| item.name == *name);
    has("locks.txt") && has("store")
}

fn is_skill(items: &[Item]) -> bool {
    items
        .iter()
        .any(|item| item.name.eq_ignore_ascii_case("SKILL.md") && item.kind != Kind::Folder)
}

/// Returns the printed path of a folder's `skills.toml`.
pub(crate) fn shown_config(start: &Start, folder: &str) -> String {
    let (up, rest) = split(folder);
    start.shorten(&join(&join(&start.shown_above(up), rest), CONFIG_FILE))
}

/// Makes a path below the walked folder relative to the folder of a `skills.toml`, which may be above.
pub(crate) fn relative(start: &Start, folder: &str, path: &str) -> String {
    let (up, below) = split(folder);
    if up > 0 {
        let mut parts: Vec<String> = start
            .on_disk
            .components()
            .rev()
            .take(up)
            .map(name)
            .collect();
        parts.reverse();
        return join(&parts.join("/"), path);
    }
    let rest = path.strip_prefix(below).unwrap_or(path);
    rest.trim_start_matches('/').to_owned()
}

fn name(part: std::path::Component<'_>) -> String {
    part.as_os_str().to_string_lossy().into_owned()
}

/// Returns how many levels a folder is above the walked folder, and its path below otherwise.
fn split(folder: &str) -> (usize, &str) {
    match folder.split('/').filter(|part| *part == "..").count() {
        0 => (0, folder),
        up => (up, ""),
    }
}

/// Returns the options for a path: those of the nearest folder above, with that folder.
pub(crate) fn nearest<'c>(
    configs: &'c BTreeMap<String, Config>,
    path: &str,
) -> Option<(&'c str, &'c Config)> {
    let folders = path
        .rmatch_indices('/')
        .filter_map(|(at, _)| path.get(..at));
    let own = std::iter::once(path).filter(|path| !path.is_empty());
    let below = own.chain(folders).chain([""]);
    let found = below
        .into_iter()
        .find_map(|folder| configs.get_key_value(folder));
    let above = || configs.iter().find(|(folder, _)| folder.starts_with(".."));
    found
        .or_else(above)
        .map(|(folder, config)| (folder.as_str(), config))
}
