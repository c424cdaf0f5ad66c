//! The events of `tracing`, printed to standard error for `SKILLS_LOG`.

use crate::environment::LOG;
use crate::outcome::Failure;
use crate::output::text::printable;
use crate::output::{beside, one_line};
use std::ffi::OsStr;
use std::io::{self, Write};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// The beginning of the names of this program's packages. The SDK of the server has events too, which can
/// hold the text of a skill, so they are never printed.
const OWN: &str = "skills";

/// Prints the events that a value of the variable asks for, from now on.
pub(crate) fn start(value: &OsStr) -> Result<(), Failure> {
    let targets = value.to_str().and_then(targets).ok_or_else(|| {
        let value = value.to_string_lossy();
        Failure::failed(
            format_args!(
                "{LOG} is '{}', which is no level of events",
                one_line(&value)
            ),
            format_args!(
                "write error, warn, info, debug or trace; or a level for each part, such as \
                 {LOG}=info,skills_host::schedule=debug"
            ),
        )
    })?;
    let printer = tracing_subscriber::fmt::layer()
        .with_writer(|| Printer)
        .with_ansi(false);
    let registry = tracing_subscriber::registry().with(printer.with_filter(targets));
    registry.try_init().map_err(|error| {
        let help = format_args!("start the program without {LOG}");
        Failure::failed(format_args!("events cannot be printed: {error}"), help)
    })
}

/// Prints events as the program prints its other text: the fields hold names and errors of foreign folders, which
/// steer no terminal, begin no second line and form no command for the runner of a workflow.
struct Printer;

impl Write for Printer {
    /// Prints one event, which the layer writes whole.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let event = String::from_utf8_lossy(bytes);
        beside(&printable(event.trim_end_matches('\n'), ""));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses a list of levels: `debug`, or `info,skills_host::schedule=debug`. Returns `None` if a level or a
/// name is not one of this program's. A level alone is for the whole program.
fn targets(text: &str) -> Option<Targets> {
    let mut targets = Targets::new();
    for part in text.split(',').map(str::trim) {
        let (name, level) = part.split_once('=').unwrap_or((OWN, part));
        // `LevelFilter` reads numbers and the empty text as levels too.
        let is_word = !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_word || !name.starts_with(OWN) {
            return None;
        }
        let level: LevelFilter = level.parse().ok()?;
        targets = targets.with_target(name, level);
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn levels() {
        let levels = |text: &str| {
            let targets = targets(text)?;
            let of = |name: &str| {
                let all = [
                    Level::TRACE,
                    Level::DEBUG,
                    Level::INFO,
                    Level::WARN,
                    Level::ERROR,
                ];
                let mut all = all.into_iter();
                all.find(|level| targets.would_enable(name, level))
            };
            Some((
                of("skills_runtime::catalog"),
                of("skills_host::schedule"),
                of("rmcp"),
            ))
        };
        let debug = Some(Level::DEBUG);
        assert_eq!(levels("debug"), Some((debug, debug, None)));
        assert_eq!(levels("OFF"), Some((None, None, None)));
        let both = Some((Some(Level::WARN), Some(Level::TRACE), None));
        assert_eq!(levels("warn, skills_host=trace"), both);
        for text in [
            "",
            "debg",
            "1",
            "skills_host=",
            "rmcp=debug",
            "debug,",
            "skills_host",
        ] {
            assert!(targets(text).is_none(), "{text}");
        }
    }
}
