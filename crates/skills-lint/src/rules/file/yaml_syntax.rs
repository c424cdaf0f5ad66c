use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Fix;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::lenient::recover;
use skills_format::lenient::recover::fault::Fault;
use skills_format::yaml::node::Value;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::YamlSyntax,
    level: Level::Deny,
    group: Group::File,
    summary: "the front matter is YAML that maps keys to values",
    why: "A client that cannot parse the front matter drops the skill, usually without a message. \
          The usual causes are small: a colon in a text without quotes, a value that begins with \
          `*` or `@`, text after a closing quote, a tab.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Use when: a version is about to be published\n\
         ---\n\nList every merged change.\n",
    ),
    marks: ":",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    match &view.skill.file.front_matter {
        Some(Ok(node)) if !matches!(node.value, Value::Mapping(_)) => {
            let joined = view
                .document()
                .and_then(|document| recover::joined(document, node));
            if let Some(recovered) = joined {
                let faults = recovered.faults.iter();
                return faults.map(|fault| told(view, fault)).collect();
            }
            let message = format!(
                "the front matter is {}, not `key: value` lines",
                node.kind()
            );
            vec![
                view.at(RULE.id, node.span, message)
                    .help("write `name: …` and `description: …`"),
            ]
        }
        Some(Err(_)) => {
            let Some(recovered) = view.recovered() else {
                return Vec::new();
            };
            let faults = recovered.faults.iter();
            faults.map(|fault| told(view, fault)).collect()
        }
        _ => Vec::new(),
    }
}

fn told(view: &SkillView<'_>, fault: &Fault) -> Finding {
    let mut finding = view
        .at(RULE.id, fault.span, fault.message.as_str())
        .help(fault.help.as_str());
    if !fault.edits.is_empty() {
        let fix = if fault.is_safe { Fix::safe } else { Fix::guess };
        finding.fix = Some(fix(fault.edits.clone()));
    }
    finding
}
