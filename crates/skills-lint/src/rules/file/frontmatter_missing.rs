use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FrontmatterMissing,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` begins with front matter between two `---` lines",
    why: "The front matter holds the name and the description. Without front matter, no client \
          can list the skill, and a model never learns of it.",
    bad: Example::Skill("# Release notes\n\nList every merged change.\n"),
    marks: "# Release notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn what_stands_instead_is_named() {
        for (text, message) in [
            ("---\rname: x\r---\r", "lines end with CR alone"),
            ("--- x\n---\n", "other text is on the line of `---`"),
        ] {
            assert_eq!(
                told_of("frontmatter-missing", &[("x/SKILL.md", text)]),
                [message]
            );
        }
    }
}
