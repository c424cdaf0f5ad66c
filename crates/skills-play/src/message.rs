//! The meaning of a message that a person types.

use crate::catalog::profile_of;
use crate::files::Playground;
use crate::place::Places;
use serde_json::{Value, json};
use skills_profiles::Profile;
use skills_runtime::resolve::Mention;
use skills_runtime::{Outcome, Surface};
use skills_session::Dialect as _;
use skills_session::session::Message;
use skills_session::{Notice, Session};

impl Playground {
    /// Returns what a message means to a host with a profile, as JSON. An unknown profile is the default profile.
    pub fn meaning(&self, profile: &str, text: &str) -> String {
        let profile = profile_of(profile);
        let catalog = self.catalog(profile);
        let resolution = profile.resolve(&catalog, text, Surface::User);
        let turn = Session::new(profile.clone()).turn(&catalog, text, Surface::User);
        let places = Places::new(text);
        let mentions = resolution.mentions.iter();
        json!({
            "mentions": mentions.map(|it| mention(it, &places)).collect::<Vec<_>>(),
            // `plain`, `activate`, `choose-one` or `command`.
            "effect": resolution.effect.as_str(),
            "activated": turn.started,
            "notices": notices(&turn.notices),
            "task": resolution.task,
            "messages": messages(&turn.messages),
        })
        .to_string()
    }

    /// Returns the names of the profiles, as JSON.
    pub fn profiles() -> String {
        let names: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
        json!(names).to_string()
    }
}

/// The skill of a mention is the named one, or the nearest name.
fn mention(mention: &Mention, places: &Places<'_>) -> Value {
    let (skill, candidates) = match &mention.outcome {
        Outcome::Ambiguous {
            candidates,
            kind: Some(_),
            use_id,
        } if candidates.len() == 1 => (Some(use_id.clone()), Vec::new()),
        Outcome::Ambiguous { candidates, .. } => (None, candidates.to_vec()),
        Outcome::Found { skill, .. } | Outcome::Refused { skill, .. } => {
            (Some(skill.clone()), Vec::new())
        }
        _ => (None, Vec::new()),
    };
    json!({
        "place": [places.units(mention.span.start), places.units(mention.span.end)],
        "outcome": mention.outcome.to_string(),
        "skill": skill,
        "candidates": candidates,
    })
}

pub(crate) fn notices(notices: &[Notice]) -> Vec<String> {
    notices.iter().map(ToString::to_string).collect()
}

pub(crate) fn messages(messages: &[Message]) -> Vec<Value> {
    messages.iter().map(message).collect()
}

fn message(message: &Message) -> Value {
    let (place, text) = match message {
        Message::System { text } => ("system", text.clone()),
        Message::Exchange(call) => (
            "tool",
            format!("{} {}\n{}", call.tool, call.arguments, call.result),
        ),
        message => ("user", message.text().to_owned()),
    };
    json!({ "place": place, "text": text })
}
