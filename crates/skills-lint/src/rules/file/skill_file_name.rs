use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::is_skill_file;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SkillFileName,
    level: Level::Deny,
    group: Group::File,
    summary: "the file is called `SKILL.md`, in exactly these letters",
    why: "On Linux, in archives and in bundles, `skill.md` is a different file from `SKILL.md`. \
          Clients do not look for it.",
    bad: Example::Files(&[
        ("changelog/skill.md", Content::Text(with_fields!(""))),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let misnamed = bundle.tree.files().iter().filter(|file| {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        name.eq_ignore_ascii_case("SKILL.md")
            && !is_skill_file(&file.path)
            && is_entry_or_none(bundle, &file.path)
    });
    misnamed
        .map(|file| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            Finding::new(
                RULE.id,
                &file.path,
                format!("the skill's file is called `{name}`"),
            )
            .help("rename it to `SKILL.md`")
        })
        .collect()
}

/// Returns whether a file is the main file of a skill, in any letter case, or belongs to no skill.
fn is_entry_or_none(bundle: &BundleView<'_>, path: &str) -> bool {
    let skill = bundle.tree.skill_at(path);
    skill.is_none_or(|skill| skill.file.path == path)
}
