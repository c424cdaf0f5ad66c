mod fault;
mod libyaml;
pub(in crate::rules) mod reader;

use crate::client::Condition;
use crate::rules::example::{Content, Example};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::value::value_edit;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Fix, Severity};
use skills_format::text::span::Span;
use skills_format::tree::join;
use skills_format::{OPENAI_FILE, OpenAiFile, yaml};

pub use reader::codex_reads_over;

/// The skill of both examples.
const SKILL: (&str, Content) = (
    "release-notes/SKILL.md",
    Content::Text(
        "---\nname: release-notes\ndescription: Writes release notes. Use it for a release.\n---\n\
         List the changes.\n",
    ),
);

pub(crate) const RULE: Rule = Rule {
    id: RuleId::OpenaiYaml,
    level: Level::Deny,
    group: Group::Fields,
    summary: "Codex reads `agents/openai.yaml` whole, and it says clearly whether the model may start the skill",
    why: "Codex reads `policy.allow_implicit_invocation` of this file. It reads over the whole file, and offers the skill \
          to the model, if one value has a wrong type, one of its keys stands there twice, or its reader libyaml refuses the \
          bytes, such as a byte order mark before several keys or a tab in an empty line; here such a skill is closed to \
          the model. An error if `clients` or `--client` names Codex and a restraint is lost, otherwise a warning. If \
          Codex is named, the other values are checked too: Codex reads over texts that are too long, colors other \
          than `#RRGGBB`, icons outside of `assets/`, tools without `type` or `value`, and a file with another name. \
          Misspelt and repeated keys, and another word than `false`, have a fix.",
    bad: Example::Files(&[
        SKILL,
        (
            "release-notes/agents/openai.yaml",
            Content::Text("policy:\n  allow_implicit_invocation: never\n"),
        ),
    ]),
    marks: "never",
    good: Example::Files(&[
        SKILL,
        (
            "release-notes/agents/openai.yaml",
            Content::Text("policy:\n  allow_implicit_invocation: false\n"),
        ),
    ]),
    fix: FixKind::Unsafe,
    check: Check::Contents(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let Some(file) = view.skill.file.openai.as_ref() else {
        return misnamed(view).into_iter().collect();
    };
    let Some(fault) = file.fault.as_deref() else {
        return values(view, file.is_closed);
    };
    let found = &fault.diagnostic;
    let path = join(view.skill.dir, OPENAI_FILE);
    let mut finding = Finding::new(RULE.id, path, found.message.clone()).help(found.help.clone());
    finding.span = fault.span;
    finding.fix = fault.span.and_then(|span| closed(view, span));
    let is_of_codex =
        view.tree.scope.clients.are_named() && !view.on(Condition::OpenAiFile).is_empty();
    // A file of another kind restrains nothing.
    if !is_of_codex || !spelling::is_policy_meant(view) {
        finding = finding.at_most(Severity::Warning);
    }
    vec![finding]
}

/// Returns the fix of a policy that is another word than `true` or `false`. It writes what counts here already: a fix
/// never opens a skill.
fn closed(view: &SkillView<'_>, span: Span) -> Option<Fix> {
    let root = yaml::parse(spelling::openai_text(view)?).ok()??;
    let (key, value) = root.get("policy")?.entry("allow_implicit_invocation")?;
    let is_open = |text: &str| {
        matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "yes" | "on" | "1"
        )
    };
    let is_word = value.as_str().is_some_and(|text| !is_open(text));
    let edit = value_edit(spelling::openai_text(view)?, key, value, "false")?;
    (value.span == span && is_word).then(|| Fix::guess(vec![edit]))
}

/// Reports a file that Codex would read under another name. `restraint-lost` reports a file that closes the skill.
fn misnamed(view: &SkillView<'_>) -> Option<Finding> {
    let on = view.on(Condition::OpenAiValue);
    if on.is_empty() {
        return None;
    }
    let is_meant = |(path, bytes): &(&str, &[u8])| {
        let file = OpenAiFile::read(path, bytes);
        let is_told = file.is_closed && file.fault.is_none();
        !is_told && (path.contains('/') || has_known_key(bytes))
    };
    let (path, _) = spelling::elsewhere(view).find(is_meant)?;
    let what = format!("Codex reads `{OPENAI_FILE}`, and this is `{path}`");
    let works = format!("rename the file to `{OPENAI_FILE}`");
    let finding = view.about_clients(RULE.id, Span::at(0), &what, &on, &works);
    let path = join(view.skill.dir, path);
    Some(Finding {
        path,
        span: None,
        ..finding
    })
}

