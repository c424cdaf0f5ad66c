use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::files::path_faults;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PathForm,
    level: Level::Deny,
    group: Group::Links,
    summary: "every path can be written on Linux, macOS and Windows",
    why: "A skill with a file `aux.md`, `a:b.md` or `notes.` cannot be unpacked on Windows. Git \
          then fails to check out the whole repository.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Read `references/aux.md`.\n")),
        ),
        (
            "release-notes/references/aux.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let found = path_faults(view.skill.dir, view.skill.files).into_iter();
    found
        .map(|(path, message, help)| Finding::new(RULE.id, path, message).help(help))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn folders() {
        for name in ["con", "aux", "nul", "com1"] {
            let text = format!("---\nname: {name}\ndescription: Use when x.\n---\n\nGo.\n");
            let told = told_of("path-form", &[(&format!("{name}/SKILL.md"), &text)]);
            assert_eq!(told, [format!("`{name}` is a device on Windows")]);
        }
    }
}
