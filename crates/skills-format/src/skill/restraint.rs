//! Reads the fields that restrain a skill. A fault in a field is reported, and never gives the skill more
//! rights.
//!
//! The fields say who may start the skill, and which tools the skill may use. If a value is faulty,
//! repeated, or under a misspelt key, the stricter reading counts.

// One intent has several spellings (`Spelling`): `disable-model-invocation`, Codex's `agents/openai.yaml`, and
// OpenCode's keys of `metadata`. The strictest counts, because an author writes the spelling of the client at hand and
// means all.
//
// The fields that restrain a skill (`user-invocable`, `disable-model-invocation`, `allowed-tools`, `disallowed-tools`)
// are read so that a mistake never removes the restraint. `yes`, `"true"`, `on` and `1` count as true, their opposites
// as false, and any other value as the value that allows less. Of a repeated field, the stricter value counts. A
// misspelt key counts as the known key that it resembles. An empty value counts as absent. If no entry of
// `allowed-tools` can be read, the skill allows no tool; an entry of `disallowed-tools` that is not a plain name of a
// tool takes every tool. A list that had to be interpreted limits a skill, and approves nothing
// (`Fields::may_approve`). The strict reading restrains in the same way. A key counts as a person sees it: hidden
// characters are ignored, and hyphens and letters of other scripts count as the characters they look like. Each mistake
// is reported as a warning; a disguised key is an error of `hidden-text`.

pub mod keys;
mod values;

use crate::diagnostic::rule_id::RuleId;
use crate::skill::allowed_tools::ToolRule;
use crate::skill::fields::Fields;
use crate::skill::known_fields::{self, FieldKind};
use crate::skill::openai::OpenAiFile;
use crate::skill::restraint::keys::{
    DISALLOWED, IN_METADATA, MODEL, TOOLS, USER, is_meant, misplaced_policy, reads_as,
};
use crate::skill::restraint::values::{
    faults, in_words, is_empty, mappings, texts_of, tools_of, unread,
};
use crate::skill::spelling::Spelling;
use crate::text::appearance::seen;
use crate::text::order::{sort_by_number, sort_by_text};
use crate::text::span::Span;
use crate::yaml::merge::MERGE;
use crate::yaml::node::{Node, has_few_different_keys};
use std::borrow::Cow;

const METADATA: &str = "metadata";
/// The fields of slash commands.
const COMMAND: [&str; 4] = [
    "argument-hint",
    "command-dispatch",
    "command-tool",
    "command-arg-mode",
];
/// The maximum number of findings of one skill that are reported.
const MAX_FINDINGS: usize = 100;

/// A fault of a field.
pub(crate) struct Finding {
    pub(crate) rule: RuleId,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Removes from `fields` every right that the front matter does not clearly give, and returns the faults.
/// Without faults, the fields do not change.
pub(crate) fn restrain(
    front_matter: &Node,
    openai: Option<&OpenAiFile>,
    fields: &mut Fields,
) -> Vec<Finding> {
    let mut reading = Reading {
        front_matter,
        found: Vec::new(),
    };
    reading.repeated();
    reading.dispatch();
    reading.command_keys();
    for spelling in reading.closed_by(openai) {
        fields.close(spelling);
    }
    match reading.tools() {
        Some(tools) => fields.allowed_tools = Cow::Owned(tools),
        None => fields.may_approve = reading.is_exact() && !fields.allowed_tools.is_empty(),
    }
    fields.disallowed_tools = reading.disallowed().into();
    reading.found.truncate(MAX_FINDINGS);
    reading.found
}

struct Reading<'a> {
    front_matter: &'a Node,
    found: Vec<Finding>,
}

/// Returns the spellings that close a skill to the model or to a person.
pub(crate) fn closed_by(front_matter: &Node, openai: Option<&OpenAiFile>) -> Vec<Spelling> {
    let mut reading = Reading {
        front_matter,
        found: Vec::new(),
    };
    reading.closed_by(openai)
}

