use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::Fields;
use skills_format::skill::fields::read::as_mapping;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NeededSkill,
    level: Level::Warn,
    group: Group::Fields,
    summary: "the skills that a skill needs lie beside it",
    why: "A skill that sends the model to another skill fails where only the first is installed. Authors name the \
          other in `metadata.requires.skills`, as a list or as a text with commas. A name in another place, such as \
          `dependencies`, is reported if it is the name of a skill here. The same is reported where the \
          skills are loaded, and when the skill is started: this finding is for the repository that ships them.",
    bad: Example::Skill(with_fields!(
        "metadata:\n  requires: '{\"skills\": \"changelog\"}'\n"
    )),
    marks: "changelog",
    good: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n---\n\nSort them.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_fields!(
                "metadata:\n  requires: '{\"skills\": \"changelog\"}'\n"
            )),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Siblings {
        concerns: |view| !needed(view).is_empty() || !elsewhere(view).is_empty(),
        check,
    },
};

/// The keys with which authors name the skills that a skill needs. Packages are named with them too.
const KEYS: [&str; 7] = [
    "requires",
    "dependencies",
    "depends-on",
    "depends_on",
    "skills",
    "required-skills",
    "required_skills",
];

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut found = missing(view, bundle);
    found.extend(unread(view, bundle));
    found
}

fn needed(view: &SkillView<'_>) -> Vec<String> {
    let fields = view.fields().map(Fields::read);
    let fields = fields.unwrap_or(Fields::NONE);
    fields.requires.needed().map(str::to_owned).collect()
}

fn is_beside(bundle: &BundleView<'_>, name: &str) -> bool {
    let name = name.rsplit(':').next().unwrap_or(name);
    bundle.answers_to(name.trim_start_matches('$'))
}

/// Reports each needed skill that is not in the bundle.
fn missing(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let text = view.text();
    let missing = needed(view)
        .into_iter()
        .filter(|name| !is_beside(bundle, name));
    missing
        .map(|name| {
            let message =
                format!("this skill needs the skill `{name}`, and no skill here has this name");
            // After the word `requires`, where the name stands: it can be a word of the description too.
            let from = text.find("requires").unwrap_or_default();
            let at = text.get(from..).and_then(|text| text.find(&*name));
            let at = at.map_or(0, |at| from + at);
            let span = Span::new(at, at + if at > 0 { name.len() } else { 0 });
            view.at(RULE.id, span, message).help(
                "ship the skill beside this one, or correct the name in `metadata.requires.skills`",
            )
        })
        .collect()
}

/// Returns the keys that can name needed skills where no program reads them, each with its path and its value.
fn elsewhere<'v>(view: &'v SkillView<'_>) -> Vec<(String, &'v Node, &'v Node)> {
    let entries = |node: Option<&'v Node>| node.map(Node::entries).unwrap_or_default().iter();
    let named = |key: &Node| key.as_str().is_some_and(|key| KEYS.contains(&key));
    let fields = entries(view.fields()).filter(|(key, _)| named(key));
    let fields =
        fields.map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), key, value));
    let metadata = view.field("metadata").map(|(_, metadata)| metadata);
    let below = entries(metadata).filter(|(key, value)| named(key) && !is_read(key, value));
    let below = below.map(|(key, value)| {
        let path = format!("metadata.{}", key.as_str().unwrap_or_default());
        (path, key, value)
    });
    fields.chain(below).collect()
}

/// Returns whether an entry of `metadata` is `requires` with names of skills as they are read.
fn is_read(key: &Node, value: &Node) -> bool {
    let mapping = as_mapping(value);
    let is_list = |skills: &Node| match &skills.value {
        Value::Sequence(items) => items.iter().all(|item| item.as_str().is_some()),
        Value::Scalar(_) => true,
        Value::Mapping(_) => false,
    };
    key.as_str() == Some("requires") && mapping.get("skills").is_some_and(is_list)
}

