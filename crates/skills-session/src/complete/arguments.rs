//! Completes the typed arguments of a skill: names after `--`, values after a name or at a position.

use crate::complete::{Completer, Completion, CompletionCandidate, MOST};
use crate::listed::{described, is_ready};
use crate::options::Arguments;
use crate::resolve::command;
use skills_arguments::{Argument, Kind, Schema, is_value, joined};
use skills_format::Span;
use skills_format::mention::{Near, NearKind};
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
        let words: Vec<&str> = words.iter().take(place).map(|word| &*word.text).collect();
        // After `--`, every word is a value, which nothing completes.
        if words.contains(&"--") {
            return None;
        }
        let found = values(&schema, &words, typed);
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
                    enabled: is_ready(&skill),
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
    // After `--name`, the value of that argument.
    let asked = before.last().and_then(|word| schema.find(option_of(word)?));
    if let Some((_, argument)) = asked.filter(|(_, argument)| takes_word(argument)) {
        // A value that is read as an option needs `--name=`.
        let is_word = |value: &&str| *value != "--" && option_of(value).is_none();
        let values = listed(argument).filter(is_word);
        return matching(values.map(|value| value_of("", value, argument)), typed);
    }
    // After `--name=` or `name=`.
    if let Some((name, value)) = typed.split_once('=')
        && let Some((_, argument)) = schema.find(name.trim_start_matches('-'))
    {
        let lead = format!("{name}=");
        let values = listed(argument).map(|value| value_of(&lead, value, argument));
        return matching(values, value);
    }
    let (at, named) = given(schema, before);
    let at = if schema.by_position { at } else { 0 };
    let left = schema.arguments.iter().enumerate().skip(at);
    let left = left.filter(|(place, argument)| argument.is_list || !named.contains(place));
    let mut found = Vec::new();
    for (place, argument) in left.clone() {
        if schema.by_position && place == at {
            let named = format!("--{}=", argument.name);
            let lead = |value| if is_value(value) { "" } else { &*named };
            let values = listed(argument).map(|value| value_of(lead(value), value, argument));
            found = matching(values, typed);
        }
    }
    if typed.is_empty() || typed.starts_with('-') {
        let options = left.map(|(_, argument)| {
            let end = if takes_word(argument) { "=" } else { "" };
            let name = &*argument.name;
            (format!("--{name}{end}"), name, argument)
        });
        found.extend(matching(options, typed.trim_start_matches('-')));
    }
    found
}

/// Counts the words that stand at positions, and returns the places of the arguments that are given by name.
fn given(schema: &Schema, before: &[&str]) -> (usize, Vec<usize>) {
    let (mut count, mut named) = (0, Vec::new());
    let mut words = before.iter();
    while let Some(word) = words.next() {
        let option = option_of(word);
        let name = match option {
            Some(option) => option.split('=').next(),
            None => assigned(word).map(|(name, _)| name),
        };
        match name.and_then(|name| schema.find(name)) {
            Some((place, argument)) => {
                named.push(place);
                // The next word is the value of the option.
                if takes_word(argument) && option.is_some_and(|option| !option.contains('=')) {
                    words.next();
                }
            }
            None => count += usize::from(option.is_none()),
        }
    }
    (count, named)
}

/// Returns whether `--name` takes the next word.
fn takes_word(argument: &Argument) -> bool {
    argument.kind != Kind::Boolean || argument.is_list
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
fn matching<'s>(candidates: impl Iterator<Item = Candidate<'s>>, typed: &str) -> Vec<Found<'s>> {
    let typed = Near::new(typed.trim_start_matches(['\'', '"']));
    let mut found = Vec::new();
    for (text, name, argument) in candidates {
        let near = typed.to_unfinished(&name.to_lowercase());
        if near.is_some() || typed.is_empty() {
            let near = near.filter(|_| !typed.is_empty());
            found.push((near, (text, argument, near.map(|near| near.kind))));
        }
    }
    found.sort_by_key(|(near, _)| *near);
    found.into_iter().map(|(_, found)| found).collect()
}
