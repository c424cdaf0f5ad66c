//! Rules about the size of a bundle.

use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const BUNDLE_EMPTY: Rule = Rule {
    id: RuleId::BundleEmpty,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "a folder of skills contains a skill",
    why: "Usually the path is mistyped, and a check of an empty folder would find nothing wrong.",
    bad: Example::Files(&[("notes/README.md", Content::Text("# Notes\n"))]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(bundle_empty),
};

fn bundle_empty(bundle: &BundleView<'_>) -> Vec<Finding> {
    if !bundle.skills.is_empty() {
        return Vec::new();
    }
    vec![
        bundle
            .tree
            .about_bundle(BUNDLE_EMPTY.id, "the folder contains no skills")
            .help("a skill is a folder with a file `SKILL.md`"),
    ]
}

pub(crate) const BUNDLE_TOO_LARGE: Rule = Rule {
    id: RuleId::BundleTooLarge,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the skills of a folder have at most 256 MiB, unless `limits` in `skills.toml` says otherwise",
    why: "A bundle is held in memory while it is built, and is part of the program.",
    bad: Example::Configured {
        config: "limits = { bundle-bytes = 1000 }\n",
        files: &[
            (
                "release-notes/SKILL.md",
                Content::Text(with_body!("Follow [the style](references/style.md).\n")),
            ),
            ("release-notes/references/style.md", Content::Sized(2000)),
        ],
    },
    marks: "",
    good: Example::Configured {
        config: "limits = { bundle-bytes = 1000 }\n",
        files: &[("release-notes/SKILL.md", Content::Text(with_fields!("")))],
    },
    fix: FixKind::No,
    check: Check::Bundle(bundle_too_large),
};

fn bundle_too_large(bundle: &BundleView<'_>) -> Vec<Finding> {
    let most = bundle.tree.limits.bundle_bytes;
    let bytes = bundle
        .skills
        .iter()
        .fold(0_u64, |sum, skill| sum.saturating_add(skill.bytes));
    if bytes <= most {
        return Vec::new();
    }
    let message = format!("the skills have {bytes} bytes in all; the maximum is {most}");
    let help = "leave files out, or set `bundle-bytes` under `[limits]` in `skills.toml`";
    vec![
        bundle
            .tree
            .about_bundle(BUNDLE_TOO_LARGE.id, message)
            .help(help),
    ]
}

pub(crate) const CATALOG_BUDGET: Rule = Rule {
    id: RuleId::CatalogBudget,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "names and descriptions fit in the budget of the list that a model gets",
    why: "The list of skills is part of every conversation. If it is longer than its budget, descriptions are \
          shortened, and finally skills are left out. `budget` in `skills.toml` sets it in characters; the default \
          is 8,000. `skills prompt --client` shows how other programs cut the list.",
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
    check: Check::Bundle(catalog_budget),
};

const BUDGET: usize = 8000;

fn catalog_budget(bundle: &BundleView<'_>) -> Vec<Finding> {
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
    vec![
        bundle
            .tree
            .about_bundle(CATALOG_BUDGET.id, message)
            .help(help),
    ]
}
