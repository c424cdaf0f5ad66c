use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::name::{SkillName, nfc};
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NameMismatch,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the name of a skill is the name of its folder",
    why: "Some clients know a skill by its folder, others by its name. If the two differ, one \
          client finds the skill and the other does not. The specification requires that they are \
          equal.",
    bad: Example::Files(&[("changelog/SKILL.md", Content::Text(with_fields!("")))]),
    marks: "release-notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let Some((value, name)) = view.text_field("name") else {
        return Vec::new();
    };
    let folder = nfc(&view.skill.file.folder);
    // A folder that is given as `.` has a name that is not known here.
    if nfc(name) == folder || matches!(folder.as_ref(), "" | "." | "..") {
        return Vec::new();
    }
    let message = format!("the skill is named `{name}`, its folder `{folder}`");
    let finding = view.at(value.span, message);
    vec![if SkillName::new(&folder).is_ok() {
        finding
            .help(format!("write `{folder}`, or rename the folder"))
            .fix(Fix::guess(vec![Edit::replace(value.span, folder)]))
    } else {
        finding.help("rename the folder: its name is not a valid skill name")
    }]
}
