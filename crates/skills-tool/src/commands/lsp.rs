//! `skills lsp`: the language server for editors.

use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use std::io::{self, ErrorKind, IsTerminal as _};
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lsp {
    /// Accepted and ignored: many editors add it to the command of a server
    #[arg(long, hide = true)]
    stdio: bool,
}

const EXAMPLES: &str = "\
Examples:
  skills lsp   the language server command for the settings of an editor";

impl Lsp {
    #[expect(clippy::unused_self, reason = "a command has options or none")]
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if io::stdin().is_terminal() {
            cx.note("an editor starts this server, and speaks to it over standard input; Ctrl-C ends it");
        }
        let folder = cx.env.absolute(Path::new(""));
        let (connection, writer) = skills_lsp::stdio();
        let is_ended = skills_lsp::serve(&connection, &folder);
        // The last answers are written before the process ends.
        drop(connection);
        match writer.join() {
            Ok(Ok(())) => {}
            Ok(Err(error)) if error.kind() == ErrorKind::InvalidData => {
                return Err(Failure::failed(
                    error.to_string(),
                    "start the server by the settings of an editor, which writes such messages",
                ));
            }
            _ => return Ok(Outcome::Done),
        }
        if is_ended {
            Ok(Outcome::Done)
        } else {
            Err(Failure::failed(
                "the client ended without `shutdown`",
                "nothing is lost: the server writes no files",
            ))
        }
    }
}
