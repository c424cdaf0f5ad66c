//! The workspace and the folder of skills of `skills deps`.

use crate::catalog::options::named;
use crate::commands::install::session::{Session, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Output, one_line};
use clap::Args;
use skills_format::prose;
use skills_host::deps::{Cargo, DepsOptions, DepsPlan, Reach, Workspace, plan_deps};
use skills_runtime::Profile;

/// The options that every command over dependencies takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Site {
    /// The transitive dependencies too
    #[arg(long)]
    all: bool,
    /// `project` (the profile's own folder), or a folder
    #[arg(long, value_name = "TO", default_value = PROJECT)]
    to: String,
    /// The profile whose folder `project` is; `skills profile list` shows all
    #[arg(short, long, value_name = "NAME", value_parser = named)]
    profile: Option<&'static Profile>,
}

const PROJECT: &str = "project";

/// A plan, with the workspace and the folder that it is for.
pub(crate) struct Planned {
    pub(crate) workspace: Workspace,
    pub(crate) target: Target,
    pub(crate) deps: DepsPlan,
}

impl Site {
    /// Asks cargo for the dependencies, and plans what a sync would do.
    pub(crate) fn plan(
        &self,
        mut options: DepsOptions,
        session: &Session,
        environment: &Environment,
    ) -> Result<Planned, Failure> {
        let target = self.target(environment)?;
        if self.all {
            options.reach = Reach::All;
        }
        let folder = environment.working_folder.clone().unwrap_or_default();
        let cargo = Cargo::new(Environment::cargo());
        let host = session.host();
        let plan = || {
            let workspace = Workspace::read(&folder, &cargo, host.observer)?;
            let deps = plan_deps(&workspace, &target.folder, &options, host)?;
            Ok((workspace, deps))
        };
        let planned = plan();
        session.quiet();
        let (workspace, deps) = planned.map_err(|error| failure(&error))?;
        Ok(Planned {
            workspace,
            target,
            deps,
        })
    }

    /// Returns the options of the folder, as words of a command.
    pub(crate) fn options(&self) -> TargetOptions {
        TargetOptions::of_words(Some(&self.to), self.profile)
    }

    /// Returns the folder of skills. A person's own folder is refused: its skills need no trust, and the sync of
    /// another workspace would remove those of this workspace.
    fn target(&self, environment: &Environment) -> Result<Target, Failure> {
        let target = self.options().target(environment)?;
        if target.is_own {
            return Err(Failure::failed(
                prose!(
                    "{} is your own folder: skills of dependencies belong to a project, where they start only after \
                     you trust them",
                    &target.folder
                ),
                "leave out --to, or name a folder of the project",
            ));
        }
        Ok(target)
    }
}

impl Planned {
    /// Warns about each skill that is not in the plan.
    pub(crate) fn warn(&self, output: &mut Output) {
        for left in &self.deps.not_written {
            let what = match left.name.as_deref() {
                Some(name) => format!("the skill `{}` in", one_line(name)),
                None => "no skill of".to_owned(),
            };
            let is_not = if left.name.is_some() { "is not" } else { "is" };
            output.warning(prose!(
                "{} {}: {what} {} {is_not} written: {}",
                one_line(&left.krate),
                one_line(&left.version),
                one_line(&left.path),
                &left.reason
            ));
        }
    }

    /// Notes that nothing is there to install.
    pub(crate) fn note_nothing(&self, all: bool, output: &mut Output) {
        let count = self.deps.searched;
        let kind = if all {
            "dependencies"
        } else {
            "direct dependencies"
        };
        let more = if all {
            ""
        } else {
            "; --all looks at the transitive ones too"
        };
        output.note(format!("none of the {count} {kind} ships skills{more}"));
    }
}

impl Site {
    pub(crate) fn is_all(&self) -> bool {
        self.all
    }
}
