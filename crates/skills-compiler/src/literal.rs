//! Renders borrowed texts and lists.

use proc_macro2::TokenStream;
use quote::quote;
use skills_format::Text;

/// Renders a borrowed text.
pub(crate) fn text(text: &Text) -> TokenStream {
    quote!(__skills::Cow::Borrowed(#text))
}

/// Renders a borrowed list.
pub(crate) fn list(items: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(__skills::Cow::Borrowed(&[#(#items),*]))
}
