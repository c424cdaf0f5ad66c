//! The components that a manifest of Claude Code names: paths of files and folders, or the component itself.

use crate::repository::manifest::form::{Fault, Form, is_object, kind, text};
use skills_format::yaml::Node;

/// A field of a manifest that names components.
pub(super) struct Component {
    pub(super) field: &'static str,
    /// The ends that a path may have. Empty: any.
    ends: &'static [&'static str],
    /// What the field may hold instead of a path.
    inline: Inline,
}

/// What a field may hold instead of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inline {
    Nothing,
    /// An object of commands. In a list there are only paths.
    Commands,
    Hooks,
    McpServers,
    LspServers,
    /// A list of objects. There is no list of paths.
    Monitors,
}

impl Component {
    const fn new(field: &'static str, ends: &'static [&'static str], inline: Inline) -> Self {
        Self {
            field,
            ends,
            inline,
        }
    }
}

pub(super) const COMPONENTS: [Component; 10] = [
    Component::new("skills", &[], Inline::Nothing),
    Component::new("commands", &[], Inline::Commands),
    Component::new("agents", &[".md"], Inline::Nothing),
    Component::new("hooks", &[".json"], Inline::Hooks),
    Component::new(
        "mcpServers",
        &[".json", ".mcpb", ".dxt"],
        Inline::McpServers,
    ),
    Component::new("lspServers", &[".json"], Inline::LspServers),
    Component::new("outputStyles", &[], Inline::Nothing),
    Component::new("themes", &[], Inline::Nothing),
    Component::new("workflows", &[], Inline::Nothing),
    Component::new("monitors", &[".json"], Inline::Monitors),
];

/// The components that are also read below `experimental`.
pub(super) const EXPERIMENTAL: [&str; 2] = ["themes", "monitors"];

/// What a field of components holds.
#[derive(Default)]
pub(super) struct Named<'n> {
    /// The paths that have their form.
    pub(super) paths: Vec<(&'n str, &'n Node)>,
    pub(super) faults: Vec<Fault>,
}

impl Component {
    /// Reads the value of the field.
    pub(super) fn read<'n>(&self, value: &'n Node) -> Named<'n> {
        let mut named = Named::default();
        match value.items() {
            Some(items) => {
                for item in items {
                    self.item(item, true, &mut named);
                }
            }
            None => self.item(value, false, &mut named),
        }
        named
    }

    fn item<'n>(&self, value: &'n Node, is_listed: bool, named: &mut Named<'n>) {
        let is_path = !is_listed || self.inline != Inline::Monitors;
        let is_inline = match self.inline {
            Inline::Nothing => false,
            Inline::Commands => !is_listed,
            Inline::Monitors => is_listed,
            _ => true,
        };
        if let Some(path) = text(value).filter(|_| is_path) {
            match self.path(path, value) {
                Some(fault) => named.faults.push(fault),
                None if is_bundle(path) => {}
                None => named.paths.push((path, value)),
            }
        } else if is_inline && is_object(value) {
            self.inline(value, named);
        } else {
            named.faults.push(self.wrong(value, is_path));
        }
    }

    /// Returns the fault of a value that is neither a path nor the component.
    fn wrong(&self, value: &Node, is_path: bool) -> Fault {
        let field = self.field;
        let (what, help) = match self.inline {
            Inline::Monitors if !is_path => ("an object", "write each monitor as an object"),
            Inline::Nothing => (
                "a path or a list of paths",
                "write a path that begins with `./`, or a list of paths",
            ),
            _ => (
                "a path, a list or an object",
                "write a path that begins with `./`, or what the file would hold",
            ),
        };
        let message = if is_path {
            format!("`{field}` is not {what}: it holds {}", kind(value))
        } else {
            format!("`{field}` holds {}, not {what}", kind(value))
        };
        Fault::new(value.span, message, help)
    }

    fn path(&self, path: &str, value: &Node) -> Option<Fault> {
        let field = self.field;
        let is_here = path.starts_with("./") || field == "skills" && path == ".";
        if !is_here && !is_bundle(path) {
            let message = format!("`{field}` names `{path}`, which does not begin with `./`");
            let help = "write the path from the plugin's folder, with `./` before it";
            return Some(Fault::new(value.span, message, help));
        }
        let has_end = self.ends.is_empty() || self.ends.iter().any(|end| path.ends_with(end));
        let help = match self.ends {
            [".md"] => "name each file, with the end `.md`",
            _ => "name a file with the end `.json`",
        };
        let ends = self.ends.first().copied().unwrap_or_default();
        let message = format!("`{field}` names `{path}`, which does not end with `{ends}`");
        (!has_end).then(|| Fault::new(value.span, message, help))
    }

    /// Checks the components that an object holds.
    fn inline<'n>(&self, object: &'n Node, named: &mut Named<'n>) {
        for (key, value) in object.entries() {
            let name = format!("{}.{}", self.field, key.as_str().unwrap_or_default());
            match self.inline {
                Inline::Commands => self.command(&name, value, named),
                Inline::McpServers => named.faults.extend(mcp_server(&name, value)),
                Inline::LspServers => named.faults.extend(lsp_server(&name, value)),
                Inline::Hooks | Inline::Nothing | Inline::Monitors => {}
            }
        }
    }

    fn command<'n>(&self, name: &str, command: &'n Node, named: &mut Named<'n>) {
        let help = "write an object with a `source`, which is a path, or with a `content`";
        if !is_object(command) {
            let fault = Fault::kind(name, command, "an object", help);
            return named.faults.push(fault);
        }
        let content = command.get("content");
        let source = command.get("source");
        for (part, value) in [("content", content), ("source", source)] {
            let fault = value.and_then(|value| Form::Text.fault(&format!("{name}.{part}"), value));
            if let Some(fault) = fault {
                return named.faults.push(fault);
            }
        }
        let has_content = content.and_then(text).is_some_and(|text| !text.is_empty());
        if has_content == source.is_some() {
            let message = format!("`{name}` must have either `source` or `content`");
            return named.faults.push(Fault::new(command.span, message, help));
        }
        if let Some((path, value)) = source.and_then(|source| Some((text(source)?, source))) {
            match self.path(path, value) {
                Some(fault) => named.faults.push(fault),
                None => named.paths.push((path, value)),
            }
        }
    }
}

