//! The parts of this process that an operation of the host uses: folders, git, the clock, a terminal.

use crate::environment::{Environment, SystemClock};
use crate::input::{IS_ASKING, agreed, can_ask};
use crate::outcome::Failure;
use crate::output::screen::Progress;
use crate::output::{Ctx, line_beside};
use clap::Args;
use signal_hook::consts::{SIGINT, SIGTERM};
use skills_format::text::path::PathText as _;
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Observer};
use skills_host::install::Host;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The data folder, git, the clock and the observer for an operation of the host.
pub(crate) struct Session {
    data: DataFolder,
    git: Git,
    clock: SystemClock,
    watcher: Watcher,
}

/// An observer that shows progress on a terminal and handles Ctrl-C.
pub(crate) struct Watcher {
    line: Progress,
    cancelled: Arc<AtomicBool>,
    /// The registered signal handlers.
    heard: Vec<signal_hook::SigId>,
}

impl Session {
    pub(crate) fn new(env: &Environment) -> Result<Self, Failure> {
        Ok(Self {
            data: env.data_folder().ok_or_else(Failure::no_data_folder)?,
            git: Git::default().own(env.own_folders()),
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

    /// Removes the progress from the terminal.
    pub(crate) fn quiet(&self) {
        self.watcher.quiet();
    }
}

impl Watcher {
    pub(crate) fn new() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let mut heard = Vec::new();
        for signal in [SIGINT, SIGTERM] {
            // A question is asked before the first change: the first signal ends the process there.
            let asking = Arc::clone(&IS_ASKING);
            let status = 128 + signal;
            heard.extend(signal_hook::flag::register_conditional_shutdown(
                signal, status, asking,
            ));
            // Registered before the flag, which the first signal sets: only a second signal ends the process by
            // the default action.
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

    /// Removes the progress from the terminal.
    pub(crate) fn quiet(&self) {
        self.line.clear();
    }
}

/// Removes the signal handlers: a later Ctrl-C is for another operation of the same process.
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
            // Without a terminal, the line in a log says why the command takes long.
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

/// `--yes`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct YesOption {
    /// Do not ask for confirmation
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// Asks a question, unless the person has consented. Without a terminal the person cannot be asked, which is an error.
pub(crate) fn consents(yes: bool, question: &str, cx: &mut Ctx) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !can_ask(cx) {
        let fact = "cannot ask for confirmation: this is not a terminal";
        return Err(Failure::failed(fact, "look at the plan, then use --yes"));
    }
    Ok(agreed(question, cx))
}

/// What a command takes although it is refused by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Allow {
    /// Versions that may do more than the installed version
    Widening,
    /// Skills in which `skills check` finds errors
    Lenient,
    /// Reading folders on your disk that a project's skills.lock names
    Local,
}

/// `--allow`.
#[derive(Args, Clone, Debug)]
pub(crate) struct AllowOption {
    /// Also accept what is refused by default; separate several with commas
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    allow: Vec<Allow>,
}

impl AllowOption {
    pub(crate) fn has(&self, allow: Allow) -> bool {
        self.allow.contains(&allow)
    }
}
