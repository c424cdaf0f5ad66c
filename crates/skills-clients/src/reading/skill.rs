//! One file, as a program reads it: where the front matter begins and ends, which YAML it is, and what a lost value does.

use crate::reading::file::{Found, ReadSkill, Reader, Seen};
use crate::reading::yaml;
use skills_format::skill::paths;
use skills_format::yaml::{Node, Style, Value, parse};
use skills_lint::DropReason;
use skills_lint::codex_reads_over;
use std::borrow::Cow;

const NO_FRONT_MATTER: DropReason = reason(
    "the two lines `---` are not found",
    "",
    "write `---` and nothing else as the first line, and on the line after the fields",
);
const NOT_YAML: DropReason = reason(
    "the front matter is not read",
    "",
    "put values with colons, quotes or brackets into quotes, and write each key once",
);
const NO_NAME: DropReason = reason("the name is not read", "name", "write the name as a text");
const NO_DESCRIPTION: DropReason = reason(
    "the description is not read",
    "description",
    "write the description as a text",
);
const LARGE: DropReason = reason(
    "the file is larger than 1 MB",
    "",
    "move most of the text into files beside it",
);
const LONG_NAME: DropReason = reason(
    "the name has more than 64 characters",
    "name",
    "write at most 64 characters",
);
const METADATA: DropReason = reason(
    "`metadata` is not a mapping",
    "metadata",
    "write keys and values below `metadata`, or remove it",
);
const SHORT_DESCRIPTION: DropReason = reason(
    "`metadata.short-description` is not a string",
    "metadata.short-description",
    "write it as one text, or remove it",
);

const fn reason(what: &'static str, key: &'static str, works: &'static str) -> DropReason {
    DropReason { what, key, works }
}

/// The maximum number of bytes of a file.
const CLAUDE_CODE_SIZE: usize = 1_000_000;

impl Reader {
    /// Returns what the program makes of one file. The place of the file, and other skills of the same name, do not count.
    pub(crate) fn sees(self, file: &Found) -> Seen {
        let content = String::from_utf8_lossy(&file.text);
        let skill = |name, description, when_to_use| {
            Seen::Listed(ReadSkill {
                name,
                description,
                when_to_use,
                path: file.path.clone(),
            })
        };
        if self == Self::ClaudeCode {
            if file.text.len() > CLAUDE_CODE_SIZE {
                return Seen::Dropped(LARGE);
            }
            let (root, body) = claude_code(&content);
            let written = |key| javascript(root.get(key)?);
            let closed = written("disable-model-invocation").unwrap_or_default();
            let globs = root.get("paths").map(paths::globs).unwrap_or_default();
            if matches!(&*closed.to_ascii_lowercase(), "true" | "yes" | "on" | "1")
                || paths::close(&globs)
            {
                return Seen::Closed;
            }
            // A name with other characters is not shown.
            let is_shown = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
            let name = written("name").filter(|name| name.chars().all(is_shown));
            let description = written("description").unwrap_or_else(|| from_body(body));
            let when_to_use = written("when_to_use").unwrap_or_default();
            return skill(
                name.unwrap_or_default(),
                visible(&description),
                visible(&when_to_use),
            );
        }
        let fields = match self.split(&content) {
            // The file is not UTF-8.
            _ if self == Self::Codex && matches!(content, Cow::Owned(_)) => Err(NOT_YAML),
            None => Err(NO_FRONT_MATTER),
            Some((front, _)) => self.fields(front),
        };
        match fields {
            Err(reason) => Seen::Dropped(reason),
            Ok((name, description)) if self == Self::Codex => {
                let folder = file.path.rsplit('/').nth(1).unwrap_or("skill");
                let name = Some(name).filter(|name| !name.is_empty());
                let name = name.unwrap_or_else(|| one_line(folder));
                if name.chars().count() > 64 {
                    Seen::Dropped(LONG_NAME)
                } else if description.is_empty() {
                    Seen::Dropped(NO_DESCRIPTION)
                } else if file.policy.as_deref().is_some_and(codex_closes) {
                    Seen::Closed
                } else {
                    skill(name, description, String::new())
                }
            }
            Ok((mut name, description)) => {
                if self == Self::GeminiCli {
                    name = name.replace([':', '\\', '/', '<', '>', '*', '?', '"', '|'], "-");
                }
                skill(name, description, String::new())
            }
        }
    }

