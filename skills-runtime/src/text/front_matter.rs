//! Front matter as JSON, stored without the text of the description: that text is stored once.

use crate::text::escape::push_json_part;

/// Writes the description into front matter that was stored without it. `None` when `hole`, the place
/// of the description, lies outside of the text: then nothing was left out.
pub(crate) fn with_description(json: &str, hole: usize, description: &str) -> Option<String> {
    let (before, after) = json.split_at_checked(hole)?;
    // Most descriptions need few escapes.
    let mut whole = String::with_capacity(json.len() + description.len() + 16);
    whole.push_str(before);
    push_json_part(&mut whole, description);
    whole.push_str(after);
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_is_escaped() {
        let whole = with_description(r#"{"description":""}"#, 16, "a \"b\"\n");
        assert_eq!(whole.as_deref(), Some(r#"{"description":"a \"b\"\n"}"#));
        assert_eq!(with_description("{}", usize::MAX, "a"), None);
    }
}
