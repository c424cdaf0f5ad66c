//! The manifests of plugins and marketplaces: their form, the paths that they name, and their names.
//!
//! What Claude Code 2.1.330, Codex 0.169.0 and Gemini CLI 0.61.0 refuse, and what they load without a part, was measured
//! and is a finding. The finer points of a program's own validator, such as `claude plugin validate`, are not repeated:
//! hooks, servers and the kinds of remote sources are not looked into.

mod form;
mod paths;

pub(crate) use form::text;
pub(crate) use paths::{Paths, is_missing};

use form::{
    CLAUDE_MARKETPLACE, CLAUDE_PLUGIN, CODEX_PLUGIN, Fields, Form, GEMINI_EXTENSION, OTHER,
    is_object, kind,
};
use skills_format::yaml::{Node, YamlError, json};
use skills_format::{Diagnostic, PluginManifest, RuleId, Severity, Span, join};
use std::collections::BTreeSet;
use std::io;

/// The maximum number of findings in one manifest.
const MAX_FINDINGS: usize = 100;
const NAME_CHARS: &str = "letters, digits, `.`, `_` and `-`";

/// The program that reads a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    ClaudeCode,
    Codex,
    GeminiCli,
    Other,
}

/// A manifest that was parsed.
pub(crate) struct Manifest {
    /// The printed path.
    shown: String,
    text: String,
    pub(crate) file: Node,
    program: Program,
}

impl Manifest {
    /// Reads a JSON file. Returns `None` if it is missing. An unreadable file is reported.
    pub(crate) fn read(
        shown: String,
        text: io::Result<String>,
        help: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let finding = |message| {
            let (rule, severity) = (RuleId::ManifestForm, Severity::Error);
            Diagnostic::new(rule, severity, shown.clone(), message).help(help)
        };
        let text = match text {
            Ok(text) => text,
            Err(error) if is_missing(&error) => return None,
            Err(error) => {
                found.push(finding(format!("it cannot be read: {error}")));
                return None;
            }
        };
        match json::parse(&text) {
            Ok(file) => Some(Self {
                program: Program::of(&shown),
                shown,
                text,
                file,
            }),
            Err(YamlError {
                offset, message, ..
            }) => {
                let finding = finding(format!("it is not JSON: {message}"));
                found.push(finding.at(text.as_bytes(), Span::at(offset)));
                None
            }
        }
    }

    /// Returns whether the manifest is meant as one of an Agent Plugin: other programs have a `plugin.json` at the same
    /// place, without such a schema.
    pub(crate) fn is_agent_plugin(&self) -> bool {
        let schema = self.file.get("$schema").and_then(text);
        let address = schema.and_then(|schema| schema.split_once("://"));
        address.is_some_and(|(_, rest)| rest.to_ascii_lowercase().starts_with("agent-plugins.org"))
    }
}

impl Program {
    fn of(path: &str) -> Self {
        let mut parts = path.rsplit('/');
        let name = parts.next();
        match (parts.next(), name) {
            (_, Some("gemini-extension.json")) => Self::GeminiCli,
            (Some(".claude-plugin"), _) => Self::ClaudeCode,
            (Some(".codex-plugin"), _) => Self::Codex,
            _ => Self::Other,
        }
    }
}