impl<'a> Reading<'a> {
    fn closed_by(&mut self, openai: Option<&OpenAiFile>) -> Vec<Spelling> {
        let user = self.switch(USER, false) == Some(false);
        let model = self.switch(MODEL, true) == Some(true);
        let [autoinvoke, slash] = self.in_metadata();
        let spellings = [
            (Spelling::DisableModelInvocation, model),
            (
                Spelling::OpenAiPolicy,
                openai.is_some_and(|file| file.is_closed),
            ),
            (Spelling::MetadataAutoinvoke, autoinvoke),
            (Spelling::PolicyInFrontMatter, self.is_closed_by_policy()),
            (Spelling::UserInvocable, user),
            (Spelling::MetadataSlash, slash),
        ];
        let closing = spellings.into_iter().filter(|(_, closes)| *closes);
        closing.map(|(spelling, _)| spelling).collect()
    }

    fn tell(&mut self, rule: RuleId, span: Span, message: String, help: impl Into<String>) {
        let help = help.into();
        self.found.push(Finding {
            rule,
            span,
            message,
            help,
        });
    }

    fn repeated(&mut self) {
        if has_few_different_keys(self.front_matter.entries()) {
            return;
        }
        let keys = self.front_matter.entries().iter();
        let mut keys: Vec<(&Node, &str)> = keys
            .filter_map(|(key, _)| Some((key, key.as_str()?)))
            .collect();
        sort_by_text(&mut keys, |(_, text)| text.as_bytes());
        let mut again: Vec<(&Node, &str)> = keys
            .iter()
            .zip(keys.iter().skip(1))
            .filter(|(before, key)| before.1 == key.1)
            .map(|(_, key)| *key)
            .collect();
        sort_by_number(&mut again, |(key, _)| key.span.start);
        for (key, text) in again {
            let which = if matches!(text, USER | MODEL | TOOLS | DISALLOWED) {
                "the stricter value counts"
            } else {
                "the last value counts"
            };
            let message = format!("the key `{text}` is repeated here; {which}");
            self.tell(RuleId::DuplicateKey, key.span, message, "keep one of them");
        }
    }

    fn dispatch(&mut self) {
        for (span, message, help) in known_fields::dispatch_faults(self.front_matter) {
            self.tell(RuleId::DispatchForm, span, message, help);
        }
    }

    /// Reports the misspelt keys of the fields of slash commands. These fields give a skill rights, so of all
    /// misspelt forms only the form with `_` is read.
    fn command_keys(&mut self) {
        for (key, value) in self.front_matter.entries() {
            let Some(written) = key.as_str() else {
                continue;
            };
            let Some(field) = COMMAND.iter().find(|field| is_meant(written, field)) else {
                continue;
            };
            if written == *field {
                continue;
            }
            let counts = known_fields::value(self.front_matter, field);
            let what = if counts.is_some_and(|counts| counts.span == value.span) {
                format!("it is read as `{field}`")
            } else {
                "it is ignored".to_owned()
            };
            let message = format!("`{written}` is not a known field; {what}");
            self.tell(
                RuleId::FieldTypo,
                key.span,
                message,
                format!("write `{field}`"),
            );
        }
    }

