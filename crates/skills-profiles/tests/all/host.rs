//! A host over `skills-session`. The profile is all that it knows of the program that it is.

use skills_profiles::{Bases, Profile};
use skills_runtime::{Catalog, Surface};
use skills_session::session::{Message, ToolErrorKind, TurnOutcome};
use skills_session::{Dialect as _, Session};
use std::path::Path;

/// The model, which answers with a text and perhaps a call, and the tools of the host.
pub(crate) trait Outside {
    fn answer(&mut self, sent: &[String]) -> (String, Option<(String, String)>);
    fn run(&mut self, tool: &str, input: &str) -> String;
}

/// Loads the folders of the program, and a folder whose skills wait until a person trusts them.
pub(crate) fn load(profile: &Profile, bases: &Bases, shared: &Path) -> Catalog {
    let sources = profile.catalog(bases).untrusted("shared", shared);
    sources.load()
}

/// Holds a conversation. Returns what the person and the model see of it.
pub(crate) fn talk(
    (profile, catalog): (&Profile, &Catalog),
    lines: &[&str],
    outside: &mut dyn Outside,
) -> Vec<String> {
    let mut session = Session::new(profile.clone());
    let mut sent = vec![profile.list(catalog).text];
    for line in lines {
        let turn = session.turn(catalog, line, Surface::User);
        sent.extend(shown(&turn));
        if let Some(dispatch) = turn.dispatch {
            sent.push(match dispatch.ask(catalog, |tool, _| tool == "exec") {
                Ok(call) => outside.run(&call.tool, &call.arguments),
                Err(refused) => refused,
            });
        }
        if turn.request.is_some() {
            let (list, commands) = (profile.list(catalog).text, profile.commands(catalog));
            sent.push(format!("{list}\n{commands:?}"));
        }
        let mut goes_on = !turn.messages.is_empty();
        while goes_on {
            let (text, call) = outside.answer(&sent);
            // A skill that the model names enters before the model continues.
            let named = session.answered(catalog, &text);
            sent.extend(shown(&named));
            goes_on = call.is_some() || !named.started.is_empty();
            if let Some((tool, input)) = call {
                sent.push(match session.call(catalog, &tool, &input) {
                    Ok(called) => called.result,
                    Err(other) if other.kind() == ToolErrorKind::UnknownTool => {
                        outside.run(&tool, &input)
                    }
                    Err(error) => error.to_string(),
                });
            }
        }
    }
    sent
}

fn shown(turn: &TurnOutcome) -> impl Iterator<Item = String> {
    let notices = turn.notices.iter().map(ToString::to_string);
    notices.chain(turn.messages.iter().map(|message| match message {
        Message::System { text } => format!("system: {text}"),
        Message::Exchange(call) => format!("{} = {}", call.tool, call.result),
        message => format!("user: {}", message.text()),
    }))
}
