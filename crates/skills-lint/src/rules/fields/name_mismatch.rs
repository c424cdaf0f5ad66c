use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::value::{value_edit, without_line_end};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Fix, Severity};
use skills_format::name::{SkillName, in_yaml, nfc};

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

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, name)) = view.text_field("name") else {
        return Vec::new();
    };
    let folder = nfc(&view.skill.file.folder);
    // One finding for one cause: `name-form` reports an invalid name.
    if SkillName::new(&nfc(name)).is_err() {
        return Vec::new();
    }
    // The name of a folder that is given as `.` is unknown here.
    if nfc(name) == folder || matches!(folder.as_ref(), "" | "." | "..") {
        return Vec::new();
    }
    let message = format!("the skill is named `{name}`, its folder `{folder}`");
    let mut finding = view.at(RULE.id, without_line_end(view.text(), value.span), message);
    if folder.contains("template") {
        // A skill that is made from a template gets its own folder, so the finding is milder.
        finding.mildest = Severity::Warning;
    }
    vec![if SkillName::new(&folder).is_ok() {
        let made = SkillName::make(name);
        let made = made.as_ref().map_or(name, SkillName::as_str);
        let help = if is_more_exact(made, &folder) {
            let folder = in_yaml(&folder);
            return vec![finding.help(format!(
                "rename the folder to `{made}`, or write `{folder}`"
            ))];
        } else {
            format!("write `{}`, or rename the folder", in_yaml(&folder))
        };
        let edit = view
            .field("name")
            .and_then(|(key, value)| value_edit(view.text(), key, value, &in_yaml(&folder)));
        finding.fix = edit.map(|edit| Fix::guess(vec![edit]));
        finding.help(help)
    } else {
        finding.help("rename the folder: its name is not a valid skill name")
    }]
}

/// Names of folders that say nothing about a skill.
const GENERIC: [&str; 20] = [
    "skill", "skills", "my-skill", "src", "main", "app", "agent", "plugin", "default", "new",
    "temp", "tmp", "untitled", "test", "example", "sample", "dist", "build", "output", "root",
];

/// Returns whether the name says more than the folder: `cloud-setup` says more than `setup` and `skill`. The
/// name of the folder would then be a bad fix.
pub(super) fn is_more_exact(name: &str, folder: &str) -> bool {
    if GENERIC.contains(&folder) {
        return true;
    }
    let words: Vec<&str> = name.split('-').collect();
    name.len() > folder.len() && folder.split('-').all(|word| words.contains(&word))
}
