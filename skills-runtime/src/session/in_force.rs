//! The rules that narrow the tools of a session.

use crate::activation::Starter;
use crate::activation::narrow::{Narrowed, narrow};
use skills_format::ToolRule;

/// The rules of one skill that narrows the tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct InForce {
    pub(crate) skill: String,
    pub(crate) source: String,
    pub(crate) by: Starter,
    #[cfg_attr(feature = "serde", serde(with = "as_written"))]
    pub(crate) rules: Vec<ToolRule>,
}

/// Stores rules in the syntax of a `SKILL.md`.
#[cfg(feature = "serde")]
pub(crate) mod as_written {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use skills_format::ToolRule;

    pub(crate) fn serialize<S: Serializer>(
        rules: &[ToolRule],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rules.iter().map(ToString::to_string))
    }

    /// Reads stored rules. A rule that does not parse allows nothing: left out, it could leave an empty
    /// list, which allows everything.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<ToolRule>, D::Error> {
        let written = Vec::<String>::deserialize(deserializer)?;
        let read = |rule: &String| ToolRule::parse(rule).unwrap_or(ToolRule::NONE);
        Ok(written.iter().map(read).collect())
    }
}

/// Narrows the host's tools. The tools of all skills that a person started stay allowed. Each skill that
/// the model started only narrows further.
pub(crate) fn narrowed<T: AsRef<str>>(in_force: &[InForce], available: &[T]) -> Narrowed {
    let rules_of = |by: Starter| {
        let of = in_force.iter().filter(move |rules| rules.by == by);
        of.map(|in_force| in_force.rules.as_slice())
    };
    let narrowed = narrow(rules_of(Starter::Person), available);
    let mut narrowed = rules_of(Starter::Model).fold(narrowed, Narrowed::further);
    // Compared with all tools of the host: a tool that another skill excluded is not unknown.
    let unknown = narrow(rules_of(Starter::Model), available).unknown;
    for tool in unknown {
        if !narrowed.unknown.contains(&tool) {
            narrowed.unknown.push(tool);
        }
    }
    narrowed
}
