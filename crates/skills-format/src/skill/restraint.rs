//! Reads the fields that restrain a skill. A fault in a field never gives the skill more rights.
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
// characters are ignored, and hyphens and letters of other scripts count as the characters they look like. A load reports
// that the reading is stricter; `skills check` says why.

pub mod keys;

use crate::diagnostic::rule_id::RuleId;
use crate::skill::allowed_tools::ToolRule;
use crate::skill::fields::Fields;
use crate::skill::known_fields::FieldKind;
use crate::skill::openai::OpenAiFile;
use crate::skill::restraint::keys::{
    DISALLOWED, IN_METADATA, MODEL, TOOLS, USER, has_faults, in_words, is_empty, is_meant,
    is_unread, mappings, misplaced_policy, reads_as, texts_of, tools_of,
};
use crate::skill::spelling::Spelling;
use crate::text::span::Span;
use crate::yaml::node::MERGE;
use crate::yaml::node::Node;
use std::borrow::Cow;

const METADATA: &str = "metadata";
/// A key or value that no client reads as it is read here.
pub(crate) struct Finding {
    pub(crate) rule: RuleId,
    pub(crate) span: Span,
    pub(crate) message: String,
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
    for spelling in reading.closed_by(openai) {
        fields.close(spelling);
    }
    match reading.tools() {
        Some(tools) => fields.allowed_tools = Cow::Owned(tools),
        None => fields.may_approve = reading.is_exact() && !fields.allowed_tools.is_empty(),
    }
    fields.disallowed_tools = reading.disallowed().into();
    reading.found
}

struct Reading<'a> {
    front_matter: &'a Node,
    found: Vec<Finding>,
}

/// Returns the spellings that close a skill to the model or to a person.
pub(crate) fn closed_by(front_matter: &Node, openai: Option<&OpenAiFile>) -> Vec<Spelling> {
    let found = Vec::new();
    Reading {
        front_matter,
        found,
    }
    .closed_by(openai)
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

    fn report(&mut self, rule: RuleId, span: Span, message: String) {
        self.found.push(Finding {
            rule,
            span,
            message,
        });
    }

    /// Reports a value that is not written as clients read it. `skills check` says what is wrong with it.
    fn misread(&mut self, field: &str, span: Span) {
        let message = format!("`{field}` has an invalid value; its stricter meaning applies");
        self.report(RuleId::FieldType, span, message);
    }

    /// Returns the values of a field, under its key and under misspelt keys. Misspelt keys are reported.
    fn values(&mut self, field: &'static str) -> Vec<&'a Node> {
        let mut values = Vec::new();
        for (key, value) in self.front_matter.entries() {
            let Some(written) = key.as_str().filter(|written| is_meant(written, field)) else {
                continue;
            };
            if written != field {
                let message =
                    format!("no client reads the key `{written}`; it is read as `{field}`");
                self.report(RuleId::FieldTypo, key.span, message);
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
            if plain.is_none() {
                self.misread(field, value.span);
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
                let restrains = !tools_of(value).is_empty() && !has_faults(value);
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
            if FieldKind::Words.mismatch(value).is_some()
                || has_faults(value)
                || tools.is_empty() && !is_empty(value)
            {
                self.misread(TOOLS, value.span);
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
        all.map(|tools| match *tools {
            [] => vec![ToolRule::NONE],
            _ => tools,
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
            if FieldKind::Words.mismatch(value).is_some() || is_unread(value) || tools.is_empty() {
                self.misread(DISALLOWED, value.span);
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

    /// Returns which of the keys in [`IN_METADATA`] close the skill: `"false"`, or a value that is not a boolean. Some
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
                        let at = match &metadata {
                            Cow::Borrowed(_) => switch.span,
                            Cow::Owned(_) => value.span,
                        };
                        let inner = inner.as_str().unwrap_or_default();
                        self.metadata_key(inner, switch, at, &mut off);
                    }
                }
            } else {
                let inner = name.strip_prefix("metadata.").unwrap_or(name);
                self.metadata_key(inner, value, value.span, &mut off);
            }
        }
        off
    }

    fn metadata_key(&mut self, written: &str, switch: &Node, at: Span, off: &mut [bool; 2]) {
        for (key, off) in IN_METADATA.iter().zip(off) {
            if !reads_as(written, key) || switch.is_null() {
                continue;
            }
            let is_on = switch.as_bool().or_else(|| in_words(switch));
            if is_on.is_none() || written != *key {
                self.misread(key, at);
            }
            *off |= is_on != Some(true);
        }
    }

    /// Returns whether the policy of `agents/openai.yaml` stands in the front matter and closes the skill. No client
    /// reads it there, but its intent is plain.
    fn is_closed_by_policy(&mut self) -> bool {
        let Some((key, _)) = misplaced_policy(self.front_matter) else {
            return false;
        };
        let message = "no client reads `allow_implicit_invocation` in the front matter; here, the model cannot start the skill";
        self.report(RuleId::RestraintLost, key.span, message.to_owned());
        true
    }
}

#[cfg(test)]
mod tests;
