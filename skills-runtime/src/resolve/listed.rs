//! Lists of names in a sentence.

use skills_format::text::shorten::one_line;
use std::borrow::Cow;

/// The maximum number of names that a notice lists.
const LISTED: usize = 5;

/// Returns the question for near names: the first names, and the total number if there are more.
///
/// ```
/// # use skills_runtime::resolve::did_you_mean;
/// assert_eq!(did_you_mean(&["plan", "plank"]), "Did you mean plan or plank?");
/// ```
pub fn did_you_mean(near: &[impl AsRef<str>]) -> String {
    let mut names: Vec<&str> = near.iter().take(LISTED).map(AsRef::as_ref).collect();
    let others = format!("another of {}", near.len());
    if near.len() > LISTED {
        names.push(&others);
    }
    let last = names.pop().unwrap_or_default();
    match names.join(", ") {
        first if first.is_empty() => format!("Did you mean {last}?"),
        first => format!("Did you mean {first} or {last}?"),
    }
}

/// Writes the first names of a list, and the number of further names. A name is text of a skill or a server.
pub(crate) fn names(names: &[String]) -> String {
    let names: Vec<Cow<'_, str>> = names.iter().map(|name| one_line(name)).collect();
    listed(&names)
}

/// Returns the first ids as text, and the number of further ids.
pub fn listed(ids: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = ids.iter().take(LISTED).map(AsRef::as_ref).collect();
    let listed = first.join(", ");
    match ids.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
