//! What a file is because of where it lies: under its own path, and under each path that links give it.

use crate::files::relative_path::folded;
use crate::files::snapshot::{FileBytes, is_skill_file};
use crate::review::files::{self, ChangedKind};
use crate::review::leads::Leads;
use crate::review::names::{folded_name, is_open_name};
use crate::review::outside::{above, below, end_of, is_below};
use crate::review::plugin_files::{self, is_listed};
use crate::review::side::{ReviewedSkill, Side};
use crate::review::step;
use skills_format::join;
use skills_lint::{CONFIG_FILE, Condition, Config};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most paths of one file that are looked at. A file with more is one that decides.
const MOST_NAMES: usize = 200;

/// The places of both sides, of which the worse counts, and the number of skills in a folder where letter case does not count.
pub(super) struct Places<'s>(
    [OfSide<'s>; 2],
    BTreeMap<String, usize>,
    /// The names of all skills with their folders.
    OnceCell<BTreeSet<(String, &'s str)>>,
);

impl<'s> Places<'s> {
    pub(super) fn of(old: &'s Side, new: &'s Side) -> Self {
        let skills = [old, new].map(|side| side.skills.iter().map(|skill| &*skill.folder));
        let skills: BTreeSet<&str> = skills.into_iter().flatten().collect();
        let sides = [old, new].map(|side| OfSide::of(side, &skills));
        let mut all: BTreeMap<String, usize> = BTreeMap::new();
        for skill in skills {
            *all.entry(folded(skill)).or_default() += 1;
        }
        Self(sides, all, OnceCell::new())
    }

    /// Returns whether a client, an editor or a forge reads the file at a path.
    pub(super) fn decides(&self, path: &str) -> bool {
        self.0.iter().any(|side| side.decides(path, false))
    }

    /// Returns what a changed file is. In doubt it is data, which fails the gate.
    pub(super) fn kind(&self, path: &str, file: &FileBytes, is_code: bool) -> ChangedKind {
        let kind = files::kind(path, file, is_code);
        let is_open = matches!(kind, ChangedKind::Instructions | ChangedKind::Media);
        let mut sides = self.0.iter();
        // A manifest can make a command of any text.
        let has_fields = is_open && {
            let text = String::from_utf8_lossy(&file.bytes);
            let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            text.starts_with("---")
        };
        if kind != ChangedKind::Code && sides.any(|side| side.decides(path, is_open))
            || has_fields && !self.is_in_skill(path) && self.is_in_plugin(path)
        {
            ChangedKind::Deciding
        } else {
            kind
        }
    }

    /// Returns whether a client lists a folder of a skill of the new side, or lists it in place of another skill where letter case
    /// does not count.
    pub(super) fn is_listed(&self, folder: &str) -> bool {
        let [_, new] = &self.0;
        let is_twin = self.1[&folded(folder)] > 1;
        is_twin
            || self.is_in_plugin(&join(folder, "x"))
            || new.names(folder).is_none_or(|names| {
                let mut names = names.iter();
                names.any(|name| is_listed(&new.side.of_top(&name.path)))
            })
    }

    /// Says whose name a skill takes: that of another skill, or of a client's own command.
    pub(super) fn taken(&self, old: Option<&ReviewedSkill>, new: &ReviewedSkill) -> Option<String> {
        let name = folded_name(&new.name());
        if old.is_some_and(|old| folded_name(&old.name()) == name) {
            return None;
        }
        let names = self.2.get_or_init(|| {
            let skills = self.0.iter().flat_map(|side| &side.side.skills);
            let names = skills.map(|skill| (folded_name(&skill.name()), &*skill.folder));
            names.collect::<BTreeSet<_>>()
        });
        let first = (name.clone(), "");
        let mut same = names.range(first..).take_while(|(one, _)| *one == name);
        if let Some((_, folder)) = same.find(|(_, folder)| *folder != new.folder) {
            return Some(format!("takes the name of {folder}"));
        }
        let clients = skills_clients::check::clients().iter();
        let facts = clients.flat_map(|client| client.facts);
        let mut commands = facts.filter(|fact| fact.on == Condition::OwnCommand);
        let is_command = commands.any(|fact| fact.values.contains(&&*name));
        is_command.then(|| format!("takes the place of the command /{name} of a client"))
    }

    /// Returns whether a skill of one of the two sides holds a file where letter case does not count, as on many systems.
    pub(super) fn is_in_skill(&self, path: &str) -> bool {
        above(&folded(path)).any(|folder| self.1.contains_key(folder))
    }

    /// Returns whether a file lies in the folder of a plugin.
    pub(super) fn is_in_plugin(&self, path: &str) -> bool {
        let mut sides = self.0.iter();
        sides.any(|side| above(path).any(|folder| side.side.plugins.contains(folder)))
    }

    /// Returns whether a test holds for one of the paths of a file, or there are too many of them.
    pub(super) fn any_name(&self, path: &str, test: impl Fn(&str) -> bool) -> bool {
        let mut sides = self.0.iter();
        sides.any(|side| match side.names(path) {
            Some(names) => names.iter().any(|name| test(&name.path)),
            None => true,
        })
    }

    /// Returns whether a file of a side is compared.
    pub(super) fn is_compared(&self, side: usize, path: &str) -> bool {
        let OfSide {
            side: files, own, ..
        } = &self.0[side];
        above(path).any(|folder| own.contains(folder))
            || files.beside.contains_key(path)
            || files.outside.contains_key(path)
            || files.links.contains_key(path)
    }
}

struct OfSide<'s> {
    side: &'s Side,
    /// The folders of the side's skills.
    own: BTreeSet<&'s str>,
    /// The folders of the skills of both sides: a skill is in one place before it comes and after it goes.
    skills: BTreeSet<&'s str>,
    /// The folders whose texts are skills: `layout = "flat"`.
    flat: BTreeSet<String>,
    /// The links by the path at which they end.
    links: BTreeMap<String, Vec<String>>,
}

