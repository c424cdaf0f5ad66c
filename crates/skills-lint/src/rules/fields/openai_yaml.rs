use crate::client::Condition;
use crate::rules::example::{Content, Example};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::openai::faults;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use skills_format::tree::join;
use skills_format::{OPENAI_FILE, OpenAiFile, yaml};

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
    why: "Codex reads `policy.allow_implicit_invocation` of this file. It ignores the whole file, and offers the skill \
          to the model, if one value has a wrong type or a key is repeated; here such a skill is closed to \
          the model. An error if `clients` or `--client` names Codex and a restraint is lost, otherwise a warning. If \
          Codex is named, the other values are checked too: Codex ignores texts that are too long, colors other \
          than `#RRGGBB`, icons outside of `assets/`, tools without `type` or `value`, and a file with another name.",
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
    fix: FixKind::No,
    check: Check::Files(check),
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
    let is_of_codex =
        view.tree.scope.clients.are_named() && !view.on(Condition::OpenAiFile).is_empty();
    // A file of another kind restrains nothing.
    if !is_of_codex || !spelling::is_policy_meant(view) {
        finding = finding.at_most(Severity::Warning);
    }
    vec![finding]
}

/// Reports a file that Codex would read under another name. `restraint-lost` reports a file that closes the skill.
fn misnamed(view: &SkillView<'_>) -> Option<Finding> {
    let on = view.on(Condition::OpenAiValue);
    if on.is_empty() {
        return None;
    }
    // An `openai.yaml` elsewhere can be a file of another program.
    let has_known_key = |bytes: &[u8]| {
        let root = std::str::from_utf8(bytes)
            .ok()
            .and_then(|text| yaml::parse(text).ok()?);
        let keys = ["interface", "dependencies", "policy"];
        root.is_some_and(|root| keys.iter().any(|key| root.get(key).is_some()))
    };
    let (path, _) = spelling::elsewhere(view).find(|(path, bytes)| {
        let file = OpenAiFile::read(path, bytes);
        let is_reported = file.is_closed && file.fault.is_none();
        !is_reported && (path.contains('/') || has_known_key(bytes))
    })?;
    let what = format!("Codex reads `{OPENAI_FILE}`, and this is `{path}`");
    let works = format!("rename the file to `{OPENAI_FILE}`");
    let mut finding = view.about_clients(RULE.id, Span::at(0), &what, &on, &works);
    finding.path = join(view.skill.dir, path);
    finding.span = None;
    Some(finding)
}

/// Reports the values that Codex ignores.
fn values(view: &SkillView<'_>, is_closed: bool) -> Vec<Finding> {
    let on = view.on(Condition::OpenAiValue);
    let mut refused = view.on(Condition::OpenAiFile);
    // Only a policy that closes the skill is a restraint to lose.
    refused.retain(|_| is_closed || view.tree.scope.clients.are_named());
    let text = spelling::openai_text(view).unwrap_or_default();
    let Ok(Some(root)) = yaml::parse(text) else {
        return Vec::new();
    };
    let has_file = |below: &str| {
        let path = join(view.skill.dir, below);
        view.skill.files.iter().any(|file| file.path == path)
    };
    let mut found = Vec::new();
    for fault in faults(Some(&root), &has_file) {
        let of = if fault.is_of_file { &refused } else { &on };
        if of.is_empty() {
            continue;
        }
        let mut finding = view.about_clients(RULE.id, fault.span, &fault.what, of, &fault.works);
        if !is_closed {
            finding = finding.at_most(Severity::Warning);
        }
        finding.path = join(view.skill.dir, OPENAI_FILE);
        found.push(finding);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to, with_facts};
    use crate::view::openai::codex_reads_over;
    use skills_format::diagnostic::Diagnostic;

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

    /// Each form was given to Codex's own types, which refused it.
    #[test]
    fn forms_for_which_codex_ignores_the_file() {
        for (openai, message) in [
            (
                "dependencies: x\n",
                "x: `dependencies` is text, not a mapping",
            ),
            (
                "interface: []\n",
                "[]: `interface` is a list, not a mapping",
            ),
            (
                "dependencies: {tools: ~}\n",
                "~: `tools` is empty, not a list",
            ),
            (
                "dependencies: {tools: [x]}\n",
                "x: an item is text, not a mapping",
            ),
            (
                "policy: {products: codex}\n",
                "codex: `products` is text, not a list",
            ),
            (
                "policy: {products: [Codex]}\n",
                "Codex: `Codex` is not a product",
            ),
            (
                "interface: {}\ninterface: {}\n",
                "interface: the key `interface` is repeated",
            ),
            (
                "interface:\n  display_name: [a]\n",
                "[a]: `display_name` is a list, not a text",
            ),
        ] {
            assert_eq!(
                told(&["one"], openai),
                [format!("{message}: all is ignored in ONE")]
            );
            assert!(told(&[], openai).is_empty(), "{openai}");
            assert!(codex_reads_over(openai), "{openai}");
        }
        for openai in [
            "",
            "dependencies:\n",
            "dependencies: {tools: }\n",
            "interface: {display_name: null, brand_color: '#000000'}\n",
            "other: 1\nother: 2\n",
            "policy: {products: [CODEX, chatgpt], allow_implicit_invocation: False}\n",
        ] {
            assert!(told(&["one"], openai).is_empty(), "{openai}");
            assert!(!codex_reads_over(openai), "{openai}");
        }
        for openai in [
            "- a\n",
            "policy: [\n",
            "policy: {allow_implicit_invocation: \"false\"}\n",
        ] {
            assert!(codex_reads_over(openai), "{openai}");
        }
    }

    /// A lost restraint is reported though nobody names the client.
    #[test]
    fn a_lost_restraint() {
        let closed = "policy:\n  allow_implicit_invocation: false\n  products: [browser]\n";
        let message = "browser: `browser` is not a product: all is ignored in ONE";
        assert_eq!(told(&["one"], closed), [message]);
        assert_eq!(told(&[], closed), [message]);
    }

    #[test]
    fn values_that_codex_ignores() {
        let long = "a".repeat(65);
        for (openai, message) in [
            (
                format!("interface:\n  display_name: {long}\n"),
                format!("{long}: `display_name` has 65 characters"),
            ),
            (
                "interface:\n  display-name: A\n".to_owned(),
                "display-name: `display-name` is not a key".to_owned(),
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
                     icon_large: ../../assets/x.svg\n  color: red\ndependencies:\n  tools:\n  - type: mcp\n    value: docs\n";
        assert!(told(&["one"], right).is_empty());
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
}
