//! Collects the powers of the file that is being read.

use crate::powers::word::{ends_as_secret, is_secret};
use crate::view::secrets::masked;
use skills_format::text::appearance::hides;
use skills_format::text::appearance::is_control;
use skills_format::{Digest, PowerKind, Powers};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The most characters of a power that is a piece of code.
const MAX_EXCERPT: usize = 60;
/// The fewest characters of encoded text that counts as unreadable: longer than a digest of SHA-512 in hexadecimal, and than a token.
const MIN_BLOB: usize = 200;
/// How deep code in strings of code is read: `bash -c "bash -c '…'"`.
pub(super) const MAX_DEPTH: usize = 8;

/// Code that is read later.
pub(super) struct Waiting {
    /// The language: `shell`, `powershell`, `markdown`, or that of a script.
    pub(super) language: &'static str,
    pub(super) text: String,
    /// The line of the file in which the code begins.
    pub(super) line: usize,
    depth: usize,
}

/// The powers found so far, and what the code of a file defines for itself.
pub(super) struct Reader<'p> {
    /// In the end, `powers` holds them. A list would move all later powers for each new power.
    found: BTreeMap<(PowerKind, String), BTreeSet<(String, usize)>>,
    powers: &'p mut Powers,
    path: String,
    /// The variables that the file sets itself, which are not the environment's.
    pub(super) assigned: BTreeSet<String>,
    /// The variables that the skill gives to other programs.
    pub(super) given: BTreeSet<String>,
    /// The variables that some file of the skill sets for itself.
    set: BTreeSet<String>,
    /// The variables that prose names, with their places.
    named: Vec<(String, String, usize)>,
    /// The last value of each variable that is set to plain text.
    pub(super) values: BTreeMap<String, String>,
    /// The functions that the file defines, which are not programs.
    pub(super) functions: BTreeSet<String>,
    /// How deep the code that is read stands in other code.
    pub(super) depth: usize,
    /// The code that stands in what was read, and is read next. A list, since shells, scripts and Markdown hold each other.
    waiting: VecDeque<Waiting>,
    /// The code that is read is PowerShell.
    pub(super) is_powershell: bool,
    /// The commands of guards, with their places.
    guards: Vec<(String, String, usize)>,
}

impl<'p> Reader<'p> {
    pub(super) fn new(powers: &'p mut Powers) -> Self {
        Self {
            found: BTreeMap::new(),
            powers,
            path: String::new(),
            assigned: BTreeSet::new(),
            given: BTreeSet::new(),
            set: BTreeSet::new(),
            named: Vec::new(),
            values: BTreeMap::new(),
            functions: BTreeSet::new(),
            depth: 0,
            waiting: VecDeque::new(),
            is_powershell: false,
            guards: Vec::new(),
        }
    }

