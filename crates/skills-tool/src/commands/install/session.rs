//! What an operation of the host is given by this process: folders, git, the clock, a terminal.

use crate::environment::{Environment, SystemClock};
use crate::input::{agreed, can_ask};
use crate::outcome::{Failure, Outcome};
use crate::output::progress::Progress;
use crate::output::{Output, line_beside};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use skills_format::text::path::PathText as _;
use skills_host::git::{Git, Observer};
use skills_host::install::Host;
use skills_host::{Error, ErrorKind};
use skills_store::files::data::DataFolder;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is handed to the host.
pub(crate) struct Session {
    data: DataFolder,
    git: Git,
    clock: SystemClock,
    watcher: Watcher,
}

/// Shows progress on a terminal, and hears Ctrl-C.
pub(crate) struct Watcher {
    line: Progress,
    cancelled: Arc<AtomicBool>,
    /// What hears the signals.
    heard: Vec<signal_hook::SigId>,
}

impl Session {
    fn new(environment: &Environment) -> Result<Self, Failure> {
        let data = environment.data.as_deref().ok_or_else(|| {
            Failure::failed("there is no folder for data", "set HOME, or XDG_DATA_HOME")
        })?;
        Ok(Self {
            data: DataFolder::new(data.join("skills")),
            git: Git::default(),
            clock: SystemClock,
            watcher: Watcher::new(),
        })
    }

    pub(crate) fn host(&self) -> Host<'_> {
        Host {
            data: &self.data,
            git: &self.git,
            clock: &self.clock,
            observer: &self.watcher,
        }
    }

    pub(crate) fn data(&self) -> &DataFolder {
        &self.data
    }

    /// Takes the progress off the terminal.
    pub(crate) fn quiet(&self) {
        self.watcher.quiet();
    }
}

impl Watcher {
    pub(crate) fn new() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let mut heard = Vec::new();
        for signal in [SIGINT, SIGTERM] {
            // A second time it ends the process as it would without this.
            let twice = Arc::clone(&cancelled);
            heard.extend(signal_hook::flag::register_conditional_default(
                signal, twice,
            ));
            heard.extend(signal_hook::flag::register(signal, Arc::clone(&cancelled)));
        }
        Self {
            line: Progress::new(),
            cancelled,
            heard,
        }
    }

    /// Takes the progress off the terminal.
    pub(crate) fn quiet(&self) {
        self.line.clear();
    }
}

/// A later Ctrl-C of the same process is for something else.
impl Drop for Watcher {
    fn drop(&mut self) {
        for signal in &self.heard {
            signal_hook::low_level::unregister(*signal);
        }
    }
}

impl Observer for Watcher {
    fn progress(&self, line: &str) {
        self.line.show(line);
    }

    fn waiting(&self, path: &Path, holder: &str) {
        let folder = path.parent().unwrap_or(path);
        let line = format!("waiting for {holder}, which changes {}", folder.shown());
        if self.line.is_shown() {
            self.progress(&line);
        } else {
            // Where nobody watches, a log says why it takes so long.
            line_beside(&line);
        }
    }

    fn warning(&self, line: &str) {
        self.line.clear();
        line_beside(&format!("warning: {line}"));
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// What an error of the host is to a person.
pub(crate) fn failure(error: &Error) -> Failure {
    failure_with(error, &format!("{error:#}"))
}

/// The same for what was done to one of several skills.
pub(crate) fn failure_of(name: &str, error: &Error) -> Failure {
    failure_with(error, &format!("{name}: {error:#}"))
}

fn failure_with(error: &Error, fact: &str) -> Failure {
    let help = error
        .remedy()
        .unwrap_or("free space, or correct the rights of what is named");
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::Refused | ErrorKind::Differs => {
            Failure::not_so(fact, help)
        }
        _ => Failure::failed(fact, help),
    }
}

/// An error in a document.
#[derive(Serialize)]
pub(crate) struct ErrorJson<'e> {
    message: &'e str,
    help: &'e str,
}

impl<'e> ErrorJson<'e> {
    pub(crate) fn of(failure: &'e Failure) -> Option<Self> {
        let message = failure.message()?;
        Some(Self {
            message: &message.fact,
            help: &message.help,
        })
    }
}

/// Runs a command with a session.
pub(crate) fn run(
    environment: &Environment,
    output: &mut Output,
    command: impl FnOnce(&Session, &mut Output) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    command(&Session::new(environment)?, output)
}

/// What a person says to a plan.
#[derive(Clone, Debug)]
pub(crate) enum Consent<'c> {
    /// `--yes`
    Given,
    /// `--yes=ID`
    To(&'c str),
    /// They are asked.
    Ask,
}

/// `--yes` and `--yes=ID`.
#[derive(Args, Clone, Debug)]
pub(crate) struct YesOption {
    /// Do not ask; with an ID, only when that is the plan's
    #[arg(short, long, value_name = "ID", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    #[expect(
        clippy::option_option,
        reason = "clap's form of an option whose value may be left out"
    )]
    yes: Option<Option<String>>,
}

impl YesOption {
    pub(crate) fn consent(&self) -> Consent<'_> {
        match &self.yes {
            None => Consent::Ask,
            Some(None) => Consent::Given,
            Some(Some(id)) => Consent::To(id),
        }
    }

    /// For a question that comes before the plan.
    pub(crate) fn consent_before(&self) -> Consent<'_> {
        match &self.yes {
            None => Consent::Ask,
            Some(_) => Consent::Given,
        }
    }
}

impl Consent<'_> {
    /// Whether to go on. Without a terminal nobody can be asked: then it is an error.
    pub(crate) fn is_given(
        &self,
        question: &str,
        plan: &str,
        output: &mut Output,
    ) -> Result<bool, Failure> {
        match self {
            Self::Given => Ok(true),
            Self::To(id) if *id == plan => Ok(true),
            Self::To(id) => Err(Failure::failed(
                format_args!("the plan is {plan}, not {id}: something has changed"),
                "look at the plan, then name it",
            )),
            Self::Ask => {
                if !can_ask(output) {
                    let help = if plan.is_empty() {
                        "use --yes".to_owned()
                    } else {
                        format!("look at the plan, then use --yes, or --yes={plan}")
                    };
                    let fact = "nobody can be asked: this is not a terminal";
                    return Err(Failure::failed(fact, help));
                }
                Ok(agreed(question, output))
            }
        }
    }
}
