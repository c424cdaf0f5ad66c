//! The workspace and the folder of skills of `skills deps`.

use crate::catalog::options::named;
use crate::commands::install::session::{Session, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Output, counted, one_line};
use clap::Args;
use skills_format::text::command::Command;
use skills_format::{command, prose};
use skills_host::Error;
use skills_host::deps::{Cargo, DepsOptions, DepsPlan, NotWritten, Reach, Workspace, plan_deps};
use skills_runtime::Profile;
use std::path::Path;

/// The options that every command over dependencies takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct DepsSite {
    /// The transitive dependencies too
    #[arg(long)]
    all: bool,
    /// `project` (the profile's own folder), or a folder
    #[arg(long, value_name = "TO", default_value = PROJECT)]
    to: String,
    /// The profile whose folder `project` is; `skills inspect profile list` shows all
    #[arg(short, long, value_name = "NAME", value_parser = named)]
    profile: Option<&'static Profile>,
}

const PROJECT: &str = "project";

/// A plan, with the workspace and the folder that it is for.
pub(crate) struct Planned {
    pub(crate) workspace: Workspace,
    pub(crate) target: Target,
    pub(crate) deps: DepsPlan,
    /// The environment of the project that the skills are for.
    pub(crate) project: Environment,
    /// The command that lists the same skills.
    list: Command,
}

impl DepsSite {
    /// Asks cargo for the dependencies, and plans what a sync would do.
    pub(crate) fn plan(
        &self,
        mut options: DepsOptions,
        session: &Session,
        environment: &Environment,
    ) -> Result<Planned, Failure> {
        if self.all {
            options.reach = Reach::All;
        }
        options.sync = self.command("deps sync", "deps sync --all");
        let folder = environment.working_folder.clone().unwrap_or_default();
        // Before cargo starts.
        self.target(environment)?;
        let cargo = Cargo::new(Environment::cargo());
        let host = session.host();
        let read = Workspace::read(&folder, &cargo, host.observer);
        let workspace = read.map_err(|error| Self::failed(session, &error))?;
        let project = if self.to == PROJECT {
            project_of(&workspace, &folder, environment)
        } else {
            environment.clone()
        };
        let target = self.target(&project)?;
        if let Some(package) = workspace.package_of(&target.folder) {
            session.quiet();
            return Err(Failure::failed(
                prose!(
                    "{} is in the sources of the crate {package}",
                    &target.folder
                ),
                "leave out --to, or name a folder of skills outside of that crate",
            ));
        }
        let planned = plan_deps(&workspace, &target.folder, &options, host);
        session.quiet();
        let deps = planned.map_err(|error| failure(&error))?;
        Ok(Planned {
            workspace,
            target,
            deps,
            project,
            list: self.command("deps list", "deps list --all"),
        })
    }

    /// Returns the options of the folder, as words of a command.
    pub(crate) fn options(&self) -> TargetOptions {
        TargetOptions::of_words(Some(&self.to), self.profile)
    }

    /// Returns a command with these options.
    fn command(&self, direct: &'static str, all: &'static str) -> Command {
        let words = command(if self.all { all } else { direct });
        let to = Some(self.to.as_str()).filter(|to| *to != PROJECT);
        let words = words.option("--to", to);
        words.option("--profile", self.profile_name())
    }

    fn failed(session: &Session, error: &Error) -> Failure {
        session.quiet();
        failure(error)
    }

    fn profile_name(&self) -> Option<&'static str> {
        self.profile.map(|profile| &*profile.name)
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

/// Returns the environment of the project: without a repository, the project is the workspace.
fn project_of(workspace: &Workspace, folder: &Path, environment: &Environment) -> Environment {
    let mut project = environment.clone();
    if !folder.ancestors().any(|above| above.join(".git").exists()) {
        project.working_folder = Some(workspace.root.clone());
    }
    project
}

impl Planned {
    /// Warns about the skills that are not in the plan, once for each crate and reason: a crate whose program carries
    /// skills of its own can have dozens.
    pub(crate) fn warn(&self, output: &mut Output) {
        let key = |left: &NotWritten| {
            let krate = format!("{} {}", one_line(&left.krate), one_line(&left.version));
            (krate, left.name.is_some(), left.reason.clone())
        };
        let all = &self.deps.not_written;
        for same in all.chunk_by(|a, b| key(a) == key(b)) {
            let Some(first) = same.first() else {
                continue;
            };
            let (krate, is_named, reason) = key(first);
            let what = match same {
                [one] if is_named => {
                    let name = one_line(one.name.as_deref().unwrap_or_default());
                    format!(
                        "the skill `{name}` in {} is not written",
                        one_line(&one.path)
                    )
                }
                [one] => format!("no skill of {} is written", one_line(&one.path)),
                _ => format!("{} are not written", counted(same.len(), "skill")),
            };
            output.warning(prose!("{krate}: {what}: {}", reason));
            if same.len() > 1 {
                output.note(prose!("{} names them", self.list.clone()));
            }
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

impl DepsSite {
    pub(crate) fn is_all(&self) -> bool {
        self.all
    }
}
