//! Parses the imports of a source file from its own crate, and the modules that it declares.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// The path of a module from the root of its crate; empty for the root.
pub(crate) type ModulePath = Vec<String>;

/// The declarations and imports of a file, without its tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// The modules that are files of their own: `mod name;`.
    pub(crate) children: Vec<ModulePath>,
    /// Every item of its own crate that the file names, in order of lines.
    pub(crate) imports: Vec<Import>,
}

/// A named path, from the root of the crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) line: usize,
    pub(crate) path: Vec<String>,
}

/// A path as it is written in a module.
struct Written {
    within: ModulePath,
    path: Vec<String>,
    line: usize,
    /// True for a `pub use`.
    passed_on: bool,
}

/// Parses the file of a module.
///
/// Parses `use` declarations with their braces, and paths in code that start with `crate`, `super`, `self` or a
/// declared module. Ignores items under `#[cfg(test)]`, and items of its own children that a module re-exports with
/// `pub use`: they are its table of contents.
///
/// # Panics
///
/// If the text is not Rust.
pub(crate) fn read(module: &[String], text: &str) -> Source {
    let tokens: TokenStream = text.parse().expect("a file of Rust");
    let mut reader = Reader {
        module: module.to_vec(),
        ..Reader::default()
    };
    reader.walk(tokens);
    reader.finish()
}

#[derive(Default)]
struct Reader {
    /// The module that is being parsed: that of the file, or an inline module.
    module: ModulePath,
    children: Vec<ModulePath>,
    /// Every module that the file declares, also inline modules.
    declared: BTreeSet<ModulePath>,
    written: Vec<Written>,
    /// True after a `pub`.
    is_public: bool,
}

impl Reader {
    fn finish(self) -> Source {
        let absolute = |written: Written| {
            let line = written.line;
            let path = from_root(&written.within, written.path, &self.declared)?;
            let child = path.get(..=written.within.len());
            let is_contents = written.passed_on
                && child.is_some_and(|child| {
                    child.starts_with(&written.within) && self.declared.contains(child)
                });
            (!is_contents).then_some(Import { line, path })
        };
        let mut imports: Vec<Import> = self.written.into_iter().filter_map(absolute).collect();
        imports.sort();
        imports.dedup();
        Source {
            children: self.children,
            imports,
        }
    }

    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            let is_public = self.is_public;
            rest = self.step(rest);
            // The flag applies to the next word only.
            self.is_public &= !is_public;
        }
    }

    /// Parses the first item, and returns the rest.
    fn step<'t>(&mut self, tokens: &'t [TokenTree]) -> &'t [TokenTree] {
        use TokenTree::{Group as G, Ident as I};
        match tokens {
            [hash, G(attribute), rest @ ..] if is(hash, '#') => {
                if is_for_tests(attribute) {
                    return after_item(rest);
                }
                self.walk(attribute.stream());
                rest
            }
            [I(word), rest @ ..] if word == "pub" => {
                self.is_public = true;
                match rest {
                    [G(scope), rest @ ..] if is_round(scope) => rest,
                    rest => rest,
                }
            }
            // `use<'a>` is a bound, not an import.
            [I(word), next, rest @ ..] if word == "use" && !is(next, '<') => {
                let end = rest.iter().position(|token| is(token, ';'));
                let (tree, rest) =
                    tokens[1..].split_at(end.map_or(tokens.len() - 1, |end| end + 1));
                self.import(Vec::new(), tree);
                rest
            }
            [I(word), I(name), end, rest @ ..] if word == "mod" && is(end, ';') => {
                let child = self.child(name);
                self.declared.insert(child.clone());
                self.children.push(child);
                rest
            }
            [I(word), I(name), G(content), rest @ ..] if word == "mod" => {
                let child = self.child(name);
                self.declared.insert(child.clone());
                let outer = std::mem::replace(&mut self.module, child);
                self.walk(content.stream());
                self.module = outer;
                rest
            }
            [I(_), a, b, ..] if is(a, ':') && is(b, ':') => self.path(tokens),
            // A path that starts with `::`.
            [a, b, I(_), ..] if is(a, ':') && is(b, ':') => after_path(&tokens[2..]).1,
            [G(group), rest @ ..] => {
                self.walk(group.stream());
                rest
            }
            tokens => tokens.get(1..).unwrap_or_default(),
        }
    }

    fn child(&self, name: &Ident) -> ModulePath {
        let mut path = self.module.clone();
        path.push(name.to_string());
        path
    }

    fn path<'t>(&mut self, tokens: &'t [TokenTree]) -> &'t [TokenTree] {
        let (path, rest) = after_path(tokens);
        self.push(path, line(&tokens[0]));
        rest
    }

    /// Parses a tree of `use` below a prefix: `a::{b, c as d, e::*}`.
    fn import(&mut self, mut prefix: Vec<String>, tree: &[TokenTree]) {
        if let [a, b, ..] = tree
            && prefix.is_empty()
            && is(a, ':')
            && is(b, ':')
        {
            return;
        }
        let mut last = 0;
        for token in tree {
            match token {
                TokenTree::Ident(word) if word == "as" => break,
                TokenTree::Ident(word) => {
                    prefix.push(word.to_string());
                    last = line(token);
                }
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for tree in inner.split(|token| is(token, ',')) {
                        if !tree.is_empty() {
                            self.import(prefix.clone(), tree);
                        }
                    }
                    return;
                }
                _ => {}
            }
        }
        self.push(prefix, last);
    }

    fn push(&mut self, path: Vec<String>, line: usize) {
        self.written.push(Written {
            within: self.module.clone(),
            path,
            line,
            passed_on: self.is_public,
        });
    }
}

