use crate::rules::example::with_link;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkDepth,
    level: Level::Allow,
    group: Group::Links,
    summary: "linked files lie one folder deep",
    why: "The specification advises references one level below `SKILL.md`. Models find files in \
          deeper folders late or never.",
    bad: with_link!("references/text/style.md", "references/text/style.md"),
    marks: "references/text/style.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| match target {
            Target::File(path) if path.matches('/').count() > 1 => {
                let depth = path.matches('/').count();
                let message = format!("`{path}` lies {depth} folders deep");
                Some(
                    view.at(RULE.id, reference.span, message)
                        .help("move it up to one folder"),
                )
            }
            _ => None,
        })
        .collect()
}
