//! Recognizes the addresses, and the paths in code, that name a file.

use skills_check::check::links::is_template;
use skills_format::text::lines::line_around;
use skills_format::text::span::Span;

/// The folders of a skill in the specification.
pub(crate) const OWN_FOLDERS: [&str; 3] = ["scripts", "references", "assets"];
/// Further folders that published skills have.
const OTHER_FOLDERS: [&str; 3] = ["resources", "templates", "reference"];

/// Returns the folder of a code span, if the whole span is a path below a usual folder of skills.
pub(crate) fn resource_folder(code: &str) -> Option<&'static str> {
    let path = code.strip_prefix("./").unwrap_or(code);
    // Most code spans are other words, so the folder is tested first.
    let end = path.bytes().position(|byte| matches!(byte, b'/' | b'\\'))?;
    let first = path.get(..end)?;
    let mut folders = OWN_FOLDERS.iter().chain(&OTHER_FOLDERS);
    let folder = folders.find(|folder| **folder == first && path.len() > end + 1)?;
    let is_path = !path.ends_with(['/', '\\'])
        && !path.contains(|c: char| {
            c.is_whitespace() || matches!(c, '$' | '|' | ',' | '[' | ']' | '(' | ')' | '"' | '=')
        })
        && !is_template(path);
    is_path.then_some(*folder)
}

/// The maximum number of bytes of a line that are read before and after a path. Without a limit, a long line with many
/// paths takes quadratic time.
const NEAR: usize = 400;
/// The maximum number of bytes of a list that are read above an item, to the sentence before the list.
const LIST: usize = 2_000;

/// The meaning of a sentence for a path in a code span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The model is told to open or run the file.
    Opened,
    /// The file is named.
    Named,
    /// The path is an example, a result, or a file of the user's project or of another skill.
    Example,
}

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

/// Words in lines whose paths are not files of the skill.
const EXAMPLES: [&str; 52] = [
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
    "exist",
    "if present",
    "if available",
    "if any",
    "optional",
    "other skill",
    "skill's",
    "skill’s",
    "each skill",
    "a skill",
    "codebase",
    "workspace",
    "hypothetical",
    "imagine",
    "typical",
    "structure",
    "layout",
    "instead of",
    "rename",
    "save",
    "write to",
    "output",
    "produce",
    "convention",
    "placeholder",
    "template for",
    "not bundled",
    "no longer",
    "removed",
    "deprecated",
    "deleted",
    "should use ",
    "missing",
    "not included",
    "user's",
    "user’s",
    "add a ",
    "add to `",
];

/// Reads the sentence around a path in a code span.
pub(crate) fn reading(text: &str, span: Span) -> Reading {
    let around = line_around(text, span, NEAR);
    let line = around.of(text).to_lowercase();
    if EXAMPLES.iter().any(|cue| line.contains(cue)) {
        return Reading::Example;
    }
    let before = Span::new(around.start, span.start).of(text);
    let above = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    // A quoted sentence is an example of wording, and a link to another skill comes before its files.
    let is_quoted = before.matches(['"', '\u{201C}', '\u{201D}']).count() % 2 == 1;
    if is_quoted || before.contains("](../") {
        return Reading::Example;
    }
    if is_of_another(above) || is_in_another(after) || is_of_results(text, around) {
        return Reading::Example;
    }
    let sentence = before.rsplit(['.', ';', ':', '(']).next().unwrap_or(before);
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    let mut last = words.filter(|word| !word.is_empty()).rev().take(4);
    let is_opened = last.any(|word| VERBS.contains(&word.to_lowercase().as_str()));
    if is_opened {
        Reading::Opened
    } else {
        Reading::Named
    }
}

/// Returns the last bytes of a text before a place, no more than `most`.
pub(crate) fn before(text: &str, at: usize, most: usize) -> &str {
    let mut from = at.saturating_sub(most)..=at;
    let start = from.find(|from| text.is_char_boundary(*from));
    text.get(start.unwrap_or(at)..at).unwrap_or_default()
}

/// Returns whether a line is an item of a list of results: of files that the text above the list says to make.
pub(crate) fn is_of_results(text: &str, line: Span) -> bool {
    const MAKES: [&str; 5] = ["output", "create", "generate", "produce", "write "];
    let is_item = |line: &str| line.trim_start().starts_with(['-', '*', '+']);
    if !is_item(line.of(text)) {
        return false;
    }
    let mut lines = before(text, line.start, LIST).lines().rev();
    let before = lines.find(|line| !line.trim().is_empty() && !is_item(line));
    let before = before.map(|line| line.trim_end().to_lowercase());
    before.is_some_and(|before| {
        before.ends_with(':') && MAKES.iter().any(|word| before.contains(word))
    })
}

/// Returns whether a path follows another name in code that owns it, on the line above too: "`social` and its
/// `references/x.md`", "`social`'s `references/x.md`".
fn is_of_another(before: &str) -> bool {
    let before = before.trim_end_matches('`').trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n').unwrap_or(before);
    let before = before.trim_end_matches([' ', '\t', '\r']);
    if let Some(owner) = before.strip_suffix(" its") {
        let line = owner.rsplit('\n').next().unwrap_or_default();
        return line.contains('`');
    }
    let before = before.strip_suffix('s').unwrap_or(before);
    let owner = before.strip_suffix(['\'', '\u{2019}']);
    owner.is_some_and(|owner| owner.ends_with('`'))
}

/// Returns whether a path is said to be in another skill: "`references/x.md` of the `social` skill".
fn is_in_another(after: &str) -> bool {
    let words = after.trim_start_matches('`').split_whitespace();
    let mut words = words.skip_while(|word| matches!(*word, "of" | "in" | "from" | "the"));
    let name = words.next().unwrap_or_default();
    let is_name = name.len() > 2 && name.starts_with('`') && name.ends_with('`');
    let is_skill = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()) == "skill";
    let begins = after
        .trim_start_matches('`')
        .starts_with(char::is_whitespace);
    begins && is_name && words.next().is_some_and(is_skill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_check::check::links::is_local;

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
    fn files_of_another_skill() {
        for (text, is_read) in [
            ("See `social`' `references/x.md` there.", false),
            ("See `social`'s `references/x.md` there.", false),
            ("See `social`\u{2019}s\n  `references/x.md` there.", false),
            ("See `social`'\n`references/x.md` there.", false),
            ("See `social` and its `references/x.md`.", false),
            ("See `references/x.md` of the `social` skill.", false),
            ("See `references/x.md` in `social` skill, then.", false),
            ("See `references/x.md` in `social`.", true),
            ("See `social`'\n\n`references/x.md` there.", true),
            ("See 'social's' `references/x.md` there.", true),
            ("See `references/x.md` of this skill.", true),
            ("See `references/x.md`.", true),
        ] {
            let start = text.find("references").expect("the path");
            let span = Span::new(start, start + "references/x.md".len());
            assert_eq!(reading(text, span) != Reading::Example, is_read, "{text}");
        }
    }

    #[test]
    fn paths_in_code() {
        for path in ["scripts/a.py", "./references/b.md", "assets\\c.png"] {
            assert!(resource_folder(path).is_some(), "{path}");
        }
        for other in [
            "scripts/",
            "scripts/a.py --x",
            "references/<n>.md",
            "src/a.rs",
            "scripts/*",
        ] {
            assert!(resource_folder(other).is_none(), "{other}");
        }
    }
}
