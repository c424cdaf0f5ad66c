//! `skills update`: updates of installed skills from their sources.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::commands::install::locked::may_fetch;
use crate::commands::install::plan::{Carry, Run, on_conflict};
use crate::commands::install::session::{Allow, AllowOption, Session, YesOption};
use crate::commands::install::target::{Target, TargetOptions, with_names};
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use serde_json::json;
use skills_format::prose;
use skills_host::install::{
    Pins, UpdateOptions, installed_names, locked_sources, plan_uninstall, plan_update,
};
use std::collections::BTreeSet;
use std::io::Write as _;

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Update {
    /// The skills; by default all
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Follow another branch, tag or commit from now on
    #[arg(long, value_name = "REVISION", requires = "names")]
    rev: Option<String>,
    /// Merge local changes with the new version. Lines that both sides changed get git's conflict markers
    #[arg(long, conflicts_with = "force")]
    merge: bool,
    /// Replace skills with local changes, which go to the trash
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    allow: AllowOption,
    /// Pin the skills (`on`), so that later updates skip them, or unpin them (`off`). Nothing is updated now
    #[arg(long, value_enum, requires = "names", conflicts_with_all = ["rev", "merge", "force", "allow"])]
    pin: Option<Pin>,
    /// Show the plan without carrying it out. Only an earlier command that was interrupted is completed first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: YesOption,
    #[command(flatten)]
    format: FormatOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Pin {
    On,
    Off,
}

const EXAMPLES: &str = "\
Examples:
  skills outdated                  what would change: the same as `skills update --dry-run`
  skills update --yes
  skills update code-review --merge
  skills update code-review --rev v2.0.0       another tag or branch
  skills update code-review --pin on           it stays at its version
  skills update code-review --force            drops local changes; `skills restore` brings them back";

impl Update {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        match self.pin {
            Some(pin) => self.pin(pin, &session, cx),
            None => self.update(&session, cx),
        }
    }

    fn update(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut folders = Vec::new();
        for (target, names) in self.folders(session, cx)? {
            let options = UpdateOptions {
                names,
                is_lenient: self.allow.has(Allow::Lenient),
                on_conflict: on_conflict(self.merge, self.force),
                repository: target.repository.clone(),
                allows_local: target.is_own || self.allow.has(Allow::Local),
                revision: self.rev.clone(),
            };
            let repository = target.repository.as_deref();
            let names = &options.names;
            let sources = locked_sources(&target.folder, repository, names, false, session.host());
            match sources {
                Ok(sources) => {
                    if !may_fetch(&sources, &target, self.yes.yes, cx)? {
                        cx.note("nothing was fetched");
                        return Ok(Outcome::Findings);
                    }
                    folders.push((target, Ok(options)));
                }
                Err(error) => folders.push((target, Err(error))),
            }
        }
        let carry = Carry {
            verb: "Update",
            yes: self.yes.yes,
            widens: self.allow.has(Allow::Widening),
            dry_run: self.dry_run,
            differences: true,
            ..Carry::default()
        };
        let mut run = Run::new(&carry, session, cx.env);
        let mut is_empty = true;
        for (target, options) in folders {
            let folder = &target.folder;
            let plan = options.and_then(|options| plan_update(folder, &options, session.host()));
            is_empty &= plan.as_ref().is_ok_and(|plan| plan.skills.is_empty());
            let failed = |error| TargetOptions::failure(&error, folder, &self.names, cx.env);
            run.folder(plan.map_err(failed), cx)?;
        }
        if is_empty {
            cx.note("`skills` has installed no skill here: see `skills install --help`");
        }
        run.finish(cx)
    }

    fn folders(
        &self,
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Vec<(Target, Vec<String>)>, Failure> {
        let targets = self.target.installed(&self.names, session, cx)?;
        Ok(with_names(targets, &self.names, false, session, cx.env))
    }

    /// Pins or unpins the skills in each folder that has them.
    fn pin(&self, pin: Pin, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let pins = Pins::of(session.data());
        let (mut folders, mut lines) = (Vec::new(), Vec::new());
        for (target, names) in self.folders(session, cx)? {
            let folder = &target.folder;
            let pinned = pins.names(folder)?;
            // A pin whose skill is gone can be removed too.
            if pin == Pin::On || !names.iter().all(|name| pinned.contains(name)) {
                installed_names(folder, &names, session.host())
                    .map_err(|error| TargetOptions::failure(&error, folder, &self.names, cx.env))?;
            }
            let changed = pins.set(folder, &names, pin == Pin::On)?;
            let place = one_line(&cx.env.shown(folder));
            for name in names.iter().collect::<BTreeSet<_>>() {
                let words = match pin {
                    Pin::On => "is pinned: updates skip it",
                    Pin::Off => "is not pinned",
                };
                lines.push(format!("{} in {place} {words}", one_line(name)));
            }
            folders.push(json!({
                "target": cx.env.documented(folder),
                // The skills that the command pinned or unpinned, and every pinned skill of the folder.
                "changed": changed,
                "pinned": pins.names(folder)?,
            }));
        }
        cx.report(&json!({ "folders": folders }))?;
        for line in &lines {
            writeln!(cx, "{line}")?;
        }
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills uninstall code-review\n  skills uninstall code-review && skills restore"
)]
pub(crate) struct Uninstall {
    /// The skills; without --to, from the only folder that has them
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Also move skills that `skills install` did not install
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    /// Show the plan without carrying it out. Only an earlier command that was interrupted is completed first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: FormatOption,
}

impl Uninstall {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let targets = self.target.places_of(&self.names, cx)?;
        let is_one = targets.len() == 1;
        let (mut plans, mut asks) = (Vec::new(), false);
        for (Target { folder, .. }, names) in
            with_names(targets, &self.names, true, &session, cx.env)
        {
            let all_installed = self.target.holds_installed(&folder, cx.env);
            let on_conflict = on_conflict(false, self.force || all_installed);
            // Of a list with an unknown name, nothing is uninstalled in any folder.
            let plan = plan_uninstall(&folder, &names, on_conflict, session.host())
                .map_err(|error| TargetOptions::failure(&error, &folder, &names, cx.env))?;
            // A skill without a known source can be the person's only copy.
            let is_only_copy = plan.skills.iter().any(|skill| skill.source.is_none());
            // An uninstalled skill can be restored, so a person is asked only about local changes and several folders.
            let is_changed = plan.changes().any(|skill| skill.note.is_some());
            asks |= all_installed && !self.force && is_only_copy;
            asks |= (!is_one || is_changed) && can_ask(cx);
            plans.push(plan);
        }
        let carry = Carry {
            verb: "Uninstall",
            yes: self.yes.yes || !asks,
            widens: true,
            dry_run: self.dry_run,
            ..Carry::default()
        };
        let mut run = Run::new(&carry, &session, cx.env);
        for plan in plans {
            run.folder(Ok(plan), cx)?;
        }
        let outcome = run.finish(cx)?;
        // Loaded once, after the change: thousands of skills can be named.
        if !self.dry_run
            && let Ok(left) = CatalogOptions::default().load_untrusted(cx.env)
        {
            for name in &self.names {
                if let Some(folder) = find::folder_of(&left.catalog, name, cx.env) {
                    cx.note(prose!("'{}' is still in {}", one_line(name), &*folder));
                }
            }
        }
        Ok(outcome)
    }
}
