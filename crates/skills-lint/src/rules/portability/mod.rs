//! Rules about what other programs do with a skill.
//!
//! The facts come from the caller of a check as data. If no client is named, these rules report only skills and
//! restraints that one of a few common clients loses, and only as warnings.

pub(super) mod arguments;
#[cfg(feature = "program")]
mod client_drops;
#[cfg(feature = "program")]
mod client_field;
#[cfg(feature = "program")]
mod client_name;
#[cfg(feature = "program")]
mod client_placeholder;
#[cfg(feature = "program")]
mod losses;
#[cfg(feature = "program")]
mod restraint_partial;
#[cfg(feature = "program")]
mod restraint_unsupported;
#[cfg(feature = "program")]
mod shell_injection;
pub(super) mod spelling;

use crate::client::{Behaviour, Condition, Loss, consequences, sources};
use crate::rules::rule::Rule;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
#[cfg(not(feature = "program"))]
use skills_format::skill::document::TextForm;
use skills_format::text::span::Span;

/// The rules of the group, in the order of the page. Only the caller of a program has facts about clients.
#[cfg(feature = "program")]
pub(super) const RULES: &[Rule] = &[
    client_drops::RULE,
    client_name::RULE,
    client_field::RULE,
    client_placeholder::RULE,
    restraint_partial::RULE,
    restraint_unsupported::RULE,
    shell_injection::RULE,
];

/// A build asks no client, so none of the rules would run.
#[cfg(not(feature = "program"))]
pub(super) const RULES: &[Rule] = &[];

impl<'a> SkillView<'a> {
    /// Returns what the asked clients do with this skill under a condition.
    pub(in crate::rules) fn on(&self, condition: Condition) -> Vec<Behaviour<'a>> {
        self.behaviours().on(condition)
    }

    /// Returns the clients that mind a form of the file. A build knows no clients.
    #[cfg(not(feature = "program"))]
    pub(in crate::rules) fn mind(&self, _number: usize, form: &TextForm) -> Vec<Behaviour<'a>> {
        self.on(Condition::of_form(form.kind))
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
