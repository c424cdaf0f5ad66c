//! `install SOURCE`: the skills in a source, and a plan to install some of them.

use crate::install::candidate::{Candidate, Offered, Strictness};
use crate::install::decide::{Neighbours, OnConflict, Place, decide};
use crate::install::host::Host;
use crate::install::plan::{Plan, PlannedSkill};
use crate::install::provenance::source_text;
use crate::install::source::Source;
use crate::install::tree::SourceTree;
use crate::lock::read_lock;
use skills_compiler::{Locked, Provenance};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// A fetched source. Its temporary folder is removed on drop.
pub struct Offer<'h> {
    host: Host<'h>,
    source: Source,
    tree: SourceTree<'h>,
    /// The folders of the skills.
    folders: Vec<String>,
    skills: OnceCell<Vec<Offered>>,
}

/// The chosen skills of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chosen {
    /// Every skill.
    All,
    /// The skills with these names, or in these folders of the source.
    Named(Vec<String>),
}

/// The options of an installation.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InstallOptions {
    /// The treatment of errors of a strict check.
    pub strictness: Strictness,
    /// The action for an existing skill.
    pub on_conflict: OnConflict,
    /// The repository that holds the folder of skills. Sources in it are recorded relative to the lock.
    pub repository: Option<PathBuf>,
}

impl<'h> Offer<'h> {
    /// Fetches a source. `temporary` is the folder returned by [`temporary_folder`].
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
    pub fn fetch(source: Source, temporary: &'h PathBuf, host: Host<'h>) -> Result<Self, Error> {
        let tree = host.fetcher(temporary).fetch(&source, None)?;
        let folders = tree.skills(source.path.as_deref());
        if folders.is_empty() {
            return Err(no_skill(&source));
        }
        Ok(Self {
            host,
            source,
            tree,
            folders,
            skills: OnceCell::new(),
        })
    }

    /// Returns the number of skills in the source.
    pub fn count(&self) -> usize {
        self.folders.len()
    }

    /// Returns every skill of the source, sorted by name.
    ///
    /// # Errors
    ///
    /// The errors of [`fetch`](Self::fetch).
    ///
    /// # Cost
    ///
    /// The first call fetches the `SKILL.md` of every skill.
    pub fn skills(&self) -> Result<&[Offered], Error> {
        if let Some(skills) = self.skills.get() {
            return Ok(skills);
        }
        let skills = Offered::all(&self.tree, &self.folders, self.host.observer)?;
        Ok(self.skills.get_or_init(|| skills))
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
        let lock = read_lock(target, self.host.data)?;
        let neighbours = Neighbours::of(target)?;
        let mut planned = Vec::new();
        for offered in self.choose(chosen)? {
            let old = lock.skills.get(&offered.name);
            let skill = self.plan_one(&offered, old, target, &neighbours, options);
            let skill = skill.or_else(|error| {
                let failed = PlannedSkill::new(&offered.name, None).failed(&error);
                match error.kind() {
                    ErrorKind::Cancelled => Err(error),
                    _ => Ok(failed),
                }
            });
            planned.push(skill?);
        }
        Plan::new(target.to_owned(), planned, "install")
    }

    fn plan_one(
        &self,
        offered: &Offered,
        old: Option<&Locked>,
        target: &Path,
        neighbours: &Neighbours,
        options: &InstallOptions,
    ) -> Result<PlannedSkill, Error> {
        let candidate = Candidate::read(&self.tree, offered, self.host.observer)?;
        let locked = candidate.locked(self.provenance(offered, target, options));
        let planned = candidate.planned(&offered.name, &locked);
        if candidate.skill.is_none() {
            let reason = "no name and description can be read from its SKILL.md";
            return Ok(planned.refuse(reason, "this is for its author to correct"));
        }
        if let Some(errors) = candidate.refusal(options.strictness) {
            let reason = format!("a strict check finds {errors}");
            let help = "report it to its author, or use --lenient to install it as it is";
            return Ok(planned.refuse(reason, help));
        }
        let place = Place {
            target,
            neighbours,
            old,
            on_conflict: options.on_conflict,
            lost: &|| Ok(None),
        };
        decide(planned, candidate.snapshot, locked, &place, self.host)
    }

