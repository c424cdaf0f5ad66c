//! Reads the keys of `skills.toml` into the options.

use crate::config::level::Level;
use crate::config::{CONFIG_FILE, Config, Override, Sealed, rule_named, unknown_seal};
use crate::toml::{Spanned, Value, parse};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::distance;
use skills_format::text::span::{Lines, Span};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The keys of `skills.toml`.
pub const CONFIG_KEYS: &[&str] = &[
    "deny", "warn", "allow", "sealed", "budget", "locked", "tools", "limits", "exclude", "include",
    "layout", "override", "clients",
];
/// The kinds of tools, as `skills_permit::ToolKind` names them.
pub const TOOL_KINDS: &[&str] = &[
    "read",
    "write",
    "edit",
    "shell",
    "search",
    "list",
    "fetch",
    "web-search",
    "ask",
    "task",
    "notebook",
    "other",
];
const OVERRIDE: &[&str] = &["paths", "deny", "warn", "allow"];
const LIMITS: &[&str] = &["skill-files", "skill-bytes", "bundle-bytes"];

impl Config {
    /// Reads `skills.toml`. `path` is the path for findings.
    ///
    /// A value that cannot be read is reported as `config-form`, and has no effect. If the file is not valid TOML,
    /// its first error is reported, and no value has an effect.
    pub fn parse(path: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        let mut reader = ConfigReader {
            path,
            text,
            lines: Lines::new(text.as_bytes()),
            config: Self::default(),
            told: Vec::new(),
        };
        match parse(text) {
            Ok(table) => {
                for (key, value) in &table.entries {
                    reader.entry(key, value);
                }
            }
            Err(fault) => {
                let rest = text.get(fault.span.start..);
                let (message, help) = if rest.is_some_and(|rest| rest.starts_with("<<<<<<< ")) {
                    (
                        "the file has conflict markers of git".to_owned(),
                        "resolve the conflict",
                    )
                } else {
                    let message = format!("this is not valid TOML: {}", fault.message);
                    (
                        message,
                        "write `key = value`, with strings in quotes and lists in brackets",
                    )
                };
                reader.tell(fault.span, message, help.to_owned());
            }
        }
        Diagnostic::sort(&mut reader.told);
        (reader.config, reader.told)
    }
}

/// Returns the help for a rule that does not exist.
fn rule_help(rule: &str) -> String {
    // The option knows the word, so people write it here too.
    if rule == "warnings" {
        return "this list takes names of rules; `skills check --deny warnings` makes every warning an error".to_owned();
    }
    let rules = RuleId::RULES.iter().map(|rule| rule.as_str());
    match distance::nearest(rule, rules) {
        Some(near) => format!("write `{near}`"),
        None => "`skills explain` lists them".to_owned(),
    }
}

/// Returns why a pattern matches nothing, and what to write instead.
fn fault_of_pattern(pattern: &str) -> Option<(String, String)> {
    let shown = pattern;
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if let Some(mark) = unclosed(pattern) {
        let message =
            format!("`{mark}` of `{shown}` is not closed, so the pattern matches nothing");
        let help = format!("close it, or write `\\{mark}` for the character itself");
        return Some((message, help));
    }
    let is_out = pattern.starts_with('/') || pattern.split('/').any(|part| part == "..");
    let example = "write a path such as `drafts/**`".to_owned();
    if pattern.is_empty() {
        return Some(("an empty pattern matches nothing".to_owned(), example));
    }
    if is_out {
        let message = format!(
            "`{shown}` matches nothing: a pattern is a path below the folder of `{CONFIG_FILE}`"
        );
        return Some((message, example));
    }
    None
}

/// Returns the first `[` or `{` of a pattern that is not closed: such a pattern matches nothing.
pub fn unclosed(pattern: &str) -> Option<char> {
    let mut open: Vec<char> = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match (c, open.last()) {
            ('\\', _) => drop(chars.next()),
            (']', Some('[')) | ('}', Some('{')) => drop(open.pop()),
            // In a class, other brackets are characters.
            (_, Some('[')) => {}
            ('[' | '{', _) => open.push(c),
            _ => {}
        }
    }
    open.first().copied()
}

struct ConfigReader<'t> {
    path: &'t str,
    text: &'t str,
    /// A list can have thousands of wrong words, each with its place.
    lines: Lines<'t>,
    config: Config,
    told: Vec<Diagnostic>,
}