/// Returns whether a file has a key of Codex. An `openai.yaml` elsewhere can be a file of another program.
fn has_known_key(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    let Some(Ok(Some(root))) = text.map(yaml::parse) else {
        return false;
    };
    reader::ROOT.iter().any(|key| root.get(key).is_some())
}

/// Reports the values over which Codex reads.
fn values(view: &SkillView<'_>, is_closed: bool) -> Vec<Finding> {
    let on = view.on(Condition::OpenAiValue);
    let mut refused = view.on(Condition::OpenAiFile);
    // Only a policy that closes the skill is a restraint to lose.
    refused.retain(|_| is_closed || view.tree.scope.clients.are_named());
    if on.is_empty() && refused.is_empty() {
        return Vec::new();
    }
    let path = join(view.skill.dir, OPENAI_FILE);
    let file = view.skill.files.iter().find(|file| file.path == path);
    let bytes = file.and_then(|file| file.bytes.as_deref());
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let has_file = |below: &str| {
        let path = join(view.skill.dir, below);
        view.skill.files.iter().any(|file| file.path == path)
    };
    let faults = reader::faults(text.unwrap_or_default(), &has_file);
    let told = faults.into_iter().filter_map(|fault| {
        let of = if fault.is_of_file { &refused } else { &on };
        if of.is_empty() {
            return None;
        }
        let mut finding = view.about_clients(RULE.id, fault.span, &fault.what, of, &fault.works);
        if !is_closed {
            finding = finding.at_most(Severity::Warning);
        }
        finding.fix = fault.fix;
        let path = path.clone();
        Some(Finding { path, ..finding })
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use crate::check::check_bytes;
    use crate::client::{Client, Clients, Condition, Loss};
    use crate::rules::tests::{client, told_to, tree, with_facts};
    use crate::view::scope::Scope;
    use skills_check::Config;
    use skills_format::diagnostic::patch::Patch;
    use skills_format::diagnostic::{Diagnostic, Severity};

    const SKILL: &str = "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n";

    fn codex() -> Client {
        let mut one: Client = client("one", Condition::OpenAiValue, Loss::Nothing, &[]);
        let mut two = client("one", Condition::OpenAiFile, Loss::Restraint, &[]);
        with_facts(&mut two, |fact| fact.does = "all is ignored");
        one.facts = [one.facts, two.facts].concat().leak();
        one
    }

    fn found(named: &[&str], path: &str, openai: &str) -> Vec<Diagnostic> {
        let files = [
            ("x/SKILL.md", SKILL),
            (path, openai),
            ("x/assets/a.svg", "<svg/>"),
        ];
        told_to("openai-yaml", &[codex()], named, &files)
    }

    fn told(named: &[&str], openai: &str) -> Vec<String> {
        let found = found(named, "x/agents/openai.yaml", openai);
        found
            .iter()
            .map(|one| format!("{}: {}", one.span().of(openai), one.message))
            .collect()
    }

    /// Each form was given to Codex's own types and the YAML reader that Codex uses, which refused it.
    #[test]
    fn forms_for_which_codex_reads_over_the_file() {
        let list = "not a list";
        for (openai, told_first) in [
            (
                "dependencies: x\n",
                "x: `dependencies` is text, not a mapping",
            ),
            (
                "dependencies: ''\n",
                "'': `dependencies` is text, not a mapping",
            ),
            (
                "interface: []\n",
                "[]: `interface` is a list, not a mapping",
            ),
            (
                "dependencies: {tools: ~}\n",
                &format!("~: `tools` is empty, {list}"),
            ),
            (
                "dependencies: {tools: {}}\n",
                &format!("{{}}: `tools` is a mapping, {list}"),
            ),
            (
                "dependencies: {tools: [x]}\n",
                "x: a tool is text, not a mapping",
            ),
            (
                "policy: {products: codex}\n",
                &format!("codex: `products` is text, {list}"),
            ),
            (
                "policy: {products: [Codex]}\n",
                "Codex: `Codex` is not a product",
            ),
            (
                "interface: {}\ninterface: {}\n",
                "interface: the key `interface` stands there twice",
            ),
            (
                "interface: {display_name: a, display_name: b}\n",
                "display_name: the key `display_name` stands there twice",
            ),
            (
                "dependencies: {tools: [], tools: []}\n",
                "tools: the key `tools` stands there twice",
            ),
            (
                "dependencies: {tools: [{type: a, type: b, value: c}]}\n",
                "type: the key `type` stands there twice",
            ),
            (
                "policy: {products: [], products: []}\n",
                "products: the key `products` stands there twice",
            ),
        ] {
            assert_eq!(
                told(&["one"], openai),
                [format!("{told_first}: all is ignored in ONE")]
            );
            assert!(told(&[], openai).is_empty(), "{openai}");
        }
        for openai in [
            "dependencies:\n",
            "dependencies: {tools: }\n",
            "interface: null\n",
            "interface: {display_name: null, brand_color: '#000000'}\n",
            "policy: {products: }\n",
            "other: 1\nother: 2\n",
            "dependencies: {x: 1, x: 2}\n",
            "policy: {products: [CODEX, chatgpt]}\n",
        ] {
            assert!(told(&["one"], openai).is_empty(), "{openai}");
        }
    }

    #[test]
    fn misspelt_keys() {
        for (openai, written, fixed) in [
            (
                "interface:\n  display-name: A\n",
                "display-name",
                Some("interface:\n  display_name: A\n"),
            ),
            (
                "Interface:\n  display_name: A\n",
                "Interface",
                Some("interface:\n  display_name: A\n"),
            ),
            (
                "dependencies:\n  tool: []\n",
                "tool",
                Some("dependencies:\n  tools: []\n"),
            ),
            (
                "interface:\n  display_name: A\n  displayName: B\n",
                "displayName",
                None,
            ),
        ] {
            assert_eq!(
                told(&["one"], openai),
                [format!(
                    "{written}: `{written}` is not a key: it is lost in ONE"
                )]
            );
            let fix = found(&["one"], "x/agents/openai.yaml", openai)
                .pop()
                .and_then(|one| one.fix);
            let text = fix.map(|fix| Patch::new(openai, &fix.edits).text);
            assert_eq!(text.as_deref(), fixed);
        }
        let other = "interface:\n  display_name: A\n  color: red\nversion: 1\npolicys: []\n";
        assert_eq!(
            told(&["one"], other),
            ["policys: `policys` is not a key: it is lost in ONE"]
        );
    }

    #[test]
    fn the_fix_of_a_key_that_stands_there_twice() {
        let fixed = |openai: &str| {
            let fix = found(&["one"], "x/agents/openai.yaml", openai).pop()?.fix?;
            Some((fix.safe, Patch::new(openai, &fix.edits).text))
        };
        let name = "interface:\n  display_name: A\n";
        assert_eq!(
            fixed(&format!("{name}  display_name: A\n")),
            Some((true, name.to_owned()))
        );
        assert_eq!(
            fixed(&format!("{name}  display_name: B\n")),
            Some((false, name.to_owned()))
        );
        let policy =
            "policy:\n  allow_implicit_invocation: true\n  allow_implicit_invocation: false\n";
        let closed = "policy:\n  allow_implicit_invocation: false\n";
        assert_eq!(fixed(policy), Some((false, closed.to_owned())));
        assert_eq!(
            fixed("policy:\n  products: []\npolicy:\n  products: []\n"),
            None
        );
    }

    /// The fix writes what counts here already, and never opens a skill.
    #[test]
    fn the_fix_of_a_policy_that_is_another_word() {
        let fixed = |value: &str| {
            let openai = format!("policy:\n  allow_implicit_invocation: {value}\n");
            let fix = found(&[], "x/agents/openai.yaml", &openai).pop()?.fix?;
            Some((fix.safe, Patch::new(&openai, &fix.edits).text))
        };
        let closed = "policy:\n  allow_implicit_invocation: false\n";
        for value in ["never", "'false'", "No way"] {
            assert_eq!(fixed(value), Some((false, closed.to_owned())), "{value}");
        }
        for value in ["'true'", "'yes'", "[]"] {
            assert_eq!(fixed(value), None, "{value}");
        }
    }

    #[test]
    fn a_file_with_another_name() {
        let name = "interface:\n  display_name: A\n";
        let told = |named: &[&str], path: &str, openai: &str| {
            let found = found(named, path, openai).into_iter();
            let found = found.map(|one| (one.path, one.message.to_string()));
            found.collect::<Vec<_>>()
        };
        for path in ["agents/openai.yml", "agents/OpenAI.yaml", "openai.yaml"] {
            let at = format!("x/{path}");
            let message = format!(
                "Codex reads `agents/openai.yaml`, and this is `{path}`: it is lost in ONE"
            );
            assert_eq!(told(&["one"], &at, name), [(at.clone(), message)]);
            assert!(told(&[], &at, name).is_empty());
        }
        // Another program's file, and one that `restraint-lost` reports.
        assert!(told(&["one"], "x/openai.yaml", "openapi: 3.1.0\n").is_empty());
        let closed = "policy:\n  allow_implicit_invocation: false\n";
        assert!(told(&["one"], "x/agents/openai.yml", closed).is_empty());
    }

    /// A lost restraint is an error where the client is named.
    #[test]
    fn the_levels() {
        let level = |named: &[&str], openai: &str| {
            let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
            let clients = [codex()];
            let scope = Scope {
                clients: Clients::new(&clients, &named),
                ..Scope::default()
            };
            let tree = tree(&[("x/SKILL.md", SKILL), ("x/agents/openai.yaml", openai)]);
            let found = check_bytes("", &tree, &Config::default(), scope).diagnostics;
            let mut found = found.iter().filter(|one| one.is(super::RULE.id));
            found.next().map(|one| one.severity)
        };
        let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
        let lost = "dependencies: x\npolicy:\n  allow_implicit_invocation: false\n";
        let unclear = "policy:\n  allow_implicit_invocation: 'false'\n";
        for (openai, named, unnamed) in [
            (lost, error, warning),
            (unclear, error, warning),
            ("dependencies: x\n", warning, None),
            ("- a\n", warning, warning),
            ("interface:\n  brand_color: red\n", warning, None),
        ] {
            assert_eq!(level(&["one"], openai), named, "{openai}");
            assert_eq!(level(&[], openai), unnamed, "{openai}");
        }
    }

    #[test]
    fn values_that_codex_reads_over() {
        let long = "a".repeat(65);
        for (openai, message) in [
            (
                format!("interface:\n  display_name: {long}\n"),
                format!("{long}: `display_name` has 65 characters"),
            ),
            (
                "interface:\n  brand_color: red\n".to_owned(),
                "red: `brand_color` is `red`, not a color".to_owned(),
            ),
            (
                "interface:\n  icon_small: ./img/a.svg\n".to_owned(),
                "./img/a.svg: `icon_small` is not a path below `assets/`".to_owned(),
            ),
            (
                "interface:\n  icon_large: assets/b.svg\n".to_owned(),
                "assets/b.svg: `icon_large` names a missing file".to_owned(),
            ),
            (
                "dependencies:\n  tools:\n  - {type: mcp}\n".to_owned(),
                "{type: mcp}: the tool has no `value`".to_owned(),
            ),
            (
                "interface:\n  default_prompt: \" \"\n".to_owned(),
                "\" \": `default_prompt` is empty".to_owned(),
            ),
        ] {
            assert_eq!(
                told(&["one"], &openai),
                [format!("{message}: it is lost in ONE")]
            );
            assert!(told(&[], &openai).is_empty());
        }
        let right = "interface:\n  display_name: X\n  brand_color: \"#00aaFF\"\n  icon_small: ./assets/a.svg\n  \
                     icon_large: ../../assets/x.svg\npolicy:\n  products: [CODEX]\n  allow_implicit_invocation: false\n\
                     dependencies:\n  tools:\n  - type: mcp\n    value: docs\n";
        assert!(told(&["one"], right).is_empty());
    }

    #[test]
    fn values_for_which_codex_reads_over_the_file() {
        let closed = "policy:\n  allow_implicit_invocation: false\n  products: [browser]\n";
        let message = "browser: `browser` is not a product: all is ignored in ONE";
        assert_eq!(told(&["one"], closed), [message]);
        // A restraint is lost, so nobody needs to name the client.
        assert_eq!(told(&[], closed), [message]);
        let open = "interface:\n  display_name: [a]\n";
        assert_eq!(
            told(&["one"], open),
            ["[a]: `display_name` is a list, not a text: all is ignored in ONE"]
        );
        assert!(told(&[], open).is_empty());
    }
}
