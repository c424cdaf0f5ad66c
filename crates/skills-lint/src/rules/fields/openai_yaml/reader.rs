//! The faults of an `agents/openai.yaml`, as Codex reads it.
//!
//! Codex reads the file into types (`SkillMetadataFile` in `codex-rs/core-skills/src/loader.rs`). If one value is of another
//! type, or a known key stands there twice, it reads over the whole file. Over other values it reads alone
//! (`resolve_interface`, `resolve_dependencies`).

use super::fault::Fault;
use super::libyaml;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::skill::known_fields::fold;
use skills_format::text::distance;
use skills_format::text::lines::{line_after, line_around};
use skills_format::text::span::Span;
use skills_format::yaml::{
    self, Style,
    node::{Node, Value},
};

/// The keys of the file that Codex knows. Of other keys it reads nothing, and may stand there twice.
pub(super) const ROOT: [&str; 3] = ["interface", "dependencies", "policy"];
const IMPLICIT: &str = "allow_implicit_invocation";
const POLICY: [&str; 2] = [IMPLICIT, "products"];
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

/// Returns whether Codex reads over a whole `agents/openai.yaml`.
pub fn codex_reads_over(text: &str) -> bool {
    let Ok(root) = yaml::parse(text) else {
        return true;
    };
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return false;
    };
    let policy = present(&root, "policy");
    let is_mapping = |node: &Node| matches!(node.value, Value::Mapping(_));
    let allowed = policy.and_then(|policy| present(policy, IMPLICIT));
    !is_mapping(&root)
        || policy.is_some_and(|policy| !is_mapping(policy))
        || allowed.is_some_and(|allowed| allowed.as_bool().is_none())
        || faults(text, &|_| true).iter().any(|fault| fault.is_of_file)
}

/// Returns the faults of a file whose policy is clear. `has_file` answers for a path in the skill.
pub(super) fn faults(text: &str, has_file: &dyn Fn(&str) -> bool) -> Vec<Fault> {
    let Ok(Some(root)) = yaml::parse(text) else {
        return Vec::new();
    };
    let mut reader = OpenAiReader {
        text,
        has_file,
        found: Vec::new(),
    };
    reader.found.extend(libyaml::fault(text, &root));
    reader.keys(&root, &ROOT);
    reader.interface(&root);
    reader.policy(&root);
    reader.dependencies(&root);
    reader.found
}

struct OpenAiReader<'t> {
    text: &'t str,
    has_file: &'t dyn Fn(&str) -> bool,
    found: Vec<Fault>,
}

