use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::in_folder;
use skills_format::tree::read::MAX_FOLDERS;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TooDeep,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "a skill lies at most 6 folders below the folder of its bundle",
    why: "A program that looks for skills when it runs looks 6 folders deep. Only `skills check` of a \
          repository looks deeper.",
    bad: Example::Skill(with_fields!("")),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::InRepository(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let bundle = view.tree.scope.dir;
    let below = in_folder(bundle, view.skill.dir).unwrap_or(view.skill.dir);
    let depth = below.split('/').filter(|part| !part.is_empty()).count();
    if depth <= MAX_FOLDERS {
        return Vec::new();
    }
    let message = format!(
        "the skill lies {depth} folders deep: a program that looks {MAX_FOLDERS} deep does not find it"
    );
    vec![view.folder(RULE.id, message).help("move it up")]
}