/// Checks a plugin's manifest. `folder` is the plugin's folder.
pub(crate) fn plugin(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let file = &manifest.file;
    let mut report = Report::new(manifest, paths);
    if !is_object(file) {
        let message = format!("it is {}, not a JSON object", kind(file));
        report.form(start(file), message, "write an object with a `name`");
        return report.end();
    }
    if manifest.is_agent_plugin() {
        report.agent_plugin(folder);
        return report.end();
    }
    let table = match manifest.program {
        Program::ClaudeCode => {
            report.name(file, NAME_CHARS, is_claude_name);
            CLAUDE_PLUGIN
        }
        Program::Codex => {
            // In place of an empty name Codex takes that of the marketplace.
            report.name(file, NAME_CHARS, |name| name.chars().all(is_of_id));
            CODEX_PLUGIN
        }
        Program::GeminiCli => {
            let is_right = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let is_name = |name: &str| !name.is_empty() && name.chars().all(is_right);
            report.name(file, "letters, digits and `-`", is_name);
            let version = file.get("version");
            if version.is_none_or(|it| it.is_null() || text(it) == Some("")) {
                let span = version.map_or(start(file), |it| it.span);
                let help = "write one, as in `\"version\": \"1.0.0\"`";
                report.form(span, "it has no `version`".to_owned(), help);
            }
            GEMINI_EXTENSION
        }
        Program::Other => OTHER,
    };
    report.fields(file, table, Some(folder), false);
    report.end()
}

/// Checks a marketplace. `folder` is the folder that its sources are relative to.
pub(crate) fn marketplace(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let file = &manifest.file;
    let is_claude = manifest.program == Program::ClaudeCode;
    let mut report = Report::new(manifest, paths);
    let plugins = file.get("plugins").and_then(Node::items);
    if plugins.is_none() {
        let help = "list the plugins, each with a `name` and a `source`";
        report.form(start(file), "it has no list `plugins`".to_owned(), help);
    }
    if is_claude && is_object(file) {
        report.name(file, NAME_CHARS, is_id);
        if file.get("owner").is_none() {
            let help = "write an object with a name, as in `{\"name\": \"A. Author\"}`";
            report.form(start(file), "it has no `owner`".to_owned(), help);
        }
        report.fields(file, CLAUDE_MARKETPLACE, None, false);
    }
    let metadata = file.get("metadata");
    let root = metadata.and_then(|it| it.get("pluginRoot")).and_then(text);
    let mut names = BTreeSet::new();
    for entry in plugins.unwrap_or_default() {
        let value = entry.get("name");
        let known = value.and_then(text).unwrap_or_default();
        if known.is_empty() {
            let message = "an entry of `plugins` has no text `name`".to_owned();
            report.form(entry.span, message, "give the plugin a name");
        } else if !names.insert(known) {
            let span = value.map_or(entry.span, |value| value.span);
            report.name_error(span, format!("two plugins are named `{known}`"));
        } else if is_claude {
            report.name(entry, NAME_CHARS, is_id);
        }
        if is_object(entry) {
            let place = report.source(entry, root.unwrap_or_default(), folder);
            let table = if is_claude { CLAUDE_PLUGIN } else { OTHER };
            report.fields(entry, table, place.as_deref(), true);
        }
        if report.is_full() {
            break;
        }
    }
    report.end()
}

fn start(node: &Node) -> Span {
    Span::at(node.span.start)
}

/// Returns whether Claude Code takes the name of a plugin: it has no sign of an id (`plugin@marketplace`) or of a path.
fn is_claude_name(name: &str) -> bool {
    let is_refused = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '@' | ':' | '/' | '\\' | '\u{ad}' | '\u{200b}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    !name.is_empty() && !name.contains(is_refused)
}

/// Returns whether a name can be a part of `plugin@marketplace`.
fn is_id(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_of_id)
}

fn is_of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// The findings in one manifest.
struct Report<'r> {
    manifest: &'r Manifest,
    paths: &'r Paths<'r>,
    found: Vec<Diagnostic>,
}

impl<'r> Report<'r> {
    fn new(manifest: &'r Manifest, paths: &'r Paths<'r>) -> Self {
        Self {
            manifest,
            paths,
            found: Vec::new(),
        }
    }

    /// Returns whether there are more findings than are shown. Then nothing more is looked at.
    fn is_full(&self) -> bool {
        self.found.len() > MAX_FINDINGS
    }

    fn is_claude(&self) -> bool {
        self.manifest.program == Program::ClaudeCode
    }

