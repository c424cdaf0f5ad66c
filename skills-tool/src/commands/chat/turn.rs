//! A turn: what a message means, what enters the conversation, and the agent's answer.

use crate::commands::chat::answer::{Answer, answer};
use crate::commands::chat::console::Console;
use crate::commands::chat::conversation::{Conversation, system_text, tokens};
use crate::commands::chat::host::Host;
use crate::commands::chat::shown::{self, Fold, labelled};
use crate::commands::list::table;
use crate::outcome::Failure;
use crate::output::{Output, one_line};
use skills_host::agent::{AgentCall, AgentCommand};
use skills_runtime::activation::Narrowed;
use skills_runtime::command::{Dispatch, Meta, Verdict};
use skills_runtime::session::TurnOutcome;
use std::io::Write as _;

/// What a turn works with.
pub(crate) struct Turn<'t, 'e> {
    pub(crate) host: &'t mut Host<'e>,
    pub(crate) conversation: &'t mut Conversation,
    /// The names of the agent's tools.
    pub(crate) tools: &'t [String],
    pub(crate) agent: Option<&'t AgentCommand>,
}

/// Whether the prompt goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    Stop,
}

impl Turn<'_, '_> {
    /// Does what a host does with a message.
    pub(crate) fn run(
        mut self,
        text: &str,
        console: &dyn Console,
        output: &mut Output,
    ) -> Result<Next, Failure> {
        let current = self.host.live.current();
        let outcome = self.conversation.turn(text, &current);
        for notice in &outcome.notices {
            writeln!(output, "{}", output.strong(one_line(&notice.to_string())))?;
        }
        if let Some(dispatch) = &outcome.dispatch {
            self.dispatch(dispatch, output)?;
        }
        if let Some(request) = &outcome.request {
            self.carry_out(request, output)?;
        }
        if outcome.messages.is_empty() {
            return Ok(Next::GoOn);
        }
        if let Some(name) = unknown_command(text, &outcome) {
            let name = one_line(name);
            output.note(&format!("(no command is called /{name}: it is a message)"));
        }
        let system = system_text(&current);
        self.show(&outcome, &system, output)?;
        self.answer(&outcome.tools, &system, console, output)
    }

    fn show(
        &self,
        outcome: &TurnOutcome,
        system: &str,
        output: &mut Output,
    ) -> Result<(), Failure> {
        shown::messages(&outcome.messages, Fold::Folded, output)?;
        shown::tools(self.tools, &outcome.tools, output)?;
        let (turn, all) = (tokens(&outcome.messages), self.conversation.tokens(system));
        shown::tokens(turn, all, output)
    }

    /// Gives the conversation to the agent.
    fn answer(
        &mut self,
        tools: &Narrowed,
        system: &str,
        console: &dyn Console,
        output: &mut Output,
    ) -> Result<Next, Failure> {
        let Some(agent) = self.agent else {
            return Ok(Next::GoOn);
        };
        let left: Vec<String> = tools.tools.iter().map(shown::written).collect();
        let call = AgentCall {
            input: self.conversation.lines(system)?,
            variables: vec![("SKILLS_TOOLS".to_owned(), left.join(","))],
            folder: None,
        };
        // The answer stands apart from what was sent.
        writeln!(output)?;
        let signals = console.signals();
        let _busy = signals.busy();
        match answer(agent, call, signals, output)? {
            Answer::Whole(text) | Answer::Ended(text) => {
                self.conversation.answered(text);
                Ok(Next::GoOn)
            }
            Answer::Stopped => Ok(Next::Stop),
        }
    }

    /// Shows the tool call of a slash command. This prompt has no tools: a host would call it.
    fn dispatch(&self, dispatch: &Dispatch, output: &mut Output) -> Result<(), Failure> {
        let catalog = self.host.catalog();
        match dispatch.clone().ask(&catalog, |_, _| Verdict::Allowed) {
            Ok(call) => {
                let text = format!("{} {}", one_line(&call.tool), call.arguments);
                labelled("call", text.trim_end(), Fold::Whole, output)?;
                let note = "a host calls this tool now, with no turn of the model";
                labelled("", note, Fold::Whole, output)
            }
            Err(refused) => {
                output.warning(refused);
                Ok(())
            }
        }
    }

    /// Carries out a request of `/skill`.
    fn carry_out(&mut self, request: &Meta, output: &mut Output) -> Result<(), Failure> {
        match request {
            Meta::List => {
                let catalog = self.host.catalog();
                table(&catalog, &self.host.options, self.host.environment, output)
            }
            Meta::Enable { id } => self.host.enable(id, output),
            Meta::Disable { id } => self.host.disable(id, output),
            Meta::Trust { id } => self.host.trust(id, output),
            _ => {
                output.warning("this request is newer than this program");
                Ok(())
            }
        }
    }
}

/// The name of a command that a message seems to mean, and that nothing has.
fn unknown_command<'t>(text: &'t str, outcome: &TurnOutcome) -> Option<&'t str> {
    let word = text.strip_prefix('/')?.split_whitespace().next()?;
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    let is_unknown = outcome.started.is_empty() && outcome.notices.is_empty();
    (is_unknown && word.chars().all(is_letter)).then_some(word)
}