/// A path of a file.
struct Name {
    path: String,
    /// The folder of the skill that holds the file there.
    skill: Option<String>,
    /// The path is that of a link to the file.
    is_link: bool,
}

impl<'s> OfSide<'s> {
    fn of(side: &'s Side, skills: &BTreeSet<&'s str>) -> Self {
        let of_skills = side.skills.iter().flat_map(|skill| {
            let links = skill.links.iter();
            links.map(|(path, leads)| (join(&skill.folder, path), leads))
        });
        let beside = side.links.iter().map(|(path, leads)| (path.clone(), leads));
        let all: BTreeMap<String, &Leads> = of_skills.chain(beside).collect();
        let text = |path: &str| all.get(path).and_then(|leads| leads.target());
        let entry = |folder: &str, name: &str| Some((name.to_owned(), text(&join(folder, name))));
        let mut links: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in all.keys() {
            let end = text(path).and_then(|to| end_of(path, &to, &entry));
            // A link to a folder above itself names nothing anew.
            if let Some(end) = end.filter(|end| !is_below(path, end)) {
                links.entry(end).or_default().push(path.clone());
            }
        }
        let mut configs = side.named(CONFIG_FILE);
        configs.retain(|_, file| {
            let text = String::from_utf8_lossy(&file.bytes);
            Config::parse(CONFIG_FILE, &text).0.is_flat
        });
        Self {
            side,
            own: side.skills.iter().map(|skill| &*skill.folder).collect(),
            skills: skills.clone(),
            flat: configs.into_keys().collect(),
            links,
        }
    }

    fn skill(&self, path: &str) -> Option<&'s str> {
        above(path).find_map(|folder| self.skills.get(folder).copied())
    }

    /// Returns all paths of a file or a folder; `None` if there are too many.
    fn names(&self, path: &str) -> Option<Vec<Name>> {
        let mut names = vec![Name {
            path: path.to_owned(),
            skill: self.skill(path).map(ToOwned::to_owned),
            is_link: false,
        }];
        let mut at = 0;
        while let Some(name) = names.get(at) {
            at += 1;
            let mut found = Vec::new();
            for end in std::iter::once(&*name.path).chain(above(&name.path)) {
                step(1);
                let links = self.links.get(end).into_iter().flatten();
                for link in links.take(MOST_NAMES) {
                    step(1);
                    // A whole skill behind a link is a skill there too.
                    let skill = name.skill.as_deref();
                    let skill = skill.filter(|skill| *skill == end || is_below(skill, end));
                    let skill = match skill {
                        Some(skill) => Some(join(link, &below(skill, end))),
                        None => self.skill(link).map(ToOwned::to_owned),
                    };
                    found.push(Name {
                        path: join(link, &below(&name.path, end)),
                        skill,
                        is_link: name.path == end,
                    });
                }
            }
            names.extend(found);
            if names.len() > MOST_NAMES {
                return None;
            }
        }
        Some(names)
    }

    /// `is_open`: by its own name the file is a text for a model, or a picture.
    fn decides(&self, path: &str, is_open: bool) -> bool {
        let top = self.side.of_top(path);
        let is_flat = || above(&top).any(|folder| self.flat.contains(folder));
        path.to_ascii_lowercase().ends_with(".md") && is_flat()
            || self.names(path).is_none_or(|names| {
                names.iter().any(|name| {
                    let skill = name.skill.as_ref().map(|skill| self.side.of_top(skill));
                    let file = name.path.rsplit('/').next().unwrap_or_default();
                    plugin_files::decides(&self.side.of_top(&name.path), skill.as_deref())
                        || name.is_link && (is_skill_file(file) || is_open && !is_open_name(file))
                })
            })
    }
}
