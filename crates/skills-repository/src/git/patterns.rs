//! The patterns of `.gitignore`, and of `include` and `exclude` in a manifest.
//!
//! The crate `ignore` matches the patterns, in time linear in the path and in the patterns. Its builder rejects
//! a whole file when one line is too large to compile. So the length of a line is limited, and a line that does
//! not compile is skipped alone.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use skills_format::{Diagnostic, RuleId, Severity, Span};

/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 4096;
/// Maximum bytes of patterns in a file: the time of a match grows with them.
const MAX_LINES: usize = 64 * 1024;
/// Bytes of lines that are compiled together.
const CHUNK: usize = 8 * 1024;
/// Maximum number of skipped lines that are reported for a file.
const MAX_SKIPPED: usize = 20;

/// The patterns of one file or list, in order. A later pattern overrides an earlier one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns(Vec<Gitignore>);

/// A skipped line of patterns, or an unreadable file of patterns.
#[derive(Clone, Debug)]
pub(crate) struct Skipped {
    /// The bytes of the file before the line.
    pub(crate) text: Vec<u8>,
    /// The byte offset of the line.
    pub(crate) offset: usize,
    pub(crate) message: String,
    help: &'static str,
}

impl Skipped {
    /// Creates the report of an unreadable ignore file.
    pub(crate) fn file(reason: &str) -> Self {
        Self {
            text: Vec::new(),
            offset: 0,
            message: format!("this cannot be read, so its patterns are left out: {reason}"),
            help: "make it a file of lines, as git reads it",
        }
    }

    /// Creates the report of an unreadable index.
    pub(crate) fn index(reason: &str) -> Self {
        Self {
            text: Vec::new(),
            offset: 0,
            message: format!(
                "git's index cannot be read, so nothing counts as tracked: neither ignored files nor skills in `target` and \
                 `node_modules`: {reason}"
            ),
            help: "`git ls-files` shows whether git can read it; a folder that is named is checked wherever it is",
        }
    }

    /// Renders the report as a finding of a rule.
    pub(crate) fn finding(&self, rule: RuleId, severity: Severity, path: String) -> Diagnostic {
        Diagnostic::new(rule, severity, path, &self.message)
            .at(&self.text, Span::at(self.offset))
            .help(self.help)
    }
}

/// A line and its byte offset.
type Line<'l> = (usize, &'l str);

impl Patterns {
    /// Parses an ignore file. Invalid lines are skipped and reported.
    pub(crate) fn parse_file(bytes: &[u8]) -> (Self, Vec<Skipped>) {
        let mut offset = 0;
        let lines: Vec<(usize, String)> = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| {
                let start = offset;
                offset += line.len();
                (start, literal_braces(&String::from_utf8_lossy(line)))
            })
            .collect();
        Self::parse(bytes, lines.iter().map(|(at, line)| (*at, line.as_str())))
    }

    /// Parses lines of a text, each with its byte offset.
    pub(crate) fn parse<'l>(
        text: &[u8],
        lines: impl IntoIterator<Item = Line<'l>>,
    ) -> (Self, Vec<Skipped>) {
        let mut reader = Reader {
            text,
            patterns: Vec::new(),
            skipped: Vec::new(),
            unreported: 0,
        };
        let (mut total, mut size, mut chunk) = (0, 0, Vec::new());
        for (at, line) in lines {
            total += line.len();
            if line.len() > MAX_LINE {
                let message = format!("it has {} bytes; the maximum is {MAX_LINE}", line.len());
                reader.skip(at, &message);
                // A skipped line costs no match, so its bytes do not count against the maximum.
                total -= line.len();
                continue;
            }
            if total > MAX_LINES {
                let message = format!("it and what follows are beyond {MAX_LINES} bytes");
                reader.skip(at, &message);
                break;
            }
            size += line.len();
            chunk.push((at, line));
            if size > CHUNK {
                reader.compile(&chunk);
                chunk.clear();
                size = 0;
            }
        }
        reader.compile(&chunk);
        reader.end()
    }

    /// Returns whether the last pattern that matches a path ignores the path, or `None` if no pattern matches.
    pub(crate) fn names(&self, path: &str, is_folder: bool) -> Option<bool> {
        let chunks = self.0.iter().rev();
        let mut found = chunks.map(|chunk| chunk.matched(path, is_folder));
        found.find_map(|found| match found {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        })
    }
}

struct Reader<'t> {
    text: &'t [u8],
    patterns: Vec<Gitignore>,
    skipped: Vec<Skipped>,
    unreported: usize,
}

