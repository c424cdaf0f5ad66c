//! Names of skills and of sources, and how arbitrary text is turned into a valid name.

use crate::text::unicode::{self, is_capital, is_digit, is_enclosing, is_letter, is_mark};
use std::borrow::Cow;
use std::fmt;
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The maximum length of a name, in characters (Agent Skills specification).
pub const MAX_NAME: usize = 64;

/// A valid skill name: 1 to 64 characters; lowercase letters and digits of any script with single
/// inner hyphens; NFKC (Agent Skills specification).
///
/// ```
/// use skills_format::SkillName;
///
/// assert!(SkillName::new("code-review").is_ok());
/// assert_eq!(SkillName::new("Code Review").unwrap_err().to_string(), "`C` is a capital letter");
/// assert_eq!(SkillName::make("Code Review").unwrap().as_str(), "code-review");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName(String);

impl SkillName {
    /// Checks a name.
    ///
    /// # Errors
    ///
    /// The name is not valid. The error is the first fault found.
    pub fn new(name: &str) -> Result<Self, NameError> {
        check(name).map(|()| Self(name.to_owned()))
    }

    /// Turns any text into a valid name. The text is lowercased, fullwidth letters and digits become ASCII,
    /// every run of characters that no name can hold becomes one hyphen, and the name is cut at 64
    /// characters. Returns `None` if the text holds neither letters nor digits.
    pub fn make(text: &str) -> Option<Self> {
        if text.is_ascii()
            && let Ok(name) = Self::new(text)
        {
            return Some(name);
        }
        let narrow = text.chars().map(unicode::narrow);
        let lower: String = narrow.flat_map(char::to_lowercase).collect();
        let mut name = String::new();
        let mut length = 0;
        for part in unicode::nfc(&lower)
            .split(|c| !is_name_char(c) || !unicode::is_in_nfkc(c))
            .filter(|part| !part.is_empty())
        {
            let separator = usize::from(!name.is_empty());
            if length + separator >= MAX_NAME {
                break;
            }
            if separator == 1 {
                name.push('-');
            }
            name.extend(part.chars().take(MAX_NAME - length - separator));
            length = name.chars().count();
        }
        check(&name).is_ok().then_some(Self(name))
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name as owned text.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Returns how a valid name is written in YAML: in quotation marks where a reader of YAML 1.1 or 1.2 takes the bare name for
/// another value, as `null`, `no`, `123` or `2024-01-02`.
pub fn in_yaml(name: &str) -> Cow<'_, str> {
    let is_word = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&name);
    // The letters of `0x1f`, `0o17`, `1e5` and of a time.
    let is_of_number =
        |c: char| c.is_ascii_hexdigit() || matches!(c, '-' | '_' | 'o' | 'x' | 't' | 'z');
    let is_number =
        name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_of_number);
    if is_word || is_number {
        Cow::Owned(format!("\"{name}\""))
    } else {
        Cow::Borrowed(name)
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for SkillName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// The first fault of an invalid name, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError(String);

impl std::error::Error for NameError {}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns a character as a message shows it: an invisible character is escaped.
pub fn shown(c: char) -> String {
    if c.is_ascii_graphic() {
        c.to_string()
    } else {
        c.escape_debug().to_string()
    }
}

fn check(name: &str) -> Result<(), NameError> {
    let is_plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-');
    // Most names are plain: no character of them is looked up.
    let others = Some(name).filter(|name| !name.bytes().all(is_plain));
    let wrong = others.and_then(|name| name.chars().find(|c| *c != '-' && !is_name_char(*c)));
    let length = others.map_or(name.len(), |name| name.chars().count());
    let fault = if name.is_empty() {
        "it is empty".to_owned()
    } else if let Some(capital) = wrong.filter(|c| c.is_uppercase()) {
        format!("`{capital}` is a capital letter")
    } else if let Some(c) = wrong {
        let c = shown(c);
        format!("`{c}` is neither a letter nor a digit nor a hyphen")
    } else if others.is_some_and(|name| !unicode::is_nfkc(name)) {
        "it is not in Unicode normal form NFKC".to_owned()
    } else if length > MAX_NAME {
        format!("it has {length} characters; the maximum is {MAX_NAME}")
    } else if name.starts_with('-') || name.ends_with('-') {
        "it begins or ends with a hyphen".to_owned()
    } else if name.contains("--") {
        "it has two hyphens in a row".to_owned()
    } else {
        return Ok(());
    };
    Err(NameError(fault))
}

/// Returns whether a name can hold a character: a lowercase letter, a letter of a script without case, a
/// combining mark, or a decimal digit.
fn is_name_char(c: char) -> bool {
    is_letter(c) && !is_capital(c) || is_mark(c) && !is_enclosing(c) || is_digit(c)
}

/// Returns a text in Unicode normal form NFC, in which names are compared. A text in this form is borrowed.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text.into();
    }
    let normal = unicode::nfc(text);
    if normal == text {
        text.into()
    } else {
        normal.into()
    }
}

