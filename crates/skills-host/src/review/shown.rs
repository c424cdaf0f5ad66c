//! The part of a changed description that other programs show a model.

use serde::Serialize;
use skills_clients::client::listings;
use skills_clients::listing::{Listed, Shown};
use skills_format::Skill;
use skills_lint::render::masked;

/// A description as one program shows it, where the program does not show all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownDescription {
    /// The name of the client: `codex`.
    pub client: String,
    /// The form in which the client shows the skill.
    pub shown: Shown,
    /// The text that a model reads in that client.
    pub text: String,
    /// The length of `text` in characters.
    pub characters: usize,
}

/// Returns the clients that cut the description of a skill, each with the text that is left.
///
/// The skill is alone in its list: what other skills of a machine take from the budget is not the change's.
pub(super) fn shown(skill: &Skill) -> Vec<ShownDescription> {
    if skill.fields.disable_model_invocation {
        return Vec::new();
    }
    let listed = Listed {
        name: skill.name.as_str(),
        description: &skill.description,
        when_to_use: skill.fields.when_to_use.as_deref().unwrap_or_default(),
        location: "SKILL.md",
        ..Listed::default()
    };
    let all = listings().filter_map(|client| {
        let kept = client.cut(None, &[listed]).skills.pop()?;
        (kept.shown != Shown::Whole).then(|| ShownDescription {
            client: client.name.clone(),
            shown: kept.shown,
            characters: kept.description.chars().count(),
            text: masked(&kept.description).into_owned(),
        })
    });
    all.collect()
}