    fn provenance(&self, offered: &Offered, target: &Path, options: &InstallOptions) -> Provenance {
        let source = source_text(&self.source.origin, target, options.repository.as_deref());
        let mut provenance = Provenance::new(source);
        provenance.path = Some(offered.path.clone()).filter(|path| !path.is_empty());
        provenance.requested.clone_from(&self.source.revision);
        provenance.commit.clone_from(&self.tree.commit);
        provenance
    }

    fn choose(&self, chosen: &Chosen) -> Result<Vec<Offered>, Error> {
        let names = match chosen {
            Chosen::Named(names) => names,
            Chosen::All => {
                let all = self.skills()?;
                // Two skills of one name do not fit into one folder. `one` makes the error that names both paths.
                let twin = all.windows(2).find_map(|pair| match pair {
                    [a, b] if a.name == b.name => Some(a),
                    _ => None,
                });
                return match twin {
                    Some(twin) => self.one(&twin.name).map(|one| vec![one]),
                    None => Ok(all.to_vec()),
                };
            }
        };
        let mut all = Vec::new();
        for name in names {
            all.push(match self.by_folder(name)? {
                Some(one) => one,
                None => self.one(name)?,
            });
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.path == b.path);
        Ok(all)
    }

    /// Returns the only skill whose folder has this name, if its `SKILL.md` has the name too. Reads no other skill.
    fn by_folder(&self, name: &str) -> Result<Option<Offered>, Error> {
        let is_it = |folder: &&String| folder.rsplit('/').next() == Some(name);
        let mut folders = self.folders.iter().filter(is_it);
        let (Some(folder), None) = (folders.next(), folders.next()) else {
            return Ok(None);
        };
        let folder = std::slice::from_ref(folder);
        let mut found = Offered::all(&self.tree, folder, self.host.observer)?;
        Ok(found.pop().filter(|offered| offered.name == name))
    }

    fn one(&self, name: &str) -> Result<Offered, Error> {
        let all = self.skills()?;
        let is_it = |offered: &&Offered| offered.name == name || offered.path == name;
        let named: Vec<&Offered> = all.iter().filter(is_it).collect();
        match named[..] {
            [one] => Ok(one.clone()),
            [] => Err(self.no_such(name, all)),
            _ => {
                let paths: Vec<&str> = named.iter().map(|offered| offered.path.as_str()).collect();
                let message = prose!("{} has several skills '{name}'", &self.source.origin);
                let help = format!("name one by its folder: {}", paths.join(", "));
                Err(Error::new(ErrorKind::NotFound, message).help(help))
            }
        }
    }

    fn no_such(&self, name: &str, all: &[Offered]) -> Error {
        let names: Vec<&str> = all.iter().map(|skill| skill.name.as_str()).collect();
        let shown = names.get(..10).unwrap_or(&names).join(", ");
        let more = match names.len().saturating_sub(10) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let asked = name.escape_debug();
        let message = prose!("{} has no skill '{asked}'", &self.source.origin);
        Error::new(ErrorKind::NotFound, message)
            .help(format_args!("it has {shown}{more}"))
            .did_you_mean(name, names)
    }
}

fn no_skill(source: &Source) -> Error {
    let place = source.path.as_deref().map(|path| format!("{path} of "));
    let place = place.unwrap_or_default();
    let message = prose!("there is no skill in {place}{}", &source.origin);
    Error::new(ErrorKind::NotFound, message).help(
        "a skill is a folder with a file `SKILL.md`; look whether the path and the revision are right",
    )
}

/// Returns the folder for what an offer fetches.
pub fn temporary_folder(data: &skills_store::files::data::DataFolder) -> PathBuf {
    data.temporary()
}
