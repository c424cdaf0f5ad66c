//! What every form of placeholders has: its values, and the place that it finds.

use crate::activation::placeholder::folder::Folder;
use crate::activation::placeholders::Placeholders;
use skills_format::Text;
use std::collections::BTreeMap;

/// The values of the placeholders of one skill.
pub struct Values<'a> {
    /// Which placeholders are filled.
    pub placeholders: Placeholders,
    /// The arguments, without white space at their ends.
    pub arguments: &'a str,
    /// The values of typed arguments, in place of the words.
    pub typed: Option<TypedValues<'a>>,
    /// The host's variables by name.
    pub variables: &'a BTreeMap<String, String>,
    /// The names that the skill lists in `arguments`, with or without `$`.
    pub listed: &'a [Text],
    /// The folder of the skill.
    pub folder: &'a Folder<'a>,
}

/// The values of typed arguments.
#[derive(Clone, Copy)]
pub struct TypedValues<'a> {
    /// The names, in order of the positions.
    pub names: &'a [Text],
    /// The value of each name. `None`: nothing was given, and nothing is filled in.
    pub values: &'a [Option<String>],
    /// True if values can be given by position.
    pub by_position: bool,
}

/// The placeholder of all arguments, without `$`.
pub const ARGUMENTS: &str = "ARGUMENTS";

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
pub fn is_of_host(name: &str) -> bool {
    let is_of_variable =
        |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_of_variable)
}
