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
    summary: "the skills that a skill needs are beside it, and the model may start them",
    why: "A skill that sends the model to another skill fails if the other skill is not installed, or if the model \
          cannot start it. The names are read from `skills` in `metadata.requires`, as a list or as a string with \
          commas. Every client accepts them as JSON in one string: `requires: '{\"skills\": \"changelog\"}'`. A \
          name in another place, such as `requires-skills`, or `dependencies` with the name of a skill here, is \
          reported too. A missing skill is also reported when the skills are loaded and when the skill is started; \
          this rule reports it earlier, in the repository that ships the skills.",
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
const KEYS: [&str; 4] = ["requires", "dependencies", "depends-on", "depends_on"];
/// The keys that name nothing but needed skills.
const OF_SKILLS: [&str; 6] = [
    "requires-skills",
    "requires_skills",
    "requires.skills",
    "required-skills",
    "required_skills",
    "metadata.requires.skills",
];

fn check(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut found = unusable(view, bundle);
    found.extend(unread(view, bundle));
    found
}

fn needed(view: &SkillView<'_>) -> Vec<String> {
    let fields = view.fields().map(Fields::read);
    let fields = fields.unwrap_or(Fields::NONE);
    fields.requires.needed().map(str::to_owned).collect()
}

/// Returns a name without the source before it and the `$` of a mention.
fn plain(name: &str) -> &str {
    let name = name.rsplit(':').next().unwrap_or(name);
    name.trim_start_matches('$')
}

/// Returns whether every skill of this name is closed to the model.
fn is_closed(bundle: &BundleView<'_>, name: &str) -> bool {
    let mut skills = bundle.named(plain(name)).peekable();
    skills.peek().is_some() && skills.all(|skill| bundle.skills[skill].is_closed)
}

/// Reports each needed skill that is not in the bundle, or that the model may not start.
fn unusable(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut found = Vec::new();
    for name in needed(view) {
        let (message, help) = if !bundle.answers_to(plain(&name)) {
            (
                format!("this skill needs the skill `{name}`, and no skill here has this name"),
                "ship the skill beside this one, or correct the name in `metadata.requires.skills`",
            )
        } else if is_closed(bundle, &name) {
            (
                format!(
                    "this skill needs the skill `{name}`, which only a person can start: this skill cannot have it started"
                ),
                "let the model start the needed skill; or write what it says into a file of this skill, and remove the name from \
                 `metadata.requires.skills`; if a person is to start it first, say so in the body and remove the name",
            )
        } else {
            continue;
        };
        // After the word `requires`, where the name stands: it can be a word of the description too.
        let from = text.find("requires").unwrap_or_default();
        let at = text[from..].find(&*name).map(|at| from + at);
        let span = at.map_or(Span::at(0), |at| Span::new(at, at + name.len()));
        found.push(view.at(RULE.id, span, message).help(help));
    }
    found
}

/// Returns the keys that can name needed skills where no program reads them, each with its path and its value.
fn elsewhere<'v>(view: &'v SkillView<'_>) -> Vec<(String, &'v Node, &'v Node)> {
    let mut found = Vec::new();
    let metadata = view.field("metadata").map(|(_, metadata)| metadata);
    for (above, node) in [("", view.fields()), ("metadata.", metadata)] {
        for (key, value) in node.map(Node::entries).unwrap_or_default() {
            let name = key.as_str().unwrap_or_default();
            let is_named = KEYS.contains(&name) || OF_SKILLS.contains(&name);
            if is_named && (above.is_empty() || !is_read(name, value)) {
                found.push((format!("{above}{name}"), key, value));
            }
        }
    }
    found
}

/// Returns whether an entry of `metadata` is `requires` with names of skills as they are read.
fn is_read(key: &str, value: &Node) -> bool {
    let mapping = as_mapping(value);
    let skills = mapping.get("skills").map(|skills| &skills.value);
    key == "requires"
        && match skills {
            Some(Value::Sequence(items)) => items.iter().all(|item| item.as_str().is_some()),
            Some(Value::Scalar(_)) => true,
            _ => false,
        }
}

/// Reports names of skills in a form that no program reads. A list counts if all of its names are other skills of the
/// bundle: it can name packages, as a list with the skill's own name does.
fn unread(view: &SkillView<'_>, bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let own = view.text_field("name").map(|(_, name)| name);
    for (path, key, value) in elsewhere(view) {
        let mapping = as_mapping(value);
        let skills = mapping.get("skills").or_else(|| mapping.get("skill"));
        let names = words(skills.unwrap_or(&mapping));
        let is_meant = skills.is_some()
            || key.as_str().is_some_and(|key| OF_SKILLS.contains(&key))
            || names
                .iter()
                .all(|name| bundle.answers_to(plain(name)) && own != Some(plain(name)));
        if !is_meant || names.is_empty() {
            continue;
        }
        let message = format!(
            "`{path}` has no effect: the skills that this skill needs are read from `skills` in `metadata.requires`"
        );
        let help = format!("write {} below `metadata`", as_text(&names));
        found.push(view.at(RULE.id, key.span, message).help(help));
    }
    found
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
            ("dependencies: notes\n", "dependencies"),
            ("depends-on: notes\n", "depends-on"),
            ("required-skills: [notes]\n", "required-skills"),
            ("requires-skills: gone\n", "requires-skills"),
            (
                "metadata:\n  requires_skills: [gone]\n",
                "metadata.requires_skills",
            ),
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
                "`{path}` has no effect: the skills that this skill needs are read from `skills` in `metadata.requires`"
            );
            assert_eq!(told(fields), [message], "{fields}");
        }
    }

    #[test]
    fn packages_and_the_read_forms() {
        for fields in [
            "dependencies: [python, pandas>=2]\n",
            "requires: {bins: [git]}\n",
            "skills: [notes]\n",
            "dependencies: [notes, gone]\n",
            "metadata:\n  tags: [notes]\n",
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

    #[test]
    fn a_needed_skill_that_the_model_may_not_start() {
        let needs = "---\nname: x\ndescription: Does. Use when asked.\nmetadata:\n  requires: {skills: [notes]}\n---\n\nGo.\n";
        let told = |field: &str| {
            let notes = format!(
                "---\nname: notes\ndescription: Notes. Use when asked.\n{field}---\n\nGo.\n"
            );
            told_of(
                "needed-skill",
                &[("notes/SKILL.md", &*notes), ("x/SKILL.md", needs)],
            )
        };
        assert_eq!(
            told("disable-model-invocation: true\n"),
            [
                "this skill needs the skill `notes`, which only a person can start: this skill cannot have it started"
            ]
        );
        assert!(told("user-invocable: false\n").is_empty());
    }
}
