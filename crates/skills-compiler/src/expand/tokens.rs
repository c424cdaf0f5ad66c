//! Reads tokens one after the other.
//!
//! Not with `syn`: its parser takes longer to compile than the few forms of an invocation are worth.

use crate::rustc;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use std::collections::VecDeque;

/// The tokens that are not read yet.
#[derive(Debug)]
pub(crate) struct Tokens(VecDeque<TokenTree>);

/// An error in an invocation, and the tokens that it is about.
#[derive(Debug)]
pub(crate) struct Misuse {
    message: String,
    span: Span,
}

/// A string literal.
#[derive(Debug)]
pub(crate) struct Text {
    /// The text between the quotes, as it is written: no path, rule or name needs an escape.
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl Misuse {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { message, span }
    }

    pub(crate) fn into_compile_error(self) -> TokenStream {
        rustc::error(&self.message, self.span)
    }
}

impl Tokens {
    pub(crate) fn new(stream: TokenStream) -> Self {
        let mut tokens = VecDeque::new();
        flatten(stream, &mut tokens);
        Self(tokens)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place of the next token; of the invocation if all tokens are read.
    pub(crate) fn span(&self) -> Span {
        self.0.front().map_or_else(Span::call_site, TokenTree::span)
    }

    /// Returns the error that something else is expected at the next token.
    pub(crate) fn expected(&self, what: &str) -> Misuse {
        Misuse::new(self.span(), what)
    }

    /// Returns whether the next token is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.0.front(), Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Returns whether the next token is a word, and the token after it is this word.
    pub(crate) fn is_before(&self, word: &str) -> bool {
        let second = self.0.get(1);
        matches!(self.0.front(), Some(TokenTree::Ident(_)))
            && matches!(second, Some(TokenTree::Ident(ident)) if ident == word)
    }

    /// Returns whether the next token is a literal of any type.
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self.0.front(), Some(TokenTree::Literal(_)))
    }

    /// Reads a word, if the next token is a word.
    pub(crate) fn word(&mut self) -> Option<Ident> {
        self.read(|token| match token {
            TokenTree::Ident(ident) => Some(ident.clone()),
            _ => None,
        })
    }

    /// Reads a word, if the next token is this word.
    pub(crate) fn this_word(&mut self, word: &str) -> Option<Ident> {
        if self.is_word(word) {
            self.word()
        } else {
            None
        }
    }

    /// Reads a sign, if the next token is this sign.
    pub(crate) fn sign(&mut self, sign: char) -> Option<TokenTree> {
        self.read(|token| match token {
            TokenTree::Punct(punct) if punct.as_char() == sign => Some(token.clone()),
            _ => None,
        })
    }

    /// Reads a group in these delimiters, if the next token is such a group.
    pub(crate) fn group(&mut self, delimiter: Delimiter) -> Option<Group> {
        self.read(|token| match token {
            TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.clone()),
            _ => None,
        })
    }

    /// Reads a string literal, if the next token is a string literal.
    pub(crate) fn text(&mut self) -> Option<Text> {
        self.read(|token| match token {
            TokenTree::Literal(literal) => Some(Text {
                value: unquoted(&literal.to_string())?.to_owned(),
                span: literal.span(),
            }),
            _ => None,
        })
    }

    /// Reads a literal of any type, if the next token is a literal.
    pub(crate) fn literal(&mut self) -> Option<Literal> {
        self.read(|token| match token {
            TokenTree::Literal(literal) => Some(literal.clone()),
            _ => None,
        })
    }

    /// Passes over the next token.
    pub(crate) fn skip(&mut self) {
        self.0.pop_front();
    }

    fn read<T>(&mut self, read: impl FnOnce(&TokenTree) -> Option<T>) -> Option<T> {
        let found = read(self.0.front()?)?;
        self.0.pop_front();
        Some(found)
    }
}

/// A fragment that a `macro_rules!` passes on, as `$path`, stands in a group without delimiters.
fn flatten(stream: TokenStream, tokens: &mut VecDeque<TokenTree>) {
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), tokens);
            }
            token => tokens.push_back(token),
        }
    }
}

/// Returns the text of `"…"`, `r"…"` or `r#"…"#`; `None` for any other literal.
fn unquoted(literal: &str) -> Option<&str> {
    let raw = literal.strip_prefix('r');
    let hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
    let quoted = raw.unwrap_or(literal);
    let quoted = quoted.get(hashes..quoted.len().checked_sub(hashes)?)?;
    quoted.strip_prefix('"')?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_unquoted() {
        let text = |written: &str| {
            let text = Tokens::new(written.parse().expect("tokens")).text();
            text.map(|text| text.value)
        };
        assert_eq!(text(r#""a b""#).as_deref(), Some("a b"));
        assert_eq!(text(r#"r"a""#).as_deref(), Some("a"));
        assert_eq!(text(r###"r##"a"b"##"###).as_deref(), Some("a\"b"));
        assert_eq!(text(r#""""#).as_deref(), Some(""));
        for other in [r#"b"a""#, r#"c"a""#, "'a'", "1", "a", r#""a"x"#, "[1]", ""] {
            assert_eq!(text(other), None, "{other}");
        }
    }

    #[test]
    fn fragments_of_a_macro_are_read_as_they_are_written() {
        let inner: TokenStream = "\"skills\" , warn".parse().expect("tokens");
        let group = TokenTree::from(Group::new(Delimiter::None, inner));
        let nested = TokenTree::from(Group::new(Delimiter::None, group.into()));
        let mut tokens = Tokens::new(nested.into());
        assert_eq!(
            tokens.text().map(|text| text.value).as_deref(),
            Some("skills")
        );
        assert!(tokens.sign('=').is_none());
        assert!(tokens.sign(',').is_some());
        assert!(tokens.is_word("warn") && !tokens.is_empty());
        assert!(tokens.this_word("deny").is_none());
        assert!(tokens.word().is_some() && tokens.is_empty());
    }
}