/// Reports names of skills in a form that no program reads. A list counts if it names a skill of the bundle: it can name
/// packages.
fn unread(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let all = elsewhere(view).into_iter();
    let found = all.filter_map(|(path, key, value)| {
        let mapping = as_mapping(value);
        let skills = ["skills", "skill"]
            .iter()
            .find_map(|key| mapping.get(key));
        let names = words(skills.unwrap_or(&mapping));
        let is_meant = skills.is_some() || names.iter().any(|name| is_beside(bundle, name));
        let works = format!("write {} below `metadata`", as_text(&names));
        let message =
            format!("`{path}` has no effect: the skills that this skill needs are read from `metadata.requires.skills`");
        (is_meant && !names.is_empty()).then(|| view.at(RULE.id, key.span, message).help(works))
    });
    found.collect()
}

/// Returns the names in a list, a text, or the keys of a mapping.
pub(super) fn words(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Mapping(_) => {
            let keys = node.entries().iter();
            keys.filter_map(|(key, _)| Some(key.as_str()?.to_owned()))
                .collect()
        }
        Value::Sequence(items) => {
            let names = items.iter().filter_map(|item| {
                let name = item.get("name").unwrap_or(item);
                Some(name.as_str()?.to_owned())
            });
            names.collect()
        }
        Value::Scalar(scalar) => {
            let words = scalar.text.split(|c: char| c.is_whitespace() || c == ',');
            let words = words.filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        }
    }
}

/// Writes names of needed skills in the form that every client accepts below `metadata`: its values are texts.
pub(super) fn as_text(names: &[String]) -> String {
    format!("`requires: '{{\"skills\": \"{}\"}}'`", names.join(", "))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    fn told(fields: &str) -> Vec<String> {
        let text =
            format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\nGo.\n");
        let notes = "---\nname: notes\ndescription: Notes. Use when asked.\n---\n\nGo.\n";
        told_of(
            "needed-skill",
            &[("notes/SKILL.md", notes), ("x/SKILL.md", text.as_str())],
        )
    }

    #[test]
    fn a_form_that_no_program_reads() {
        for (fields, path) in [
            ("requires:\n  skills: [notes]\n", "requires"),
            ("requires: {skills: gone}\n", "requires"),
            ("dependencies: [notes, gone]\n", "dependencies"),
            ("dependencies: notes\n", "dependencies"),
            ("depends-on: notes, gone\n", "depends-on"),
            ("skills: [notes, gone]\n", "skills"),
            ("required-skills: [notes]\n", "required-skills"),
            ("metadata:\n  requires: notes\n", "metadata.requires"),
            (
                "metadata:\n  requires: {notes: \"1\"}\n",
                "metadata.requires",
            ),
            (
                "metadata:\n  requires: {skill: gone}\n",
                "metadata.requires",
            ),
            (
                "metadata:\n  requires: {skills: {gone: \"1\"}}\n",
                "metadata.requires",
            ),
            (
                "metadata:\n  requires: {skills: [{name: gone}]}\n",
                "metadata.requires",
            ),
            (
                "metadata:\n  dependencies: notes\n",
                "metadata.dependencies",
            ),
        ] {
            let message = format!(
                "`{path}` has no effect: the skills that this skill needs are read from `metadata.requires.skills`"
            );
            assert_eq!(told(fields), [message], "{fields}");
        }
    }

    #[test]
    fn packages_and_the_read_forms() {
        for fields in [
            "dependencies: [python, pandas>=2]\n",
            "requires: {bins: [git]}\n",
            "skills: [python]\n",
            "requires:\n",
            "metadata:\n  requires: python\n",
            "metadata:\n  requires: {skills: [notes]}\n",
            "metadata:\n  requires: '{\"skills\": \"notes\"}'\n",
            "metadata:\n  requires: {skills: }\n",
        ] {
            assert!(told(fields).is_empty(), "{fields}");
        }
        assert_eq!(
            told("metadata:\n  requires: {skills: [notes, gone]}\n"),
            ["this skill needs the skill `gone`, and no skill here has this name"]
        );
    }
}
