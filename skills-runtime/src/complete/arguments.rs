//! Completes the typed arguments of a skill: names after `--`, values after a name or at a position.

use crate::catalog::entry::Entry;
use crate::complete::matching::Typed;
use crate::complete::{Completer, Completion, CompletionCandidate, DESCRIPTION, MOST};
use crate::options::policy::Arguments;
use crate::resolve::arguments::parse::{assigned, option_of};
use crate::resolve::command::command;
use crate::resolve::invocation::Invocation;
use crate::resolve::surface::Surface;
use crate::text::shorten::{one_line, shortened};
use skills_format::Span;
use skills_format::arguments::{Argument, Kind, Schema};
use skills_format::text::order::sort_by_number;

impl Completer {
    /// Completes the word at the cursor if the text before it begins with the command or the mention of a skill with
    /// typed arguments.
    pub(super) fn arguments(&self, text: &str, cursor: usize) -> Option<Completion> {
        let before = text.get(..cursor)?;
        let start = before.rfind(char::is_whitespace).map_or(0, |at| {
            at + before
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(1, char::len_utf8)
        });
        let (head, typed) = before.split_at_checked(start)?;
        let mut words = head.split_whitespace();
        let entry = self.started(words.next()?, head)?;
        let schema = entry.typed_arguments().ok()??;
        let found = values(&schema, &words.collect::<Vec<_>>(), typed);
        let left_out = found.len().saturating_sub(MOST);
        let rest = text.get(cursor..)?;
        let end = cursor + rest.find(char::is_whitespace).unwrap_or(rest.len());
        let candidates = found.into_iter().take(MOST);
        Some(Completion {
            replace: Span::new(start, end),
            candidates: candidates
                .map(|(text, argument, kind, matched)| CompletionCandidate {
                    text,
                    skill: entry.id().into_owned(),
                    description: shortened(&one_line(&argument.description), DESCRIPTION)
                        .into_owned(),
                    enabled: entry.is_enabled() && entry.is_eligible(),
                    kind,
                    matched,
                    scheduled: false,
                })
                .collect(),
            left_out,
        })
    }

    /// Returns the skill that a text starts whose first word is `first`.
    fn started(&self, first: &str, head: &str) -> Option<Entry<'_>> {
        if first.starts_with('/') {
            return match command(&self.catalog, head, &self.profile)? {
                Invocation::Skill(found) => self.catalog.get(&found.skill),
                _ => None,
            };
        }
        let id = first.strip_prefix('$')?;
        if self.profile.mentions.arguments == Arguments::None || !self.profile.mentions.mentions {
            return None;
        }
        let found = self
            .catalog
            .find(id, Surface::User, self.profile.mentions.plugins);
        found.ok()
    }
}

type Found<'s> = (
    String,
    &'s Argument,
    Option<crate::resolve::outcome::NearKind>,
    Vec<Span>,
);

/// Returns the texts that can stand in place of the typed word.
fn values<'s>(schema: &'s Schema, before: &[&str], typed: &str) -> Vec<Found<'s>> {
    // After `--name`, the value of that argument.
    let last = before.last().and_then(|word| option_of(word));
    let asked = last.and_then(|name| schema.find(name));
    if let Some((_, argument)) = asked.filter(|(_, argument)| argument.kind != Kind::Boolean) {
        return matching(
            &mut listed(argument).map(|value| (quoted(value), argument)),
            "",
            typed,
        );
    }
    // After `--name=` or `name=`.
    let name = typed.split_once('=').map(|(name, _)| name);
    if let Some(name) = name
        && let Some((_, argument)) = schema.find(name.trim_start_matches('-'))
    {
        let lead = format!("{name}=");
        let mut values =
            listed(argument).map(|value| (format!("{lead}{}", quoted(value)), argument));
        return matching(&mut values, &lead, typed);
    }
    let is_given = |argument: &Argument| {
        before.iter().any(|word| {
            let word = word.trim_start_matches('-');
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            name == argument.name && !argument.is_list
        })
    };
    let mut found = Vec::new();
    let place = positions(schema, before);
    let at = schema
        .arguments
        .get(place)
        .filter(|argument| schema.by_position && !typed.starts_with('-') && !is_given(argument));
    if let Some(argument) = at {
        let mut values = listed(argument).map(|value| (quoted(value), argument));
        found = matching(&mut values, "", typed);
    }
    let by_position = if schema.by_position { place } else { 0 };
    let left = schema.arguments.iter().skip(by_position);
    let mut names = left.filter(|argument| !is_given(argument)).map(|argument| {
        let end = if argument.kind == Kind::Boolean && !argument.is_list {
            ""
        } else {
            "="
        };
        (format!("--{}{end}", argument.name), argument)
    });
    let is_name = typed.is_empty() || typed.starts_with('-');
    if is_name {
        let lead = if typed.starts_with("--") { "--" } else { "" };
        found.extend(matching(&mut names, lead, typed));
    }
    found
}

/// Counts the words that stand at positions.
fn positions(schema: &Schema, before: &[&str]) -> usize {
    let mut words = before.iter();
    let mut count = 0;
    while let Some(word) = words.next() {
        if let Some(option) = option_of(word) {
            let argument = schema.find(option).map(|(_, argument)| argument);
            // The next word is the value of the option.
            if argument.is_some_and(|argument| argument.kind != Kind::Boolean || argument.is_list) {
                words.next();
            }
        } else if assigned(word)
            .and_then(|(name, _)| schema.find(name))
            .is_none()
        {
            count += 1;
        }
    }
    count
}

/// Returns the values that an argument lists.
fn listed(argument: &Argument) -> impl Iterator<Item = &str> {
    let (listed, truth): (&[_], &[&str]) = match &argument.kind {
        Kind::Choice { values, .. } => (values, &[]),
        Kind::Boolean => (&[], &["true", "false"]),
        _ => (&[], &[]),
    };
    listed
        .iter()
        .map(|value| &**value)
        .chain(truth.iter().copied())
}

fn quoted(value: &str) -> String {
    crate::resolve::arguments::line::joined(&[value.to_owned()])
}

/// Returns the candidates that match the typed text after `lead`, the nearest kind first.
fn matching<'s>(
    candidates: &mut dyn Iterator<Item = (String, &'s Argument)>,
    lead: &str,
    typed: &str,
) -> Vec<Found<'s>> {
    let typed = Typed::new(typed.strip_prefix(lead).unwrap_or(typed));
    let mut found: Vec<(usize, Found<'s>)> = candidates
        .enumerate()
        .filter_map(|(place, (text, argument))| {
            let name = text.strip_prefix(lead).unwrap_or(&text);
            if typed.is_empty() {
                return Some((place, (text, argument, None, Vec::new())));
            }
            let (kind, edits) = typed.to(&name.to_lowercase())?;
            let spans = typed.matched(name, Some(kind)).into_iter();
            let moved = |span: Span| Span::new(span.start + lead.len(), span.end + lead.len());
            let matched = spans.map(moved).collect();
            Some((
                kind as usize * 1000 + edits * 100 + place,
                (text, argument, Some(kind), matched),
            ))
        })
        .collect();
    sort_by_number(&mut found, |(order, _)| *order);
    found.into_iter().map(|(_, found)| found).collect()
}
