use crate::rules::example::{Content, Example, with_fields};
use crate::rules::fields::name_mismatch::is_more_exact;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::value::{value_edit, without_line_end};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Fix, Severity};
use skills_format::name::{SkillName, in_yaml, nfc};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NameForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a name has 1 to 64 lowercase letters and digits, with single hyphens between them",
    why: "The specification allows no other name. A valid name can be typed, can be a folder, and \
          can be part of an address on every system. Letters of every script are allowed.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Text(
            "---\nname: Release_Notes\n\
             description: Writes release notes. Use when a version is published.\n---\n\n\
             List every merged change.\n",
        ),
    )]),
    marks: "Release_Notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, name)) = view.text_field("name") else {
        return Vec::new();
    };
    let edit = |new: &str| {
        let (key, _) = view.field("name")?;
        value_edit(view.text(), key, value, &in_yaml(new))
    };
    let span = without_line_end(view.text(), value.span);
    let Err(error) = SkillName::new(name) else {
        return Vec::new();
    };
    if let Ok(name) = SkillName::new(&nfc(name)) {
        // People and clients that normalize names see the same name, so the finding is milder.
        let mut finding = view
            .at(
                RULE.id,
                span,
                format!("`{name}` is written with decomposed characters"),
            )
            .help("write it with composed characters");
        finding.fix = edit(name.as_str()).map(|edit| Fix::safe(vec![edit]));
        finding.mildest = Severity::Warning;
        return vec![finding];
    }
    let mut finding = view.at(
        RULE.id,
        span,
        format!("`{name}` is not a valid skill name: {error}"),
    );
    let made = SkillName::make(name);
    let folder = nfc(&view.skill.file.folder);
    let is_elsewhere = !matches!(folder.as_ref(), "" | "." | "..")
        && made.as_ref().is_none_or(|made| made.as_str() != folder);
    // `name-mismatch` is not reported for an invalid name, so the name of the folder is offered here.
    if is_elsewhere
        && SkillName::new(&folder).is_ok()
        && !is_more_exact(made.as_ref().map_or(name, SkillName::as_str), &folder)
    {
        let help = format!("write `{}`, the name of the folder", in_yaml(&folder));
        finding.fix = edit(&folder).map(|edit| Fix::guess(vec![edit]));
        return vec![finding.help(help)];
    }
    let rename = if is_elsewhere {
        ", and rename the folder to it"
    } else {
        ""
    };
    vec![match made {
        Some(made) => {
            finding.fix = edit(made.as_str()).map(|edit| Fix::guess(vec![edit]));
            finding.help(format!("write `{}`{rename}", in_yaml(made.as_str())))
        }
        None => finding.help("write lowercase letters, digits and single hyphens"),
    }]
}