    /// Splits a file into its front matter and what stands below.
    fn split(self, content: &str) -> Option<(&str, &str)> {
        let content = match self {
            Self::ClaudeCode | Self::Opencode => content.trim_start_matches('\u{feff}'),
            Self::Codex | Self::GeminiCli => content,
        };
        let (first, rest) = content.split_once('\n')?;
        let mark = first.strip_prefix("---");
        let is_open = match self {
            Self::ClaudeCode => mark.is_some_and(|after| after.trim().is_empty()),
            Self::Codex => first.trim() == "---",
            Self::GeminiCli => matches!(mark, Some("" | "\r")),
            // What follows the mark is the name of a language.
            Self::Opencode => mark.is_some_and(|it| matches!(it.trim(), "" | "yaml" | "yml")),
        };
        let end = match self {
            _ if !is_open => return None,
            // Wherever the mark stands.
            Self::ClaudeCode => rest.find("---")?,
            Self::Codex => {
                let lines = rest.split_inclusive('\n');
                let before = lines.take_while(|line| line.trim() != "---");
                // The front matter has a line, and a line that closes it.
                let end = before.map(str::len).sum();
                Some(end).filter(|end| (1..rest.len()).contains(end))?
            }
            Self::GeminiCli => rest.find("\n---")?,
            Self::Opencode if rest.starts_with("---") => 0,
            Self::Opencode => rest.find("\n---").unwrap_or(rest.len()),
        };
        Some(rest.split_at(end))
    }

    /// Parses a front matter.
    fn parse(self, front: &str) -> Option<Node> {
        match self {
            Self::ClaudeCode => {
                // A control character is read, and the list shows a space for it.
                let is_control = |c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
                yaml::parse(&with_tabs(front, "  ").replace(is_control, " "), self)
            }
            Self::Codex => {
                let mut escapes = front.match_indices("\\u");
                let has_half = escapes.any(|(at, _)| front.get(at..).and_then(half).is_some());
                yaml::parse(front, self).filter(|_| !has_half)
            }
            Self::GeminiCli => yaml::parse(&whole_pairs(front), self),
            // Its parser counts spaces alone: a line that begins with a tab is not indented.
            Self::Opencode => yaml::parse(&whole_pairs(&with_tabs(front, "")), self),
        }
    }

    /// Returns the name and the description. A front matter that is not YAML is read once more, with repairs.
    fn fields(self, front: &str) -> Result<(String, String), DropReason> {
        match (self, self.strict_fields(front)) {
            (Self::GeminiCli, Err(_)) => by_lines(front),
            (_, Err(reason)) if self == Self::Codex || reason == NOT_YAML => {
                let repaired = self.strict_fields(&self.repaired(front));
                repaired.map_err(|_| reason)
            }
            (_, fields) => fields,
        }
    }

    fn strict_fields(self, front: &str) -> Result<(String, String), DropReason> {
        let root = self.parse(front).ok_or(NOT_YAML)?;
        if self == Self::Codex {
            let is_repeated = |node: &Node, key: &str| {
                let keys = node.entries().iter().map(|(key, _)| key.as_str());
                keys.filter(|other| *other == Some(key)).count() > 1
            };
            let keys = ["name", "description", "metadata"];
            if root.kind() != "a mapping" || keys.iter().any(|key| is_repeated(&root, key)) {
                return Err(NOT_YAML);
            }
            if let Some(metadata) = root.get("metadata") {
                let short = "short-description";
                if metadata.kind() != "a mapping" {
                    return Err(METADATA);
                }
                if is_repeated(metadata, short) || self.text(metadata, short).is_none() {
                    return Err(SHORT_DESCRIPTION);
                }
            }
        }
        Ok((
            self.text(&root, "name").ok_or(NO_NAME)?,
            self.text(&root, "description").ok_or(NO_DESCRIPTION)?,
        ))
    }

