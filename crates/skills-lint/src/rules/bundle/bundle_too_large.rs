use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::BundleTooLarge,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "the skills of a folder have at most 256 MiB, or what `limits` in `skills.toml` says",
    why: "A bundle is held in memory when it is built, and it is part of the program. Larger skills \
          are not bundled.",
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
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let most = bundle.tree.limits.bundle_bytes;
    let bytes = bundle
        .skills
        .iter()
        .fold(0_u64, |sum, skill| sum.saturating_add(skill.bytes));
    if bytes <= most {
        return Vec::new();
    }
    let message = format!("the skills have {bytes} bytes, at most {most} are allowed");
    let help = "leave files out, or set `bundle-bytes` under `[limits]` in `skills.toml`";
    vec![bundle.tree.about_bundle(RULE.id, message).help(help)]
}