    /// Returns the values of a field, under its key and under misspelt keys. Misspelt keys are reported.
    fn values(&mut self, field: &'static str) -> Vec<&'a Node> {
        let mut values = Vec::new();
        for (key, value) in self.front_matter.entries() {
            let Some(written) = key.as_str().filter(|written| is_meant(written, field)) else {
                continue;
            };
            if written != field && seen(written) == field {
                let message = format!("{}; it is read as that", known_fields::looks_like(field));
                let help = format!("write `{field}`");
                self.tell(RuleId::HiddenText, key.span, message, help);
            } else if written != field {
                let message = format!("`{written}` is not a known field; it is read as `{field}`");
                self.tell(
                    RuleId::FieldTypo,
                    key.span,
                    message,
                    format!("write `{field}`"),
                );
            }
            if !value.is_null() {
                values.push(value);
            }
        }
        values
    }

    /// Returns the value of a switch; `None` if the switch is not set. `restrains` is the stricter value.
    fn switch(&mut self, field: &'static str, restrains: bool) -> Option<bool> {
        let mut said = None;
        for value in self.values(field) {
            let plain = value.as_bool();
            let meant = plain.or_else(|| in_words(value)).unwrap_or(restrains);
            if plain.is_none()
                && let Some((expected, help)) = FieldKind::Bool.mismatch(value)
            {
                let message = format!(
                    "`{field}` is {}, not {expected}; it counts as `{meant}`",
                    value.kind()
                );
                self.tell(RuleId::FieldType, value.span, message, help);
            }
            said = Some(match said {
                Some(before) if before == restrains => before,
                _ => meant,
            });
        }
        said
    }

    /// Returns the allowed tools if they differ from the tools as written.
    fn tools(&mut self) -> Option<Vec<ToolRule>> {
        let values = self.values(TOOLS);
        let is_plain = match values.as_slice() {
            [] => true,
            [value] => {
                let restrains = !tools_of(value).is_empty() && faults(value).is_empty();
                FieldKind::Words.mismatch(value).is_none()
                    && self.is_read(value)
                    && (restrains || is_empty(value))
            }
            _ => false,
        };
        if is_plain {
            return None;
        }
        let mut all: Option<Vec<ToolRule>> = None;
        for value in values {
            let tools = tools_of(value);
            if let Some((expected, help)) = FieldKind::Words.mismatch(value) {
                let what = if tools.is_empty() {
                    "it allows no tool"
                } else {
                    "only texts count"
                };
                let message = format!("`{TOOLS}` is not {expected}; {what}");
                self.tell(RuleId::FieldType, value.span, message, help);
            } else if let Some((entry, fault)) = faults(value).first() {
                let what = if tools.is_empty() {
                    "it allows no tool"
                } else {
                    "it allows nothing"
                };
                let message = format!("`{entry}` in `{TOOLS}` {}; {what}", fault.message);
                self.tell(RuleId::FieldType, value.span, message, fault.help);
            } else if tools.is_empty() && !is_empty(value) {
                let message = format!("`{TOOLS}` names no tool; it allows no tool");
                let help = "name the tools, or remove the field";
                self.tell(RuleId::FieldType, value.span, message, help);
            }
            // Of a repeated field, only the tools in every value are allowed.
            all = Some(match all {
                Some(mut before) => {
                    before.retain(|tool| tools.contains(tool));
                    before
                }
                None => tools,
            });
        }
        // An empty list would allow every tool.
        all.map(|tools| {
            if tools.is_empty() {
                vec![ToolRule::NONE]
            } else {
                tools
            }
        })
    }

    /// Returns whether `allowed-tools` stands once, under its own key, and can be read in one way only.
    fn is_exact(&self) -> bool {
        // Of a merge key, not every program reads what it brings.
        if self.front_matter.get(MERGE).is_some() {
            return false;
        }
        let entries = self.front_matter.entries().iter();
        let mut meant =
            entries.filter(|(key, _)| key.as_str().is_some_and(|key| is_meant(key, TOOLS)));
        let Some((key, value)) = meant.next() else {
            return false;
        };
        key.as_str() == Some(TOOLS)
            && meant.next().is_none()
            && texts_of(value).all(ToolRule::is_exact_list)
    }

    /// Returns the tools that are taken away: those of every value, under the key and under misspelt keys.
    fn disallowed(&mut self) -> Vec<ToolRule> {
        let mut all = Vec::new();
        for value in self.values(DISALLOWED) {
            if is_empty(value) {
                continue;
            }
            let mut tools = tools_of(value);
            let fault = match (FieldKind::Words.mismatch(value), unread(value)) {
                (Some((expected, help)), _) => {
                    Some((format!("`{DISALLOWED}` is not {expected}"), help))
                }
                (None, Some(entry)) => {
                    let (what, help) = match ToolRule::faults(entry).first() {
                        Some(fault) => (fault.message, fault.help),
                        None => (
                            "is not the name of a tool",
                            "write names of tools with blanks between them, such as \
                             `Write Bash(git push:*)`",
                        ),
                    };
                    Some((format!("`{entry}` in `{DISALLOWED}` {what}"), help))
                }
                (None, None) if tools.is_empty() => {
                    let help = "name the tools, or remove the field";
                    Some((format!("`{DISALLOWED}` names no tool"), help))
                }
                (None, None) => None,
            };
            if let Some((fact, help)) = fault {
                let message = format!("{fact}; every tool is taken away");
                self.tell(RuleId::FieldType, value.span, message, help);
                tools.push(ToolRule::ALL);
            }
            for tool in tools {
                if !all.contains(&tool) {
                    all.push(tool);
                }
            }
        }
        all
    }

    /// Returns whether a value of `allowed-tools` is the value that [`Fields::read`] reads. Of a repeated key, it reads
    /// the last value, which can be empty and would allow every tool.
    fn is_read(&self, value: &Node) -> bool {
        let read = self.front_matter.get(TOOLS);
        read.is_some_and(|read| read.span == value.span)
    }

    /// Returns which of the keys in [`IN_METADATA`] close the skill: `"false"`, or a value that is not a truth value. Some
    /// authors write the key at the top level, alone or as `metadata.KEY`.
    fn in_metadata(&mut self) -> [bool; 2] {
        let mut off = [false; 2];
        for (written, value) in self.front_matter.entries() {
            let Some(name) = written.as_str() else {
                continue;
            };
            if is_meant(name, METADATA) {
                for metadata in mappings(value) {
                    for (inner, switch) in metadata.entries() {
                        // A JSON text inside YAML has no places of its own.
                        let (key, switch_at) = match &metadata {
                            Cow::Borrowed(_) => (inner.span, switch.span),
                            Cow::Owned(_) => (value.span, value.span),
                        };
                        let inner = inner.as_str().unwrap_or_default();
                        self.metadata_key(inner, key, switch, switch_at, &mut off);
                    }
                }
            } else {
                let inner = name.strip_prefix("metadata.").unwrap_or(name);
                self.metadata_key(inner, written.span, value, value.span, &mut off);
            }
        }
        off
    }

    fn metadata_key(
        &mut self,
        written: &str,
        written_at: Span,
        switch: &Node,
        switch_at: Span,
        off: &mut [bool; 2],
    ) {
        let Some((key, off)) = IN_METADATA
            .iter()
            .zip(off)
            .find(|(key, _)| reads_as(written, key))
        else {
            return;
        };
        if written != *key {
            let message =
                format!("`{key}` is written otherwise here; its client does not read the key");
            let help = format!("write `{key}` below `metadata`");
            self.tell(RuleId::FieldTypo, written_at, message, help);
        }
        *off |= self.closes(key, switch, switch_at);
    }

    fn closes(&mut self, key: &str, value: &Node, span: Span) -> bool {
        if value.is_null() {
            return false;
        }
        if let Some(is_on) = value.as_bool().or_else(|| in_words(value)) {
            return !is_on;
        }
        let kind = value.kind();
        let message =
            format!("`{key}` is {kind}, not `\"true\"` or `\"false\"`; it counts as `false`");
        let help = "write `\"true\"` or `\"false\"`, with quotes";
        self.tell(RuleId::FieldType, span, message, help);
        true
    }

    /// Returns whether the policy of `agents/openai.yaml` stands in the front matter and closes the skill. No client
    /// reads it there, but its intent is plain.
    fn is_closed_by_policy(&mut self) -> bool {
        let Some((key, _)) = misplaced_policy(self.front_matter) else {
            return false;
        };
        let message = "no client reads `allow_implicit_invocation` in the front matter; the skill is closed to the model";
        let help =
            "write `disable-model-invocation: true`, and the policy into `agents/openai.yaml`";
        self.tell(RuleId::RestraintLost, key.span, message.to_owned(), help);
        true
    }
}

#[cfg(test)]
mod tests;
