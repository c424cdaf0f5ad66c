//! Collects the powers of the file that is being read.

use crate::powers::tables::has;
use crate::powers::word::own_path;
use crate::view::secrets::masked;
use skills_format::Digest;
use skills_format::text::appearance::hides;
use skills_permit::{PowerKind, Powers};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The most characters of a power that is a piece of code.
const MAX_EXCERPT: usize = 60;
/// The fewest characters of encoded text that counts as unreadable: longer than a digest of SHA-512 in hexadecimal, and than a token.
const MIN_BLOB: usize = 200;
/// How deep code in strings of code is read: `bash -c "bash -c '…'"`.
pub(super) const MAX_DEPTH: usize = 8;

/// Text that is read after the text in which it stands.
pub(super) struct Waiting {
    /// A shell runs the text. Otherwise it is Markdown for a model.
    pub(super) is_shell: bool,
    pub(super) text: String,
    /// The line of the file in which the text begins.
    pub(super) line: usize,
    depth: usize,
}

/// The powers found so far, and what the code of a file defines for itself.
#[derive(Default)]
pub(super) struct Reader {
    found: BTreeMap<(PowerKind, String), BTreeSet<(String, usize)>>,
    pub(super) path: String,
    /// The variables that the file sets itself, which are not the environment's.
    pub(super) assigned: BTreeSet<String>,
    /// The functions that the file defines, which are not programs.
    pub(super) functions: BTreeSet<String>,
    /// How deep the code that is read stands in other code.
    pub(super) depth: usize,
    /// The digest of the code of a shell that is read.
    pub(super) code: String,
    /// A list, since shells and Markdown hold each other.
    waiting: VecDeque<Waiting>,
    /// The names of the files that commands run, with the interpreter that they name.
    pub(super) runs: BTreeMap<String, String>,
    /// Each line of code of a shell is named too.
    pub(super) has_calls: bool,
    /// The paths of all files, in lower case, and whether each is a script.
    pub(super) files: BTreeMap<String, bool>,
}

impl Reader {
    /// Begins a file.
    pub(super) fn open(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.assigned.clear();
        self.functions.clear();
        self.depth = 0;
    }

    /// Returns whether a word is the path of a script that the skill has.
    pub(super) fn has_script(&self, word: &str) -> bool {
        let word = word.trim_matches(['"', '\'']);
        let path = own_path(word).unwrap_or(word);
        word.contains(['/', '\\']) && self.files.get(&path.to_lowercase()) == Some(&true)
    }

    pub(super) fn add(&mut self, kind: PowerKind, text: impl Into<String>, line: usize) {
        // A command can hold a key, and powers are printed, locked and compared.
        self.insert(kind, masked(&text.into()).into_owned(), line);
    }

    /// Adds text that is not read, with its whole digest: any change of the text is another power.
    pub(super) fn opaque(&mut self, what: &str, bytes: &[u8], line: usize) {
        // The digest is not masked: it looks like a key, and is not.
        let text = format!("{} {}", masked(what), Digest::of(bytes));
        self.insert(PowerKind::Unreadable, text, line);
    }

    /// Adds the open file as a script.
    pub(super) fn script(&mut self, bytes: &[u8]) {
        let text = format!("{} {}", masked(&self.path), Digest::of(bytes));
        self.insert(PowerKind::Scripts, text, 1);
    }

    /// Adds code that cannot be read, known by its own words: a later change of the code is another power. What variables hold is
    /// set elsewhere, so that the whole code around it counts.
    pub(super) fn unreadable(&mut self, code: &str, line: usize) {
        let mut text = masked(&excerpt(code)).into_owned();
        if code.contains(['$', '`']) {
            text = format!("{text} in code {}", self.code);
        }
        self.insert(PowerKind::Unreadable, text, line);
    }

    fn insert(&mut self, kind: PowerKind, text: String, line: usize) {
        let places = self.found.entry((kind, text)).or_default();
        places.insert((self.path.clone(), line));
    }

    pub(super) fn powers(self) -> Powers {
        let mut powers = Powers::default();
        for ((kind, text), places) in self.found {
            for (path, line) in places {
                powers.add(kind, text.as_str(), &path, line);
            }
        }
        powers
    }

    /// Reads code of a shell later, after the code in which it stands.
    pub(super) fn shell(&mut self, text: String, line: usize) {
        self.wait(true, text, line);
    }

    /// Reads Markdown later.
    pub(super) fn markdown(&mut self, text: String, line: usize) {
        self.wait(false, text, line);
    }

    fn wait(&mut self, is_shell: bool, text: String, line: usize) {
        if self.depth >= MAX_DEPTH {
            return self.opaque("deep code", text.as_bytes(), line);
        }
        self.waiting.push_back(Waiting {
            is_shell,
            text,
            line,
            depth: self.depth + 1,
        });
    }

    /// Returns the text that is read next.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let waiting = self.waiting.pop_front()?;
        self.depth = waiting.depth;
        Some(waiting)
    }

    /// Adds a line of code, between backticks.
    pub(super) fn call(&mut self, row: &str, line: usize) {
        let text = cut(row);
        // Brackets, and words that end what other lines begin, are no commands.
        let ends = has("fi done esac then do", text.trim());
        if !ends && text.contains(|c| !"{}()[];,\"' \t".contains(c)) {
            let shown = masked(&text);
            let digest = (shown != text).then(|| Digest::of(text.as_bytes()));
            let digest = digest.map_or_else(String::new, |digest| format!(" {digest}"));
            self.insert(PowerKind::Commands, format!("`{shown}`{digest}"), line);
        }
    }

    /// Adds encoded text: a reviewer cannot read it, and code or a model can.
    pub(super) fn blobs(&mut self, text: &str) {
        let is_part =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-' | '\\');
        for (at, line) in text.split('\n').enumerate() {
            let words = line.split(|c| !is_part(c));
            for blob in words.filter(|word| word.len() >= MIN_BLOB && is_encoded(word)) {
                self.opaque("encoded text", blob.as_bytes(), at + 1);
            }
        }
    }
}

/// Returns whether a long word is encoded data, and not a path or a rule of dashes.
fn is_encoded(word: &str) -> bool {
    let count = |test: fn(&char) -> bool| word.chars().filter(test).count();
    count(char::is_ascii_digit) * 20 > word.len()
        && count(|c| matches!(c, '/' | '-' | '_')) * 8 < word.len()
}

/// Returns code as one short line. Code that is cut ends with its digest, so that any change gives another text.
pub(super) fn excerpt(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    let line: String = words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control() && !hides(*c))
        .collect();
    cut(&line)
}

/// Returns a line. If it is long, its beginning with its digest.
fn cut(line: &str) -> String {
    if line.chars().count() <= MAX_EXCERPT {
        return line.to_owned();
    }
    let cut: String = line.chars().take(MAX_EXCERPT).collect();
    format!("{cut}… {}", Digest::of(line.as_bytes()))
}
