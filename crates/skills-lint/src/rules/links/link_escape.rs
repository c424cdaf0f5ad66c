use crate::rules::example::{Content, Example, with_body};
use crate::rules::links::outside::{Outside, follow};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::{Reference, Target};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkEscape,
    level: Level::Deny,
    group: Group::Links,
    summary: "a link stays within the skill's folder",
    why: "A skill is installed as one folder. Files outside of the folder are not installed with it, and no client \
          reads them. The exceptions are links to other skills of the same bundle, and to files of the plugin that \
          contains the skill.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nSort every change.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!(
                "Follow [the order](../../changelog/SKILL.md).\n"
            )),
        ),
    ]),
    marks: "../../changelog/SKILL.md",
    good: Example::Skill(with_body!(
        "Follow [the style](https://example.org/style).\n"
    )),
    fix: FixKind::Unsafe,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (link, target) in view.targets() {
        let written = link.span.of(view.text());
        let at = |message: String| view.at(RULE.id, link.span, message);
        found.extend(finding(view, view.skill.dir, (link, target), written, &at));
    }
    for page in view.marked_pages() {
        let base = page.base();
        for (link, target) in view.targets_of(page) {
            let written = link.span.of(page.text);
            let at = |message: String| page.at(RULE.id, link.span, message);
            let finding = finding(view, base, (link, target), written, &at);
            found.extend(finding.map(|mut finding| {
                // The fix is tried with the `SKILL.md` alone.
                finding.fix = None;
                finding
            }));
        }
    }
    found
}

fn finding(
    view: &SkillView<'_>,
    base: &str,
    (link, target): (&Reference, &Target<'_>),
    written: &str,
    at: &dyn Fn(String) -> Finding,
) -> Option<Finding> {
    match target {
        Target::Absolute => Some(
            at(format!("`{written}` is a path from the root of the disk"))
                .help("write a path within the skill, or a full address"),
        ),
        Target::Above => match follow(view, base, link) {
            Outside::Plugin => None,
            Outside::Instead(path) => Some(
                at(format!(
                    "`{written}` leads to nothing; `{path}` leads to a file"
                ))
                .help(format!("write `{path}`"))
                .fix(Fix::guess(vec![Edit::replace(link.path_span, path)])),
            ),
            Outside::Repository => {
                let message =
                    format!("`{written}` is a file of the repository, outside of the skill");
                let mut finding =
                    at(message).help("copy the file into the skill's folder and link the copy");
                if is_used_in_place(view) {
                    finding.mildest = Severity::Warning;
                }
                Some(finding)
            }
            Outside::Nothing if view.tree.scope.around.is_some() => Some(
                at(format!(
                    "`{written}` leads out of the skill's folder, and to nothing"
                ))
                .help("write the path of a file of the skill, or remove the link"),
            ),
            Outside::Nothing => Some(
                at(format!("`{written}` leads out of the skill's folder"))
                    .help("copy the file into the skill's folder and link the copy"),
            ),
        },
        _ => None,
    }
}

/// Returns whether a hidden folder such as `.claude` holds the skill: an agent reads such a skill in place, with the
/// repository around it.
fn is_used_in_place(view: &SkillView<'_>) -> bool {
    let path = &view.skill.file.path;
    path.split('/')
        .any(|part| part.len() > 2 && part.starts_with('.'))
}
