use crate::rules::example::{Content, Example, with_body, with_link};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::scope::LinkEnd;
use crate::view::skill::SkillView;
use skills_check::check::files::checked_out_link;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::{FileKind, TreeFile, is_skill_file_of_any_case};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Symlink,
    level: Level::Deny,
    group: Group::Links,
    summary: "a bundle contains no symbolic links",
    why: "A symbolic link may lead out of the skill's folder, is lost in archives, and becomes a text file with a \
          path on Windows. A link in place of a `SKILL.md` is not followed: its skill is not checked, and the \
          totals say so. A link to a `SKILL.md` of the same repository is allowed, since that file is checked. A \
          link to a folder that contains the link is an error, since programs that follow links would never end. \
          Cycles of several links are not detected.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/style.md).\n")),
        ),
        (
            "release-notes/references/style.md",
            Content::Link("../../docs/style.md"),
        ),
    ]),
    marks: "",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::No,
    check: Check::Tree {
        files: check,
        above: check_above,
    },
};

/// The message and the help about a link to a folder that holds the link.
pub const LINK_ABOVE: (&str, &str) = (
    "the symbolic link leads to a folder that holds it: programs that follow links go round in a circle, and two such links \
     can keep OpenCode from starting",
    "remove it, or make it lead to a folder beside the skill's own",
);

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let has = |path: &str| view.tree.get(path).is_some();
    let mut found = Vec::new();
    for file in view.skill.files {
        let bytes = file.bytes.as_deref();
        let target = bytes.and_then(|bytes| checked_out_link(&has, &file.path, bytes));
        if file.kind == FileKind::Link {
            found.push(of_link(view, file));
        } else if let Some(target) = target {
            let message =
                format!("the file is a symbolic link that was checked out as text: `{target}`");
            found.push(Finding::new(RULE.id, &file.path, message).help(COPY));
        }
    }
    found
}

const COPY: &str = "put a copy of the file here";

/// Reports a link. In a repository a link can stay, since the installer decides how it is copied.
fn of_link(view: &SkillView<'_>, file: &TreeFile) -> Finding {
    let end = view
        .tree
        .scope
        .around
        .map(|around| around.link_end(&file.path));
    let is_unchecked = is_skill_file_of_any_case(&file.path) && end != Some(LinkEnd::Skill);
    let (message, help) = match end.and_then(fault) {
        Some(fault) => fault,
        None if end.is_none() => ("the file is a symbolic link", COPY),
        None if is_unchecked => (
            "the file is a symbolic link, which is not followed: the skill is not checked",
            COPY,
        ),
        None if end == Some(LinkEnd::Folder) => (
            "the folder is a symbolic link: installers copy it, skip it or refuse the skill",
            "put a copy of the folder here",
        ),
        None => (
            "the file is a symbolic link: installers copy it, skip it or refuse the skill",
            COPY,
        ),
    };
    let mut finding = Finding::new(RULE.id, &file.path, message).help(help);
    if end.is_some_and(|end| fault(end).is_none()) {
        finding.mildest = Severity::Warning;
    }
    finding
}

/// Returns what is wrong with the end of a link, and what helps. `OpenCode` 1.18.33 follows links: one link to a folder that
/// holds it makes a path of forty times the link, and with two the program sent no request in 90 seconds.
fn fault(end: LinkEnd) -> Option<(&'static str, &'static str)> {
    const HELP: &str = "remove it, or make it lead to a file";
    Some(match end {
        LinkEnd::Nothing => ("the symbolic link leads to nothing", HELP),
        LinkEnd::Itself => (
            "the symbolic link leads to itself, by itself or by other links",
            HELP,
        ),
        LinkEnd::Special => (
            "the symbolic link leads to a pipe, a socket or a device",
            HELP,
        ),
        LinkEnd::Above => LINK_ABOVE,
        LinkEnd::File | LinkEnd::Skill | LinkEnd::Folder => return None,
    })
}

/// Reports links beside the skills, in the place of a skill.
fn check_above(bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in bundle.tree.files() {
        if file.kind != FileKind::Link || bundle.tree.skill_at(&file.path).is_some() {
            continue;
        }
        let around = bundle.tree.scope.around;
        let end = around.map(|around| around.link_end(&file.path));
        let is_circle = end == Some(LinkEnd::Above);
        let (message, help) = end.and_then(fault).unwrap_or((
            "the skill is a symbolic link and is not checked",
            "put the skill's folder here, or check it where it is",
        ));
        let mut finding = Finding::new(RULE.id, &file.path, message).help(help);
        if end.is_some() && !is_circle {
            finding.mildest = Severity::Warning;
        }
        found.push(finding);
    }
    found
}
