use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FrontmatterUnterminated,
    level: Level::Deny,
    group: Group::File,
    summary: "a line `---` closes the front matter",
    why: "If the closing line is missing or indented, some clients read the whole file as front \
          matter, others as plain text. In both cases the skill is lost.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Writes release notes.\n\nList every change.\n",
    ),
    marks: "---",
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

    /// A rule of the body closes the front matter.
    #[test]
    fn a_line_that_is_lost_is_named_and_not_what_it_breaks() {
        let front = "---\nname: a\ndescription: Does a. Use when asked.\n";
        for body in [
            "\n# A\n\nSay it.\n\n---\n\nEnd.\n",
            "\nSay it.\n\n- Be kind: always.\n- Be short.\n\n---\n\nEnd.\n",
        ] {
            let text = format!("{front}{body}");
            let told = told_of("frontmatter-unterminated", &[("a/SKILL.md", &text)]);
            assert_eq!(told.len(), 1, "{text}");
            assert!(
                told_of("yaml-syntax", &[("a/SKILL.md", &text)]).is_empty(),
                "{text}"
            );
        }
        let colon = format!("{front}license: a: b\n\nmetadata:\n  x: y\n---\n\nGo.\n");
        assert!(told_of("frontmatter-unterminated", &[("a/SKILL.md", &colon)]).is_empty());
    }
}
