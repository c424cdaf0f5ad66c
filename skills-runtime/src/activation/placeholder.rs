//! Placeholders in a body: `$ARGUMENTS` and the host's variables.

use skills_format::Text;
use std::collections::BTreeMap;

/// The values of the placeholders of one skill.
pub(crate) struct Values<'a> {
    pub(crate) arguments: &'a str,
    /// The host's variables by name.
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The names that the skill lists in `arguments`, with or without `$`.
    pub(crate) listed: &'a [Text],
}

/// Whether the body had a place for the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Placed,
    NotPlaced,
}

/// Appends the body with its placeholders filled, in one pass: inserted text is never scanned.
///
/// A placeholder is a whole word after `$`, with an even number of backslashes and no `$` before it.
/// `$ARGUMENTS[0]` is not a placeholder, since some clients read it as one of several arguments.
pub(crate) fn fill(out: &mut String, body: &str, values: &Values<'_>) -> Arguments {
    let listed = values.of_listed();
    let mut placed = Arguments::NotPlaced;
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = body.get(at..).and_then(|rest| rest.find('$')) {
        let dollar = at + found;
        let word = word_after(body, dollar + 1);
        at = dollar + 1 + word.len();
        if word.is_empty() || is_escaped(body, dollar) {
            continue;
        }
        let Some(value) = values.of(word, &listed, body.get(at..).unwrap_or_default()) else {
            continue;
        };
        if word == ARGUMENTS {
            placed = Arguments::Placed;
        }
        out.push_str(body.get(start..dollar).unwrap_or_default());
        out.push_str(value);
        start = at;
    }
    out.push_str(body.get(start..).unwrap_or_default());
    placed
}

const ARGUMENTS: &str = "ARGUMENTS";

impl<'a> Values<'a> {
    /// The host's variables that the skill lists.
    fn of_listed(&self) -> BTreeMap<&'a str, &'a str> {
        let names = self.listed.iter();
        let names = names.map(|name| name.strip_prefix('$').unwrap_or(name));
        names
            .filter_map(|name| Some((name, self.variables.get(name)?.as_str())))
            .collect()
    }

    /// The value of a word, if the word is a placeholder before this text.
    fn of(&self, word: &str, listed: &BTreeMap<&str, &'a str>, after: &str) -> Option<&'a str> {
        if word == ARGUMENTS {
            return (!is_index(after)).then_some(self.arguments);
        }
        listed.get(word).copied()
    }
}

/// The word of letters, digits and `_` from `start` on. A letter of a script that is written without
/// spaces ends the word.
fn word_after(body: &str, start: usize) -> &str {
    let rest = body.get(start..).unwrap_or_default();
    let end = rest
        .find(|c: char| !(c == '_' || c.is_alphanumeric() && c < '\u{e00}'))
        .unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

fn is_escaped(body: &str, dollar: usize) -> bool {
    let before = body.get(..dollar).unwrap_or_default();
    let backslashes = before.bytes().rev().take_while(|&b| b == b'\\').count();
    backslashes % 2 == 1 || before.ends_with('$')
}

fn is_index(after: &str) -> bool {
    // The digits are read first: a search for `]` could go to the end of the body.
    let Some(inside) = after.strip_prefix('[') else {
        return false;
    };
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < inside.len() && rest.starts_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn filled(body: &str) -> (String, Arguments) {
        let variables = [("FILE", "src/$ARGUMENTS.rs"), ("SECRET", "s")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let values = Values {
            arguments: "a $FILE $ARGUMENTS",
            variables: &variables,
            listed: &["FILE".into(), "$GONE".into()],
        };
        let mut out = String::new();
        let placed = fill(&mut out, body, &values);
        (out, placed)
    }

    #[test]
    fn arguments() {
        let args = "a $FILE $ARGUMENTS";
        for (body, expected) in [
            ("go: $ARGUMENTS.", format!("go: {args}.")),
            ("`x $ARGUMENTS`", format!("`x {args}`")),
            ("```\n$ARGUMENTS\n```", format!("```\n{args}\n```")),
            ("$ARGUMENTS$ARGUMENTS", format!("{args}{args}")),
            (r"\\$ARGUMENTS", format!(r"\\{args}")),
            ("处理$ARGUMENTS的", format!("处理{args}的")),
        ] {
            assert_eq!(filled(body), (expected, Arguments::Placed), "{body}");
        }
    }

    #[test]
    fn what_stays() {
        for body in [
            r"\$ARGUMENTS",
            "$ARGUMENTS_DIR $ARGUMENTSX $ARGUMENTS1 $ARGUMENTSé",
            "$ARGUMENTS[0] $ARGUMENTS[12]",
            "$1 $0 $HOME $PATH ${ARGUMENTS} $(ls) $$ARGUMENTS $arguments $",
            "$SECRET $GONE $SELECTION",
            "no placeholder",
        ] {
            assert_eq!(
                filled(body),
                (body.to_owned(), Arguments::NotPlaced),
                "{body}"
            );
        }
    }

    #[test]
    fn variables() {
        assert_eq!(
            filled("in $FILE, $FILES"),
            (
                "in src/$ARGUMENTS.rs, $FILES".to_owned(),
                Arguments::NotPlaced
            )
        );
    }

    proptest! {
        #[test]
        fn nothing_put_in_is_scanned(parts in prop::collection::vec("[a-z \\\\\\[\\]0-9é]{0,5}", 1..5), arguments in "(\\$ARGUMENTS|\\$FILE|[a$ ]){0,6}") {
            let body = parts.join(" $ARGUMENTS ");
            let values = Values { arguments: &arguments, variables: &BTreeMap::new(), listed: &[] };
            let mut out = String::new();
            fill(&mut out, &body, &values);
            prop_assert_eq!(out, parts.join(&format!(" {arguments} ")));
        }
    }
}
