//! `install SOURCE`: the skills in a source, and a plan to install some of them.

use crate::install::candidate::Offered;
use crate::install::decide::{OnConflict, Target};
use crate::install::fetch::Host;
use crate::install::plan::{Plan, PlannedSkill};
use crate::install::provenance::source_text;
use crate::install::source::{Origin, Source};
use crate::install::tree::{Folders, NotOffered, SourceTree};
use skills_format::prose;
use skills_repository::Provenance;
use skills_store::{Error, ErrorKind};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A fetched source.
pub struct Offer<'h> {
    host: Host<'h>,
    source: Source,
    tree: SourceTree<'h>,
    folders: Folders,
    skills: OnceCell<Skills>,
    /// The offered skills, with copies as one.
    distinct: OnceCell<Vec<Offered>>,
}

/// The skills in the offered folders, each list sorted by name.
struct Skills {
    offered: Vec<Offered>,
    /// Skills that the author keeps for work on the source itself.
    internal: Vec<Offered>,
}

/// The chosen skills of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Every skill.
    All,
    /// The skills with these names, or in these folders of the source.
    Named(Vec<String>),
}

/// The options of an installation.
#[derive(Clone, Debug, Default)]
pub struct InstallOptions {
    /// True if errors of a strict check are only reported.
    pub is_lenient: bool,
    /// The action for an existing skill.
    pub on_conflict: OnConflict,
    /// The repository that holds the folder of skills. Sources in it are recorded relative to the lock.
    pub repository: Option<PathBuf>,
}

impl<'h> Offer<'h> {
    /// Fetches a source.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if the source has no skill, [`ErrorKind::Program`] with git's message,
    /// [`ErrorKind::Refused`] for an unsafe archive, [`ErrorKind::Cancelled`].
    ///
    /// # Cost
    ///
    /// Fetches one commit of a repository, without history, and without the contents of files if the server supports
    /// that. The plan fetches the files of the chosen skills.
    pub fn fetch(source: Source, host: Host<'h>) -> Result<Self, Error> {
        let tree = host.fetch(&source, None)?;
        let folders = tree.skills(source.path.as_deref());
        if folders.offered.is_empty() && folders.others.is_empty() {
            return Err(no_skill(&source, &tree.not_offered(source.path.as_deref())));
        }
        Ok(Self {
            host,
            source,
            tree,
            folders,
            skills: OnceCell::new(),
            distinct: OnceCell::new(),
        })
    }

    /// Returns every skill that the source offers, sorted by name.
    ///
    /// # Errors
    ///
    /// The errors of [`fetch`](Self::fetch), and [`ErrorKind::NotFound`] if every skill of the source is internal.
    ///
    /// # Cost
    ///
    /// The first call fetches the `SKILL.md` of every skill, and all files of skills with one name.
    pub fn skills(&self) -> Result<&[Offered], Error> {
        if let Some(skills) = self.distinct.get() {
            return Ok(skills);
        }
        let offered = &self.read()?.offered;
        if offered.is_empty() {
            return Err(self.all_internal()?);
        }
        let mut all = Vec::new();
        for same in offered.chunk_by(|a, b| a.name == b.name) {
            let count = if self.are_copies(same)? {
                1
            } else {
                same.len()
            };
            all.extend(same.iter().take(count).cloned());
        }
        Ok(self.distinct.get_or_init(|| all))
    }

    /// Returns the skills that are not offered and that no name chooses, with the reason of each.
    pub fn not_offered(&self) -> Vec<NotOffered> {
        self.tree.not_offered(self.source.path.as_deref())
    }

    fn all_internal(&self) -> Result<Error, Error> {
        let folders = self.left_out()?.join(", ");
        let message = prose!(
            "there is no skill in {}: all are internal, or in tests or dist",
            &self.source.origin
        );
        let help = format!("they are for work on the source; name one to install it: {folders}");
        Ok(Error::new(ErrorKind::NotFound, message).help(help))
    }

