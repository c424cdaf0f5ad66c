//! `install SOURCE`: what a source offers, and a plan to install some of it.

use crate::error::{Error, ErrorKind};
use crate::files::work::read_lock;
use crate::install::candidate::{Candidate, Offered, Strictness};
use crate::install::decide::{OnConflict, Place, decide};
use crate::install::host::Host;
use crate::install::plan::{Plan, PlannedSkill};
use crate::install::provenance::source_text;
use crate::install::source::Source;
use crate::install::tree::SourceTree;
use skills_compiler::{Locked, Provenance};
use std::path::{Path, PathBuf};

/// A source that was fetched. Its temporary folder is gone when this is dropped.
pub struct Offer<'h> {
    host: Host<'h>,
    source: Source,
    tree: SourceTree<'h>,
    skills: Vec<Offered>,
}

/// Which skills of a source are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chosen {
    /// Every skill.
    All,
    /// These, by name, or by their folder in the source.
    Named(Vec<String>),
}

/// How skills are installed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InstallOptions {
    /// Whether errors of a strict check refuse a skill.
    pub strictness: Strictness,
    /// What is done about a skill that is there.
    pub on_conflict: OnConflict,
    /// The repository that the folder of skills is in: folders in it are noted relative to the lock.
    pub repository: Option<PathBuf>,
}

impl<'h> Offer<'h> {
    /// Fetches a source. `temporary` is the folder that [`temporary_folder`] gives.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] when there is no skill in it, [`ErrorKind::Program`] for what git says,
    /// [`ErrorKind::Refused`] for an archive that is not safe, [`ErrorKind::Cancelled`].
    ///
    /// # Cost
    ///
    /// Of a repository one commit is fetched, without its history, and without the contents of files
    /// where the server allows that; the files of the chosen skills follow with the plan.
    pub fn fetch(source: Source, temporary: &'h PathBuf, host: Host<'h>) -> Result<Self, Error> {
        let tree = host.fetcher(temporary).fetch(&source, None)?;
        let skills = Offered::all(&tree, source.path.as_deref(), host.observer)?;
        if skills.is_empty() {
            let place = source.path.as_deref().map(|path| format!(" of {path}"));
            let message = format!(
                "there is no skill in {}{}",
                source.origin,
                place.unwrap_or_default()
            );
            return Err(Error::new(ErrorKind::NotFound, message)
                .help("a skill is a folder with a file `SKILL.md`; look whether the path and the revision are right"));
        }
        Ok(Self {
            host,
            source,
            tree,
            skills,
        })
    }

    /// Every skill of the source, by name.
    pub fn skills(&self) -> &[Offered] {
        &self.skills
    }

    /// Plans to install the chosen skills into a folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] for a name that the source does not have, and for one that two of its
    /// skills have; [`ErrorKind::Damaged`] and [`ErrorKind::Newer`] for a lock that cannot be read.
    /// What is wrong with one skill is in the plan.
    pub fn plan(
        &self,
        chosen: &Chosen,
        target: &Path,
        options: &InstallOptions,
    ) -> Result<Plan, Error> {
        let lock = read_lock(target)?;
        let mut planned = Vec::new();
        for offered in self.choose(chosen)? {
            let old = lock.skills.get(&offered.name);
            let skill = self.plan_one(offered, old, target, options);
            let skill = skill.or_else(|error| {
                let failed = PlannedSkill::new(&offered.name, None).failed(&error);
                match error.kind() {
                    ErrorKind::Cancelled => Err(error),
                    _ => Ok(failed),
                }
            });
            planned.push(skill?);
        }
        Ok(Plan::new(target.to_owned(), planned, "install"))
    }

    fn plan_one(
        &self,
        offered: &Offered,
        old: Option<&Locked>,
        target: &Path,
        options: &InstallOptions,
    ) -> Result<PlannedSkill, Error> {
        let candidate = Candidate::read(&self.tree, offered, self.host.observer)?;
        let locked = Locked::new(candidate.snapshot.digest(), candidate.snapshot.size());
        let locked = locked.from(self.provenance(offered, target, options));
        let mut planned = PlannedSkill::new(&offered.name, Some(&locked));
        planned.describe(&candidate.snapshot, candidate.skill.as_ref());
        planned.findings.clone_from(&candidate.findings);
        let errors = candidate.errors();
        if candidate.skill.is_none() {
            let help = "this is for its author to correct";
            return Ok(planned.refuse(
                "no name and description can be read from its SKILL.md",
                help,
            ));
        }
        if errors > 0 && options.strictness == Strictness::Strict {
            let count = if errors == 1 {
                "1 error".to_owned()
            } else {
                format!("{errors} errors")
            };
            return Ok(planned.refuse(
                format!("a strict check finds {count}"),
                "tell its author, or use --lenient to install it as it is",
            ));
        }
        let place = Place {
            target,
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

    fn choose(&self, chosen: &Chosen) -> Result<Vec<&Offered>, Error> {
        let names = match chosen {
            Chosen::All => {
                let mut twins = self.skills.windows(2);
                let twin = twins.find_map(|pair| match pair {
                    [a, b] if a.name == b.name => Some(a),
                    _ => None,
                });
                return match twin {
                    Some(twin) => self.one(&twin.name).map(|one| vec![one]),
                    None => Ok(self.skills.iter().collect()),
                };
            }
            Chosen::Named(names) => names,
        };
        let mut all = names
            .iter()
            .map(|name| self.one(name))
            .collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.dedup_by(|a, b| a.path == b.path);
        Ok(all)
    }

    fn one(&self, name: &str) -> Result<&Offered, Error> {
        let named: Vec<&Offered> = self
            .skills
            .iter()
            .filter(|offered| offered.name == name || offered.path == name)
            .collect();
        match named[..] {
            [one] => Ok(one),
            [] => {
                let all: Vec<&str> = self
                    .skills
                    .iter()
                    .map(|skill| skill.name.as_str())
                    .collect();
                let shown = all.get(..10).unwrap_or(&all).join(", ");
                let more = all.len().saturating_sub(10);
                let more = if more == 0 {
                    String::new()
                } else {
                    format!(" and {more} more")
                };
                let message = format!(
                    "{} has no skill '{}'",
                    self.source.origin,
                    name.escape_debug()
                );
                Err(Error::new(ErrorKind::NotFound, message)
                    .help(format_args!("it has {shown}{more}")))
            }
            _ => {
                let paths: Vec<&str> = named.iter().map(|offered| offered.path.as_str()).collect();
                let message = format!("{} has several skills '{name}'", self.source.origin);
                let help = format!("name one by its folder: {}", paths.join(", "));
                Err(Error::new(ErrorKind::NotFound, message).help(help))
            }
        }
    }
}

/// Where an offer keeps what it fetches.
pub fn temporary_folder(data: &crate::files::data::DataFolder) -> PathBuf {
    data.temporary()
}