impl Reader<'_> {
    /// Compiles lines together. If that fails, compiles each half alone, down to the line that does not compile.
    fn compile(&mut self, lines: &[Line<'_>]) {
        let mut builder = GitignoreBuilder::new("");
        let mut refused = Vec::new();
        for (at, line) in lines {
            if let Err(error) = builder.add_line(None, line.trim_end_matches(['\r', '\n'])) {
                refused.push((*at, error));
            }
        }
        match builder.build() {
            Ok(patterns) => {
                self.patterns
                    .extend((!patterns.is_empty()).then_some(patterns));
                for (at, error) in refused {
                    self.skip(at, &format!("it does not compile: {error}"));
                }
            }
            Err(_) if lines.len() > 1 => {
                let (before, after) = lines.split_at(lines.len() / 2);
                self.compile(before);
                self.compile(after);
            }
            Err(_) => {
                if let [(at, _)] = lines {
                    self.skip(*at, "it is too complex");
                }
            }
        }
    }

    fn skip(&mut self, offset: usize, reason: &str) {
        if self.skipped.len() >= MAX_SKIPPED {
            self.unreported += 1;
            return;
        }
        let text = self.text.get(..offset).unwrap_or_default().to_vec();
        let line = text.split(|byte| *byte == b'\n').count();
        self.skipped.push(Skipped {
            text,
            offset,
            message: format!("line {line} is ignored: {reason}"),
            help: "correct this line as git would read it, or shorten it; the other lines apply",
        });
    }

    fn end(mut self) -> (Patterns, Vec<Skipped>) {
        if let (Some(last), 1..) = (self.skipped.last_mut(), self.unreported) {
            last.message = format!("{}, and {} more lines", last.message, self.unreported);
        }
        (Patterns(self.patterns), self.skipped)
    }
}

/// Escapes braces: git matches braces literally, `ignore` reads them as alternatives.
fn literal_braces(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let (mut is_escaped, mut in_class) = (false, false);
    for c in line.chars() {
        if matches!(c, '{' | '}') && !is_escaped && !in_class {
            escaped.push('\\');
        }
        match c {
            '[' if !is_escaped => in_class = true,
            ']' if !is_escaped => in_class = false,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE, MAX_LINES, Patterns};

    fn names(lines: &[&str], path: &str) -> bool {
        let text = lines.join("\n");
        names_file(&Patterns::parse_file(text.as_bytes()).0, path)
    }

    /// Returns whether the patterns ignore a file, directly or through its nearest folder that a pattern matches.
    fn names_file(patterns: &Patterns, path: &str) -> bool {
        let folders = path.rmatch_indices('/').map(|(at, _)| (&path[..at], true));
        std::iter::once((path, false))
            .chain(folders)
            .find_map(|(path, is_folder)| patterns.names(path, is_folder))
            .unwrap_or(false)
    }

    #[test]
    fn as_git_has_them() {
        for (pattern, path) in [
            ("*.log", "a/b/x.log"),
            ("/skills/*", "skills/a/SKILL.md"),
            ("skills/**/assets", "skills/assets/x"),
            ("skills/**/assets/", "skills/a/b/assets/x"),
            ("src/**/*.rs", "src/lib.rs"),
            ("**/x", "x"),
            ("a/**", "a/b"),
            ("b?[a-c].m[!x]", "bxb.md"),
            ("\\#x", "#x"),
            ("x ", "x"),
            ("[", "["),
        ] {
            assert!(names(&[pattern], path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("/x", "a/x"),
            ("a/b", "c/a/b"),
            ("x/", "a/x"),
            ("*.rs", "x.rss"),
            ("a/*", "b/a/x"),
            ("a/**", "a"),
            ("#x", "#x"),
            ("", "x"),
            ("[a-", "a"),
        ] {
            assert!(!names(&[pattern], path), "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_one_decides() {
        assert!(!names(&["*.md", "!SKILL.md"], "a/SKILL.md"));
        assert!(names(&["!SKILL.md", "*.md"], "a/SKILL.md"));
    }

    fn told(text: &str) -> Vec<(usize, String)> {
        let (_, skipped) = Patterns::parse_file(text.as_bytes());
        let told = skipped.into_iter();
        told.map(|skipped| (skipped.offset, skipped.message))
            .collect()
    }

    #[test]
    fn a_line_that_cannot_be_read_is_skipped_alone() {
        let long = "*".repeat(300_000);
        let text = format!("x\n{long}\n*.log\n");
        assert!(names(&[&text], "a.log") && names(&[&text], "x"));
        assert_eq!(
            told(&text),
            [(
                2,
                "line 2 is ignored: it has 300001 bytes; the maximum is 4096".to_owned()
            )]
        );
        let (patterns, skipped) = Patterns::parse(b"", [(0, "{"), (1, "y")]);
        assert!(skipped.len() == 1 && names_file(&patterns, "y"));
        let many = "z\n".repeat(MAX_LINES);
        assert!(told(&many).len() == 1 && names(&[&many], "z"));
    }

    #[test]
    fn patterns_of_any_form_take_little_time() {
        let path = "a".repeat(200);
        for pattern in ["*", "a*", "**/", "*/", "[a-z]*", "?*", "**", "a**b"] {
            let line = format!("{}Q", pattern.repeat((MAX_LINE - 2) / pattern.len()));
            let text = vec![line; 16].join("\n");
            let (patterns, _) = Patterns::parse_file(text.as_bytes());
            assert!(!names_file(&patterns, &path), "{pattern}");
        }
    }
}
