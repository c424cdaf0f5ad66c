//! Fills the placeholders in a body: `$ARGUMENTS`, the names that the skill declares, and the host's
//! variables.

// `$$ARGUMENTS`, and an odd number of backslashes before `$`, escape a placeholder. `$ARGUMENTS[0]`
// needs no declared name. Names in capitals (variables of the host such as `$REPO_ROOT`), numbers and
// names that the host supplies take no position in `arguments`. Words without a position are not lost:
// the `ARGUMENTS:` line follows the body then.

use crate::activation::words::words;
use skills_format::Text;
use skills_format::text::order::sort_by_text;
use skills_format::text::places_of;
use std::collections::BTreeMap;

/// The values of the placeholders of one skill.
pub(crate) struct Values<'a> {
    pub(crate) arguments: &'a str,
    /// The host's variables by name.
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The names that the skill lists in `arguments`, with or without `$`.
    pub(crate) listed: &'a [Text],
}

/// The result of filling: the body had placeholders for all arguments, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Placed,
    NotPlaced,
}

/// The maximum number of bytes in all inserted values together, unless only one value is inserted. A
/// body can repeat a placeholder a hundred thousand times.
pub(crate) const MAX_INSERTED: usize = 1024 * 1024;

/// Appends the body and fills its placeholders in one pass. Inserted text is never scanned. Returns
/// `None` if the values have more than [`MAX_INSERTED`] bytes.
///
/// A placeholder is a whole word after `$`. No `$` and no odd number of backslashes stands before it:
///
/// - `$ARGUMENTS`: all arguments, as typed. `$ARGUMENTS[0]` is their first word.
/// - A name that the skill lists in `arguments`: the host's variable with this name; otherwise the word
///   at the name's position in the list. Names of variables are not counted. A name in capitals is
///   always a variable.
///
/// A missing word is empty. The arguments are placed if `$ARGUMENTS` occurs, or if each word has been
/// inserted.
pub(crate) fn fill(out: &mut String, body: &str, values: &Values<'_>) -> Option<Arguments> {
    #[cfg(test)]
    crate::text::counted::COPIES.with(|count| count.update(|count| count + 1));
    let mut named = Named::new(values);
    let mut inserted = 0;
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = places_of(body.get(at..).unwrap_or_default(), b'$').next() {
        let dollar = at + found;
        at = dollar + 1;
        if is_escaped(body, dollar) {
            continue;
        }
        let rest = body.get(at..).unwrap_or_default();
        let Some((length, value)) = named.value(rest) else {
            continue;
        };
        // The first value is inserted at any length: a single insertion cannot multiply the arguments.
        if inserted > 0 && inserted + value.len() > MAX_INSERTED {
            return None;
        }
        inserted += value.len();
        out.push_str(body.get(start..dollar).unwrap_or_default());
        out.push_str(value);
        at += length;
        start = at;
    }
    out.push_str(body.get(start..).unwrap_or_default());
    Some(named.placed())
}

pub(crate) const ARGUMENTS: &str = "ARGUMENTS";
/// The maximum number of bytes in a name. Longer names are never filled: the search for them would not
/// be linear.
const LONGEST_NAME: usize = 64;

/// The values by the words after `$`.
struct Named<'a> {
    arguments: &'a str,
    /// The words of the arguments, each with `true` once it has been inserted.
    words: Vec<(String, bool)>,
    /// The listed names, sorted.
    names: Vec<(&'a str, Name<'a>)>,
    is_placed: bool,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    Variable(&'a str),
    /// The word at this position.
    Word(usize),
}

impl<'a> Named<'a> {
    fn new(values: &Values<'a>) -> Self {
        let mut names = Vec::new();
        let mut place = 0;
        for name in values.listed {
            let name = name.strip_prefix('$').unwrap_or(name);
            if name == ARGUMENTS {
                continue;
            }
            if let Some(variable) = values.variables.get(name) {
                names.push((name, Name::Variable(variable.as_str())));
            } else if !is_of_host(name) {
                names.push((name, Name::Word(place)));
                place += 1;
            }
        }
        // A repeated name has the value of its first occurrence: the sort is stable.
        sort_by_text(&mut names, |(name, _)| name.as_bytes());
        names.dedup_by_key(|(name, _)| *name);
        let words = words(values.arguments).into_iter();
        Self {
            arguments: values.arguments,
            words: words.map(|word| (word, false)).collect(),
            names,
            is_placed: false,
        }
    }

