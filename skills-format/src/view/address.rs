//! Which addresses and paths in code name a file.

use crate::text::lines::line_around;
use crate::text::span::Span;

/// No scheme but `file:`, no host, no anchor of the same file.
pub(crate) fn is_local(address: &str) -> bool {
    if address.starts_with("//") || address.starts_with('#') || address.starts_with('?') {
        return false;
    }
    match scheme(address) {
        Some(scheme) => scheme.eq_ignore_ascii_case("file") || is_drive(address),
        None => true,
    }
}

pub(crate) fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then_some(scheme)
}

/// `C:\` or `C:/`
fn is_drive(address: &str) -> bool {
    let mut chars = address.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
}

pub(crate) fn is_template(address: &str) -> bool {
    address.contains(['<', '>', '{', '}', '*', '…']) || address.contains("...")
}

/// A path under one of the three folders that the specification names, and nothing else.
pub(crate) fn is_resource_path(code: &str) -> bool {
    let path = code.strip_prefix("./").unwrap_or(code);
    let below = ["scripts", "references", "assets"]
        .iter()
        .find_map(|folder| path.strip_prefix(folder)?.strip_prefix(['/', '\\']));
    below.is_some_and(|rest| !rest.is_empty())
        && !path.ends_with(['/', '\\'])
        && !path.contains(|c: char| c.is_whitespace() || matches!(c, '$' | '|' | ',' | '[' | ']'))
        && !is_template(path)
}

/// How much of a line before and after a place is looked at, in bytes.
const NEAR: usize = 400;

/// Whether the text around a path in a code span sends the model to it: it begins its line or cell,
/// or a verb goes before it. Other paths are examples, results, or files of the user's project.
pub(crate) fn is_told_to_open(text: &str, span: Span) -> bool {
    const VERBS: [&str; 20] = [
        "run",
        "execute",
        "read",
        "see",
        "load",
        "open",
        "follow",
        "consult",
        "use",
        "using",
        "check",
        "review",
        "invoke",
        "call",
        "view",
        "study",
        "refer",
        "reference",
        "apply",
        "source",
    ];
    const EXAMPLES: [&str; 14] = [
        "example",
        "e.g.",
        "such as",
        "would",
        "could",
        "might",
        "for instance",
        "your ",
        "create",
        "generate",
        "repo",
        "project",
        " like ",
        "maybe",
    ];
    let around = line_around(text, span, NEAR);
    let line = around.of(text).to_lowercase();
    if EXAMPLES.iter().any(|cue| line.contains(cue)) {
        return false;
    }
    let before = Span::new(around.start, span.start).of(text);
    let markup = |c: char| !c.is_alphanumeric();
    let is_first = before.trim_end_matches('`').trim_matches(markup).is_empty()
        || before.trim_end_matches(['`', '*', ' ']).ends_with('|');
    let sentence = before.rsplit(['.', ';', ':', '(']).next().unwrap_or(before);
    let mut words = sentence.split(markup).filter(|word| !word.is_empty());
    is_first
        || words
            .by_ref()
            .rev()
            .take(4)
            .any(|word| VERBS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for local in [
            "a.md",
            "./a",
            "../b/c",
            "/etc",
            "file:///x",
            "C:\\x",
            "a b.md",
        ] {
            assert!(is_local(local), "{local}");
        }
        for other in [
            "https://x.y",
            "mailto:a@b",
            "#top",
            "//host/x",
            "skill://a/b",
            "?q",
        ] {
            assert!(!is_local(other), "{other}");
        }
    }

    #[test]
    fn paths_in_code() {
        for path in ["scripts/a.py", "./references/b.md", "assets\\c.png"] {
            assert!(is_resource_path(path), "{path}");
        }
        for other in [
            "scripts/",
            "scripts/a.py --x",
            "references/<n>.md",
            "src/a.rs",
            "scripts/*",
        ] {
            assert!(!is_resource_path(other), "{other}");
        }
    }
}
