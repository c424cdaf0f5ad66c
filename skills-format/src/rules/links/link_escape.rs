use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::references::Target;
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkEscape,
    level: Level::Deny,
    group: Group::Links,
    summary: "a link stays within the skill's folder",
    why: "A skill is installed as one folder. Files outside of the folder are not installed with \
          it, and no client reads them. Links to other skills of the same bundle are the \
          exception.",
    bad: Example::Skill(with_body!("Follow [the style](../../docs/style.md).\n")),
    marks: "../../docs/style.md",
    good: Example::Skill(with_body!(
        "Follow [the style](https://example.org/style).\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let told = |reference: &crate::view::references::Reference, what: &str| {
        let written = reference.span.of(view.text());
        view.at(reference.span, format!("`{written}` {what}"))
            .help("copy the file into the skill's folder and link the copy")
    };
    view.targets()
        .iter()
        .filter_map(|(reference, target)| match target {
            Target::Absolute => Some(told(reference, "is a path from the root of the disk")),
            Target::Above => Some(told(reference, "leads out of the skill's folder")),
            _ => None,
        })
        .collect()
}
