use crate::rules::example::{Example, with_body};
use crate::rules::links::outside::{Outside, follow};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkPlugin,
    level: Level::Warn,
    group: Group::Links,
    summary: "a skill of a plugin works without the other files of the plugin",
    why: "A link to a file of the plugin works only where the whole plugin is installed. It breaks \
          where one skill is installed alone. Only `skills check` of a repository knows the plugin.",
    bad: Example::Skill(with_body!("List every merged change.\n")),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::InRepository(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
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
            found.push(view.at(RULE.id, link.span, message).help(help));
        }
    }
    for page in view.marked_pages() {
        let base = page.base();
        for (link, target) in view.targets_of(page) {
            if leads(base, link, target) {
                found.push(page.at(RULE.id, link.span, message).help(help));
            }
        }
    }
    found
}
