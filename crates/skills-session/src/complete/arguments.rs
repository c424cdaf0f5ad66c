//! Completes the typed arguments of a skill: names after `--`, values after a name or at a position.

use crate::complete::{Completer, Completion, CompletionCandidate, MOST, can_start, described};
use crate::options::Arguments;
use crate::resolve::text::command;
use skills_arguments::{Argument, Kind, Schema, is_same_name, is_value, joined};
use skills_format::Span;
use skills_format::mention::{Near, NearKind, Nearness};
use skills_format::text::words::{assigned, option_of, words_with_breaks};
use skills_runtime::{Skill, Surface};

impl Completer {
    /// Completes the word at the cursor if the text before it begins with the command or the mention of a skill with
    /// typed arguments.
    pub(super) fn arguments(&self, text: &str, cursor: usize) -> Option<Completion> {
        let before = text.get(..cursor)?;
        let (first, arguments) = before.split_at_checked(before.find(char::is_whitespace)?)?;
        let words = words_with_breaks(arguments);
        let open = words.iter().position(|word| word.open.is_some());
        let last = words.len().checked_sub(1);
        let place = open.or(last.filter(|_| !arguments.ends_with(char::is_whitespace)));
        let place = place.unwrap_or(words.len());
        let typed = words.get(place).map(|word| first.len() + word.start);
        let start = typed.unwrap_or(cursor);
        let (head, typed) = before.split_at_checked(start)?;
        let skill = self.started(first, head)?;
        let schema = skill.typed_arguments().ok()??;
        let words = words.iter().take(place).map(|word| &*word.text);
        let found = values(&schema, &words.collect::<Vec<_>>(), typed);
        let left_out = found.len().saturating_sub(MOST);
        let rest = text.get(cursor..)?;
        let end = cursor + rest.find(char::is_whitespace).unwrap_or(rest.len());
        let candidates = found.into_iter().take(MOST);
        Some(Completion {
            replace: Span::new(start, end),
            candidates: candidates
                .map(|(text, argument, kind)| CompletionCandidate {
                    text,
                    skill: skill.id().into_owned(),
                    description: described(&argument.description),
                    enabled: can_start(&skill),
                    kind,
                    scheduled: false,
                })
                .collect(),
            left_out,
        })
    }

    /// Returns the skill that a text starts whose first word is `first`.
    fn started(&self, first: &str, head: &str) -> Option<Skill<'_>> {
        if first.starts_with('/') {
            let command = command(&*self.dialect, &self.catalog, head)?;
            return self.catalog.get(command.activated().first()?);
        }
        let id = first.strip_prefix('$')?;
        let options = self.dialect.options();
        if options.arguments == Arguments::None || !options.mentions {
            return None;
        }
        self.catalog.find(id, Surface::User).ok()
    }
}

type Found<'s> = (String, &'s Argument, Option<NearKind>);

/// A text that can stand in place of the typed word, and the part of it that is compared with the typed text: a value
/// without its quotes.
type Candidate<'s> = (String, &'s str, &'s Argument);

fn value_of<'s>(lead: &str, value: &'s str, argument: &'s Argument) -> Candidate<'s> {
    let text = format!("{lead}{}", joined(&[value.to_owned()]));
    (text, value, argument)
}

/// Returns the texts that can stand in place of the typed word.
fn values<'s>(schema: &'s Schema, before: &[&str], typed: &str) -> Vec<Found<'s>> {
    // After `--`, every word is a value at its position.
    let has_names = !before.contains(&"--");
    // After `--name`, the value of that argument.
    let last = before.last().filter(|_| has_names);
    let asked = last.and_then(|word| schema.find(option_of(word)?));
    let takes_word = |argument: &Argument| argument.kind != Kind::Boolean || argument.is_list;
    if let Some((_, argument)) = asked.filter(|(_, argument)| takes_word(argument)) {
        // A value that is read as an option needs `--name=`.
        let is_word = |value: &&str| *value != "--" && option_of(value).is_none();
        let values = listed(argument).filter(is_word);
        let values = values.map(|value| value_of("", value, argument));
        return matching(values.collect(), typed);
    }
    // After `--name=` or `name=`.
    if has_names
        && let Some((name, value)) = typed.split_once('=')
        && let Some((_, argument)) = schema.find(name.trim_start_matches('-'))
    {
        let lead = format!("{name}=");
        let values = listed(argument).map(|value| value_of(&lead, value, argument));
        return matching(values.collect(), value);
    }
    let is_given = |argument: &Argument| {
        let mut named = before.iter().take_while(|word| **word != "--");
        named.any(|word| {
            let word = word.trim_start_matches('-');
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            is_same_name(name, &argument.name) && !argument.is_list
        })
    };
    let place = positions(schema, before);
    let at = schema
        .arguments
        .get(place)
        .filter(|argument| schema.by_position && !is_given(argument));
    let mut found = Vec::new();
    if let Some(argument) = at {
        let named = format!("--{}=", argument.name);
        let values = listed(argument).map(|value| {
            let is_word = is_value(value) || !has_names;
            let lead = if is_word { "" } else { &*named };
            value_of(lead, value, argument)
        });
        found = matching(values.collect(), typed);
    }
    let is_name = typed.is_empty() || typed.starts_with('-');
    if !is_name || !has_names {
        return found;
    }
    let by_position = if schema.by_position { place } else { 0 };
    let left = schema.arguments.iter().skip(by_position);
    let left = left.filter(|argument| !is_given(argument));
    let names = left.map(|argument| {
        let is_flag = argument.kind == Kind::Boolean && !argument.is_list;
        let end = if is_flag { "" } else { "=" };
        (
            format!("--{}{end}", argument.name),
            &*argument.name,
            argument,
        )
    });
    found.extend(matching(names.collect(), typed.trim_start_matches('-')));
    found
}

/// Counts the words that stand at positions.
fn positions(schema: &Schema, before: &[&str]) -> usize {
    let mut words = before.iter();
    let mut count = 0;
    while let Some(word) = words.next() {
        if *word == "--" {
            return count + words.count();
        }
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

/// Returns the candidates that match the typed text, the nearest kind first.
fn matching<'s>(candidates: Vec<Candidate<'s>>, typed: &str) -> Vec<Found<'s>> {
    let typed = Near::new(typed.trim_start_matches(['\'', '"']));
    let candidates = candidates.into_iter().enumerate();
    let mut found: Vec<(usize, Found<'s>)> = candidates
        .filter_map(|(place, (text, name, argument))| {
            if typed.is_empty() {
                return Some((place, (text, argument, None)));
            }
            let Nearness { kind, edits } = typed.to_unfinished(&name.to_lowercase())?;
            Some((
                kind as usize * 1000 + edits * 100 + place,
                (text, argument, Some(kind)),
            ))
        })
        .collect();
    found.sort_by_key(|(order, _)| *order);
    found.into_iter().map(|(_, found)| found).collect()
}
