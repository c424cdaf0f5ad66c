use crate::client::{Behaviour, Condition, Loss};
use crate::rules::example::{Content, Example};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::OPENAI_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::join;
use skills_format::yaml::{
    self,
    node::{Node, Value},
};

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
    level: Level::Warn,
    group: Group::Fields,
    summary: "`agents/openai.yaml` says clearly whether the model may start the skill",
    why: "Codex reads `policy.allow_implicit_invocation` of this file. It offers the skill to the model if the file \
          cannot be read, and here such a skill is closed to the model. If `clients` or `--client` names Codex, the \
          other values are checked too: Codex reads over texts that are too long, colors other than `#RRGGBB`, icons \
          outside of `assets/`, and tools without `type` or `value`.",
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
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let file = view.skill.file.openai.as_ref();
    let Some(file) = file else {
        return Vec::new();
    };
    let Some(fault) = file.fault.as_deref() else {
        return values(view, file.is_closed);
    };
    let found = &fault.diagnostic;
    let path = join(view.skill.dir, OPENAI_FILE);
    let mut finding = Finding::new(RULE.id, path, found.message.clone()).help(found.help.clone());
    finding.span = fault.span;
    vec![finding]
}

/// The texts of `interface`, and the maximum number of characters of each.
const INTERFACE: [(&str, usize); 3] = [
    ("display_name", 64),
    ("short_description", 1024),
    ("default_prompt", 1024),
];
/// The texts of a tool in `dependencies.tools`. The first two are required.
const TOOL: [(&str, usize); 6] = [
    ("type", 64),
    ("value", 1024),
    ("description", 1024),
    ("transport", 64),
    ("command", 1024),
    ("url", 1024),
];
const ICONS: [&str; 2] = ["icon_small", "icon_large"];
const COLOR: &str = "brand_color";
const PRODUCTS: [&str; 3] = ["chatgpt", "codex", "atlas"];

/// Checks the values by the rules of Codex's own reader: `resolve_interface`, `resolve_dependencies` and the types of
/// `SkillMetadataFile` in `codex-rs/core-skills/src/loader.rs`.
fn values(view: &SkillView<'_>, is_closed: bool) -> Vec<Finding> {
    let mut on = view.on(Condition::OpenAiValue);
    let mut refused = view.on(Condition::OpenAiFile);
    // Only a policy that closes the skill is a restraint to lose.
    refused.retain(|one| {
        is_closed || one.fact.loses == Loss::Nothing || view.tree.scope.clients.are_named()
    });
    if on.is_empty() && refused.is_empty() {
        return Vec::new();
    }
    let path = join(view.skill.dir, OPENAI_FILE);
    let file = view.skill.files.iter().find(|file| file.path == path);
    let bytes = file.and_then(|file| file.bytes.as_deref());
    let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some(Ok(Some(root))) = text.map(yaml::parse) else {
        return Vec::new();
    };
    let mut reader = OpenAiReader {
        view,
        on: std::mem::take(&mut on),
        refused,
        path,
        found: Vec::new(),
    };
    reader.interface(&root);
    reader.products(&root);
    reader.dependencies(&root);
    reader.found
}

struct OpenAiReader<'v, 'a> {
    view: &'v SkillView<'a>,
    on: Vec<Behaviour<'a>>,
    refused: Vec<Behaviour<'a>>,
    path: String,
    found: Vec<Finding>,
}

