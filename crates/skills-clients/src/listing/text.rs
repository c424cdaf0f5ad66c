//! Shortening and escaping of texts, as clients do it.

use crate::listing::{Listing, Unit};
use std::borrow::Cow;

impl Listing {
    /// Cuts a text to at most `length` characters, with the client's ellipsis included.
    pub(super) fn shortened<'t>(&self, text: &'t str, length: usize) -> Cow<'t, str> {
        if text.chars().nth(length).is_none() {
            return Cow::Borrowed(text);
        }
        let ellipsis = &self.ellipsis;
        let Some(room) = length.checked_sub(ellipsis.chars().count()) else {
            return Cow::Owned(text.chars().take(length).collect());
        };
        let end = text
            .char_indices()
            .nth(room)
            .map_or(text.len(), |(at, _)| at);
        let (head, rest) = text.split_at(end);
        let head = match head.rfind(' ') {
            Some(space) if self.words && !rest.starts_with(' ') => head.split_at(space).0,
            _ => head,
        };
        Cow::Owned(format!("{}{ellipsis}", head.trim_end()))
    }

    /// Cuts a text to at most `length` units, with the ellipsis included. Returns `None` if the text is short enough.
    pub(super) fn cut_exactly(&self, text: &str, length: usize, unit: Unit) -> Option<String> {
        if unit.of(text) <= length {
            return None;
        }
        let room = length.saturating_sub(unit.of(&self.ellipsis));
        let mut head = String::new();
        let mut used = 0;
        for c in text.chars() {
            let next = used + unit.of(c.encode_utf8(&mut [0; 4]));
            if next > room {
                // Half a pair of UTF-16 is sent as the replacement character.
                if used < room {
                    head.push('\u{fffd}');
                }
                break;
            }
            head.push(c);
            used = next;
        }
        Some(format!("{head}{}", self.ellipsis))
    }
}

/// Divides a maximum length between a description and its trigger part. The trigger part gets at least half, if it
/// needs that much.
pub(super) fn shares(rest: &str, trigger: Option<&str>, length: usize) -> (usize, usize) {
    let (rest, trigger) = (
        rest.chars().count(),
        trigger.map_or(0, |trigger| trigger.chars().count()),
    );
    if rest + trigger <= length || trigger == 0 {
        return (rest.min(length), trigger);
    }
    if rest == 0 {
        return (0, length.min(trigger));
    }
    let of_trigger = (length * trigger / (rest + trigger))
        .max(length / 2)
        .min(trigger);
    (length.saturating_sub(of_trigger).min(rest), of_trigger)
}

/// Splits a description into the description and its trigger part ("use when …").
pub(super) fn parted(description: &str) -> (String, Option<String>) {
    let lower = description.to_ascii_lowercase();
    for marker in [
        "use when:",
        "use when ",
        "use this when ",
        "use this skill when ",
    ] {
        let Some(at) = lower.find(marker) else {
            continue;
        };
        let (rest, trigger) = description.split_at(at);
        let trigger = trigger
            .get(marker.len()..)
            .unwrap_or_default()
            .trim()
            .trim_end_matches('.')
            .to_owned();
        if !trigger.is_empty() {
            let rest = rest
                .trim()
                .trim_end_matches(['.', ';', ',', '—', '-'])
                .trim();
            return (rest.to_owned(), Some(trigger));
        }
    }
    (description.to_owned(), None)
}

/// Writes entities as HTML has them: it has no name for the apostrophe.
pub(super) fn push_html(line: &mut String, text: &str, escaped: &str) {
    let mut with_names = String::new();
    push_escaped(&mut with_names, text, escaped);
    line.push_str(&with_names.replace("&apos;", "&#39;"));
}

pub(super) fn push_escaped(line: &mut String, text: &str, escaped: &str) {
    for c in text.chars() {
        match c {
            '&' if escaped.contains(c) => line.push_str("&amp;"),
            '<' if escaped.contains(c) => line.push_str("&lt;"),
            '>' if escaped.contains(c) => line.push_str("&gt;"),
            '"' if escaped.contains(c) => line.push_str("&quot;"),
            '\'' if escaped.contains(c) => line.push_str("&apos;"),
            c => line.push(c),
        }
    }
}
