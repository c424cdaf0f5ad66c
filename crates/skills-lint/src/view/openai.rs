//! `agents/openai.yaml`, as Codex reads it.

use skills_format::skill::known_fields::fold;
use skills_format::text::distance::nearest;
use skills_format::text::span::Span;
use skills_format::yaml;
use skills_format::yaml::node::{Node, Value};

/// The form of a value, as Codex reads it (`SkillMetadataFile` in `codex-rs/core-skills/src/loader.rs`). Codex ignores the
/// whole file for a value of another type, and the value alone for the rest.
#[derive(Clone, Copy)]
enum Form {
    Mapping(&'static [(&'static str, Form)]),
    List(&'static Form),
    /// A text of at most this many characters.
    Text(usize),
    Color,
    Icon,
    Product,
    TruthValue,
}

const FILE: Form = Form::Mapping(&[
    (
        "interface",
        Form::Mapping(&[
            ("display_name", Form::Text(64)),
            ("short_description", Form::Text(1024)),
            ("default_prompt", Form::Text(1024)),
            ("icon_small", Form::Icon),
            ("icon_large", Form::Icon),
            ("brand_color", Form::Color),
        ]),
    ),
    (
        "dependencies",
        Form::Mapping(&[("tools", Form::List(&TOOL))]),
    ),
    (
        "policy",
        Form::Mapping(&[
            ("allow_implicit_invocation", Form::TruthValue),
            ("products", Form::List(&Form::Product)),
        ]),
    ),
]);
/// The first two texts are required.
const TOOL: Form = Form::Mapping(&[
    ("type", Form::Text(64)),
    ("value", Form::Text(1024)),
    ("description", Form::Text(1024)),
    ("transport", Form::Text(64)),
    ("command", Form::Text(1024)),
    ("url", Form::Text(1024)),
]);
const PRODUCTS: [&str; 3] = ["chatgpt", "codex", "atlas"];

/// A fault of a value.
pub(crate) struct Fault {
    pub(crate) span: Span,
    pub(crate) what: String,
    /// The form that works.
    pub(crate) works: String,
    /// True if Codex ignores the whole file, and not only the value.
    pub(crate) is_of_file: bool,
}

/// Returns whether Codex ignores a whole `agents/openai.yaml`.
pub fn codex_reads_over(text: &str) -> bool {
    let Ok(root) = yaml::parse(text) else {
        return true;
    };
    let faults = faults(root.as_ref(), &|_| true);
    faults.iter().any(|fault| fault.is_of_file)
}

/// `has_file` answers for a path in the skill.
pub(crate) fn faults(root: Option<&Node>, has_file: &dyn Fn(&str) -> bool) -> Vec<Fault> {
    let mut reader = Reader {
        has_file,
        found: Vec::new(),
    };
    if let Some(root) = root.filter(|root| !root.is_null()) {
        reader.value(root, "the file", FILE);
    }
    reader.found
}

struct Reader<'f> {
    has_file: &'f dyn Fn(&str) -> bool,
    found: Vec<Fault>,
}

impl Reader<'_> {
    fn value(&mut self, node: &Node, name: &str, form: Form) {
        match (form, &node.value) {
            (Form::Mapping(known), Value::Mapping(entries)) => self.mapping(node, entries, known),
            (Form::Mapping(_), _) => self.refuse(node, name, "a mapping"),
            (Form::List(form), Value::Sequence(items)) => {
                for item in items {
                    self.value(item, "an item", *form);
                }
            }
            (Form::List(_), _) => self.refuse(node, name, "a list"),
            (Form::TruthValue, _) => {
                if node.as_bool().is_none() {
                    self.refuse(node, name, "`true` or `false`");
                }
            }
            (_, Value::Scalar(scalar)) => self.text(node, name, &scalar.text, form),
            _ => self.refuse(node, name, "a text"),
        }
    }

    fn mapping(&mut self, node: &Node, entries: &[(Node, Node)], known: &[(&str, Form)]) {
        let mut seen: Vec<&str> = Vec::new();
        for (key, value) in entries {
            let written = key.as_str().unwrap_or_default();
            let Some((name, form)) = known.iter().find(|(name, _)| *name == written) else {
                let same = known.iter().find(|(name, _)| fold(name) == fold(written));
                let near = same.map(|(name, _)| *name);
                let near = near.or_else(|| nearest(written, known.iter().map(|(name, _)| *name)));
                if let Some(near) = near.filter(|_| !value.is_null()) {
                    self.ignore(
                        key,
                        format!("`{written}` is not a key"),
                        format!("write `{near}`"),
                    );
                }
                continue;
            };
            if seen.contains(name) {
                self.found.push(Fault {
                    span: key.span,
                    what: format!("the key `{name}` is repeated"),
                    works: "keep one of them".to_owned(),
                    is_of_file: true,
                });
            }
            seen.push(name);
            // The reader takes no written `null` for a list.
            let is_null_list = matches!(form, Form::List(_)) && !value.span.is_empty();
            if !value.is_null() || is_null_list {
                self.value(value, &format!("`{name}`"), *form);
            }
        }
        if known.first().is_some_and(|(name, _)| *name == "type")
            && let Some(missing) = ["type", "value"].iter().find(|name| !seen.contains(name))
        {
            let works = "write `type: mcp` and `value:` with the name of the server";
            self.ignore(node, format!("the tool has no `{missing}`"), works);
        }
    }

    fn text(&mut self, node: &Node, name: &str, text: &str, form: Form) {
        match form {
            Form::Text(most) => {
                let length = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let length = length.chars().count();
                if length == 0 {
                    self.ignore(
                        node,
                        format!("{name} is empty"),
                        "write a text, or remove the key",
                    );
                } else if length > most {
                    let works = format!("write at most {most} characters");
                    self.ignore(node, format!("{name} has {length} characters"), works);
                }
            }
            Form::Color => {
                let digits = text.trim().strip_prefix('#').unwrap_or_default();
                if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    let what = format!("{name} is `{}`, not a color", text.trim());
                    self.ignore(node, what, "write `\"#RRGGBB\"`, in quotes");
                }
            }
            // An icon of the plugin is not known here.
            Form::Icon if text.starts_with("../") => {}
            Form::Icon => {
                let path = text.trim_start_matches("./");
                if !path.starts_with("assets/") || path.contains(['\\', ':']) {
                    let works = "move the icon into the folder `assets` of the skill";
                    self.ignore(node, format!("{name} is not a path below `assets/`"), works);
                } else if !path.contains("/../") && !(self.has_file)(path) {
                    let works = "write the path of an existing file below `assets/`";
                    self.ignore(node, format!("{name} names a missing file"), works);
                }
            }
            Form::Product => {
                if !PRODUCTS
                    .iter()
                    .any(|known| text == *known || text == known.to_uppercase())
                {
                    self.found.push(Fault {
                        span: node.span,
                        what: format!("`{text}` is not a product"),
                        works: "write `chatgpt`, `codex` or `atlas`".to_owned(),
                        is_of_file: true,
                    });
                }
            }
            Form::Mapping(_) | Form::List(_) | Form::TruthValue => {}
        }
    }

    fn ignore(&mut self, node: &Node, what: String, works: impl Into<String>) {
        self.found.push(Fault {
            span: node.span,
            what,
            works: works.into(),
            is_of_file: false,
        });
    }

    fn refuse(&mut self, node: &Node, name: &str, wanted: &str) {
        self.found.push(Fault {
            span: node.span,
            what: format!("{name} is {}, not {wanted}", node.kind()),
            works: format!("write {wanted}"),
            is_of_file: true,
        });
    }
}