    /// Reports a fault at a place. The configuration can make the severity milder.
    fn at(&mut self, rule: RuleId, severity: Severity, span: Span, message: String, help: &str) {
        // Each place costs a pass over the text.
        if !self.is_full() {
            let found = Diagnostic::new(rule, severity, &*self.manifest.shown, message);
            let found = found.at(self.manifest.text.as_bytes(), span);
            self.found.push(found.help(help));
        }
    }

    fn form(&mut self, span: Span, message: String, help: &str) {
        self.at(RuleId::ManifestForm, Severity::Error, span, message, help);
    }

    fn name_error(&mut self, span: Span, message: String) {
        let help = "write small letters, digits and hyphens";
        self.at(RuleId::ManifestName, Severity::Error, span, message, help);
    }

    /// Checks that an object has a text `name` that is right.
    fn name(&mut self, object: &Node, chars: &str, is_right: impl Fn(&str) -> bool) {
        let Some(value) = object.get("name") else {
            return self.name_error(start(object), "it has no `name`".to_owned());
        };
        let message = match text(value) {
            None => format!("`name` is {}, not a string", kind(value)),
            Some(name) if is_right(name) => return,
            Some("") => "`name` is empty".to_owned(),
            Some(name) => format!("the name `{name}` may contain only {chars}"),
        };
        self.name_error(value.span, message);
    }

    /// Checks the fields of a manifest, or of a marketplace's entry, and the paths in them if the folder is known.
    fn fields(&mut self, object: &Node, table: Fields, folder: Option<&str>, is_entry: bool) {
        for (names, form, severity) in table {
            for field in names.split(' ') {
                let Some(value) = object.get(field) else {
                    continue;
                };
                if let Some((span, message, help)) = form.fault(field, value) {
                    self.at(RuleId::ManifestForm, *severity, span, message, help);
                }
                if !matches!(form, Form::PathList | Form::Component) {
                    continue;
                }
                for item in value.items().unwrap_or(std::slice::from_ref(value)) {
                    if let Some(path) = text(item) {
                        // Claude Code does not miss the other files of an entry.
                        let is_missed =
                            !is_entry || matches!(field, "skills" | "commands" | "agents");
                        self.path(field, path, item.span, folder, is_missed);
                    }
                }
            }
        }
    }

    /// Checks one path of a field.
    fn path(&mut self, field: &str, path: &str, span: Span, folder: Option<&str>, is_missed: bool) {
        // A packed server that is fetched.
        if path.starts_with("https://") || path.starts_with("http://") {
            return;
        }
        let is_claude = self.is_claude();
        if is_claude && !path.starts_with("./") && !(field == "skills" && path == ".") {
            let message = format!("`{field}` names `{path}`, which does not begin with `./`");
            let help = "write the path from the plugin's folder, with `./` before it";
            return self.form(span, message, help);
        }
        let Some(folder) = folder else {
            return;
        };
        let mut severity = Severity::Error;
        let (what, help) = match self.paths.inside(folder, path) {
            None => OUTSIDE,
            Some(_) if is_claude && path.contains('\\') => {
                ("contains a backslash", "write `/` between the folders")
            }
            Some(place) if !self.paths.exists(&place) => {
                // `codex plugin add` says that the plugin is added, and `codex plugin list` that it is enabled.
                if self.manifest.program == Program::Codex {
                    severity = Severity::Warning;
                }
                MISSING
            }
            Some(place) if is_claude && field == "skills" && !self.paths.is_folder(&place) => {
                ("is a file", "name the folder of the `SKILL.md`")
            }
            Some(_) => return,
        };
        if is_missed || what != MISSING.0 {
            let message = format!("`{field}` names `{path}`, which {what}");
            self.at(RuleId::ManifestPath, severity, span, message, help);
        }
    }