/// Returns the path from the root; `None` for a path into another crate.
fn from_root(
    within: &[String],
    path: Vec<String>,
    declared: &BTreeSet<ModulePath>,
) -> Option<Vec<String>> {
    let first = path.first()?;
    let mut absolute = match first.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => within.to_vec(),
        child => {
            let module = [within, &[child.to_owned()]].concat();
            if !declared.contains(&module) {
                return None;
            }
            within.to_vec()
        }
    };
    for word in path {
        match word.as_str() {
            "crate" | "self" => {}
            "super" => {
                absolute.pop();
            }
            _ => absolute.push(word),
        }
    }
    Some(absolute)
}

/// Returns the words of a path at the start, and the rest.
fn after_path(tokens: &[TokenTree]) -> (Vec<String>, &[TokenTree]) {
    let mut path = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(word), after @ ..] = rest {
        path.push(word.to_string());
        rest = after;
        match rest {
            [a, b, after @ ..] if is(a, ':') && is(b, ':') => rest = after,
            _ => break,
        }
    }
    (path, rest)
}

/// Returns the rest after an item: after its attributes, its head, and its `;` or its braces.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_use = tokens
        .iter()
        .find(|token| matches!(token, TokenTree::Ident(word) if word != "pub"));
    let is_use = is_use.is_some_and(|word| word.to_string() == "use");
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_use,
        token => is(token, ';'),
    };
    let end = tokens
        .iter()
        .position(ends)
        .map_or(tokens.len(), |end| end + 1);
    &tokens[end..]
}

/// Returns whether an attribute marks its item as test code: `cfg(test)`, `cfg(all(test, …))`.
fn is_for_tests(attribute: &Group) -> bool {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(word), TokenTree::Group(condition)] if word == "cfg" => {
            needs_test(condition.stream())
        }
        _ => false,
    }
}

fn needs_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    tokens.split(|token| is(token, ',')).any(|part| match part {
        [TokenTree::Ident(word)] => word == "test",
        [TokenTree::Ident(word), TokenTree::Group(all)] if word == "all" => {
            needs_test(all.stream())
        }
        _ => false,
    })
}

fn is(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

fn is_round(group: &Group) -> bool {
    group.delimiter() == Delimiter::Parenthesis
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the imports of a file `a/b.rs`, as `line path`.
    fn imports(text: &str) -> Vec<String> {
        let module = ["a".to_owned(), "b".to_owned()];
        let shown = |import: Import| format!("{} {}", import.line, import.path.join("::"));
        read(&module, text).imports.into_iter().map(shown).collect()
    }

    #[test]
    fn uses_with_braces_names_and_globs() {
        let text = "\
use crate::x::{self, Y, z::{A as B, c::*}};
pub(crate) use super::sibling::Thing;
pub use crate::
    far::Away;
use self::inner::Deep;
use super::super::top::Up;
use std::fmt;
use ::skills::Other;
#[cfg(feature = \"discover\")]
use crate::only::Here;
";
        assert_eq!(
            imports(text),
            [
                "1 x",
                "1 x::Y",
                "1 x::z::A",
                "1 x::z::c",
                "2 a::sibling::Thing",
                "4 far::Away",
                "5 a::b::inner::Deep",
                "6 top::Up",
                "10 only::Here",
            ]
        );
    }

    #[test]
    fn paths_in_code_and_in_macros() {
        let text = "\
fn f(x: crate::x::Y) -> Result<(), super::Z> {
    println!(\"{}\", crate::m::n(1));
    // crate::comment::C
    let _ = \"crate::text::T\";
    pub(in crate::p) struct S;
    other::thing();
}
fn g() -> impl Fn() + use<> { || crate::after::bound() }
";
        assert_eq!(
            imports(text),
            ["1 a::Z", "1 x::Y", "2 m::n", "8 after::bound"]
        );
    }

    #[test]
    fn modules_and_what_is_read_of_them() {
        let text = "\
mod child;
#[cfg(unix)]
pub(crate) mod system;
mod written {
    use super::{X, child::C};
    use super::super::sibling;
    fn f() { crate::y::Z::new() }
}
use child::Thing;
use written::W;
fn g() { child::f(); unknown::f(); }
pub use child::Shown;
pub(crate) use super::b::{child::Also, system};
pub use super::other::Used;
";
        let module = ["a".to_owned(), "b".to_owned()];
        let children: Vec<String> = read(&module, text)
            .children
            .iter()
            .map(|child| child.join("::"))
            .collect();
        assert_eq!(children, ["a::b::child", "a::b::system"]);
        assert_eq!(
            imports(text),
            [
                "5 a::b::X",
                "5 a::b::child::C",
                "6 a::sibling",
                "7 y::Z::new",
                "9 a::b::child::Thing",
                "10 a::b::written::W",
                "11 a::b::child::f",
                "14 a::other::Used",
            ]
        );
    }

    #[test]
    fn tests_are_left_out() {
        let text = "\
#[cfg(test)]
use crate::x::{Y, Z};
#[cfg(all(test, unix))]
#[path = \"x.rs\"]
mod fixture;
#[cfg(test)]
fn f() -> crate::x::Y { crate::z::new() }
#[cfg(not(test))]
use crate::always::A;
#[cfg(any(test, feature = \"f\"))]
use crate::sometimes::S;
#[cfg(test)]
mod tests { use crate::w::W; }
fn last() { crate::v::V }
";
        let source = read(&[], text);
        assert_eq!(source.children, Vec::<ModulePath>::new());
        assert_eq!(imports(text), ["9 always::A", "11 sometimes::S", "14 v::V"]);
    }
}
