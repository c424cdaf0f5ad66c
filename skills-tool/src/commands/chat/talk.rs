//! The prompt: messages, one after the other, until the end.

use crate::catalog::options::named;
use crate::commands::chat::console::{Console, Input};
use crate::commands::chat::conversation::Conversation;
use crate::commands::chat::help;
use crate::commands::chat::host::{Host, report};
use crate::commands::chat::shown::{self, Fold};
use crate::commands::chat::skills_menu;
use crate::commands::chat::turn::{Next, Turn};
use crate::commands::chat::words::Request;
use crate::outcome::Failure;
use crate::output::table::wrapped;
use crate::output::{Output, counted};
use skills_host::agent::AgentCommand;
use std::io::Write as _;

/// A prompt: the conversation, its skills and its agent.
pub(crate) struct Talk<'t> {
    pub(crate) host: Host<'t>,
    pub(crate) conversation: Conversation,
    pub(crate) tools: &'t [String],
    pub(crate) agent: Option<&'t AgentCommand>,
}

impl Talk<'_> {
    pub(crate) fn greet(&self, output: &mut Output) -> Result<(), Failure> {
        let current = self.host.live.current();
        let skills = counted(current.catalog.iter().count(), "skill");
        let profile = &current.profile.name;
        let about = format!(
            "{skills}, profile {profile}. $ names a skill, / lists the commands, /help explains, Ctrl-D ends."
        );
        for part in wrapped(&about, output.width()) {
            writeln!(output, "{part}")?;
        }
        Ok(())
    }

    /// Takes messages until the end.
    pub(crate) fn run(
        &mut self,
        console: &mut dyn Console,
        output: &mut Output,
    ) -> Result<Next, Failure> {
        let mut interrupted = 0;
        loop {
            let text = match console.read(output)? {
                Input::Message(text) => text,
                Input::Interrupted => {
                    interrupted += 1;
                    if interrupted > 1 {
                        output.note("(Ctrl-D or /quit ends the prompt)");
                    }
                    continue;
                }
                Input::End => return Ok(Next::GoOn),
                Input::Stopped => return Ok(Next::Stop),
            };
            interrupted = 0;
            if text.trim().is_empty() {
                continue;
            }
            self.host.refresh(output)?;
            let done = match Request::parse(&text) {
                Some(Request::Quit) => return Ok(Next::GoOn),
                Some(request) => self.carry_out(request, console, output),
                None => match self.turn(&text, console, output) {
                    Ok(Next::Stop) => return Ok(Next::Stop),
                    done => done.map(|_| ()),
                },
            };
            report(done, output)?;
        }
    }

    fn turn(
        &mut self,
        text: &str,
        console: &dyn Console,
        output: &mut Output,
    ) -> Result<Next, Failure> {
        let turn = Turn {
            host: &mut self.host,
            conversation: &mut self.conversation,
            tools: self.tools,
            agent: self.agent,
        };
        turn.run(text, console, output)
    }

    fn carry_out(
        &mut self,
        request: Request<'_>,
        console: &mut dyn Console,
        output: &mut Output,
    ) -> Result<(), Failure> {
        match request {
            Request::Menu => skills_menu::open(&mut self.host, console, output),
            Request::Show => self.show(output),
            Request::Profile(name) => self.profile(name, output),
            Request::Help => help::print(output),
            Request::Quit => Ok(()),
        }
    }

    /// Shows what entered the conversation last.
    fn show(&self, output: &mut Output) -> Result<(), Failure> {
        let last = self.conversation.last();
        if last.is_empty() {
            output.note("nothing was sent yet");
        }
        shown::messages(&last, Fold::Whole, output)
    }

    /// Shows the profile, or takes another one. Another profile begins another conversation: it decides
    /// what stays in a conversation.
    fn profile(&mut self, name: Option<&str>, output: &mut Output) -> Result<(), Failure> {
        if let Some(name) = name {
            let profile =
                named(name).map_err(|error| Failure::not_so(error, "write `/profile NAME`"))?;
            self.host.change_profile(profile, output)?;
            self.conversation = Conversation::new(&self.host.live.current().profile, self.tools);
        }
        let current = self.host.live.current();
        let (own, reference) = (&current.profile.name, &current.profile.reference);
        let skills = counted(current.catalog.iter().count(), "skill");
        let what = match name {
            Some(_) => "; a new conversation begins",
            None => "",
        };
        writeln!(output, "profile {own} ({reference}): {skills}{what}")?;
        Ok(())
    }
}
