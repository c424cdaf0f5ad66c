use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::limits::{MAX_FRONT_MATTER, MAX_SKILL_FILE};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TooLarge,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` has at most 1 MiB, its front matter at most 64 KiB",
    why: "Clients read the front matter of every skill when they start, and the whole file goes to \
          the model. A larger file is refused without being read.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Long {
            before: "---\nname: release-notes\n\
                     description: Writes release notes. Use when a version is published.\n\
                     metadata:\n  notes: ",
            piece: "list every change; ",
            times: 4000,
            after: "\n---\n\nList every merged change.\n",
        },
    )]),
    marks: "---",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let size = view.entry().map_or(0, |file| file.size);
    if size > MAX_SKILL_FILE {
        let message = format!("`SKILL.md` has {size} bytes, at most {MAX_SKILL_FILE} are read");
        return vec![
            view.whole(RULE.id, message)
                .help("move most of it to separate files, and link them"),
        ];
    }
    let length = view.document().map_or(0, |document| document.yaml.len());
    if length > MAX_FRONT_MATTER {
        let message =
            format!("the front matter has {length} bytes, at most {MAX_FRONT_MATTER} are read");
        return vec![
            view.at(RULE.id, view.opening(), message)
                .help("move what is not a field to the body"),
        ];
    }
    Vec::new()
}
