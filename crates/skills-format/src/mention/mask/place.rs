//! Where a candidate stands, and why it is not resolved there.

use std::ops::Range;

/// Why a candidate is not to be resolved. Where several apply, code and comments come before
/// lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mask {
    /// It stands in a fenced code block, or in its info string.
    Fence,
    /// It stands in an indented code block.
    Indented,
    /// It stands in an inline code span.
    CodeSpan,
    /// It stands in an HTML comment.
    Comment,
    /// Its line is a shell prompt: `$ cargo build`.
    Prompt,
    /// Its line is a command: `!cargo build`.
    Command,
    /// Its line is a quotation: `> someone said`.
    Quote,
}

/// Where a candidate stands in a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In text that is rendered.
    Prose,
    /// In code or in a comment.
    Masked(Mask),
    /// It is the whole label of an inline link, which takes up these bytes, to this address.
    Label(Range<usize>, String),
    /// In a part that is not text: an address, an image, a reference or its definition.
    Unseen,
}
