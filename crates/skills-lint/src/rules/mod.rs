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
mod portability;

#[cfg(test)]
pub(crate) mod tests;

pub use example::{Content, Example};
pub use other::{OTHERS, Other, find_other};
pub use page::{explain, explain_other, page};
pub use rule::{FixKind, Group, Rule};
use skills_format::diagnostic::rule_id::RuleId;

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

const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

/// Joins the rules of all groups into one list.
const fn joined() -> [Rule; COUNT] {
    let mut rules = [file::RULES[0]; COUNT];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut rule = 0;
        while rule < GROUPS[group].len() {
            rules[next] = GROUPS[group][rule];
            next += 1;
            rule += 1;
        }
        group += 1;
    }
    rules
}

// Every id has its rule, in the same order.
const _: () = {
    assert!(COUNT == RuleId::RULES.len());
    let mut at = 0;
    while at < COUNT {
        assert!(RULES[at].id as usize == RuleId::RULES[at] as usize);
        at += 1;
    }
};

/// Returns the rule with an id; `None` if no rule has the id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id.as_str() == id)
}
