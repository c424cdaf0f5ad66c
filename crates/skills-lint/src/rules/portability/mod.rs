//! Rules about what other programs do with a skill.
//!
//! The facts come from the caller of a check as data. If no client is named, these rules report only skills and
//! restraints that one of a few common clients loses, and only as warnings.

pub(super) mod arguments;
mod client_drops;
mod client_field;
mod client_name;
mod client_placeholder;
pub(crate) mod losses;
mod restraint_partial;
mod restraint_unsupported;
mod shell_injection;
pub(super) mod spelling;

use crate::client::{Behaviour, Condition, Loss, consequences, sources};
use crate::rules::rule::Rule;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

/// The rules of the group, in the order of the page. Only the caller of a program has facts about clients.
pub(super) const RULES: &[Rule] = &[
    client_drops::RULE,
    client_name::RULE,
    client_field::RULE,
    client_placeholder::RULE,
    restraint_partial::RULE,
    restraint_unsupported::RULE,
    shell_injection::RULE,
];

impl<'a> SkillView<'a> {
    /// Returns what the asked clients do with this skill under a condition.
    pub(in crate::rules) fn on(&self, condition: Condition) -> Vec<Behaviour<'a>> {
        self.behaviours().on(condition)
    }

    /// Creates a finding about clients. `fact` is what the skill holds, and `works` the form that works in every
    /// client.
    pub(in crate::rules) fn about_clients(
        &self,
        rule: RuleId,
        span: Span,
        fact: &str,
        behaviours: &[Behaviour<'_>],
        works: &str,
    ) -> Finding {
        let message = format!("{fact}: {}", consequences(behaviours));
        let help = format!("{works}; source: {}", sources(behaviours));
        let finding = self.at(rule, span, message).help(help);
        let is_loss = behaviours.iter().any(|one| one.fact.loses != Loss::Nothing);
        if is_loss && self.tree.scope.clients.are_named() {
            finding
        } else {
            finding.at_most(Severity::Warning)
        }
    }
}
