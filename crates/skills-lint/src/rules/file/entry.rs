//! Rules about the `SKILL.md` as a file on the disk.

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::limits::{MAX_FRONT_MATTER, MAX_SKILL_FILE};
use skills_format::tree::FileKind;
use skills_format::tree::is_skill_file;

pub(crate) const SKILL_FILE_NAME: Rule = Rule {
    id: RuleId::SkillFileName,
    level: Level::Deny,
    group: Group::File,
    summary: "the file is called `SKILL.md`, in exactly these letters",
    why: "On Linux, in archives and in bundles, `skill.md` is a different file from `SKILL.md`. Clients do not look \
          for it. A `skill.md` at the top of a repository with skills below it is treated as a web page, and not \
          checked.",
    bad: Example::Files(&[
        ("changelog/skill.md", Content::Text(with_fields!(""))),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(skill_file_name),
};

fn skill_file_name(bundle: &BundleView<'_>) -> Vec<Finding> {
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
                SKILL_FILE_NAME.id,
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

pub(crate) const UNREADABLE: Rule = Rule {
    id: RuleId::Unreadable,
    level: Level::Deny,
    group: Group::File,
    summary: "every file and folder can be read",
    why: "A file that cannot be read is not checked and not bundled. A pipe or a device is never \
          opened.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/references",
            Content::Unreadable("permission denied"),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(unreadable),
};

fn unreadable(bundle: &BundleView<'_>) -> Vec<Finding> {
    let faults = bundle.faults.iter().map(|fault| {
        let message = format!("this cannot be read: {}", fault.message);
        Finding::new(UNREADABLE.id, &fault.path, message).help("fix its permissions, or remove it")
    });
    let others = bundle
        .tree
        .files()
        .iter()
        .filter(|file| file.kind == FileKind::Other)
        .map(|file| {
            Finding::new(
                UNREADABLE.id,
                &file.path,
                "this is not a file but a pipe, a socket or a device",
            )
            .help("remove it")
        });
    faults.chain(others).collect()
}

pub(crate) const TOO_LARGE: Rule = Rule {
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
    check: Check::Files(too_large),
};

fn too_large(view: &SkillView<'_>) -> Vec<Finding> {
    let size = view.entry().map_or(0, |file| file.size);
    if size > MAX_SKILL_FILE {
        let message = format!("`SKILL.md` has {size} bytes; the maximum is {MAX_SKILL_FILE}");
        return vec![
            view.whole(TOO_LARGE.id, message)
                .help("move most of it to separate files, and link them"),
        ];
    }
    let length = view.document().map_or(0, |document| document.yaml.len());
    if length > MAX_FRONT_MATTER {
        let message =
            format!("the front matter has {length} bytes; the maximum is {MAX_FRONT_MATTER}");
        return vec![
            view.at(TOO_LARGE.id, view.opening(), message)
                .help("move what is not a field to the body"),
        ];
    }
    Vec::new()
}