    /// Returns the text of a field. Codex takes every scalar, and the empty text for a missing value.
    fn text(self, root: &Node, key: &str) -> Option<String> {
        let scalar = match root.get(key) {
            None if self == Self::Codex => return Some(String::new()),
            Some(node) if self == Self::Codex && node.is_null() => return Some(String::new()),
            Some(node) => match &node.value {
                Value::Scalar(scalar) => scalar,
                _ => return None,
            },
            None => return None,
        };
        let is_text = scalar.style != Style::Plain || is_text(&scalar.text);
        match self {
            Self::Codex => Some(one_line(&scalar.text)),
            _ => is_text.then(|| scalar.text.clone()),
        }
    }

    /// Writes values that are not YAML in a form that is.
    fn repaired(self, front: &str) -> String {
        let mut lines = Vec::new();
        for line in front.lines() {
            let repaired = line.split_once(':').and_then(|(key, value)| match self {
                Self::ClaudeCode => {
                    let value = value.strip_prefix([' ', '\t'])?.trim_start();
                    let is_quoted = value.len() > 1
                        && ['"', '\'']
                            .iter()
                            .any(|&it| value.starts_with(it) && value.ends_with(it));
                    let is_faulty = value.contains(|c| "{}[]*&#!|>%@`".contains(c))
                        || value.contains(": ")
                        || value.starts_with(',');
                    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                    let is_repaired = is_key(key, "_-", false) && !is_quoted && is_faulty;
                    is_repaired.then(|| format!("{key}: \"{value}\""))
                }
                Self::Codex => {
                    let (key, value) = line.split_once(": ")?;
                    let value = value.split(" #").next().unwrap_or_default().trim();
                    let is_faulty = value.contains(": ")
                        || value.starts_with(['@', '`'])
                        || (value.starts_with(['[', '{'])
                            && self.parse(&format!("a: {value}")).is_none());
                    let is_repaired = is_faulty && !value.starts_with(['"', '\'', '|', '>']);
                    is_repaired.then(|| format!("{key}: '{}'", value.replace('\'', "''")))
                }
                Self::GeminiCli => None,
                Self::Opencode => {
                    let value = value.trim();
                    let is_faulty = value.contains(':') && !value.starts_with(['"', '\'']);
                    let is_repaired = is_faulty && is_key(key, "_", true);
                    is_repaired.then(|| format!("{key}: |-\n  {value}"))
                }
            });
            lines.push(repaired.unwrap_or_else(|| line.to_owned()));
        }
        lines.join("\n")
    }
}

/// Returns whether a key is not indented, and has letters of ASCII, these characters, and perhaps digits.
fn is_key(key: &str, others: &str, digits: bool) -> bool {
    let is_part =
        |c: char| c.is_ascii_alphabetic() || others.contains(c) || digits && c.is_ascii_digit();
    !key.is_empty() && key.chars().all(is_part)
}

/// Returns the fields that Claude Code reads, and the body. A front matter that is not YAML has no fields.
fn claude_code(content: &str) -> (Node, &str) {
    let reader = Reader::ClaudeCode;
    let Some((front, below)) = reader.split(content) else {
        return (Node::empty_mapping(0), content);
    };
    let front = with_tabs(front, "  ");
    let root = reader.parse(&front);
    let root = root.or_else(|| reader.parse(&reader.repaired(&front)));
    let body = below.strip_prefix("---").unwrap_or(below);
    (root.unwrap_or_else(|| Node::empty_mapping(0)), body)
}

/// Returns a value as JavaScript writes it; `None` if it is empty, a list or a mapping.
fn javascript(node: &Node) -> Option<String> {
    let Value::Scalar(scalar) = &node.value else {
        return None;
    };
    let text = scalar.text.trim();
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let is_decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let number = match unsigned.split_at_checked(2) {
        Some(("0x", digits)) => u32::from_str_radix(digits, 16).ok().map(f64::from),
        Some(("0o", digits)) => u32::from_str_radix(digits, 8).ok().map(f64::from),
        _ if is_decimal => unsigned.parse().ok(),
        _ => None,
    };
    let written = match (unsigned, number) {
        _ if scalar.style != Style::Plain => text.to_owned(),
        _ if node.is_null() => return None,
        (".inf" | ".Inf" | ".INF", _) => format!("{sign}Infinity"),
        ("True" | "TRUE", _) => "true".to_owned(),
        ("False" | "FALSE", _) => "false".to_owned(),
        (_, Some(number)) => format!("{sign}{number}"),
        (_, None) => text.to_owned(),
    };
    (!written.is_empty()).then_some(written)
}

