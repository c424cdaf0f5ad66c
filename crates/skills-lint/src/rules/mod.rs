//! The rules of a strict check, one file each, in seven groups.
//!
//! A rule is a constant that holds its description and its check. A new rule is one file, one line
//! in the `mod.rs` of its group, and one line in [`RuleId`].

// `unreadable`, `skill-file-name` and `config-form` are not in the specification. Without these rules, the faults
// would be silent.
//
// The time of a rule is linear in the text of a skill. A rule that compares names compares at most 1,000 different
// names of one body.

pub(crate) mod example;
mod other;
pub(crate) mod page;
pub(crate) mod rule;

mod advice;
pub(crate) mod body;
mod bundle;
mod fields;
pub(crate) mod file;
mod links;
pub(crate) mod portability;

#[cfg(test)]
pub(crate) mod tests;

pub use example::{Content, Example};
#[doc(hidden)]
pub use links::LINK_ABOVE;
pub use other::{OTHERS, Other, find_other};
pub use page::{explain, explain_other, page};
pub use rule::{FixKind, Group, Rule};
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

/// Rules of a build about what no common client minds. Where no program ships the skills, their findings are warnings.
pub(crate) const OF_A_BUILD: [RuleId; 5] = [
    RuleId::NameForm,
    RuleId::NameMismatch,
    RuleId::LinkBroken,
    RuleId::LinkCase,
    RuleId::LinkEscape,
];

/// Rules whose findings can harm a person who uses the skill, or its author. A published key comes first: it harms before
/// anybody uses the skill, and until it is withdrawn.
pub const HARMFUL: [RuleId; 4] = [
    RuleId::Secret,
    RuleId::RemoteExec,
    RuleId::AuthorizedKey,
    RuleId::HiddenText,
];

/// Returns whether a finding can harm a person. Such a finding is read before what does not load. Advice is no such
/// finding, nor is a warning about hidden text, which is a doubt, nor the line that a vendor's page names to install a program.
pub fn harms(rule: &str, severity: Severity, message: &str) -> bool {
    let is_harmful = HARMFUL.iter().any(|known| known.as_str() == rule);
    is_harmful
        && message != body::remote_exec::INSTALLER
        && match severity {
            Severity::Error => true,
            Severity::Warning => rule != RuleId::HiddenText.as_str(),
            Severity::Info => false,
        }
}

const GROUPS: [&[Rule]; 7] = [
    file::RULES,
    fields::RULES,
    body::RULES,
    links::RULES,
    portability::RULES,
    bundle::RULES,
    advice::RULES,
];

/// Every rule, by group.
pub const RULES: &[Rule] = &joined();

const COUNT: usize = RuleId::RULES.len();

/// Joins the rules of all groups into one list, in the order of the ids: another order does not compile.
const fn joined() -> [Rule; COUNT] {
    let mut rules = [GROUPS[0][0]; COUNT];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut rule = 0;
        while rule < GROUPS[group].len() {
            rules[next] = GROUPS[group][rule];
            assert!(rules[next].id as usize == RuleId::RULES[next] as usize);
            next += 1;
            rule += 1;
        }
        group += 1;
    }
    assert!(next == COUNT);
    rules
}

/// Returns the rule with an id; `None` if no rule has the id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id.as_str() == id)
}
