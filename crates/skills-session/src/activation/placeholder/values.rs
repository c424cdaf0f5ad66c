//! What every form of placeholders has: its values, and the place that it finds.

use crate::activation::placeholder::folder::Folder;
use crate::options::placeholders::Placeholders;
use skills_arguments::Typed;
use skills_format::Text;
use std::collections::BTreeMap;

/// The values of the placeholders of one skill.
pub(crate) struct Values<'a> {
    pub(crate) placeholders: Placeholders,
    pub(crate) arguments: &'a str,
    /// The values of typed arguments, in place of the words.
    pub(crate) typed: Option<&'a Typed>,
    /// The host's variables by name.
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The names that the skill lists in `arguments`, with or without `$`.
    pub(crate) listed: &'a [Text],
    pub(crate) folder: &'a Folder<'a>,
}

pub(crate) const ARGUMENTS: &str = "ARGUMENTS";

/// A placeholder at a `$`.
pub(super) struct Found<'f> {
    /// The number of bytes after the `$`.
    pub(super) length: usize,
    /// `None`: the placeholder has no value, and stays as it is.
    pub(super) value: Option<&'f str>,
    pub(super) escape: Escape,
}

/// The text before a placeholder that keeps it from being filled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// An odd number of backslashes.
    Odd,
    /// One backslash. Two or more keep nothing.
    Single,
    /// Nothing keeps it.
    Never,
}

impl Escape {
    pub(super) fn holds(self, body: &str, dollar: usize) -> bool {
        let before = body.get(..dollar).unwrap_or_default();
        let backslashes = || before.bytes().rev().take_while(|&b| b == b'\\').count();
        match self {
            Self::Odd => backslashes() % 2 == 1,
            Self::Single => before.ends_with('\\') && !before.ends_with("\\\\"),
            Self::Never => false,
        }
    }
}

/// Returns whether a name has the form of a host's variable, such as `$REPO_ROOT`, or is a number.
/// Arguments never replace such a name in the guarded form, even if the host does not have the variable.
pub(crate) fn is_of_host(name: &str) -> bool {
    let is_of_variable =
        |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_of_variable)
}
