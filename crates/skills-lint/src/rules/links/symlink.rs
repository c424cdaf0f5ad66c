use crate::rules::example::{Content, Example, with_body, with_link};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::{FileKind, TreeFile, is_skill_file_of_any_case};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Symlink,
    level: Level::Deny,
    group: Group::Links,
    summary: "a bundle holds no symbolic links",
    why: "A symbolic link may lead out of the skill's folder, is lost in archives, and becomes a \
          text file with a path on Windows. A link in the place of a `SKILL.md` is always an error: \
          the check does not follow the link, and programs load the skill behind it.",
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

/// The maximum length of a link's target, in bytes.
const MAX_TARGET: usize = 255;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in view.skill.files {
        if file.kind == FileKind::Link {
            found.push(of_link(view, file));
        } else if let Some(target) = checked_out_link(view, file) {
            let message =
                format!("the file is a symbolic link that was checked out as text: `{target}`");
            found.push(
                Finding::new(RULE.id, &file.path, message).help("put a copy of the file here"),
            );
        }
    }
    found
}

/// Reports a link. In a repository a link can stay, since the installer decides how it is copied.
fn of_link(view: &SkillView<'_>, file: &TreeFile) -> Finding {
    let copy = "put a copy of the file here";
    let Some(around) = view.tree.scope.around else {
        return Finding::new(RULE.id, &file.path, "the file is a symbolic link").help(copy);
    };
    if !around.is_link_alive(&file.path) {
        return Finding::new(RULE.id, &file.path, "the symbolic link leads to nothing")
            .help("remove it, or make it lead to a file");
    }
    if is_skill_file_of_any_case(&file.path) {
        let message =
            "the file is a symbolic link, which is not followed: the skill is not checked";
        return Finding::new(RULE.id, &file.path, message).help(copy);
    }
    let message = "the file is a symbolic link: installers copy it, skip it or refuse the skill";
    let mut finding = Finding::new(RULE.id, &file.path, message).help(copy);
    finding.mildest = Severity::Warning;
    finding
}

/// Reports links beside the skills, in the place of a skill.
fn check_above(bundle: &BundleView<'_>) -> Vec<Finding> {
    let files = bundle.tree.files().iter();
    let links = files.filter(|file| file.kind == FileKind::Link);
    links
        .filter(|file| bundle.tree.skill_at(&file.path).is_none())
        .map(|file| {
            let alive = bundle.tree.scope.around;
            let alive = alive.map(|around| around.is_link_alive(&file.path));
            let (message, help) = match alive {
                Some(false) => (
                    "the symbolic link leads to nothing",
                    "remove it, or make it lead to a skill",
                ),
                _ => (
                    "the skill is a symbolic link and is not checked",
                    "put the skill's folder here, or check it where it is",
                ),
            };
            let mut finding = Finding::new(RULE.id, &file.path, message).help(help);
            if alive.is_some() {
                finding.mildest = Severity::Warning;
            }
            finding
        })
        .collect()
}

/// Returns the target of a symbolic link that git checked out as text: git writes the target without a line end on
/// systems where it cannot create links.
fn checked_out_link<'a>(view: &SkillView<'a>, file: &'a TreeFile) -> Option<&'a str> {
    let bytes = file
        .bytes
        .as_deref()
        .filter(|bytes| bytes.len() <= MAX_TARGET)?;
    let text = std::str::from_utf8(bytes).ok()?;
    if !text.contains('/') || text.contains(|c: char| c.is_whitespace() || c == ':') {
        return None;
    }
    let dir = file.path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let target = crate::view::references::joined(dir, text)?;
    // A text that is not the path of a file in the tree is an ordinary short text.
    view.tree.get(&target).map(|_| text)
}
