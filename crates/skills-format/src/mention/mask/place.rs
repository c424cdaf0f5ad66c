//! The place of a candidate, and the mask that keeps it from being resolved.

use std::ops::Range;

/// The reason why a candidate is not resolved. If several reasons apply, code and comments take precedence
/// over lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mask {
    /// A fenced code block, or its info string.
    Fence,
    /// An indented code block.
    Indented,
    /// An inline code span.
    CodeSpan,
    /// An HTML comment.
    Comment,
    /// The line of a shell prompt: `$ cargo build`.
    Prompt,
    /// The line of a command: `!cargo build`.
    Command,
    /// The line of a quotation: `> someone said`.
    Quote,
}

/// The place of a candidate in a Markdown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Text that is rendered.
    Prose,
    /// Code or a comment.
    Masked(Mask),
    /// The whole label of an inline link: the bytes of the link, and its address.
    Label(Range<usize>, String),
    /// A part that is not text: an address, an image, a reference or its definition.
    Unseen,
}