impl OpenAiReader<'_, '_> {
    fn interface(&mut self, root: &Node) {
        let Some(interface) = present(root, "interface") else {
            return;
        };
        if !matches!(interface.value, Value::Mapping(_)) {
            return self.refuse(
                interface,
                "`interface` is not a mapping",
                "write `key: value` lines below it",
            );
        }
        for (key, most) in INTERFACE {
            self.text(interface, key, most);
        }
        for key in ICONS {
            self.icon(interface, key);
        }
        if let Some(color) = self.scalar(interface, COLOR) {
            let written = color.as_str().unwrap_or_default().trim();
            let is_color = written.strip_prefix('#').is_some_and(|digits| {
                digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            if !is_color {
                let what = format!("`{COLOR}` is `{written}`, not a color");
                self.ignore(color, &what, "write `\"#RRGGBB\"`, in quotes");
            }
        }
    }

    fn icon(&mut self, interface: &Node, key: &str) {
        let Some(icon) = self.scalar(interface, key) else {
            return;
        };
        let written = icon.as_str().unwrap_or_default();
        let mut parts = written.split('/').filter(|part| *part != ".");
        let is_absolute = written.starts_with('/') || written.contains(['\\', ':']);
        // An icon of the plugin is not known here.
        if written.starts_with("../") || written.contains("/../") {
            return;
        }
        if is_absolute || parts.next() != Some("assets") {
            let what = format!("`{key}` is not a path below `assets/`");
            return self.ignore(
                icon,
                &what,
                "move the icon into the folder `assets` of the skill",
            );
        }
        let path = join(self.view.skill.dir, written.trim_start_matches("./"));
        if !self.view.skill.files.iter().any(|file| file.path == path) {
            let what = format!("`{key}` names a missing file");
            self.ignore(
                icon,
                &what,
                "write the path of an existing file below `assets/`",
            );
        }
    }

    fn products(&mut self, root: &Node) {
        let products = present(root, "policy").and_then(|policy| present(policy, "products"));
        let Some(products) = products else { return };
        let Value::Sequence(items) = &products.value else {
            return self.refuse(
                products,
                "`products` is not a list",
                "write `products: [codex]`",
            );
        };
        for item in items {
            let name = item.as_str().unwrap_or_default();
            if !PRODUCTS
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
            {
                let what = format!("`{name}` is not a product");
                self.refuse(item, &what, "write `chatgpt`, `codex` or `atlas`");
            }
        }
    }

    fn dependencies(&mut self, root: &Node) {
        let tools = present(root, "dependencies").and_then(|all| present(all, "tools"));
        let Some(tools) = tools else { return };
        let Value::Sequence(items) = &tools.value else {
            return self.refuse(
                tools,
                "`dependencies.tools` is not a list",
                "write a list of tools",
            );
        };
        for tool in items {
            for (key, most) in TOOL {
                self.text(tool, key, most);
            }
            if let Some((missing, _)) = TOOL
                .iter()
                .take(2)
                .find(|(key, _)| present(tool, key).is_none())
            {
                let what = format!("the tool has no `{missing}`");
                self.ignore(
                    tool,
                    &what,
                    "write `type: mcp` and `value:` with the name of the server",
                );
            }
        }
    }

    fn text(&mut self, of: &Node, key: &str, most: usize) {
        let Some(node) = self.scalar(of, key) else {
            return;
        };
        let text = node.as_str().unwrap_or_default();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.chars().count() {
            0 => self.ignore(
                node,
                &format!("`{key}` is empty"),
                "write a text, or remove the key",
            ),
            length if length > most => {
                let what = format!("`{key}` has {length} characters");
                self.ignore(node, &what, &format!("write at most {most} characters"));
            }
            _ => {}
        }
    }

    /// Returns a value that must be a text. The reader refuses the file for any other value.
    fn scalar<'n>(&mut self, of: &'n Node, key: &str) -> Option<&'n Node> {
        let node = present(of, key)?;
        // A number counts as it is written.
        if matches!(node.value, Value::Scalar(_)) {
            return Some(node);
        }
        let what = format!("`{key}` is {}, not a text", node.kind());
        self.refuse(node, &what, "write a text, in quotes");
        None
    }

    fn ignore(&mut self, node: &Node, what: &str, works: &str) {
        let on = std::mem::take(&mut self.on);
        self.tell(node, what, &on, works);
        self.on = on;
    }

    fn refuse(&mut self, node: &Node, what: &str, works: &str) {
        let refused = std::mem::take(&mut self.refused);
        self.tell(node, what, &refused, works);
        self.refused = refused;
    }

    fn tell(&mut self, node: &Node, what: &str, on: &[Behaviour<'_>], works: &str) {
        if !on.is_empty() {
            let finding = self.view.about_clients(RULE.id, node.span, what, on, works);
            let path = self.path.clone();
            self.found.push(Finding { path, ..finding });
        }
    }
}

/// Returns a value that is there and not null.
fn present<'n>(of: &'n Node, key: &str) -> Option<&'n Node> {
    of.get(key).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to, with_facts};

    fn told(named: &[&str], openai: &str) -> Vec<String> {
        let mut one: Client = client("one", Condition::OpenAiValue, Loss::Nothing, &[]);
        let mut two = client("one", Condition::OpenAiFile, Loss::Restraint, &[]);
        with_facts(&mut two, |fact| fact.does = "all is ignored");
        one.facts = [one.facts, two.facts].concat().leak();
        let files = [
            (
                "x/SKILL.md",
                "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n",
            ),
            ("x/agents/openai.yaml", openai),
            ("x/assets/a.svg", "<svg/>"),
        ];
        let found = told_to("openai-yaml", &[one], named, &files);
        found
            .iter()
            .map(|one| format!("{}: {}", one.span().of(openai), one.message))
            .collect()
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