    /// Begins a file.
    pub(super) fn open(&mut self, path: &str) {
        path.clone_into(&mut self.path);
        self.set.append(&mut self.assigned);
        self.values.clear();
        self.functions.clear();
        self.depth = 0;
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn add(&mut self, kind: PowerKind, text: impl Into<String>, line: usize) {
        // A command can hold a key, and powers are printed, locked and compared.
        let text = text.into();
        let text = masked(&text).into_owned();
        self.add_at(kind, text, self.path.clone(), line);
    }

    fn add_at(&mut self, kind: PowerKind, text: String, path: String, line: usize) {
        let places = self.found.entry((kind, text)).or_default();
        places.insert((path, line));
    }

    /// Keeps the command of a guard until every file is known.
    pub(super) fn guard(&mut self, command: String, line: usize) {
        self.guards.push((command, self.path.clone(), line));
    }

    /// Returns the commands of guards, each with the path of its file and its line.
    pub(super) fn guards(&mut self) -> Vec<(String, String, usize)> {
        std::mem::take(&mut self.guards)
    }

    /// Adds a variable that prose names when every file was read: the skill can set the variable in another file.
    pub(super) fn name(&mut self, variable: &str, line: usize) {
        self.named
            .push((variable.to_owned(), self.path.clone(), line));
    }

    /// Ends the last file, and adds the variables that prose names and no file sets. A secret is added all the same.
    pub(super) fn end(&mut self) {
        self.set.append(&mut self.assigned);
        for (name, path, line) in std::mem::take(&mut self.named) {
            let is_own = self.set.contains(&name) && !self.given.contains(&name);
            if !is_own || is_secret(&name) || ends_as_secret(&name) {
                self.add_at(PowerKind::Variables, name, path, line);
            }
        }
        for ((kind, text), places) in std::mem::take(&mut self.found) {
            for (path, line) in places {
                self.powers.add(kind, text.as_str(), &path, line);
            }
        }
    }

    /// Reads code later, after the code in which it stands.
    pub(super) fn code(&mut self, language: &'static str, text: String, line: usize) {
        if self.depth >= MAX_DEPTH {
            return self.unreadable(&text, line);
        }
        let depth = self.depth + 1;
        self.waiting.push_back(Waiting {
            language,
            text,
            line,
            depth,
        });
    }

    /// Returns the code that is read next.
    pub(super) fn next(&mut self) -> Option<Waiting> {
        let waiting = self.waiting.pop_front()?;
        self.depth = waiting.depth;
        Some(waiting)
    }

    /// Adds code that cannot be read, known by its own words: a later change of the code is another power.
    pub(super) fn unreadable(&mut self, code: &str, line: usize) {
        let text = excerpt(code);
        self.add(PowerKind::Unreadable, text, line);
    }

    /// Adds encoded text and hidden characters: a reviewer cannot read them, and code or a model can.
    pub(super) fn blobs(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if line.len() >= MIN_BLOB {
                let is_part = |c: char| {
                    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '_' | '-' | '\\')
                };
                let blobs = line
                    .split(|c| !is_part(c))
                    .filter(|part| part.len() >= MIN_BLOB && is_encoded(part));
                for blob in blobs {
                    self.add(
                        PowerKind::Unreadable,
                        format!("encoded {}", excerpt(blob)),
                        at + 1,
                    );
                }
            }
            if !line.is_ascii() {
                for word in line.split(|c: char| !c.is_alphanumeric()) {
                    if is_lookalike(word) {
                        let text = format!("letters of two alphabets in {}", excerpt(word));
                        self.add(PowerKind::Unreadable, text, at + 1);
                    }
                }
                let hidden = |c: char| {
                    hides(c)
                        && !is_control(c)
                        && !matches!(
                            c,
                            '\u{200C}' | '\u{200D}' | '\u{FE00}'
                                ..='\u{FE0F}' | '\u{AD}' | '\u{FEFF}'
                        )
                };
                if line.chars().any(hidden) {
                    let text = format!("hidden characters in {}", self.path);
                    self.add(PowerKind::Unreadable, text, at + 1);
                }
            }
        }
    }
}

/// Returns whether a word has Latin letters and letters that look like them: a model reads `gіt` as `git`, with a Cyrillic
/// letter in it, and no table has the word.
fn is_lookalike(word: &str) -> bool {
    const LETTERS: &str = "аеорсухіјѕԁһԛԝοɑɡ";
    word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(|c| LETTERS.contains(c))
}

/// Returns whether a long word is encoded data, and not a path or a rule of dashes.
fn is_encoded(word: &str) -> bool {
    let count = |test: fn(&char) -> bool| word.chars().filter(test).count();
    count(char::is_ascii_digit) * 20 > word.len()
        && count(|c| matches!(c, '/' | '-' | '_')) * 8 < word.len()
}

/// Returns code as one short line. Code that is cut ends with a part of its digest, so that any change gives another
/// text.
pub(super) fn excerpt(code: &str) -> String {
    let words: Vec<&str> = code.split_whitespace().collect();
    let line: String = words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control() && !hides(*c))
        .collect();
    if line.chars().count() <= MAX_EXCERPT {
        return line;
    }
    let cut: String = line.chars().take(MAX_EXCERPT).collect();
    format!("{cut}… [{}]", fingerprint(line.as_bytes()))
}

/// Returns 128 bits of a digest: with fewer, somebody could compute other bytes that have the same ones.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let digest = Digest::of(bytes).to_string();
    let digest = digest.trim_start_matches("sha256:").get(..32);
    digest.unwrap_or_default().to_owned()
}
