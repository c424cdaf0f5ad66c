use crate::client::Condition;
use crate::rules::example::{Content, Example};
use crate::rules::portability::spelling;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::openai::faults;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::join;
use skills_format::{OPENAI_FILE, yaml};

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
    summary: "Codex accepts `agents/openai.yaml`, which says clearly whether the model may start the skill",
    why: "Codex reads `policy.allow_implicit_invocation` of this file. If one value has a wrong type or a key is \
          repeated, Codex ignores the whole file and offers the skill to the model; here the model cannot start \
          such a skill. The finding is an error if `clients` or `--client` names Codex and a restraint is lost, \
          otherwise a warning. Values that Codex cannot use, such as a wrong color or icon, are not checked.",
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
        return Vec::new();
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

/// Reports the values for which Codex ignores the file.
fn values(view: &SkillView<'_>, is_closed: bool) -> Vec<Finding> {
    let mut refused = view.on(Condition::OpenAiFile);
    // Only a policy that closes the skill is a restraint to lose.
    refused.retain(|_| is_closed || view.tree.scope.clients.are_named());
    let text = spelling::openai_text(view).unwrap_or_default();
    let Ok(Some(root)) = yaml::parse(text) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for fault in faults(Some(&root)) {
        if refused.is_empty() {
            break;
        }
        let mut finding =
            view.about_clients(RULE.id, fault.span, &fault.what, &refused, fault.works);
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
        let mut one = client("one", Condition::OpenAiFile, Loss::Restraint, &[]);
        with_facts(&mut one, |fact| fact.does = "all is ignored");
        one
    }

    fn found(named: &[&str], path: &str, openai: &str) -> Vec<Diagnostic> {
        let files = [("x/SKILL.md", SKILL), (path, openai)];
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
                "[a]: `display_name` is a list, not a string",
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
}
