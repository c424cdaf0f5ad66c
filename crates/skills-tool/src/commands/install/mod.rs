//! `skills install`: installs skills from a folder, an archive, a repository or a lock.

pub(crate) mod adopt;
pub(crate) mod conflicts;
pub(crate) mod left_out;
pub(crate) mod locked;
mod near;
mod own_copies;
pub(crate) mod pin;
pub(crate) mod plan;
pub(crate) mod remove;
pub(crate) mod restore;
pub(crate) mod session;
pub(crate) mod summary;
pub(crate) mod target;
pub(crate) mod targets;
pub(crate) mod update;

use crate::commands::install::conflicts::{ConflictOptions, Conflicts};
use crate::commands::install::left_out::LeftOutSkills;
use crate::commands::install::locked::LockedOptions;
use crate::commands::install::own_copies::{copies, report};
use crate::commands::install::plan::{Carry, More, Widening, on_conflict, with_given};
use crate::commands::install::session::{Consent, ErrorJson, Session, YesOption, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::commands::install::targets::Planned;
use crate::environment::Environment;
use crate::input::{asked, can_ask};
use crate::outcome::{Failure, Outcome};
use crate::output::{Asker, Format, Output, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::command;
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::text::command::Command;
use skills_host::install::{
    Action, Chosen, CopyOptions, InstallOptions, Offer, Offered, Plan, PlannedSkill, Source,
    Strictness, plan_copy, temporary_folder,
};
use skills_runtime::Catalog;
use skills_runtime::catalog::{Entry, Location};
use std::io::Write as _;
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct Install {
    /// A folder, an archive, its https URL, a repository as URL[//FOLDER][#REVISION] or owner/repo[/FOLDER][@SKILL], or
    /// the page of a folder of a repository
    source: Option<String>,
    /// The skills, by name or by their folder in the source; on a terminal, the program asks for them
    names: Vec<String>,
    /// Every skill of the source
    #[arg(long, requires = "source", conflicts_with = "names")]
    all: bool,
    /// Also offer internal skills: `metadata.internal: true`, folders of tests, and dist
    #[arg(long, requires = "source")]
    internal: bool,
    /// The folder of the skills in the source
    #[arg(long, requires = "source", value_name = "FOLDER")]
    path: Option<String>,
    /// A branch, a tag, or a full commit id
    #[arg(long, requires = "source", value_name = "REVISION")]
    rev: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Make the skills of this folder the same in the folders of --to. SOURCE and NAMES are then names of skills
    #[arg(long, value_name = "FROM", requires = "source", conflicts_with_all = ["all", "path", "rev"])]
    from: Option<String>,
    /// Also install skills in which a strict check finds errors
    #[arg(long, requires = "source")]
    lenient: bool,
    /// Merge local changes with the new version
    #[arg(long, requires = "source", conflicts_with = "force")]
    merge: bool,
    #[command(flatten)]
    conflicts: ConflictOptions,
    /// Replace an existing skill, which goes to the trash
    #[arg(long, requires = "source")]
    force: bool,
    /// Also replace an installed skill by a version that may do more, without asking
    #[arg(long, requires = "source")]
    allow_widening: bool,
    /// Without SOURCE: adopt the skills that another program installed, if its lock or their front matter
    /// names their sources
    #[arg(long, conflicts_with_all = ["frozen", "check", "internal", "all", "path", "rev", "lenient", "merge", "force"])]
    adopt: bool,
    /// Without SOURCE: install exactly what the lock names, and never change the lock
    #[arg(long, conflicts_with = "source")]
    frozen: bool,
    /// Without SOURCE: write and fetch nothing, and fail if a skill differs from the lock
    #[arg(long, conflicts_with_all = ["source", "frozen", "yes_local", "dry_run"])]
    check: bool,
    /// Without SOURCE: also read folders outside of the project, and file: URLs
    #[arg(long)]
    yes_local: bool,
    /// Show the plan, and change nothing; an interrupted change is finished first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: YesOption,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills install ./my-skills code-review             from a folder
  skills install https://example.org/acme/skills.git//skills#v2 lint
  skills install acme/skills@lint                    of GitHub; gitlab:acme/team/skills of GitLab
  skills install https://github.com/acme/skills/tree/main/skills/lint
  skills install https://example.org/lint.zip        an archive, with curl
  skills install team.skill --to project --yes
  skills install                                     the missing skills of skills.lock
  skills install --frozen --yes --to project         in CI, where only skills.lock is committed
  skills install --check --to project                in CI, where the skills are committed too
  skills install ./my-skill --to claude-code --to codex
  skills install team.skill --to all                 the clients of this machine
  skills install tidy --from claude-code --to user   makes two copies the same
  skills install --adopt --to project                what `npx skills` or `gh skill` installed

Exit code: 0 done; 1 a skill was refused, or the lock differs; 2 wrong usage, an operation \
that failed, or no terminal to ask on and no --yes.";

/// `install --format json` when the command does not name the wanted skills.
#[derive(Serialize)]
struct OfferDocument<'o> {
    schema: u32,
    source: String,
    skills: &'o [Offered],
    #[serde(flatten)]
    left_out: LeftOutSkills,
    error: Option<ErrorJson<'o>>,
}

impl Install {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            self.install(session, environment, output)
        })
    }

    fn install(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        if let (Some(from), Some(first)) = (&self.from, &self.source) {
            return self.copy(from, first, session, environment, output);
        }
        if let (Some(source), false) = (&self.source, self.adopt) {
            if self.yes_local {
                let fact = "--yes-local is for sources of a lock, and the command names a source";
                return Err(Failure::failed(fact, "leave it out"));
            }
            // Before the source: a misspelt client must not wait for a fetch.
            let folders = self.target.chosen(environment, output)?;
            let source = self.source(source, environment)?;
            return self.install_from(source, &folders, session, environment, output);
        }
        let target = self.target.target(environment)?;
        if self.adopt {
            let names: Vec<String> = self.source.iter().chain(&self.names).cloned().collect();
            let (local, yes) = (self.yes_local, &self.yes);
            let plan = adopt::plan(&names, local, yes, &target, session, environment, output)?;
            let Some(plan) = plan else {
                return Ok(Outcome::Findings);
            };
            return self.carry("Adopt").run(&plan, session, environment, output);
        }
        let options = LockedOptions {
            names: &self.names,
            frozen: self.frozen,
            check: self.check,
            yes_local: self.yes_local,
            dry_run: self.dry_run,
            yes: &self.yes,
            format: self.format,
        };
        locked::install(&options, &target, session, environment, output)
    }

    fn source(&self, text: &str, environment: &Environment) -> Result<Source, Failure> {
        let base = environment.working_folder.clone().unwrap_or_default();
        let mut source = Source::parse(text, &base).map_err(|error| failure(&error))?;
        if let Some(path) = &self.path {
            source = source.at(path).map_err(|error| failure(&error))?;
        }
        if let Some(revision) = &self.rev {
            source = source.revision(revision).map_err(|error| failure(&error))?;
        }
        Ok(source)
    }

    fn install_from(
        &self,
        source: Source,
        folders: &[targets::Chosen],
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let origin = source.origin.to_string();
        let names = self.wanted(&source)?;
        session.consent_to_hosts(&self.yes, self.format);
        let temporary = temporary_folder(session.data());
        let offer = Offer::fetch(source, &temporary, session.host());
        session.quiet();
        let mut offer = offer.map_err(|error| failure(&error))?;
        if self.internal {
            offer = offer.with_internal();
        }
        output.warnings(&offer.manifest_faults());
        let mut left_out = LeftOutSkills::default();
        if names.is_empty() {
            left_out = LeftOutSkills::of(&offer)?;
            left_out.report(|path| self.at(path), output);
        }
        let Some(chosen) = self.chosen(names, &origin, &offer, output)? else {
            let unsaid = Failure::failed(
                "it is not said which skills are wanted",
                "name them, or use --all",
            );
            if self.format == Format::Json {
                output.json(&OfferDocument {
                    schema: 1,
                    source: origin,
                    skills: offer.skills().map_err(|error| failure(&error))?,
                    left_out,
                    error: ErrorJson::of(&unsaid),
                })?;
            }
            return Err(unsaid);
        };
        let mut planned = self.planned(&offer, &chosen, folders, environment, output)?;
        planned.check(output)?;
        let plans = &mut planned.plans;
        let widening = Widening {
            format: self.format,
            consent: self.yes.consent(),
            is_allowed: self.allow_widening || self.dry_run,
            verb: "Install",
            next: &|folder, name| {
                let target = self.target.for_folder(folder, environment);
                let command = self.to_install(&[name.to_owned()], &target);
                let command = command.word("--allow-widening");
                let options = [
                    (self.merge, "--merge"),
                    (self.force, "--force"),
                    (self.lenient, "--lenient"),
                ];
                with_given(command, &options)
            },
        };
        let again = |name: &str| self.command(&[name.to_owned()]);
        self.conflicts.check(plans)?;
        for plan in plans.iter_mut() {
            // A copy with markers is of one folder.
            let target = self.target.for_folder(&plan.target, environment);
            let conflicts = Conflicts {
                format: self.format,
                asks: matches!(self.yes.consent(), Consent::Ask),
                dry_run: self.dry_run,
                again: &again,
                take: &|name| target.of(command("update --continue").word(name)),
                session,
                environment,
            };
            self.conflicts.settle(plan, &conflicts, output)?;
        }
        // Afterwards: an answer turns a refused skill into one that is changed.
        widening.consider(plans, output)?;
        // A source with internal skills alone offers none, and a named skill of it is installed all the same.
        let offered = offer.skills().map_or(&[][..], |skills| skills);
        let more = More {
            command: &|names| self.command(names),
            names: offered.iter().map(|skill| skill.name.clone()).collect(),
            left_out: &left_out,
        };
        let mut carry = self.carry("Install");
        carry.more = Some(&more);
        let done = carry.run_all(None, plans, session, environment, output);
        planned.conclude(done, output)
    }

    /// Plans the chosen skills in each folder.
    fn planned(
        &self,
        offer: &Offer<'_>,
        chosen: &Chosen,
        folders: &[targets::Chosen],
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Planned, Failure> {
        let mut options = InstallOptions::default();
        let merges = self.merge || self.conflicts.merge();
        options.on_conflict = on_conflict(merges, self.force);
        if self.lenient {
            options.strictness = Strictness::Lenient;
        }
        let mut planned = Planned::default();
        for one in folders {
            let Target {
                folder, repository, ..
            } = &one.target;
            options.repository.clone_from(repository);
            let mut plan = match offer.plan(chosen, folder, &options) {
                Ok(plan) => plan,
                Err(error) => {
                    planned.add(Err(failure(&error)));
                    continue;
                }
            };
            let catalog = match one.options.catalog_of(&one.target) {
                Some(options) => options.load(environment)?.catalog,
                None => Catalog::builder().directory("user", folder).load().catalog,
            };
            shadows(&mut plan, &catalog)?;
            plan.need(|name| catalog.get(name).is_some())
                .map_err(|error| failure(&error))?;
            report(
                &plan,
                &one.passed_over,
                &folders_of(folders),
                environment,
                output,
            );
            planned.add(Ok(plan));
        }
        Ok(planned)
    }

    /// Makes skills of one folder the same in others, and in the own folders of clients that share one and have such a
    /// skill themselves.
    fn copy(
        &self,
        from: &str,
        first: &str,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let from = self.target.named(from, environment)?;
        let first = std::iter::once(first.to_owned());
        let names: Vec<String> = first.chain(self.names.iter().cloned()).collect();
        let mut planned = Planned::default();
        let plan = |names: &[String], to: &Target| {
            let mut options = CopyOptions::default();
            options.repository.clone_from(&to.repository);
            let plan = plan_copy(names, &from.folder, &to.folder, &options, session.host());
            plan.map_err(|error| failure(&error))
        };
        let folders = self.target.chosen(environment, output)?;
        let real = resolved(&from.folder);
        let (itself, others): (Vec<_>, Vec<_>) = folders
            .iter()
            .partition(|one| resolved_ahead(&one.target.folder) == real);
        for one in others {
            planned.add(plan(&names, &one.target));
        }
        let mut but = folders_of(&folders);
        but.push(&from.folder);
        for one in &folders {
            for (own, there) in copies(&one.passed_over, &names, &but) {
                let plan = plan(&there, &own.target);
                let is_current = |skill: &PlannedSkill| skill.action == Action::Current;
                let is_same = plan
                    .as_ref()
                    .is_ok_and(|plan| plan.skills.iter().all(is_current));
                if !is_same {
                    output.note(format!(
                        "{} has its own {} in {}, which becomes the same",
                        own.client,
                        one_line(&there.join(", ")),
                        one_line(&environment.shown(&own.target.folder))
                    ));
                }
                planned.add(plan);
            }
        }
        for one in itself {
            if planned.plans.is_empty() {
                planned.add(plan(&names, &one.target));
            } else {
                let folder = one_line(&environment.shown(&one.target.folder));
                output.note(format!("{folder} is the folder that is read"));
            }
        }
        planned.check(output)?;
        let mut carry = self.carry("Install");
        carry.differences = true;
        let done = carry.run_all(None, &planned.plans, session, environment, output);
        planned.conclude(done, output)
    }

    /// Returns the command that installs other skills from the same source into the same folders.
    fn command(&self, names: &[String]) -> Command {
        self.to_install(names, &self.target)
    }

    /// Returns the command that installs skills from the same source into some folders.
    fn to_install(&self, names: &[String], target: &TargetOptions) -> Command {
        let command = command("install").word(self.source.as_deref().unwrap_or_default());
        let command = names
            .iter()
            .fold(command, |command, name| command.word(name));
        let command = with_given(command, &[(self.internal, "--internal")]);
        let command = command.option("--path", self.path.as_deref());
        target.of(command.option("--rev", self.rev.as_deref()))
    }

    /// Returns the command that installs the skill in a folder of the source.
    fn at(&self, path: &str) -> Command {
        let command = command("install").word(self.source.as_deref().unwrap_or_default());
        let command = command.word("--path").word(path);
        self.target.of(command.option("--rev", self.rev.as_deref()))
    }

    fn carry(&self, verb: &'static str) -> Carry<'_> {
        Carry {
            format: self.format,
            consent: self.yes.consent(),
            dry_run: self.dry_run,
            differences: false,
            brief: false,
            not_written: &[],
            more: None,
            verb,
        }
    }

    /// Returns the names of the wanted skills: those of the command, and the name after the `@` of the source.
    fn wanted(&self, source: &Source) -> Result<Vec<String>, Failure> {
        let mut names = self.names.clone();
        let Some(skill) = &source.skill else {
            return Ok(names);
        };
        if self.all {
            return Err(Failure::failed(
                format_args!("the source names the skill '{skill}', and --all means every skill"),
                format_args!("leave out --all, or '@{skill}'"),
            ));
        }
        names.push(skill.clone());
        Ok(names)
    }

    /// Returns the chosen skills. When the command names none, the offered skills are printed and the person
    /// is asked. Returns `None` without a choice.
    fn chosen(
        &self,
        names: Vec<String>,
        origin: &str,
        offer: &Offer<'_>,
        output: &mut Output,
    ) -> Result<Option<Chosen>, Failure> {
        if !names.is_empty() {
            return Ok(Some(Chosen::Named(names)));
        }
        let skills = offer.skills().map_err(|error| failure(&error))?;
        if self.all || skills.len() == 1 {
            return Ok(Some(Chosen::All));
        }
        // A program is not asked: the document lists the offered skills.
        if self.format == Format::Json {
            return Ok(None);
        }
        if let Some(asker) = output.asker() {
            return Ok(picked(skills, &*asker, output));
        }
        let written = self.source.as_deref().unwrap_or_default();
        if origin.starts_with("https://") && !written.starts_with(origin) {
            let written = one_line(written);
            output.note(format!("{written} is {}", one_line(origin)));
        }
        for skill in skills {
            let name = output.strong(one_line(&skill.name));
            // Of two of the same name, one is chosen by its folder.
            let place = match skill.path.as_str() {
                "" => String::new(),
                path if path == skill.name => String::new(),
                path => format!(" ({})", one_line(path)),
            };
            writeln!(
                output,
                "{name}{place}\n    {}",
                one_line(&skill.description)
            )?;
        }
        if !can_ask(output) {
            return Ok(None);
        }
        loop {
            let names = asked(
                "Which skills? (names, or `all`; an empty line ends)",
                output,
            );
            let names = names.split([' ', ',']).filter(|name| !name.is_empty());
            let names: Vec<String> = names.map(str::to_owned).collect();
            let is_offered = |name: &&String| {
                let mut of_name = skills.iter();
                of_name.any(|skill| [&skill.name, &skill.path].contains(name))
            };
            match names.as_slice() {
                [] => return Ok(None),
                [all] if all == "all" => return Ok(Some(Chosen::All)),
                names => match names.iter().find(|name| !is_offered(name)) {
                    Some(name) => {
                        let name = one_line(name);
                        output.warning(format_args!("'{name}' is none of these skills"));
                    }
                    None => return Ok(Some(Chosen::Named(names.to_vec()))),
                },
            }
        }
    }
}

/// Lets the person at a prompt pick one of the offered skills, or all.
fn picked(skills: &[Offered], asker: &dyn Asker, output: &mut Output) -> Option<Chosen> {
    let mut rows = vec![("all".to_owned(), counted(skills.len(), "skill"))];
    rows.extend(skills.iter().map(|skill| {
        let is_twin = |other: &&Offered| other.name == skill.name;
        let is_twice = skills.iter().filter(is_twin).count() > 1;
        // Of two of the same name, one is chosen by its folder.
        let name = if is_twice { &skill.path } else { &skill.name };
        (name.clone(), skill.description.clone())
    }));
    match asker.choose("Install skill", &rows, output)? {
        0 => Some(Chosen::All),
        at => Some(Chosen::Named(vec![rows.get(at)?.0.clone()])),
    }
}

/// Records the skills of other folders that have the name of a planned skill.
fn shadows(plan: &mut Plan, catalog: &Catalog) -> Result<(), Failure> {
    let target = resolved_ahead(&plan.target);
    let is_own = |entry: &Entry| match entry.location() {
        Location::Folder(path) => path.parent().is_some_and(|at| resolved(at) == target),
        _ => false,
    };
    // The place of the target among the folders of the catalog, the highest rank first.
    let own = catalog
        .sources()
        .iter()
        .enumerate()
        .find_map(|(rank, source)| {
            let root = source
                .roots()
                .position(|root| resolved_ahead(root) == target)?;
            Some((rank, root))
        });
    let rank = |entry: &Entry| {
        let mut sources = catalog.sources().iter();
        let rank = sources.position(|source| std::ptr::eq(source, entry.source()))?;
        let root = match entry.location() {
            Location::Folder(path) => {
                let above = resolved(path.parent()?);
                entry
                    .source()
                    .roots()
                    .position(|root| resolved(root) == above)
            }
            _ => None,
        };
        Some((rank, root.unwrap_or_default()))
    };
    let shadows = |skill: &PlannedSkill| {
        let others = catalog.iter();
        let others = others.filter(|entry| entry.name() == skill.name && !is_own(entry));
        let others: Vec<Entry> = others.collect();
        let by = own.map(|own| {
            let higher = others
                .iter()
                .filter(|other| rank(other).is_some_and(|rank| rank < own));
            higher.map(Entry::qualified_id).collect()
        });
        (others.iter().map(Entry::qualified_id).collect(), by)
    };
    plan.shadow(shadows).map_err(|error| failure(&error))
}

fn folders_of(all: &[targets::Chosen]) -> Vec<&Path> {
    all.iter().map(|one| &*one.target.folder).collect()
}
