use crate::rules::example::{Content, Example};
use crate::rules::fields::schema_form::{SCHEMA, SKILL};
use crate::rules::portability::arguments::{declared, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::distance::nearest;
use skills_format::tree::{TreeFile, is_skill_file, join};
use skills_format::{ARGUMENTS_FILE, SchemaFile};

const ONE: &str =
    "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\"}}}\n";

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaName,
    level: Level::Warn,
    group: Group::Fields,
    summary: "the schema of the arguments has the name that is read, and lies beside `SKILL.md`",
    why: "A file with another name gives no types: the skill takes any words, and nothing says that the schema is not \
          read. A name such as `argument-schema.json` is reported. A file such as `schema.json`, or a schema in a \
          folder of the skill, is reported if it describes the arguments of the skill.",
    bad: Example::Files(&[SKILL, ("deploy/argument.schema.json", Content::Text(ONE))]),
    marks: "",
    good: Example::Files(&[SKILL, (SCHEMA, Content::Text(ONE))]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// First words of other names that people give to a schema of arguments. Such a file can also be about something else.
const OTHER_WORDS: [&str; 8] = [
    "schema",
    "argument",
    "arguments",
    "args",
    "input",
    "inputs",
    "parameters",
    "params",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if view.skill.arguments.is_some() {
        return Vec::new();
    }
    let files = view.skill.files.iter();
    let mut found: Vec<Finding> = files.filter_map(|file| misnamed(view, file)).collect();
    // A folder is seen by its files.
    found.dedup_by(|later, first| later.path == first.path);
    found
}

fn misnamed(view: &SkillView<'_>, file: &TreeFile) -> Option<Finding> {
    let path = view.relative(&file.path)?;
    let Some((folder, name)) = path.rsplit_once('/') else {
        let is_meant = is_near(path) || may_be_meant(path) && describes_arguments(view, file);
        return is_meant.then(|| {
            let message = format!("`{path}` is not read: the skill has no typed arguments");
            let note = if is_json(path) {
                ""
            } else {
                ", as JSON without comments"
            };
            Finding::new(RULE.id, &file.path, message)
                .help(format!("rename it to `{ARGUMENTS_FILE}`{note}"))
        });
    };
    if folder.split('/').next() == Some(ARGUMENTS_FILE) {
        let message = format!("`{ARGUMENTS_FILE}` is a folder: the skill has no typed arguments");
        let path = join(view.skill.dir, ARGUMENTS_FILE);
        return Some(
            Finding::new(RULE.id, path, message).help("write the schema into a file of this name"),
        );
    }
    let is_of_other = || {
        let beside = file.path.strip_suffix(name).unwrap_or_default();
        let mut files = view.skill.files.iter();
        files.any(|it| it.path.starts_with(beside) && is_skill_file(&it.path))
    };
    (name == ARGUMENTS_FILE && !is_of_other() && describes_arguments(view, file)).then(|| {
        let message = "the schema is read beside `SKILL.md` only: the skill has no typed arguments";
        Finding::new(RULE.id, &file.path, message).help("move it there")
    })
}

/// Returns whether a name was meant as `arguments.schema.json`: another separator, another format, or a few letters.
fn is_near(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '_', ' '], ".");
    let formats = [".jsonc", ".json5", ".yaml", ".yml"];
    let stem = formats.iter().find_map(|format| name.strip_suffix(format));
    let name = match stem {
        Some(stem) => format!("{stem}.json"),
        None => name,
    };
    nearest(&name, [ARGUMENTS_FILE]).is_some()
}

/// Returns whether a file of this name can be a schema of arguments.
fn may_be_meant(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let word = name.split(['.', '-', '_']).next().unwrap_or_default();
    is_json(&name) && OTHER_WORDS.contains(&word)
}

fn is_json(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".json")
}

/// Returns whether a file is a schema of the skill's arguments: of all names in `arguments`; without that field, of words
/// that the body has after a `$`.
fn describes_arguments(view: &SkillView<'_>, file: &TreeFile) -> bool {
    let Some(bytes) = &file.bytes else {
        return false;
    };
    let schema = SchemaFile::read(bytes).schema;
    let names = || schema.arguments.iter().map(|argument| &*argument.name);
    let declared = declared(view);
    if declared.is_empty() {
        let words = words(view);
        let is_word = |name: &str| words.iter().any(|(word, _)| *word == name);
        return names().next().is_some() && names().all(is_word);
    }
    declared
        .iter()
        .all(|argument| names().any(|name| name == argument.name))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    const SCHEMA: &str = r#"{"type": "object", "properties": {"to": {"type": "string"}}}"#;

    fn told(front: &str, body: &str, files: &[&str]) -> Vec<String> {
        let skill = format!(
            "---\nname: deploy\ndescription: Deploys. Use when asked.\n{front}---\n\n{body}\n"
        );
        let mut all = vec![("deploy/SKILL.md".to_owned(), skill)];
        all.extend(
            files
                .iter()
                .map(|path| (format!("deploy/{path}"), SCHEMA.to_owned())),
        );
        all.sort();
        let all: Vec<(&str, &str)> = all.iter().map(|(path, text)| (&**path, &**text)).collect();
        told_of("schema-name", &all)
    }

    #[test]
    fn a_name_that_is_near_is_reported_whatever_the_file_holds() {
        for name in [
            "argument.schema.json",
            "arguments.schema.jsonc",
            "arguments.schema.yaml",
            "argument-schema.json",
            "arguments-schema.json",
            "arguments_schema.json",
            "Arguments.schema.json",
            "arguments.scheme.json",
        ] {
            let message = format!("`{name}` is not read: the skill has no typed arguments");
            assert_eq!(told("", "Go.", &[name]), [message]);
        }
        for other in [
            "document.schema.json",
            "schema.sql",
            "schema.md",
            "arguments.md",
        ] {
            assert_eq!(
                told("arguments: [to]\n", "Go to $to.", &[other]),
                [""; 0],
                "{other}"
            );
        }
        let both = ["argument.schema.json", "arguments.schema.json"];
        assert_eq!(told("", "Go to $to.", &both), [""; 0]);
    }

    #[test]
    fn another_name_is_reported_if_the_file_describes_the_arguments() {
        for name in [
            "schema.json",
            "args.schema.json",
            "parameters.json",
            "inputs-schema.json",
        ] {
            let message = format!("`{name}` is not read: the skill has no typed arguments");
            let message = std::slice::from_ref(&message);
            assert_eq!(told("arguments: [to]\n", "Go.", &[name]), message);
            assert_eq!(told("", "Go to $to.", &[name]), message);
            for (front, body) in [("", "Go."), ("arguments: [to, by]\n", "Go.")] {
                assert_eq!(told(front, body, &[name]), [""; 0], "{name} {front}");
            }
        }
    }

    #[test]
    fn a_schema_that_does_not_lie_beside_the_skill_is_reported() {
        let place = "the schema is read beside `SKILL.md` only: the skill has no typed arguments";
        let below = ["references/arguments.schema.json"];
        assert_eq!(told("", "Go to $to.", &below), [place]);
        assert_eq!(told("", "Go.", &below), [""; 0], "not of this skill");
        let other = ["templates/x/SKILL.md", "templates/x/arguments.schema.json"];
        assert_eq!(told("", "Go to $to.", &other), [""; 0], "of another skill");
        let folder = "`arguments.schema.json` is a folder: the skill has no typed arguments";
        let files = [
            "arguments.schema.json/a.json",
            "arguments.schema.json/b.json",
        ];
        assert_eq!(told("", "Go.", &files), [folder]);
    }
}
