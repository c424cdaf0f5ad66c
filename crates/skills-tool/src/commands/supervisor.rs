//! `skills __run`: the supervisor of one agent. Only the program itself starts this command, and no help
//! shows it.

use skills_host::Error;
use skills_host::agent::AgentCommand;
use std::ffi::OsString;
use std::process::ExitCode;

/// The word that makes this program a supervisor.
const WORD: &str = "__run";

/// Parses the command of an agent, and puts the agent below a supervisor.
pub(crate) fn agent(command: &str) -> Result<AgentCommand, Error> {
    let agent = AgentCommand::parse(command)?;
    // This path works after an update has replaced the file of the program.
    Ok(agent.supervisor(["/proc/self/exe", WORD].map(OsString::from)))
}

/// Supervises an agent, if the arguments name the supervisor. Returns `None` otherwise.
#[cfg(not(target_os = "linux"))]
pub(crate) fn of_process() -> Option<ExitCode> {
    None
}

/// Supervises an agent, if the arguments name the supervisor. Returns `None` otherwise.
#[cfg(target_os = "linux")]
pub(crate) fn of_process() -> Option<ExitCode> {
    use crate::output::one_line;
    use skills_host::agent::supervise;
    use std::io::Write as _;

    let mut words = std::env::args_os().skip(1);
    if words.next()? != WORD {
        return None;
    }
    let signals = SupervisorSignals::catch();
    let code = match supervise(words, &|| signals.asked()) {
        Ok(supervised) => {
            if let Some(fault) = &supervised.fault {
                let _ = writeln!(std::io::stderr(), "the agent left something: {fault}");
            }
            ended(supervised.end)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", one_line(&format!("{error:#}")));
            // The exit code of a shell for a program that cannot be started.
            ExitCode::from(126)
        }
    };
    Some(code)
}

/// Returns the exit code of the agent, or ends by the signal that ended the agent.
#[cfg(target_os = "linux")]
fn ended(end: skills_host::agent::AgentEnd) -> ExitCode {
    let low_byte = |number: i32| u8::try_from(number & 0xff).unwrap_or(u8::MAX);
    match (end.code, end.signal) {
        (Some(code), _) => ExitCode::from(low_byte(code)),
        (None, Some(signal)) => {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            // The signal does not end this program by default: the exit code is that of a shell.
            ExitCode::from(low_byte(128 + signal))
        }
        (None, None) => ExitCode::from(1),
    }
}

/// The requests of the program to its supervisor.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct SupervisorSignals {
    end: std::sync::Arc<std::sync::atomic::AtomicBool>,
    end_now: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

#[cfg(target_os = "linux")]
impl SupervisorSignals {
    fn catch() -> Self {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::flag::register;
        use std::sync::Arc;

        let signals = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // A signal that cannot be caught ends the supervisor; the program then ends the processes that it
            // knows.
            let _ = register(signal, Arc::clone(&signals.end));
        }
        let _ = register(SIGHUP, Arc::clone(&signals.end_now));
        signals
    }

    fn asked(&self) -> skills_host::agent::Asked {
        use skills_host::agent::Asked;
        use std::sync::atomic::Ordering;

        if self.end_now.load(Ordering::Relaxed) {
            Asked::EndNow
        } else if self.end.load(Ordering::Relaxed) {
            Asked::End
        } else {
            Asked::Nothing
        }
    }
}