/// The maximum length of the base of a slash command, in characters.
const MAX_COMMAND: usize = 32;

/// Returns the base of a skill's slash command for hosts that restrict the names of commands.
///
/// The base is lower case, with one `_` for every run of characters other than `[a-z0-9]`, no `_` at the
/// ends, and at most 32 characters. If nothing is left, the base is `skill`. Two skills can have the same
/// base.
///
/// ```
/// assert_eq!(skills_format::command_base("code-review"), "code_review");
/// assert_eq!(skills_format::command_base("代码"), "skill");
/// ```
pub fn command_base(name: &str) -> String {
    let mut command = String::with_capacity(MAX_COMMAND);
    let mut is_apart = false;
    for c in name.chars().flat_map(char::to_lowercase) {
        if !c.is_ascii_alphanumeric() {
            is_apart = !command.is_empty();
            continue;
        }
        if std::mem::take(&mut is_apart) {
            command.push('_');
        }
        command.push(c);
        if command.len() >= MAX_COMMAND {
            break;
        }
    }
    // The last step can add a separator and a letter, of which the letter exceeds the maximum.
    command.truncate(MAX_COMMAND);
    match command.trim_end_matches('_') {
        "" => "skill".to_owned(),
        whole if whole.len() == command.len() => command,
        cut => cut.to_owned(),
    }
}

/// The place from which a missing name is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum MissingName {
    /// The name of the folder.
    #[default]
    Folder,
    /// The first `# Heading` of the body, turned into a valid name; else the name of the folder. A file with
    /// such a heading needs no front matter.
    Heading,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for name in [
            "a",
            "007",
            "3d-modeling",
            "übersicht",
            "代码审查",
            "kód",
            "हिन्दी",
        ] {
            assert!(SkillName::new(name).is_ok(), "{name}");
        }
        for name in [
            "",
            "-a",
            "a-",
            "a--b",
            "A",
            "a_b",
            "a.b",
            "a b",
            "a:b",
            "ﬁx",
            &"f".repeat(65),
        ] {
            assert!(SkillName::new(name).is_err(), "{name}");
        }
    }

    #[test]
    fn characters_are_shown_as_they_are_written() {
        for (name, shown) in [("a\\b", "`\\`"), ("a'b", "`'`"), ("a\tb", "`\\t`")] {
            let message = SkillName::new(name).expect_err(name).to_string();
            assert!(message.starts_with(shown), "{message}");
        }
    }

    #[test]
    fn a_name_in_yaml_is_read_as_the_name() {
        for name in [
            "null",
            "no",
            "123",
            "1e5",
            "0x1f",
            "0o17",
            "2024-01-02",
            "2024-01-02t3",
        ] {
            assert_eq!(in_yaml(name), format!("\"{name}\""));
        }
        for name in ["greet", "3d-model", "nulls", "x1e5", "über", "null-1"] {
            assert_eq!(in_yaml(name), name);
        }
    }

    #[test]
    fn made_names_are_valid() {
        for (text, name) in [
            ("My Skill", "my-skill"),
            ("PDF", "pdf"),
            ("a/b", "a-b"),
            ("stitch::x", "stitch-x"),
            ("ＰＤＦ　１２", "pdf-12"),
            ("Cafe\u{301}", "café"),
            ("x²", "x"),
            ("ﬁx", "x"),
            ("🚀 launch", "launch"),
        ] {
            assert_eq!(
                SkillName::make(text).map(SkillName::into_string).as_deref(),
                Some(name)
            );
        }
        assert_eq!(SkillName::make("🚀"), None);
        assert!(SkillName::make(&"x y ".repeat(99)).is_some());
    }
}
