use crate::rules::example::with_link;
use crate::rules::links::outside::write_instead;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkCase,
    level: Level::Deny,
    group: Group::Links,
    summary: "a link is written in the same case as the file",
    why: "On most disks of macOS and Windows, `Style.md` finds `style.md`. On Linux, in archives \
          and in bundles, it finds nothing.",
    bad: with_link!("references/Style.md", "references/style.md"),
    marks: "references/Style.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| {
            let Target::OtherCase(path) = target else {
                return None;
            };
            let written = reference.path_span.of(view.text());
            let message = format!("`{written}` differs in case from the file `{path}`");
            Some(write_instead(
                view.at(RULE.id, reference.span, message),
                reference,
                view,
                path,
            ))
        })
        .collect()
}
