//! The JSON of front matter, with numbers as texts or as values. In bundles, the description is cut out of the
//! JSON: a skill already holds its description, and one text is not stored twice.

use crate::text::escape::push_json_text;
use crate::text::number::{number_texts, number_values};
use crate::text::places_of;
use std::borrow::Cow;

/// The whole front matter as JSON, with keys in the order written. A number is kept as it is written:
/// `1.10` is not `1.1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter(String);

impl FrontMatter {
    pub(crate) fn new(written: String) -> Self {
        Self(written)
    }

    /// Returns the JSON. Numbers and dates are texts, as they are written.
    pub fn texts(&self) -> Cow<'_, str> {
        number_texts(&self.0)
    }

    /// Returns the JSON with the numbers of YAML 1.2's core schema, as other programs read them.
    pub fn values(&self) -> Cow<'_, str> {
        number_values(&self.0)
    }

    /// Returns the JSON with numbers as they are written, also `007` and `0x1F`, which are not valid JSON. Pass
    /// the text to [`number_texts`] or [`number_values`].
    pub fn as_written(&self) -> &str {
        &self.0
    }
}

const KEY: &str = "\"description\":\"";

/// Cuts the description out of the JSON of front matter.
///
/// Returns the JSON without the description's text, and the offset of the text. Returns the whole JSON
/// and `None` if no `description` has this text.
pub fn cut_description(json: &str, description: &str) -> (String, Option<usize>) {
    let mut text = String::with_capacity(description.len() + 16);
    push_json_text(&mut text, description);
    // The key's first letter is searched: to prepare a search for a text costs more than the search.
    let found = places_of(json, b'd').find_map(|at| {
        let start = at.checked_sub(1)?;
        if !json.get(start..)?.starts_with(KEY) {
            return None;
        }
        let (before, rest) = json.split_at_checked(start + KEY.len())?;
        let after = rest.strip_prefix(text.as_str())?;
        after.starts_with('"').then_some((before, after))
    });
    match found {
        Some((before, after)) => ([before, after].concat(), Some(before.len())),
        None => (json.to_owned(), None),
    }
}

/// Puts the description back where [`cut_description`] cut it out.
///
/// `hole` is the offset of the description. If `hole` is `None` or beyond the end, the JSON is returned
/// unchanged.
pub fn insert_description<'j>(
    json: &'j str,
    hole: Option<usize>,
    description: &str,
) -> Cow<'j, str> {
    let Some((before, after)) = hole.and_then(|hole| json.split_at_checked(hole)) else {
        return json.into();
    };
    let mut whole = String::with_capacity(json.len() + description.len() + 16);
    whole.push_str(before);
    push_json_text(&mut whole, description);
    whole.push_str(after);
    whole.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_out_is_put_back() {
        for (json, description, rest) in [
            (
                r#"{"description":"Go.","a":1}"#,
                "Go.",
                r#"{"description":"","a":1}"#,
            ),
            (
                r#"{"name":"x","description":""}"#,
                "",
                r#"{"name":"x","description":""}"#,
            ),
            (
                r#"{"description":"a\nb \"c\""}"#,
                "a\nb \"c\"",
                r#"{"description":""}"#,
            ),
            // The text of another field stays.
            (
                r#"{"a":"Go.","description":"Go."}"#,
                "Go.",
                r#"{"a":"Go.","description":""}"#,
            ),
            (
                r#"{"metadata":{"description":"no"},"description":"Go."}"#,
                "Go.",
                r#"{"metadata":{"description":"no"},"description":""}"#,
            ),
        ] {
            let (text, hole) = cut_description(json, description);
            assert_eq!(text, rest);
            assert_eq!(insert_description(&text, hole, description), json);
        }
    }

    #[test]
    fn json_without_the_description_stays_whole() {
        for json in [
            r#"{"name":"x"}"#,
            r#"{"description":"Gone"}"#,
            r#"{"description":7}"#,
        ] {
            let (text, hole) = cut_description(json, "Go");
            assert_eq!((text.as_str(), hole), (json, None));
            assert_eq!(insert_description(&text, hole, "Go"), json);
            assert_eq!(insert_description(&text, Some(usize::MAX), "Go"), json);
        }
    }
}