impl OpenAiReader<'_> {
    fn interface(&mut self, root: &Node) {
        let Some(interface) = self.mapping(root, "interface", "write `key: value` lines below it")
        else {
            return;
        };
        let texts = INTERFACE.iter().map(|(key, _)| *key);
        let known: Vec<&str> = texts.chain(ICONS).chain([COLOR]).collect();
        self.keys(interface, &known);
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
        if !(self.has_file)(written.trim_start_matches("./")) {
            let what = format!("`{key}` names a missing file");
            self.ignore(
                icon,
                &what,
                "write the path of an existing file below `assets/`",
            );
        }
    }

    fn policy(&mut self, root: &Node) {
        let Some(policy) = present(root, "policy") else {
            return;
        };
        self.keys(policy, &POLICY);
        if let Some(allowed) = present(policy, IMPLICIT) {
            self.null(allowed);
        }
        let Some(items) = self.list(policy, "products", "write `products: [codex]`") else {
            return;
        };
        for item in items {
            let name = item.as_str().unwrap_or_default();
            let is_known = |known: &&str| name == *known || name == known.to_ascii_uppercase();
            if !PRODUCTS.iter().any(is_known) {
                let what = format!("`{name}` is not a product");
                self.refuse(item, &what, "write `chatgpt`, `codex` or `atlas`");
            }
        }
    }

    fn dependencies(&mut self, root: &Node) {
        const TOOLS: &str = "write `tools:` and a list of tools below it";
        let Some(dependencies) = self.mapping(root, "dependencies", TOOLS) else {
            return;
        };
        self.keys(dependencies, &["tools"]);
        let Some(items) = self.list(dependencies, "tools", TOOLS) else {
            return;
        };
        let works = "write `type: mcp` and `value:` with the name of the server";
        let known = TOOL.map(|(key, _)| key);
        for tool in items {
            if !matches!(tool.value, Value::Mapping(_)) {
                let what = format!("a tool is {}, not a mapping", tool.kind());
                self.refuse(tool, &what, works);
                continue;
            }
            self.keys(tool, &known);
            for (key, most) in TOOL {
                self.text(tool, key, most);
            }
            let mut required = known.iter().take(2);
            if let Some(missing) = required.find(|key| present(tool, key).is_none()) {
                let what = format!("the tool has no `{missing}`");
                self.ignore(tool, &what, works);
            }
        }
    }

    /// Returns a value that must be a mapping, if it is there.
    fn mapping<'n>(&mut self, of: &'n Node, key: &str, works: &str) -> Option<&'n Node> {
        let node = present(of, key)?;
        if matches!(node.value, Value::Mapping(_)) {
            return Some(node);
        }
        let what = format!("`{key}` is {}, not a mapping", node.kind());
        self.refuse(node, &what, works);
        None
    }

    /// Returns the items of a value that must be a list, if it is there. The reader takes no `null` for a list.
    fn list<'n>(&mut self, of: &'n Node, key: &str, works: &str) -> Option<&'n [Node]> {
        let node = of
            .get(key)
            .filter(|node| !node.is_null() || !node.span.is_empty())?;
        if let Value::Sequence(items) = &node.value {
            return Some(items);
        }
        let what = format!("`{key}` is {}, not a list", node.kind());
        self.refuse(node, &what, works);
        None
    }

    /// Reports keys that are misspelt known keys, and known keys that stand there twice, for which the reader refuses the
    /// file.
    fn keys(&mut self, of: &Node, known: &[&str]) {
        for (key, value) in of.entries() {
            let written = key.as_str().unwrap_or_default();
            if known.contains(&written) || value.is_null() {
                continue;
            }
            if let Some(meant) = meant(written, known) {
                let what = format!("`{written}` is not a key");
                self.ignore(key, &what, &format!("write `{meant}`"));
                if let Some(fault) = self.found.last_mut().filter(|_| of.get(meant).is_none()) {
                    fault.fix = Some(Fix::guess(vec![Edit::replace(key.span, meant)]));
                }
            }
        }
        for key in known {
            let same = || {
                of.entries()
                    .iter()
                    .filter(|(it, _)| it.as_str() == Some(key))
            };
            let Some((again, _)) = same().nth(1) else {
                continue;
            };
            let all: Vec<&(Node, Node)> = same().collect();
            let what = format!("the key `{key}` stands there twice");
            let fix = self.one_of(&all);
            let has_lines = all
                .iter()
                .any(|(_, value)| !matches!(value.value, Value::Scalar(_)));
            let works = if has_lines {
                "write all of its lines below one key"
            } else {
                "keep one of them"
            };
            self.refuse(again, &what, works);
            if let Some(fault) = self.found.last_mut() {
                fault.fix = fix;
            }
        }
    }

    /// Returns the fix that leaves one of several entries of a key, each on a line of its own: the entry that restrains
    /// more, or the first. With different values it is a guess.
    fn one_of(&self, all: &[&(Node, Node)]) -> Option<Fix> {
        let written = |(_, value): &&(Node, Node)| value.span.of(self.text);
        let is_scalar = |(_, value): &&(Node, Node)| matches!(value.value, Value::Scalar(_));
        let kept = all
            .iter()
            .position(|(_, value)| value.as_bool() == Some(false));
        let kept = kept.unwrap_or_default();
        let mut edits = Vec::new();
        for (at, entry) in all.iter().enumerate() {
            if at != kept {
                let line = line_around(self.text, entry.0.span, self.text.len());
                let is_whole = self
                    .text
                    .get(line.start..entry.0.span.start)?
                    .trim()
                    .is_empty()
                    // A comment after the value would be removed with the line.
                    && self.text.get(entry.1.span.end..line.end)?.trim().is_empty();
                if !is_whole || !is_scalar(entry) {
                    return None;
                }
                let line = Span::new(line.start, line_after(self.text, line));
                edits.push(Edit::replace(line, ""));
            }
        }
        let is_same = all.iter().all(|entry| {
            all.first()
                .is_some_and(|first| written(first) == written(entry))
        });
        Some(if is_same {
            Fix::safe(edits)
        } else {
            Fix::guess(edits)
        })
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
            self.null(node);
            return Some(node);
        }
        let what = format!("`{key}` is {}, not a text", node.kind());
        self.refuse(node, &what, "write a text, in quotes");
        None
    }

    /// Reports a text that its tag calls null.
    fn null(&mut self, node: &Node) {
        let before = self.text.get(..node.span.start).unwrap_or_default();
        let is_plain = matches!(&node.value, Value::Scalar(scalar) if scalar.style == Style::Plain);
        if is_plain && before.trim_end().ends_with("!!null") {
            self.refuse(node, "the tag of the value is `!!null`", "remove the tag");
        }
    }

    fn ignore(&mut self, node: &Node, what: &str, works: &str) {
        self.tell(node, what, works, false);
    }

    fn refuse(&mut self, node: &Node, what: &str, works: &str) {
        self.tell(node, what, works, true);
    }

    fn tell(&mut self, node: &Node, what: &str, works: &str, is_of_file: bool) {
        self.found.push(Fault {
            span: node.span,
            what: what.to_owned(),
            works: works.to_owned(),
            is_of_file,
            fix: None,
        });
    }
}

/// Returns the known key that a key is a misspelt form of.
fn meant<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let same = known.iter().find(|key| fold(key) == fold(written)).copied();
    same.or_else(|| distance::nearest(written, known.iter().copied()))
}

/// Returns a value that is there and not null.
fn present<'n>(of: &'n Node, key: &str) -> Option<&'n Node> {
    of.get(key).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use super::codex_reads_over;

    /// Each text was given to types like those of Codex with the YAML reader that Codex uses.
    #[test]
    fn what_codex_reads_over() {
        for text in [
            "- a\n",
            "policy: [\n",
            "policy: [false]\n",
            "policy: {allow_implicit_invocation: \"false\"}\n",
            "policy: {allow_implicit_invocation: false, allow_implicit_invocation: false}\n",
            "policy: {products: codex}\n",
            "policy: {products: [Codex]}\n",
            "dependencies: x\n",
            "dependencies: {tools: null}\n",
            "interface: {display_name: a, display_name: b}\n",
            "interface: {display_name: !!null x}\n",
            "policy: {allow_implicit_invocation: !!null false}\n",
        ] {
            assert!(codex_reads_over(text), "{text}");
        }
        for text in [
            "",
            "policy: {allow_implicit_invocation: False}\n",
            "policy: {products: [CODEX]}\n",
            "policy: {x: 1, x: 2}\n",
            "policy: {x: !!null y, allow_implicit_invocation: !!null ~}\n",
            "interface: {display_name: !!null 'x'}\n",
            "dependencies:\n",
            "interface: {display_name: 5, brand_color: red}\n",
        ] {
            assert!(!codex_reads_over(text), "{text}");
        }
    }
}