/// Returns the first line of the body that is not empty, without the marks of a heading.
fn from_body(body: &str) -> String {
    let line = body.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or("Skill");
    let heading = line.trim_start_matches('#');
    let title = heading.trim_start();
    let is_heading = line.starts_with('#') && title.len() < heading.len() && !title.is_empty();
    let text = if is_heading { title } else { line };
    if text.chars().count() <= 100 {
        return text.to_owned();
    }
    text.chars().take(97).chain("...".chars()).collect()
}

/// Writes a text on one line as Claude Code does: runs of line feeds become a space, and each character that shows nothing.
pub(super) fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\r' => while characters.next_if(|c| matches!(c, '\n' | '\r')).is_some() {},
            // A sequence of a terminal goes whole.
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                characters.find(char::is_ascii_alphabetic);
                continue;
            }
            _ => {}
        }
        let is_unseen = c.is_control()
            || matches!(
                c,
                '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            )
            || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}');
        line.push(if is_unseen { ' ' } else { c });
    }
    line
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the two fields line by line, as Gemini CLI does: a value is what stands after the colon, quotes included.
fn by_lines(front: &str) -> Result<(String, String), DropReason> {
    let (mut name, mut description) = (None, None);
    let mut lines = front.lines().peekable();
    while let Some(line) = lines.next() {
        let field = line.trim_start();
        if let Some(value) = field.strip_prefix("name:") {
            name = Some(value.trim().to_owned());
        } else if let Some(value) = field.strip_prefix("description:") {
            let mut text = value.trim().to_owned();
            let is_more = |next: &&str| next.starts_with([' ', '\t']) && !next.trim().is_empty();
            while let Some(next) = lines.next_if(is_more) {
                text = format!("{text} {}", next.trim());
            }
            description = Some(text.trim_start().to_owned());
        }
    }
    Ok((name.ok_or(NO_NAME)?, description.ok_or(NO_DESCRIPTION)?))
}

/// Returns whether `agents/openai.yaml` closes the skill to the model. A file over which Codex reads closes nothing.
fn codex_closes(policy: &str) -> bool {
    // The rule reads no aliases, so it knows nothing of a file that has some.
    if parse(policy).is_ok() && codex_reads_over(policy) {
        return false;
    }
    let root = Reader::Codex.parse(policy);
    let Some(policy) = root.as_ref().and_then(|root| root.get("policy")) else {
        return false;
    };
    let is_codex = |product: &Node| matches!(product.as_str(), Some("codex" | "CODEX"));
    let is_for_others = match policy.get("products").map(|products| &products.value) {
        Some(Value::Sequence(products)) => !products.is_empty() && !products.iter().any(is_codex),
        _ => false,
    };
    let implicit = policy.get("allow_implicit_invocation");
    implicit.and_then(Node::as_bool) == Some(false) || is_for_others
}

/// Returns the text with `tab` for each tab at the start of a line. Such a tab is an error of YAML that the parsers of
/// JavaScript let pass.
fn with_tabs(front: &str, tab: &str) -> String {
    let mut text = String::with_capacity(front.len());
    for line in front.split_inclusive('\n') {
        let rest = line.trim_start_matches('\t');
        text += &tab.repeat(line.len() - rest.len());
        text += rest;
    }
    text
}

