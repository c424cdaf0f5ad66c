//! Faults that the checks of a build find too, in a file that cannot be read whole.

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const FRONTMATTER_MISSING: Rule = Rule {
    id: RuleId::FrontmatterMissing,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` begins with front matter between two `---` lines",
    why: "The front matter holds the name and the description. Without front matter, no client can list the skill, \
          and a model never learns of it. If text precedes the front matter, the fix moves the text below it.",
    bad: Example::Skill(concat!("# Release notes\n\n", with_fields!(""))),
    marks: "# Release notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(|view| view.faults(RuleId::FrontmatterMissing)),
};

pub(crate) const FRONTMATTER_UNTERMINATED: Rule = Rule {
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
    check: Check::Skill(|view| view.faults(RuleId::FrontmatterUnterminated)),
};

pub(crate) const DUPLICATE_KEY: Rule = Rule {
    id: RuleId::DuplicateKey,
    level: Level::Deny,
    group: Group::File,
    summary: "no key appears twice in one mapping",
    why: "YAML forbids it. Some readers refuse the file, some take the first value, and some take \
          the last.",
    bad: Example::Skill(with_fields!("license: MIT\nlicense: Apache-2.0\n")),
    marks: "license",
    good: Example::Skill(with_fields!("license: MIT OR Apache-2.0\n")),
    fix: FixKind::No,
    check: Check::Skill(|view| view.faults(RuleId::DuplicateKey)),
};

pub(crate) const NOT_UTF8: Rule = Rule {
    id: RuleId::NotUtf8,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` is UTF-8",
    why: "YAML and Markdown are Unicode text. A file in another encoding reaches the model with \
          broken characters, or not at all.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Bytes(
            b"---\nname: release-notes\ndescription: Writes release notes for a caf\xe9.\n---\n\n\
              List every merged change.\n",
        ),
    )]),
    marks: "\u{FFFD}",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(|view| view.faults(RuleId::NotUtf8)),
};

#[cfg(test)]
mod frontmatter_missing_tests {
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

#[cfg(test)]
mod frontmatter_unterminated_tests {
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