    /// Checks the source of an entry. Returns the folder, if the source is one in the repository.
    fn source(&mut self, entry: &Node, root: &str, folder: &str) -> Option<String> {
        let value = entry.get("source");
        if let Some((value, path)) = value.and_then(|value| Some((value, text(value)?))) {
            let (what, help) = match self.folder_of(path, root, folder) {
                Ok(place) => return Some(place),
                Err(wrong) => wrong,
            };
            let message = format!("`source` names `{path}`, which {what}");
            self.at(
                RuleId::ManifestPath,
                Severity::Error,
                value.span,
                message,
                help,
            );
        } else if self.is_claude() && !value.is_some_and(is_object) {
            let message = match value {
                None => "an entry of `plugins` has no `source`".to_owned(),
                Some(value) => format!("`source` is {}, not a path or an object", kind(value)),
            };
            let help =
                "write a path that begins with `./`, or an object with `source` and where it is";
            self.form(value.map_or(entry.span, |value| value.span), message, help);
        }
        None
    }

    /// Returns the folder of a source that is a path, or what is wrong with the path, and what to write instead.
    ///
    /// Claude Code adds the root only to a name alone, and other paths must begin with `./`. Of the other programs this
    /// is not known, so either place is right.
    fn folder_of(&self, source: &str, root: &str, folder: &str) -> Result<String, Wrong> {
        let (paths, is_claude) = (self.paths, self.is_claude());
        let below_root = || paths.inside(&paths.inside(folder, root)?, source);
        let here = paths.inside(folder, source);
        let is_here = source.starts_with("./") || source == ".";
        let is_name = !root.is_empty() && !source.is_empty() && !source.contains(['/', '\\', ' ']);
        let candidates = if !is_claude {
            [below_root(), here.filter(|_| is_here)]
        } else if is_name && !is_here {
            [below_root(), None]
        } else {
            [here, None]
        };
        let mut known = candidates.into_iter().flatten().peekable();
        if known.peek().is_none() {
            return Err(OUTSIDE);
        }
        match known.find(|place| paths.is_folder(place)) {
            None => Err(MISSING),
            Some(_) if is_claude && !is_here && !is_name => Err((
                "does not begin with `./`",
                "write `./` before the path; a name alone needs `metadata.pluginRoot`",
            )),
            Some(place) => Ok(place),
        }
    }

    /// Checks the manifest of an Agent Plugin, by version 1.0.0 of <https://agent-plugins.org/specification>, and its folder
    /// `skills`. The form of its `mcp.json` is not checked.
    fn agent_plugin(&mut self, folder: &str) {
        match PluginManifest::read(&self.manifest.text) {
            Ok(plugin) => {
                for fault in plugin.into_iter().flat_map(|plugin| plugin.faults) {
                    self.at(
                        fault.rule,
                        Severity::Error,
                        fault.span,
                        fault.message,
                        fault.help,
                    );
                }
            }
            // The file is JSON, so it is too large.
            Err(fault) => {
                let help = "keep the manifest small; a client may reject the plugin otherwise";
                self.form(Span::at(fault.offset), fault.message, help);
            }
        }
        let place = join(folder, "skills");
        let what = match self.paths.inside(folder, "skills") {
            None => OUTSIDE.0,
            Some(_) if self.paths.exists(&place) && !self.paths.is_folder(&place) => {
                "is not a folder"
            }
            Some(_) => return,
        };
        let message = format!("`skills` {what}; clients skip it");
        let span = start(&self.manifest.file);
        self.at(RuleId::ManifestPath, Severity::Error, span, message, "");
    }

    /// Returns the findings. Those beyond the maximum are replaced by one that says so.
    fn end(mut self) -> Vec<Diagnostic> {
        if self.is_full() {
            self.found.truncate(MAX_FINDINGS);
            let message = "there are more faults, which are not shown";
            let path = self.manifest.shown.clone();
            let found = Diagnostic::new(RuleId::ManifestForm, Severity::Error, path, message);
            self.found
                .push(found.help("correct the faults that are shown first"));
        }
        self.found
    }
}

/// What is wrong with a path, and what to write instead.
type Wrong = (&'static str, &'static str);

const OUTSIDE: Wrong = (
    "leads out of the plugin",
    "write a path below the folder, without `..`",
);
const MISSING: Wrong = ("does not exist", "write a path that exists, or remove it");