    /// Returns the value and the length of the placeholder at the start of a text that follows a `$`.
    fn value(&mut self, text: &str) -> Option<(usize, &str)> {
        let word = word(text);
        let after = text.get(word.len()..).unwrap_or_default();
        if word == ARGUMENTS {
            let Some((length, place)) = index(after) else {
                self.is_placed = true;
                return Some((word.len(), self.arguments));
            };
            let value = place.map_or("", |place| self.word(place));
            return Some((word.len() + length, value));
        }
        let (name, found) = self.name(text, word)?;
        let value = match found {
            Name::Variable(value) => value,
            Name::Word(place) => self.word(place),
        };
        Some((name.len(), value))
    }

    /// Returns the longest listed name at the start of a text. A name can hold hyphens, so it can be
    /// longer than the first word.
    fn name<'t>(&self, text: &'t str, word: &'t str) -> Option<(&'t str, Name<'a>)> {
        if word.is_empty() || self.names.is_empty() {
            return None;
        }
        let mut found = None;
        let mut name = word;
        while name.len() <= LONGEST_NAME {
            let after = text.get(name.len()..).unwrap_or_default();
            if let Some(known) = self.known(name).filter(|_| index(after).is_none()) {
                found = Some((name, known));
            }
            let hyphens = after.len() - after.trim_start_matches('-').len();
            let next = self::word(after.get(hyphens..).unwrap_or_default());
            if hyphens == 0 || next.is_empty() {
                break;
            }
            name = text.get(..name.len() + hyphens + next.len())?;
        }
        found
    }

    fn known(&self, name: &str) -> Option<Name<'a>> {
        let place = self.names.binary_search_by_key(&name, |(known, _)| known);
        place
            .ok()
            .and_then(|place| self.names.get(place))
            .map(|(_, known)| *known)
    }

    /// Returns the word at a position. Returns an empty word if the arguments have fewer words.
    fn word(&mut self, place: usize) -> &str {
        self.words.get_mut(place).map_or("", |(word, is_placed)| {
            *is_placed = true;
            word
        })
    }

    fn placed(&self) -> Arguments {
        let all_words =
            !self.words.is_empty() && self.words.iter().all(|(_, is_placed)| *is_placed);
        if self.is_placed || all_words {
            Arguments::Placed
        } else {
            Arguments::NotPlaced
        }
    }
}

/// Returns whether a name has the form of a host's variable, such as `$REPO_ROOT`, or is a number.
/// Arguments never replace such a name, even if the host does not have the variable.
pub(crate) fn is_of_host(name: &str) -> bool {
    let is_of_variable =
        |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_of_variable)
}

/// Returns the word of letters, digits and `_` at the start of a text. Letters of scripts that are
/// written without spaces end the word.
fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c == '_' || c.is_alphanumeric() && c < '\u{e00}'))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn is_escaped(body: &str, dollar: usize) -> bool {
    let before = body.get(..dollar).unwrap_or_default();
    let backslashes = before.bytes().rev().take_while(|&b| b == b'\\').count();
    backslashes % 2 == 1 || before.ends_with('$')
}

