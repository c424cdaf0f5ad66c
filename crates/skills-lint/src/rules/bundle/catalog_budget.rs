use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::CatalogBudget,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "names and descriptions fit in the budget of the catalog text",
    why: "The catalog text is part of every conversation. If it is longer than its budget, \
          descriptions are shortened, and finally skills are left out. The budget is `budget` in \
          `skills.toml`, in characters; the default is 8,000. `skills prompt --client` shows what other \
          programs leave of it.",
    bad: Example::Configured {
        config: "budget = 50\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    marks: "",
    good: Example::Configured {
        config: "budget = 500\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    fix: FixKind::No,
    check: Check::Bundle(check),
};

const BUDGET: usize = 8000;

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let budget = bundle.tree.budget.unwrap_or(BUDGET);
    let lines = || bundle.skills.iter().filter_map(|skill| skill.line);
    let length: usize = lines().map(|line| line.characters).sum();
    if length <= budget {
        return Vec::new();
    }
    let quarters: usize = lines().map(|line| line.quarter_tokens).sum();
    let tokens = quarters.div_ceil(4);
    let message = format!(
        "names and descriptions have {length} characters (some {tokens} tokens), {} over the budget of {budget}",
        length - budget
    );
    let help = "shorten descriptions, or set `budget` in `skills.toml`";
    vec![bundle.tree.about_bundle(RULE.id, message).help(help)]
}
