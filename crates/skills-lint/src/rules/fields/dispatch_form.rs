use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::known_fields::dispatch_faults;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DispatchForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`command-dispatch` is `tool` and has its `command-tool`",
    why: "The slash command of such a skill calls a tool directly, without the model. If the tool \
          is not named, or the mode is not known, nothing can be called.",
    bad: Example::Skill(with_fields!("command-dispatch: tool\n")),
    marks: "tool",
    good: Example::Skill(with_fields!(
        "command-dispatch: tool\ncommand-tool: changelog\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let faults = view.fields().map(dispatch_faults).unwrap_or_default();
    let sound = faults.into_iter().filter(|(span, ..)| view.is_sound(*span));
    sound
        .map(|(span, message, help)| view.at(RULE.id, span, message).help(help))
        .collect()
}
