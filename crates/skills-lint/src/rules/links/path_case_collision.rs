use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::files::path_case_collisions;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PathCaseCollision,
    level: Level::Deny,
    group: Group::Links,
    summary: "no two paths of a skill differ only in case",
    why: "On most disks of macOS and Windows, the two paths are one file, and one of the files is \
          lost. The same is true of `é` written as one character and as two.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!(
                "Read `references/Style.md` and `references/style.md`.\n"
            )),
        ),
        (
            "release-notes/references/Style.md",
            Content::Text("# Style\n"),
        ),
        (
            "release-notes/references/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let found = path_case_collisions(view.skill.dir, view.skill.files).into_iter();
    found
        .map(|(path, message)| Finding::new(RULE.id, path, message).help("rename one of the two"))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn the_difference_is_named() {
        let text = "---\nname: x\ndescription: Use when y.\n---\n\nGo.\n";
        for (a, b, what) in [
            ("x/a/e\u{301}.md", "x/a/\u{E9}.md", "Unicode normal form"),
            ("x/a/E.md", "x/a/e.md", "case"),
        ] {
            let told = told_of(
                "path-case-collision",
                &[("x/SKILL.md", text), (a, ""), (b, "")],
            );
            let end = format!("in {what} alone");
            assert!(
                matches!(told.as_slice(), [one] if one.ends_with(&end)),
                "{told:?}"
            );
        }
    }
}