/// Returns the length and the number of an index such as `[0]` at the start of a text. The number is
/// `None` if it is too large for a position.
fn index(text: &str) -> Option<(usize, Option<usize>)> {
    // Reads the digits first: a search for `]` could reach the end of the body each time.
    let inside = text.strip_prefix('[')?;
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = inside.get(..inside.len() - rest.len())?;
    let is_index = !digits.is_empty() && rest.starts_with(']');
    is_index.then(|| (digits.len() + 2, digits.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn with(arguments: &str, listed: &[&'static str], body: &str) -> (String, Arguments) {
        let variables = [("FILE", "src/$ARGUMENTS.rs"), ("SECRET", "s")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let listed: Vec<Text> = listed.iter().map(|name| (*name).into()).collect();
        let values = Values {
            arguments,
            variables: &variables,
            listed: &listed,
        };
        let mut out = String::new();
        let placed = fill(&mut out, body, &values).expect("not too long");
        (out, placed)
    }

    fn filled(body: &str) -> (String, Arguments) {
        with("a $FILE $ARGUMENTS", &["FILE", "$gone", "SELECTION"], body)
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
            ("$ARGUMENTS[x] $ARGUMENTS[", format!("{args}[x] {args}[")),
            ("$gone and $ARGUMENTS", format!("a and {args}")),
        ] {
            assert_eq!(filled(body), (expected, Arguments::Placed), "{body}");
        }
    }

    #[test]
    fn what_stays() {
        for body in [
            r"\$ARGUMENTS \$ARGUMENTS[0] \$gone $$gone",
            "$ARGUMENTS_DIR $ARGUMENTSX $ARGUMENTS1 $ARGUMENTSé",
            "$1 $0 $HOME $PATH ${ARGUMENTS} ${GONE} $(ls) $$ARGUMENTS $arguments $",
            "$SECRET $goner $Gone $gone[0] $SELECTION",
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

    #[test]
    fn words_by_place() {
        use Arguments::{NotPlaced, Placed};
        let ab = &["a", "b"][..];
        for (arguments, listed, body, expected, placed) in [
            ("x y", ab, "$b, $a; $a", "y, x; x", Placed),
            (
                "x y",
                ab,
                "$ab $a_b $abc $A a",
                "$ab $a_b $abc $A a",
                NotPlaced,
            ),
            ("x y", ab, "$a-b $a.b", "x-b x.b", NotPlaced),
            ("'x y' z", ab, "$a|$b", "x y|z", Placed),
            ("$b \\$a", ab, "$a $b", "$b $a", Placed),
            ("x", ab, "[$a][$b]", "[x][]", Placed),
            ("", ab, "[$a][$b]", "[][]", NotPlaced),
            ("x y z", ab, "$a $b", "x y", NotPlaced),
            ("x y", ab, "$a", "x", NotPlaced),
            ("x y z", ab, "$a $b $ARGUMENTS", "x y x y z", Placed),
            (
                "x y z",
                &[],
                "$ARGUMENTS[1] $ARGUMENTS[0]",
                "y x",
                NotPlaced,
            ),
            ("x y", &[], "$ARGUMENTS[1] $ARGUMENTS[0]", "y x", Placed),
            (
                "x",
                &[],
                "[$ARGUMENTS[1]$ARGUMENTS[99999999999999999999]]",
                "[]",
                NotPlaced,
            ),
            (
                "x y",
                &["FILE", "a"],
                "$a in $FILE",
                "x in src/$ARGUMENTS.rs",
                NotPlaced,
            ),
            (
                "x y",
                &["ARGUMENTS", "a"],
                "$a of $ARGUMENTS",
                "x of x y",
                Placed,
            ),
            ("x y", &["0", "1", "a"], "$a $0 $1", "x $0 $1", NotPlaced),
            (
                "x y",
                &["REPO_ROOT", "a"],
                "$a $REPO_ROOT",
                "x $REPO_ROOT",
                NotPlaced,
            ),
            ("x y", &["a", "a", "b"], "$a $b", "x ", NotPlaced),
            (
                "x y",
                &["issue-no", "issue"],
                "$issue-no $issue $issue-x",
                "x y y-x",
                Placed,
            ),
        ] {
            let (text, found) = with(arguments, listed, body);
            assert_eq!((&*text, found), (expected, placed), "{arguments} {body}");
        }
    }

    #[test]
    fn values_have_a_limit_together() {
        let long = "x".repeat(MAX_INSERTED);
        let length = |arguments: &str, times: usize| {
            let none = BTreeMap::new();
            let (variables, listed) = (&none, [].as_slice());
            let values = Values {
                arguments,
                variables,
                listed,
            };
            let mut out = String::new();
            fill(&mut out, &"$ARGUMENTS ".repeat(times), &values).map(|_| out.len())
        };
        assert_eq!(length(&long, 1), Some(MAX_INSERTED + 1));
        assert_eq!(length(&long, 2), None);
        assert_eq!(length(&format!("{long}x"), 1), Some(MAX_INSERTED + 2));
        assert_eq!(
            length("12345678", MAX_INSERTED / 8),
            Some(MAX_INSERTED / 8 * 9)
        );
        assert_eq!(length("12345678", MAX_INSERTED / 8 + 1), None);
        assert_eq!(length("", 90_000), Some(90_000));
    }

    proptest! {
        #[test]
        fn nothing_put_in_is_scanned(parts in prop::collection::vec("[a-z \\\\\\[\\]0-9é]{0,5}", 1..5), arguments in "(\\$ARGUMENTS|\\$FILE|\\$a|[a$ ]){0,6}") {
            let body = parts.join(" $ARGUMENTS ");
            let (text, _) = with(&arguments, &["a"], &body);
            prop_assert_eq!(text, parts.join(&format!(" {arguments} ")));
            let word = words(&arguments).into_iter().next().unwrap_or_default();
            let (text, _) = with(&arguments, &["a"], &parts.join(" $a "));
            prop_assert_eq!(text, parts.join(&format!(" {word} ")));
        }
    }
}
