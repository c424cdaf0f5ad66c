use super::example::with_fields;
use super::{BundleView, Check, Content, Example, Group, Mends, Rule};
use crate::config::Level;
use crate::diagnostic::Diagnostic;
use crate::tokens::estimate_tokens;
use std::fmt::Write as _;

pub(crate) const RULE: Rule = Rule {
    id: "catalog-budget",
    level: Level::Warn,
    group: Group::Bundle,
    summary: "names and descriptions fit in the budget of the catalog text",
    why: "The catalog text is in every conversation. Where it is longer than its budget, \
          descriptions are shortened, and at last skills are left out. The budget is `budget` in \
          `skills.toml`, in characters; 8,000 where it is not set.",
    bad: Example::Configured {
        config: "budget = 50\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    marks: "",
    good: Example::Configured {
        config: "budget = 500\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    mends: Mends::No,
    check: Check::Bundle(check),
};

const BUDGET: usize = 8000;

fn check(bundle: &BundleView<'_>) -> Vec<Diagnostic> {
    let budget = bundle.config.budget.unwrap_or(BUDGET);
    let skills = bundle
        .skills
        .iter()
        .filter_map(|skill| skill.skill.as_ref());
    let mut lines = String::new();
    for skill in skills.filter(|skill| !skill.fields.disable_model_invocation) {
        let _ = writeln!(lines, "- {}: {}", skill.name, skill.description);
    }
    let length = lines.chars().count();
    if length <= budget {
        return Vec::new();
    }
    let tokens = estimate_tokens(&lines);
    let message = format!(
        "names and descriptions have {length} characters (some {tokens} tokens), {} over the budget of {budget}",
        length - budget
    );
    vec![
        bundle
            .about("", message)
            .help("shorten descriptions, or set `budget` in `skills.toml`"),
    ]
}
