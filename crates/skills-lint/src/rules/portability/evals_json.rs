use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::join;
use skills_format::yaml::{
    self,
    node::{Node, Value},
};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::EvalsJson,
    level: Level::Warn,
    group: Group::Portability,
    summary: "`evals/evals.json` has the shape that the tools for evaluations read",
    why: "The file holds `skill_name` and a list `evals`, each with a `prompt` (agentskills.io, Evaluating skills). A \
          tool that runs the evaluations finds none in another shape. Reported if `clients` or `--client` names a \
          client.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[
            ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
            (
                "release-notes/evals/evals.json",
                Content::Text("{\"skill_name\": \"release-notes\", \"evals\": [{\"id\": 1}]}\n"),
            ),
        ],
    },
    marks: "{\"id\": 1}",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[
            ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
            (
                "release-notes/evals/evals.json",
                Content::Text(
                    "{\"skill_name\": \"release-notes\", \"evals\": [{\"id\": 1, \"prompt\": \"Write them.\"}]}\n",
                ),
            ),
        ],
    },
    fix: FixKind::No,
    check: Check::Contents(check),
};

const FILE: &str = "evals/evals.json";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.tree.scope.clients.are_named() {
        return Vec::new();
    }
    let path = join(view.skill.dir, FILE);
    let file = view.skill.files.iter().find(|file| file.path == path);
    let Some(bytes) = file.and_then(|file| file.bytes.as_deref()) else {
        return Vec::new();
    };
    let finding = |span: Span, message: String, help: &str| {
        Finding::new(RULE.id, path.as_str(), message)
            .at(span)
            .help(help.to_owned())
    };
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    if let Some((at, why)) = json_fault(bytes) {
        let help = "write JSON: double quotes, no comments, no comma before a closing bracket";
        return vec![finding(
            Span::at(at),
            format!("the file is not JSON: {why}"),
            help,
        )];
    }
    // JSON is YAML, and the nodes of YAML have places.
    let Ok(Some(root)) = yaml::parse(&text.replace('\t', " ")) else {
        return Vec::new();
    };
    let told = shape(view, &root).into_iter();
    told.map(|(span, message)| {
        let help = "write `{\"skill_name\": …, \"evals\": [{\"id\": 1, \"prompt\": …, \"expected_output\": …}]}`";
        finding(span, message, help)
    })
    .collect()
}

#[cfg(feature = "json")]
fn json_fault(bytes: &[u8]) -> Option<(usize, String)> {
    let error = serde_json::from_slice::<serde_json::Value>(bytes).err()?;
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let before: usize = lines
        .take(error.line().saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    let at = (before + error.column().saturating_sub(1)).min(bytes.len());
    let message = error.to_string();
    let why = message.split(" at line ").next().unwrap_or_default();
    Some((at, why.to_owned()))
}

/// Without the feature, no caller has facts about clients, and the rule is never asked.
#[cfg(not(feature = "json"))]
fn json_fault(_: &[u8]) -> Option<(usize, String)> {
    None
}

/// Returns the places and messages of what is not of the known shape.
fn shape(view: &SkillView<'_>, root: &Node) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let Value::Mapping(_) = root.value else {
        return vec![(
            root.span,
            format!("the file is {}, not an object", root.kind()),
        )];
    };
    let name = view.text_field("name").map(|(_, name)| name);
    if let (Some(node), Some(name)) = (root.get("skill_name"), name)
        && let Some(written) = node.as_str().filter(|written| *written != name)
    {
        found.push((
            node.span,
            format!("the evaluations are of `{written}`, and the skill is `{name}`"),
        ));
    }
    let Some(evals) = root.get("evals") else {
        found.push((root.span, "the file has no list `evals`".to_owned()));
        return found;
    };
    let Value::Sequence(items) = &evals.value else {
        found.push((
            evals.span,
            format!("`evals` is {}, not a list", evals.kind()),
        ));
        return found;
    };
    for item in items {
        let prompt = item.get("prompt").and_then(Node::as_str);
        if prompt.is_none_or(|prompt| prompt.trim().is_empty()) {
            found.push((item.span, "the evaluation has no `prompt`".to_owned()));
        }
        for key in ["files", "expectations", "assertions"] {
            if let Some(list) = item.get(key)
                && !matches!(list.value, Value::Sequence(_))
            {
                found.push((list.span, format!("`{key}` is {}, not a list", list.kind())));
            }
        }
    }
    found
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told_to};

    fn told(evals: &str) -> Vec<String> {
        let clients = [client("one", Condition::Never, Loss::Nothing, &[])];
        let files = [
            (
                "x/SKILL.md",
                "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n",
            ),
            ("x/evals/evals.json", evals),
        ];
        let found = told_to("evals-json", &clients, &["one"], &files);
        found
            .iter()
            .map(|one| format!("{}: {}", one.start, one.message))
            .collect()
    }

    #[test]
    fn shapes() {
        for (evals, message) in [
            (
                "{\n  \"evals\": [],\n}",
                "3:1: the file is not JSON: trailing comma",
            ),
            ("", "1:1: the file is not JSON: EOF while parsing a value"),
            ("[]", "1:1: the file is a list, not an object"),
            ("{}", "1:1: the file has no list `evals`"),
            ("{\"evals\": {}}", "1:11: `evals` is a mapping, not a list"),
            (
                "{\"skill_name\": \"y\", \"evals\": []}",
                "1:16: the evaluations are of `y`, and the skill is `x`",
            ),
            (
                "{\"evals\": [{\"prompt\": \" \"}]}",
                "1:12: the evaluation has no `prompt`",
            ),
            (
                "{\"evals\": [\"x\"]}",
                "1:12: the evaluation has no `prompt`",
            ),
            (
                "{\"evals\": [{\"prompt\": \"p\", \"files\": \"a\"}]}",
                "1:37: `files` is text, not a list",
            ),
        ] {
            assert_eq!(told(evals), [message], "{evals}");
        }
        assert!(told("{\n\t\"skill_name\": \"x\",\n\t\"evals\": [{\"prompt\": \"p\", \"files\": []}]\n}\n").is_empty());
    }
}
