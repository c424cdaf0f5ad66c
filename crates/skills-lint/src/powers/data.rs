//! Reads configuration: JSON, YAML, TOML, and lists of packages.

use crate::powers::command;
use crate::powers::command::begins_with_program;
use crate::powers::line::{is_command_line, is_joined, without_marks};
use crate::powers::package;
use crate::powers::reader::Reader;
use crate::powers::script::{extension, is_interpreter};
use crate::powers::shell;
use crate::powers::tables::has;
use crate::powers::word::{Word, is_environment, program};
use skills_format::text::span::Lines;
use skills_format::yaml::node::{Node, Style, Value};
use skills_permit::PowerKind;

/// Keys whose value is a command.
const COMMANDS: &str = "command cmd run script exec entrypoint start preinstall install postinstall prepare build test hook before_script \
                        after_script statusLine apiKeyHelper awsAuthRefresh";
/// Reads JSON or YAML.
pub(super) fn read(text: &str, line: usize, reader: &mut Reader) {
    // A file or a block that does not parse has its digest alone.
    let Ok(Some(node)) = skills_format::yaml::parse(text) else {
        return reader.opaque("data that does not parse", text.as_bytes(), line);
    };
    let data = Data {
        lines: Lines::new(text.as_bytes()),
        first: line,
    };
    data.value(&node, "", false, reader);
}

struct Data<'t> {
    lines: Lines<'t>,
    first: usize,
}

impl Data<'_> {
    fn line(&self, node: &Node) -> usize {
        self.first + self.lines.line(node.span.start) - 1
    }

    fn value(&self, node: &Node, key: &str, in_scripts: bool, reader: &mut Reader) {
        match &node.value {
            // `~` without quotation marks is null, and no folder.
            Value::Scalar(scalar) if scalar.style == Style::Plain && scalar.text == "~" => {}
            Value::Scalar(scalar) => {
                Self::scalar(&scalar.text, key, in_scripts, self.line(node), reader);
            }
            Value::Sequence(items) => {
                self.listed(items, key, reader);
                for item in items {
                    self.value(item, key, in_scripts, reader);
                }
            }
            Value::Mapping(entries) => {
                self.command(node, reader);
                for (name, value) in entries {
                    let name = name.as_str().unwrap_or_default();
                    self.entry(name, key, value, reader);
                }
            }
        }
    }

    fn entry(&self, name: &str, key: &str, value: &Node, reader: &mut Reader) {
        if name.to_lowercase().ends_with("dependencies") && reader.path.ends_with("package.json") {
            for (package, version) in value.entries() {
                let version = version.as_str().unwrap_or_default();
                let package = format!("{}@{version}", package.as_str().unwrap_or_default());
                package::add("npm", &package, "", self.line(value), reader);
            }
            return;
        }
        if matches!(name, "env" | "environment") {
            // A mapping of variables, or a list of mappings with `name`.
            let listed = value
                .items()
                .into_iter()
                .flatten()
                .filter_map(|item| item.get("name"));
            for variable in value.entries().iter().map(|(name, _)| name).chain(listed) {
                let name = variable.as_str().filter(|name| is_environment(name));
                if let Some(name) = name {
                    reader.add(PowerKind::Variables, name, self.line(variable));
                }
            }
        }
        let in_scripts = matches!(key, "scripts" | "hooks") || name == "hooks";
        self.value(value, name, in_scripts, reader);
    }

    /// Reads a list of words as one command: `command: [git, push]`.
    fn listed(&self, items: &[Node], key: &str, reader: &mut Reader) {
        let words: Option<Vec<&str>> = items.iter().map(Node::as_str).collect();
        if let (Some(words), [first, _, ..]) = (words, items)
            && (has(COMMANDS, key) || matches!(key, "args" | "arguments"))
            && !words.iter().any(|word| word.contains(' '))
        {
            Self::scalar(&words.join(" "), "run", false, self.line(first), reader);
        }
    }

    /// Reads `command` and `args` of a mapping as one command.
    fn command(&self, node: &Node, reader: &mut Reader) {
        let Some(Value::Sequence(items)) = node.get("args").map(|args| &args.value) else {
            return;
        };
        let Some(value) = node.get("command").or_else(|| node.get("cmd")) else {
            return;
        };
        let word = |node: &Node| Word {
            text: node.as_str().unwrap_or_default().to_owned(),
            line: self.line(node),
            is_quoted: true,
            ..Word::default()
        };
        let words: Vec<Word> = std::iter::once(value).chain(items).map(word).collect();
        command::read(&words, "", reader);
    }

    fn scalar(text: &str, key: &str, in_scripts: bool, line: usize, reader: &mut Reader) {
        let is_key = in_scripts || has(COMMANDS, &key.to_lowercase());
        let is_row =
            |row: &str| is_command_line(without_marks(row), reader) || is_joined(row, reader);
        if is_key && is_command(text) || text.lines().any(is_row) {
            shell::called(text.to_owned(), line, reader);
        }
        // What a workflow or a container fetches.
        if matches!(key, "uses" | "image") && text.contains('/') {
            reader.add(PowerKind::Packages, format!("{key} {text}"), line);
        }
        expansions(text, line, reader);
    }
}

/// Adds the variables that are put into a value: `Bearer ${TOKEN}`.
fn expansions(text: &str, line: usize, reader: &mut Reader) {
    for part in text.split("${").skip(1) {
        let inside = part.split(['}', ':', '-']).find(|it| *it != "env");
        if let Some(name) = inside.filter(|name| is_environment(name)) {
            reader.add(PowerKind::Variables, name, line);
        }
    }
}

/// Returns whether a value can be a command: a program and its arguments, not a sentence.
fn is_command(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = program(first.trim_start_matches(['(', '{']));
    begins_with_program(text)
        || is_interpreter(&name)
        || text.contains(['|', ';', '$', '&', '/'])
        || first.contains(['/', '$'])
}

/// Returns whether a file lists packages for pip.
pub(super) fn is_requirements(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with("requirements") && extension(path) == "txt"
}

/// Reads a list of packages for pip.
pub(super) fn requirements(text: &str, reader: &mut Reader) {
    for (at, row) in text.lines().enumerate() {
        let row = row.split(" #").next().unwrap_or(row).trim();
        if !row.starts_with(['#', '-']) {
            package::add("pip", row, "", at + 1, reader);
        }
    }
}