/// Returns the text with the replacement character for each escape of half a pair of UTF-16, such as `\ud83d`. Programs
/// in JavaScript hold the half, and write that character in its place.
fn whole_pairs(front: &str) -> String {
    let mut text = String::with_capacity(front.len());
    let mut rest = front;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        let (length, is_half) = match (half(escape), escape.get(6..).and_then(half)) {
            (Some(..0xdc00), Some(0xdc00..)) => (12, false),
            (Some(_), _) => (6, true),
            (None, _) => (2, false),
        };
        let (escape, after) = escape.split_at(length);
        text += before;
        text += if is_half { "\\ufffd" } else { escape };
        rest = after;
    }
    text + rest
}

/// Returns the half of a pair with whose escape a text begins.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    (0xd800..0xe000).contains(&code).then_some(code)
}

/// Returns whether `js-yaml` reads a plain scalar as a text: it knows the numbers and dates of YAML 1.1. Where it reads no
/// text, Gemini CLI takes the line as it is written, which is the same text. A bound: a date with a time, and a number with
/// sixtieths and a point, are taken for texts here.
fn is_text(plain: &str) -> bool {
    let is_word = matches!(
        plain,
        "" | "~"
            | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
    );
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = plain.strip_prefix(['-', '+']).unwrap_or(plain);
    let is_number = || {
        let digits = unsigned.replace('_', "");
        if unsigned.starts_with('_') || unsigned.ends_with('_') {
            return false;
        }
        match digits.as_bytes() {
            [b'0'] => true,
            [b'0', octal @ ..] if octal.iter().all(u8::is_ascii_digit) => {
                octal.iter().all(|digit| *digit < b'8')
            }
            [b'0', b'b', bits @ ..] => {
                !bits.is_empty() && bits.iter().all(|it| matches!(it, b'0' | b'1'))
            }
            [b'0', b'x', hex @ ..] => !hex.is_empty() && hex.iter().all(u8::is_ascii_hexdigit),
            // A sign cannot stand before a point.
            [b'.', ..] => unsigned.len() == plain.len() && digits.parse::<f64>().is_ok(),
            [b'0'..=b'9', ..] => {
                let is_sixtieth =
                    |it: &str| is_digits(it) && (it.len() == 1 || it.len() == 2 && it < "60");
                let (first, sixtieths) = digits.split_once(':').unwrap_or((&digits, "0"));
                digits.parse::<f64>().is_ok()
                    || is_digits(first) && sixtieths.split(':').all(is_sixtieth)
            }
            _ => false,
        }
    };
    let is_date = || {
        let parts: Vec<&str> = plain.split('-').collect();
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        lengths == [4, 2, 2] && parts.into_iter().all(is_digits)
    };
    let is_special =
        matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(plain, ".nan" | ".NaN" | ".NAN");
    !(is_word || is_special || is_number() || is_date())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use skills_format::SkillFile;
    use skills_lint::{PowerFile, powers};
    use skills_permit::PowerKind;

    fn text(paths: &str) -> Vec<u8> {
        format!("---\nname: x\ndescription: Does x.\npaths: {paths}\n---\n\nGo.\n").into()
    }

    fn is_listed(text: &[u8]) -> bool {
        let file = Found {
            path: "x/SKILL.md".to_owned(),
            resolved: "x/SKILL.md".to_owned(),
            is_link: false,
            text: text.to_vec(),
            policy: None,
        };
        matches!(Reader::ClaudeCode.sees(&file), Seen::Listed(_))
    }

    /// Returns the restraints that `powers` and `diff` tell.
    fn restraints(text: &[u8]) -> usize {
        let file = PowerFile {
            path: "SKILL.md",
            bytes: Some(text),
            is_executable: false,
        };
        powers([file]).texts(PowerKind::Restraints).count()
    }

    /// As Claude Code 2.1.330 lists the skill or does not: values that are written without quotes.
    #[test]
    fn paths_without_quotes() {
        for (paths, expected) in [
            ("**", true),
            ("**/**", true),
            ("**,**", true),
            ("/**, **", true),
            ("{**}", true),
            ("{a}", true),
            ("{**,**}", true),
            ("# x", true),
            ("**/*.rs", false),
            ("*", false),
            ("*.{rs,md}", false),
            ("**, src", false),
            ("{a,b}/*", false),
            ("{**,/**}, a", false),
            ("src/{a,b}", false),
            ("[a", false),
            ("@x", false),
            ("%a", false),
            ("a # b", false),
        ] {
            let text = text(paths);
            assert_eq!(is_listed(&text), expected, "{paths}");
            assert_eq!(restraints(&text), usize::from(!expected), "{paths}");
        }
        // A list whose items are no YAML is one text here: it counts as a restraint, which Claude Code does not see.
        let text = text("\n  - **\n  - **");
        assert!(is_listed(&text));
        assert_eq!(restraints(&text), 1);
    }

    proptest! {
        /// The list of Claude Code and the powers agree on what is a restraint.
        #[test]
        fn powers_and_the_list_agree(
            items in proptest::collection::vec("(\\*\\*|/\\*\\*|[{},/ *a5~]){0,8}", 0..4),
            form in 0..4,
        ) {
            let quoted = items.iter().map(|item| format!("'{item}'")).collect::<Vec<_>>();
            let paths = match form {
                0 => format!("'{}'", items.join(",")),
                1 => format!("[{}]", quoted.join(", ")),
                2 => format!("[[{}], 5, ~, true, {{a: b}}]", quoted.join(", ")),
                _ => "\n  - ".to_owned() + &quoted.join("\n  - "),
            };
            let text = text(&paths);
            prop_assert!(SkillFile::read("SKILL.md", "x", &text).strict().is_some());
            prop_assert_eq!(restraints(&text), usize::from(!is_listed(&text)), "{}", paths);
        }
    }

    /// As `OpenCode` 1.18.33 lists such a file, or drops it.
    #[test]
    fn a_second_opening_line_closes() {
        for (text, is_listed) in [
            ("---\nname: s\ndescription: Does it.\n---\n", true),
            ("---\n\nname: s\ndescription: Does it.\n---\n", true),
            ("--- yaml\nname: s\ndescription: Does it.\n", true),
            ("---\n---\nname: s\ndescription: Does it.\n---\n", false),
            ("---\n\n---\nname: s\ndescription: Does it.\n---\n", false),
        ] {
            let file = Found {
                text: text.as_bytes().to_vec(),
                ..Found::default()
            };
            assert_eq!(
                matches!(Reader::Opencode.sees(&file), Seen::Listed(_)),
                is_listed,
                "{text}"
            );
        }
    }

    /// As `OpenCode` 1.18.33 lists a skill with such a name or description, or drops the skill.
    #[test]
    fn texts_of_yaml_1_1() {
        for other in [
            "1e3",
            "0x1f",
            "0b11",
            "007",
            "12",
            "2026-01-02",
            "-5",
            "+12",
            ".nan",
            "1_000.5",
            "12:30:45",
            "190:20:30",
            "1.",
            ".5",
            "TRUE",
            "~",
            "NULL",
            "12e03",
            "00",
            "1e+3",
            "-0x1f",
            "-1:30",
            "1_000",
            "1:30",
            ".inf",
            "0777",
            "0",
        ] {
            assert!(!is_text(other), "{other}");
        }
        for text in [
            "0o17",
            "08",
            "1-2",
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "1e",
            "0x",
            "e5",
            "nan",
            "inf",
            "12-30",
            "2026-1-2",
            "-.5",
            "2026-01-02 10:00",
            "=",
            "<<",
            "0.1e",
            "0_",
            "-",
            "---x",
            "12:60",
            "0o7",
            "1.2.3",
            "0b",
            "0b12",
            "1_",
            "+.nan",
            "_1",
            "12:",
            "1:30.5e1",
            "é2026-01-02",
        ] {
            assert!(is_text(text), "{text}");
        }
    }

    #[test]
    fn halves_of_pairs() {
        for (text, expected) in [
            ("a\\ud83d\\ude00b", "a\\ud83d\\ude00b"),
            ("a\\ud83d.", "a\\ufffd."),
            ("\\ude00\\u0041\\u", "\\ufffd\\u0041\\u"),
            ("\\ud83d\\ud83d\\ude00", "\\ufffd\\ud83d\\ude00"),
        ] {
            assert_eq!(whole_pairs(text), expected);
        }
    }
}
