//! What narrows the tools of a session now.

use crate::activation::Starter;
use crate::activation::narrow::{Narrowed, narrow};
use skills_format::ToolRule;

/// The rules of a skill that narrows the tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct InForce {
    pub(crate) skill: String,
    pub(crate) source: String,
    pub(crate) by: Starter,
    pub(crate) rules: Vec<String>,
}

impl InForce {
    fn rules(&self) -> Vec<ToolRule> {
        let rules = self.rules.iter();
        rules.filter_map(|rule| ToolRule::parse(rule)).collect()
    }
}

/// The rules as a `SKILL.md` writes them.
pub(crate) fn written(rules: &[ToolRule]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}

/// Narrows the host's tools: a person's skills leave the tools of all of them, and each skill of the model
/// only narrows further what is left.
pub(crate) fn narrowed<T: AsRef<str>>(in_force: &[InForce], available: &[T]) -> Narrowed {
    let rules_of = |by: Starter| {
        let of = in_force.iter().filter(move |rules| rules.by == by);
        of.map(InForce::rules).collect::<Vec<_>>()
    };
    let person = rules_of(Starter::Person);
    let model = rules_of(Starter::Model);
    let narrowed = narrow(person.iter().map(Vec::as_slice), available);
    let mut narrowed = model
        .iter()
        .fold(narrowed, |left, rules| left.further(rules));
    let unknown = narrow(model.iter().map(Vec::as_slice), available).unknown;
    for tool in unknown {
        if !narrowed.unknown.contains(&tool) {
            narrowed.unknown.push(tool);
        }
    }
    narrowed
}
