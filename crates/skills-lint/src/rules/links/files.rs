//! Rules about the files of a skill, whatever they hold.

use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::files::path_case_collisions;
use skills_check::check::files::path_faults;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::filled::names_filled;
use skills_format::tree::limits::{Limits, total};

pub(crate) const FILE_TOO_LARGE: Rule = Rule {
    id: RuleId::FileTooLarge,
    level: Level::Warn,
    group: Group::Links,
    summary: "a file of a skill has at most 1 MiB",
    why: "A skill's files are read into a conversation, or shipped in a program. A larger file is usually a \
          mistake.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/style.md).\n")),
        ),
        ("release-notes/references/style.md", Content::Sized(3 << 20)),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(file_too_large),
};

const MAX_FILE: u64 = 1 << 20;

fn file_too_large(view: &SkillView<'_>) -> Vec<Finding> {
    let files = view.skill.files.iter();
    files
        .filter(|file| {
            let is_text = view.relative(&file.path) == Some("SKILL.md");
            file.size > MAX_FILE && !is_text && !names_filled(&file.path)
        })
        .map(|file| {
            let message = format!(
                "the file has {} bytes, at most {MAX_FILE} are advised",
                file.size
            );
            Finding::new(FILE_TOO_LARGE.id, &file.path, message)
                .help("split it, or fetch it when it is needed")
        })
        .collect()
}

pub(crate) const SKILL_TOO_LARGE: Rule = Rule {
    id: RuleId::SkillTooLarge,
    level: Level::Deny,
    group: Group::Links,
    summary: "a skill has at most 512 files and 16 MiB, unless `limits` in `skills.toml` says otherwise",
    why: "Hosts that get skills from a server may refuse larger skills. In a build, a larger skill is an \
          error. In a repository, where other programs may load the skill, it is a warning if the skill can \
          still be read. A skill that is too large to be read is not checked further.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("List every merged change.\n")),
        ),
        ("release-notes/assets/old-", Content::Many { files: 600 }),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(skill_too_large),
};

fn skill_too_large(view: &SkillView<'_>) -> Vec<Finding> {
    let limits = view.tree.limits;
    let (most_files, most_bytes) = (limits.skill_files, limits.skill_bytes);
    let files = view.skill.files.len();
    let bytes = total(view.skill.files);
    // The defaults are limits of programs that bake or serve skills. A keeper of a repository may write for others.
    let is_milder = |most: u64, default: u64| {
        let is_read = view.tree.limits_of_reading().hold(view.skill.files);
        view.tree.scope.around.is_some() && is_read && most == default
    };
    let finding = |message: String, help: &'static str, is_milder: bool| {
        let finding = view.folder(SKILL_TOO_LARGE.id, message).help(help);
        if is_milder {
            finding.at_most(Severity::Warning)
        } else {
            finding
        }
    };
    let (default, mut found) = (Limits::default(), Vec::new());
    if files > most_files {
        let message = format!("the skill has {files} files; the maximum is {most_files}");
        let is_milder = is_milder(most_files as u64, default.skill_files as u64);
        found.push(finding(message, "join files, or leave some out", is_milder));
    }
    if bytes > most_bytes {
        let message = format!("the skill has {bytes} bytes; the maximum is {most_bytes}");
        let help = "leave files out, or fetch them when they are needed";
        found.push(finding(
            message,
            help,
            is_milder(most_bytes, default.skill_bytes),
        ));
    }
    found
}

pub(crate) const PATH_CASE_COLLISION: Rule = Rule {
    id: RuleId::PathCaseCollision,
    level: Level::Deny,
    group: Group::Links,
    summary: "no two paths of a skill differ only in case",
    why: "On most disks of macOS and Windows, the two paths are one file, and one of the files is lost. The same \
          happens to `é` written as one character and as two.",
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
    check: Check::Files(path_case_collision),
};

fn path_case_collision(view: &SkillView<'_>) -> Vec<Finding> {
    let found = path_case_collisions(view.skill.dir, view.skill.files).into_iter();
    found
        .map(|(path, message)| {
            Finding::new(PATH_CASE_COLLISION.id, path, message).help("rename one of the two")
        })
        .collect()
}

pub(crate) const PATH_FORM: Rule = Rule {
    id: RuleId::PathForm,
    level: Level::Deny,
    group: Group::Links,
    summary: "every path is valid on Linux, macOS and Windows",
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
    check: Check::Files(path_form),
};

fn path_form(view: &SkillView<'_>) -> Vec<Finding> {
    let found = path_faults(view.skill.dir, view.skill.files).into_iter();
    found
        .map(|(path, message, help)| Finding::new(PATH_FORM.id, path, message).help(help))
        .collect()
}

pub(crate) const SKILL_FILE_MISSING: Rule = Rule {
    id: RuleId::SkillFileMissing,
    level: Level::Warn,
    group: Group::Links,
    summary: "a folder that looks like a skill is a skill",
    why: "No client finds a folder without a `SKILL.md`. A folder among skills was probably meant to be a skill if \
          it is empty, or has a `SKILLS.md`, a `skill.txt`, `references/`, `arguments.schema.json`, or a \
          `README.md` that begins with a name and a description. A folder that has only `scripts/` is not reported, \
          since skills can share it. `skills check` of a repository also reports files such as `skills/tidy.md` \
          with a name and a description, which only OpenCode 2 finds.",
    bad: Example::Files(&[
        ("changelog/SKILLS.md", Content::Text(with_fields!(""))),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Elsewhere,
};

#[cfg(test)]
mod path_case_collision_tests {
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

#[cfg(test)]
mod path_form_tests {
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
