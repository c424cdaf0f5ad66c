//! `skills chat`: a conversation in which `$` and `/` complete as a person types.

mod answer;
mod choices;
mod console;
mod editor;
mod host;
mod panel;
mod rows;
mod shown;
mod skills_menu;
mod talk;
mod turn;
mod words;

use crate::catalog::options::CatalogOptions;
use crate::commands::agent_settings::AgentOptions;
use crate::commands::chat::console::{AtTerminal, Console, Signals};
use crate::commands::chat::editor::LineEditor;
use crate::commands::chat::host::Host;
use crate::commands::chat::shown::Conversation;
use crate::commands::chat::turn::{Next, Talk};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use skills_session::options::{ToolKind, Tools};
use std::io::{self, IsTerminal as _};
use std::rc::Rc;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Chat {
    #[command(flatten)]
    agent: AgentOptions,
    /// Show what would be sent, and send nothing, even if the settings name an agent
    #[arg(long, conflicts_with = "agent")]
    no_agent: bool,
    /// The agent's tools. `allowed-tools` of a skill approves calls without a question, and `disallowed-tools` takes
    /// tools away. If your tools have names of their own, `NAME=KIND`, such as `my_reader=read`, says what they do
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "Read,Write,Edit,Grep,Glob,Bash",
        value_parser = tool
    )]
    tools: Vec<(String, ToolKind)>,
    /// Leave out the skills of this program
    #[arg(long)]
    no_bundled: bool,
    /// Keep no history of the messages
    #[arg(long)]
    no_history: bool,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills chat
  skills chat --profile ouro
  skills chat --agent 'python3 ask-model.py --fast'
  skills chat --tools read_file,shell,my_reader=read
  printf '%s\\n' '$code-review the parser' '/skill list' | skills chat";

/// Reads a tool: `NAME`, with the kind of a well-known name, or `NAME=KIND`.
fn tool(text: &str) -> Result<(String, ToolKind), String> {
    ToolKind::read_tool(text).map(|(name, kind)| (name.to_owned(), kind))
}

impl Chat {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let agent = if self.no_agent {
            None
        } else {
            self.agent.found(cx.env)?
        };
        // Before the first load: later loads report only findings that this load did not have.
        cx.found = Some(Vec::new());
        let mut options = self.catalog.clone();
        if !self.no_bundled {
            options = options.with_bundled();
        } else if options.has_bundled() {
            return Err(Failure::failed(
                "--no-bundled leaves out what --layer bundled adds",
                "use one of the two",
            ));
        }
        let host = Host::open(&options, cx)?;
        let profile = &host.live.current().profile;
        let tools = Tools::from(self.tools.iter().cloned());
        let conversation = Conversation::new(profile, &tools);
        let mut talk = Talk {
            host,
            conversation,
            tools: &tools,
            agent: agent.as_ref(),
            agent_options: &self.agent,
            told_no_agent: false,
            has_failed: false,
        };
        let is_terminal = Environment::has_terminal();
        let signals = Signals::listen(is_terminal).map_err(|error| {
            Failure::failed(
                format_args!("the signals of the system cannot be handled: {error}"),
                "try again",
            )
        })?;
        let editor = is_terminal.then(|| self.editor(&talk.host, &signals, cx));
        if !is_terminal {
            cx.is_scripted = true;
        }
        if is_terminal || io::stdin().is_terminal() {
            talk.greet(cx)?;
        }
        let next = talk.run(&mut Console { editor, signals }, cx)?;
        if next == Next::Stop {
            // The buffered output first: the default action of a signal ends the process without destructors.
            cx.finish()?;
            Signals::end();
        }
        // A script reads the agent's failure from the exit code; a person has seen the message.
        Ok(Outcome::of(talk.has_failed && cx.is_scripted))
    }

    /// Builds the line editor of a terminal.
    fn editor(&self, host: &Host<'_>, signals: &Signals, cx: &mut Ctx) -> LineEditor {
        let (history, why) = if self.no_history {
            (editor::in_memory(), None)
        } else {
            editor::open(cx.env)
        };
        if let Some(why) = why {
            cx.warning(why);
        }
        let (signals, colour) = (signals.clone(), cx.colour);
        let editor = LineEditor::new(&host.live, history, colour, &signals.wake);
        cx.asker = Some(Rc::new(AtTerminal { signals, colour }));
        editor
    }
}
