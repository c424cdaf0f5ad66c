use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::name::nfc;
use skills_format::text::map::TextMap;
use std::borrow::Cow;

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
    let mut seen: TextMap<'_, &str> = TextMap::default();
    let mut found = Vec::new();
    for file in view.skill.files {
        let lower = file.path.to_lowercase();
        let folded = match nfc(&lower) {
            Cow::Borrowed(_) => lower,
            Cow::Owned(folded) => folded,
        };
        match seen.get(&folded) {
            Some(other) => {
                let other = view.relative(other).unwrap_or(other);
                let what = if nfc(other) == nfc(view.relative(&file.path).unwrap_or(&file.path)) {
                    "Unicode normal form"
                } else {
                    "case"
                };
                let message = format!("the path differs from `{other}` in {what} alone");
                found
                    .push(Finding::new(RULE.id, &file.path, message).help("rename one of the two"));
            }
            None => {
                seen.insert(folded, &file.path);
            }
        }
    }
    found
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