    /// Returns the folders of the skills that [`skills`](Self::skills) leaves out: in hidden folders, inside of a skill
    /// at the root of the source, and internal skills. [`Chosen::Named`] finds all of them.
    ///
    /// # Errors
    ///
    /// As [`skills`](Self::skills).
    pub fn left_out(&self) -> Result<Vec<&str>, Error> {
        let internal = &self.read()?.internal;
        let root = self.source.path.as_deref().unwrap_or_default();
        // Inside of another skill, a skill is one of its examples.
        let is_root = self.folders.offered.first().map(String::as_str) == Some(root);
        let inside = self.folders.inside.iter().filter(|_| is_root);
        let folders = self.folders.others.iter().chain(inside);
        let mut all: Vec<&str> = folders.map(String::as_str).collect();
        all.extend(internal.iter().map(|skill| skill.path.as_str()));
        all.sort_unstable();
        Ok(all)
    }

    fn read(&self) -> Result<&Skills, Error> {
        if let Some(skills) = self.skills.get() {
            return Ok(skills);
        }
        let all = Offered::all(&self.tree, &self.folders.offered, self.host.observer)?;
        let (internal, offered): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|skill| skill.is_internal);
        Ok(self.skills.get_or_init(|| Skills { offered, internal }))
    }

    /// Plans to install the chosen skills into a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for a name that no skill or several skills of the source have. [`ErrorKind::Damaged`]
    /// and [`ErrorKind::Newer`] for an unreadable lock. The error of one skill is in the plan.
    pub fn plan(
        &self,
        chosen: &Chosen,
        target: &Path,
        options: &InstallOptions,
    ) -> Result<Plan, Error> {
        let mut target = Target::open(target, options.on_conflict, self.host)?;
        target.is_lenient = options.is_lenient;
        let is_repository = matches!(self.source.origin, Origin::Git(_));
        let mut planned = Vec::new();
        for offered in self.choose(chosen)? {
            let from = self.provenance(&offered, target.folder, options);
            let is_local = Path::new(&from.source).is_absolute();
            let skill = target.version(&self.tree, &offered, from);
            let mut skill = PlannedSkill::new(&offered.name, None).or_failed(skill)?;
            if offered.path.is_empty() && is_repository && skill.digest.is_some() {
                skill.note = Some("the whole repository is this skill".into());
            }
            if is_local && options.repository.is_some() && skill.digest.is_some() {
                skill.note =
                    Some("the lock names a folder on your disk: others cannot update it".into());
            }
            planned.push(skill);
        }
        Ok(target.plan(planned, "install"))
    }

    fn provenance(&self, offered: &Offered, target: &Path, options: &InstallOptions) -> Provenance {
        let source = source_text(&self.source.origin, target, options.repository.as_deref());
        let mut provenance = Provenance::new(source);
        if matches!(self.source.origin, Origin::Program(_)) {
            return provenance;
        }
        provenance.path = Some(offered.path.clone()).filter(|path| !path.is_empty());
        provenance.requested.clone_from(&self.source.revision);
        provenance.commit.clone_from(&self.tree.commit);
        provenance
    }

    fn choose(&self, chosen: &Chosen) -> Result<Vec<Offered>, Error> {
        let names = match chosen {
            Chosen::Named(names) => names,
            Chosen::All => {
                let same = self.skills()?.chunk_by(|a, b| a.name == b.name);
                let only = same.map(|same| match same {
                    [one] => Ok(one.clone()),
                    several => Err(self.several(several)),
                });
                return only.collect();
            }
        };
        let mut all = Vec::new();
        for name in names {
            all.push(self.find(name)?);
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.path == b.path);
        Ok(all)
    }

    /// Returns the skill of a name, or in a folder of the source.
    pub(crate) fn find(&self, name: &str) -> Result<Offered, Error> {
        match self.by_folder(name)? {
            Some(one) if one.name == name => Ok(one),
            other => self.one(name, other),
        }
    }

    /// Returns the only skill whose folder has this name. Reads no other skill.
    fn by_folder(&self, name: &str) -> Result<Option<Offered>, Error> {
        let is_it = |folder: &&String| folder.rsplit('/').next() == Some(name);
        let mut folders = self.folders.offered.iter().filter(is_it);
        let (Some(folder), None) = (folders.next(), folders.next()) else {
            return Ok(None);
        };
        let folder = std::slice::from_ref(folder);
        let mut found = Offered::all(&self.tree, folder, self.host.observer)?;
        Ok(found.pop())
    }

    /// Returns the skill of a name or a path, or else the skill in the folder of this name.
    fn one(&self, name: &str, in_folder: Option<Offered>) -> Result<Offered, Error> {
        let is_it = |skill: &&Offered| skill.name == name || skill.path == name;
        let named =
            |all: &[Offered]| -> Vec<Offered> { all.iter().filter(is_it).cloned().collect() };
        let all = self.read()?;
        let mut found = named(&all.offered);
        if found.is_empty() {
            found = named(&all.internal);
        }
        // The texts of these are fetched only for a name that no offered skill has.
        let folders = &self.folders;
        for folders in [&folders.others, &folders.inside] {
            if found.is_empty() {
                found = named(&Offered::all(&self.tree, folders, self.host.observer)?);
            }
        }
        match found.as_slice() {
            [] => in_folder.ok_or_else(|| self.no_such(name, all)),
            found => self.only(found),
        }
    }

    /// Returns the skill of these, which have one name.
    fn only(&self, named: &[Offered]) -> Result<Offered, Error> {
        match named {
            [first, ..] if self.are_copies(named)? => Ok(first.clone()),
            _ => Err(self.several(named)),
        }
    }

    /// Returns whether skills of one name have the same files, as in the folders of several clients: they are one skill.
    fn are_copies(&self, named: &[Offered]) -> Result<bool, Error> {
        if named.len() < 2 {
            return Ok(true);
        }
        let mut digests = BTreeSet::new();
        for skill in named {
            let (files, _) = self.tree.skill(&skill.path, self.host.observer)?;
            digests.insert(files.digest());
        }
        Ok(digests.len() == 1)
    }

    fn several(&self, named: &[Offered]) -> Error {
        let name = named.first().map_or("", |skill| skill.name.as_str());
        let paths: Vec<&str> = named.iter().map(|skill| skill.path.as_str()).collect();
        let message = prose!("{} has several skills '{name}'", &self.source.origin);
        let help = format!("name one by its folder: {}", paths.join(", "));
        Error::new(ErrorKind::NotFound, message).help(help)
    }

    fn no_such(&self, name: &str, all: &Skills) -> Error {
        let is_it =
            |skill: &&NotOffered| skill.path == name || skill.path.rsplit('/').next() == Some(name);
        if let Some(skill) = self.not_offered().iter().find(is_it) {
            let message = prose!(
                "'{}' of {} is not offered: {}",
                skill.path.escape_debug(),
                &self.source.origin,
                &skill.reason
            );
            return Error::new(ErrorKind::NotFound, message).help(NOT_OFFERED);
        }
        let mut names: Vec<&str> = all.offered.iter().map(|skill| &*skill.name).collect();
        names.dedup();
        let shown = names.get(..10).unwrap_or(&names).join(", ");
        let more = match names.len().saturating_sub(10) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        // A name chooses what is left out too. Its folder stands for it where its text is not fetched.
        let left_out = self.left_out().ok().into_iter().flatten();
        let left_out = left_out.map(|path| path.rsplit('/').next().unwrap_or(path));
        let asked = name.escape_debug();
        let revision = if self.source.skill.as_deref() == Some(name) {
            format!("; a revision is written with `#`, as in `#{asked}`")
        } else {
            String::new()
        };
        let message = prose!("{} has no skill '{asked}'", &self.source.origin);
        Error::new(ErrorKind::NotFound, message)
            .help(format_args!("it has {shown}{more}{revision}"))
            .did_you_mean(name, names.into_iter().chain(left_out))
    }
}

/// The help for a skill that is not offered.
const NOT_OFFERED: &str =
    "this is for its author to correct: a folder and a file whose names every system has";

fn no_skill(source: &Source, not_offered: &[NotOffered]) -> Error {
    let place = source
        .path
        .as_deref()
        .map(|path| format!("{path} of "))
        .unwrap_or_default();
    if let [first, more @ ..] = not_offered {
        let more = match more.len() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let message = prose!(
            "{place}{} offers no skill: {}: {}{more}",
            &source.origin,
            first.path.escape_debug(),
            &first.reason
        );
        return Error::new(ErrorKind::NotFound, message).help(NOT_OFFERED);
    }
    let message = prose!("there is no skill in {place}{}", &source.origin);
    Error::new(ErrorKind::NotFound, message).help(
        "a skill is a folder with a file `SKILL.md`; look whether the path and the revision are right",
    )
}