/// Returns whether a path is the address of a packed server.
fn is_bundle(path: &str) -> bool {
    let is_address = path.starts_with("https://") || path.starts_with("http://");
    is_address && [".mcpb", ".dxt"].iter().any(|end| path.ends_with(end))
}

fn mcp_server(name: &str, server: &Node) -> Option<Fault> {
    let help = "write an object with a `command`, or with a `type` and a `url`";
    if !is_object(server) {
        return Some(Fault::kind(name, server, "an object", help));
    }
    let wanted = match server.get("type").map(text) {
        None | Some(Some("stdio")) => "command",
        Some(Some("http" | "sse" | "ws" | "streamable-http")) => "url",
        // The other types are not those of a person.
        Some(Some("sdk" | "sse-ide" | "ws-ide" | "claudeai-proxy")) => return None,
        Some(_) => {
            let kind = server.get("type").map_or(server.span, |kind| kind.span);
            let message = format!("the `type` of `{name}` is unknown");
            let help = "write `stdio`, `http`, `sse` or `ws`";
            return Some(Fault::new(kind, message, help));
        }
    };
    let Some(value) = server.get(wanted) else {
        let message = match (wanted, server.get("url")) {
            ("command", Some(_)) => format!("`{name}` has a `url`, and no `type`"),
            _ => format!("`{name}` has no `{wanted}`"),
        };
        return Some(Fault::new(server.span, message, help));
    };
    let parts = [(wanted, Form::Text, value)].into_iter();
    let args = server.get("args").map(|args| ("args", Form::Texts, args));
    parts
        .chain(args.filter(|_| wanted == "command"))
        .find_map(|(part, form, value)| form.fault(&format!("{name}.{part}"), value))
}

fn lsp_server(name: &str, server: &Node) -> Option<Fault> {
    let help = "write an object with `command` and `extensionToLanguage`";
    if !is_object(server) {
        return Some(Fault::kind(name, server, "an object", help));
    }
    let parts = [
        ("command", Form::Text),
        ("extensionToLanguage", Form::Object),
    ];
    parts.into_iter().find_map(|(part, form)| {
        let Some(value) = server.get(part) else {
            let message = format!("`{name}` has no `{part}`");
            return Some(Fault::new(server.span, message, help));
        };
        form.fault(&format!("{name}.{part}"), value)
    })
}
