use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::known_fields::{FIELDS, meant};
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnknownField,
    level: Level::Allow,
    group: Group::Fields,
    summary: "every field belongs to the specification or is in wide use beyond it",
    why: "Clients ignore unknown fields, and some validators refuse them. An author's own fields \
          belong under `metadata`, where the specification has room for them.",
    bad: Example::Skill(with_fields!("audience: maintainers\n")),
    marks: "audience",
    good: Example::Skill(with_fields!("metadata:\n  audience: maintainers\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let entries = view.fields().map(Node::entries);
    let keys = entries.unwrap_or_default().iter().map(|(key, _)| key);
    keys.filter_map(|key| {
        let written = key.as_str()?;
        let is_known = FIELDS.iter().any(|known| known.key == written);
        let is_typo = meant(written).is_some_and(|meant| !view.has(meant));
        (!is_known && !is_typo).then(|| {
            view.at(
                RULE.id,
                key.span,
                format!("`{written}` is not a known field"),
            )
            .help("move it below `metadata`")
        })
    })
    .collect()
}