impl ConfigReader<'_> {
    fn entry(&mut self, key: &Spanned<String>, value: &Spanned<Value>) {
        match key.value.as_str() {
            "deny" => self.top_levels(value, Level::Deny),
            "warn" => self.top_levels(value, Level::Warn),
            "allow" => self.top_levels(value, Level::Allow),
            "sealed" => self.sealed(value),
            "budget" => self.budget(value),
            "locked" => match &value.value {
                Value::Bool(locked) => self.config.locked = *locked,
                _ => self.expected(value, "`true` or `false`"),
            },
            "tools" => {
                let tools = self.texts(value, "a list of tool names");
                self.config.tools = Some(self.tools(tools));
            }
            "clients" => self.clients(value),
            "limits" => self.limits(value),
            "exclude" => self.config.exclude = self.patterns(value),
            "include" => self.config.include = self.patterns(value),
            "layout" => match &value.value {
                Value::Text(layout) if layout == "flat" => self.config.is_flat = true,
                _ => self.expected(value, "`\"flat\"`"),
            },
            "override" => self.overrides(value),
            _ => self.unknown(key, CONFIG_KEYS, &format!("`{CONFIG_FILE}`")),
        }
    }

    fn tools(&mut self, tools: Vec<(String, Span)>) -> Vec<String> {
        let mut read = Vec::new();
        for (tool, span) in tools {
            let (name, kind) = tool.split_once('=').unwrap_or((&tool, "other"));
            if !name.trim().is_empty() && TOOL_KINDS.contains(&kind) {
                read.push(tool);
                continue;
            }
            let kinds = TOOL_KINDS.join(", ");
            let message =
                format!("`{tool}` is not the name of a tool with one of the kinds {kinds}");
            self.tell(span, message, "write `NAME` or `NAME=KIND`".to_owned());
        }
        read
    }

    fn patterns(&mut self, value: &Spanned<Value>) -> Vec<String> {
        let patterns = self.texts(value, "a list of patterns");
        for (pattern, span) in &patterns {
            if let Some((message, help)) = fault_of_pattern(pattern) {
                self.tell(*span, message, help);
            }
        }
        patterns.into_iter().map(|(pattern, _)| pattern).collect()
    }

    fn overrides(&mut self, value: &Spanned<Value>) {
        let Value::List(parts) = &value.value else {
            return self.expected(value, "a list of tables: `[[override]]`");
        };
        for part in parts {
            let Value::Table(table) = &part.value else {
                self.expected(part, "a table: `[[override]]`");
                continue;
            };
            let (place, told) = (part.span, self.told.len());
            let mut part = Override::default();
            for (key, value) in &table.entries {
                let name = key.value.as_str();
                match name {
                    "paths" => part.paths = self.patterns(value),
                    "deny" => self.levels(value, Level::Deny, &mut part.levels),
                    "warn" => self.levels(value, Level::Warn, &mut part.levels),
                    "allow" => self.levels(value, Level::Allow, &mut part.levels),
                    _ => self.unknown(key, OVERRIDE, "`[[override]]`"),
                }
            }
            // A misspelt `paths` is told as a key that is not known.
            if part.paths.is_empty() && self.told.len() == told {
                let message = "`[[override]]` has no `paths`, so it matches nothing".to_owned();
                let mut finding = self.finding(place, message);
                finding.severity = Severity::Warning;
                self.told
                    .push(finding.help("write `paths = [\"drafts/**\"]` in it"));
            }
            self.config.overrides.push(part);
        }
    }

    fn top_levels(&mut self, value: &Spanned<Value>, level: Level) {
        let mut levels = std::mem::take(&mut self.config.levels);
        self.levels(value, level, &mut levels);
        self.config.levels = levels;
    }

    fn unknown(&mut self, key: &Spanned<String>, keys: &[&str], of: &str) {
        let name = key.value.as_str();
        let help = match distance::nearest(name, keys.iter().copied()) {
            Some(near) => format!("write `{near}`"),
            None => format!("the keys are {}", listed(keys)),
        };
        self.tell(key.span, format!("`{name}` is not a key of {of}"), help);
    }

    fn limits(&mut self, value: &Spanned<Value>) {
        let Value::Table(table) = &value.value else {
            return self.expected(value, "a table of limits");
        };
        for (key, value) in &table.entries {
            let name = key.value.as_str();
            let most = number(value);
            let limits = &mut self.config.limits;
            match (name, most) {
                (name, _) if !LIMITS.contains(&name) => self.unknown(key, LIMITS, "`limits`"),
                ("skill-files", Some(most)) => {
                    limits.skill_files = usize::try_from(most).unwrap_or(usize::MAX);
                }
                ("skill-bytes", Some(most)) => limits.skill_bytes = most,
                ("bundle-bytes", Some(most)) => limits.bundle_bytes = most,
                ("skill-files", None) => self.expected(value, "a number of files"),
                _ => self.expected(value, "a number of bytes"),
            }
        }
    }

    fn levels(
        &mut self,
        value: &Spanned<Value>,
        level: Level,
        levels: &mut BTreeMap<String, Level>,
    ) {
        for (rule, span) in self.texts(value, "a list of rules") {
            if level == Level::Allow && GONE.contains(&rule.as_str()) {
                let mut finding = self.finding(span, format!("the rule `{rule}` is gone"));
                finding.severity = Severity::Warning;
                self.told.push(finding.help("remove it from the list"));
            } else if rule_named(&rule).is_none() {
                self.tell(span, format!("no rule is named `{rule}`"), rule_help(&rule));
            } else if let Entry::Vacant(entry) = levels.entry(rule.clone()) {
                entry.insert(level);
            } else {
                let message = format!("`{rule}` has a level already");
                self.tell(span, message, "write it once".into());
            }
        }
    }

    fn sealed(&mut self, value: &Spanned<Value>) {
        self.config.sealed = match &value.value {
            Value::Bool(true) => Sealed::All,
            Value::Bool(false) => Sealed::None,
            Value::List(_) => {
                let names = self.texts(value, "a list of skill names");
                for (name, span) in &names {
                    let finding = self.finding(*span, unknown_seal(name));
                    self.config.sealed_at.insert(name.clone(), finding);
                }
                Sealed::Skills(names.into_iter().map(|(name, _)| name).collect())
            }
            _ => return self.expected(value, "`true`, `false` or a list of skill names"),
        };
    }

    fn clients(&mut self, value: &Spanned<Value>) {
        let names = self.texts(value, "a list of clients");
        for (name, span) in &names {
            let finding = self.finding(*span, format!("no client is named `{name}`"));
            self.config.clients_at.insert(name.clone(), finding);
        }
        self.config.clients = names.into_iter().map(|(name, _)| name).collect();
    }

    fn budget(&mut self, value: &Spanned<Value>) {
        match number(value).and_then(|number| usize::try_from(number).ok()) {
            Some(characters) => self.config.budget = Some(characters),
            None => self.expected(value, "a number of characters"),
        }
    }

    fn texts(&mut self, value: &Spanned<Value>, what: &str) -> Vec<(String, Span)> {
        let Value::List(items) = &value.value else {
            self.expected(value, what);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match &item.value {
                Value::Text(text) => texts.push((text.clone(), item.span)),
                _ => self.expected(item, "a string"),
            }
        }
        texts
    }

    fn expected(&mut self, value: &Spanned<Value>, what: &str) {
        let span = value.span;
        let message = format!("`{}` is not {what}", span.of(self.text));
        self.tell(span, message, format!("write {what}"));
    }

    fn tell(&mut self, span: Span, message: String, help: String) {
        self.told.push(self.finding(span, message).help(help));
    }

    fn finding(&self, span: Span, message: String) -> Diagnostic {
        let mut found = Diagnostic::new(RuleId::ConfigForm, Severity::Error, self.path, message);
        found.start = self.lines.position(span.start);
        found.end = self.lines.position(span.end.max(span.start));
        found
    }
}

/// Rules of earlier versions. To allow one is no mistake: a build of a program must not stop when its linter has fewer rules.
const GONE: [&str; 19] = [
    "argument-unknown",
    "argument-unused",
    "backslash-path",
    "comment-form",
    "description-title",
    "evals-json",
    "interactive-script",
    "license-file",
    "needs-extract",
    "schema-default",
    "schema-name",
    "schema-required",
    "schema-unused",
    "similar-description",
    "too-deep",
    "tool-placeholder",
    "trigger-miss",
    "unknown-mention",
    "unreachable",
];

fn number(value: &Spanned<Value>) -> Option<u64> {
    match &value.value {
        Value::Integer(number) => *number,
        _ => None,
    }
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
