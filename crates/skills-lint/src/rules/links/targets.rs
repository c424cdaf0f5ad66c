//! Rules about what a link leads to.

use crate::rules::example::{Content, Example, with_body, with_fields, with_link};
use crate::rules::links::outside::write_instead;
use crate::rules::links::outside::{Outside, follow};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const LINK_CASE: Rule = Rule {
    id: RuleId::LinkCase,
    level: Level::Deny,
    group: Group::Links,
    summary: "a link is written in the same case as the file",
    why: "On most disks of macOS and Windows, `Style.md` finds `style.md`. On Linux, in archives \
          and in bundles, it finds nothing.",
    bad: with_link!("references/Style.md", "references/style.md"),
    marks: "references/Style.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::Unsafe,
    check: Check::Skill(link_case),
};

fn link_case(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| {
            let Target::OtherCase(path) = target else {
                return None;
            };
            let written = reference.path_span.of(view.text());
            let message = format!("`{written}` differs in case from the file `{path}`");
            Some(write_instead(
                view.at(LINK_CASE.id, reference.span, message),
                reference,
                view,
                path,
            ))
        })
        .collect()
}

pub(crate) const LINK_DEPTH: Rule = Rule {
    id: RuleId::LinkDepth,
    level: Level::Allow,
    group: Group::Links,
    summary: "linked files are at most one folder deep",
    why: "The specification recommends keeping references one level below `SKILL.md`. Models find files in \
          deeper folders late or never.",
    bad: with_link!("references/text/style.md", "references/text/style.md"),
    marks: "references/text/style.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::No,
    check: Check::Skill(link_depth),
};

fn link_depth(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| match target {
            Target::File(path) if path.matches('/').count() > 1 => {
                let depth = path.matches('/').count();
                let message = format!("`{path}` lies {depth} folders deep");
                Some(
                    view.at(LINK_DEPTH.id, reference.span, message)
                        .help("move it up to one folder"),
                )
            }
            _ => None,
        })
        .collect()
}

pub(crate) const LINK_SIBLING: Rule = Rule {
    id: RuleId::LinkSibling,
    level: Level::Allow,
    group: Group::Links,
    summary: "no link leads into another skill of the bundle",
    why: "Such a link works only if the whole bundle is installed, and breaks if the skill is installed alone. A \
          mention, `$name`, works wherever the other skill is installed.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen follow [the notes](../release-notes/SKILL.md).\n",
            ),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "../release-notes/SKILL.md",
    good: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen use $release-notes.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("List every change.\n")),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(link_sibling),
};

fn link_sibling(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| {
            let Target::Sibling(sibling) = target else {
                return None;
            };
            let name = sibling.dir.rsplit('/').next().unwrap_or(sibling.dir);
            let message = format!("the link leads into the skill `{name}`");
            Some(
                view.at(LINK_SIBLING.id, reference.span, message)
                    .help(format!("write `${name}`")),
            )
        })
        .collect()
}

pub(crate) const LINK_PLUGIN: Rule = Rule {
    id: RuleId::LinkPlugin,
    level: Level::Warn,
    group: Group::Links,
    summary: "a skill of a plugin works without the other files of the plugin",
    why: "A link to a file of the plugin works only if the whole plugin is installed. It breaks if the skill is \
          installed alone. Only `skills check` of a repository knows the plugin.",
    bad: Example::Skill(with_body!("List every merged change.\n")),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::InRepository(link_plugin),
};

fn link_plugin(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let message = "the link leads to a file of the plugin, outside of the skill";
    let help =
        "copy the file into the skill, or keep the link if the plugin is always installed whole";
    let leads = |base: &str, link, target: &Target<'_>| {
        matches!(target, Target::Above) && matches!(follow(view, base, link), Outside::Plugin)
    };
    let mut found = Vec::new();
    for (link, target) in view.targets() {
        if leads(view.skill.dir, link, target) {
            found.push(view.at(LINK_PLUGIN.id, link.span, message).help(help));
        }
    }
    for page in view.marked_pages() {
        let base = page.base();
        for (link, target) in view.targets_of(page) {
            if leads(base, link, target) {
                found.push(page.at(LINK_PLUGIN.id, link.span, message).help(help));
            }
        }
    }
    found
}
