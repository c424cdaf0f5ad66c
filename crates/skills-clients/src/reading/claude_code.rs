//! Claude Code: the folder is the name, what cannot be read is taken from the body.

use crate::reading::file::{Found, ReadSkill, Seen, once};
use crate::reading::front::{Kind, kind, pair, without_tabs};
use crate::reading::order::collate;
use crate::reading::yaml::BUN;
use skills_format::skill::paths;
use skills_format::yaml::{Node, Style, Value};
use skills_lint::DropReason;
use std::collections::BTreeSet;

/// A folder that is not read.
const RESERVED: &str = "synced";
/// Characters for which a value is quoted if the front matter is not YAML.
const QUOTED: &str = "{}[]*&#!|>%@`";
/// The most characters of a description that is taken from the body.
const FROM_BODY: usize = 100;
/// The most bytes of a file.
const SIZE: usize = 1_000_000;

const LARGE: DropReason = DropReason {
    what: "the file is larger than 1 MB",
    key: "",
    works: "move most of the text into files beside it",
};

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let mut skills: Vec<(String, Option<String>, ReadSkill)> = Vec::new();
    for file in once(found) {
        if let [folder] = file.folders().as_slice()
            && *folder != RESERVED
            && !file.has_line_feed()
            && let Ok(Some(skill)) = skill(file)
        {
            let name = skill.name.clone();
            let name = (!name.is_empty() && name != *folder).then_some(name);
            skills.push(((*folder).to_owned(), name, skill));
        }
    }
    let mut taken: BTreeSet<String> = skills.iter().map(|(id, ..)| id.clone()).collect();
    let mut listed: Vec<(String, ReadSkill)> = Vec::new();
    for (id, name, mut skill) in skills {
        skill.name = match name {
            Some(name) if taken.insert(name.clone()) => format!("{id} ({name})"),
            _ => id.clone(),
        };
        listed.push((id, skill));
    }
    listed.sort_by(|(a, _), (b, _)| collate(a, b));
    listed.into_iter().map(|(_, skill)| skill).collect()
}

pub(super) fn sees(file: &Found) -> Seen {
    match skill(file) {
        Ok(Some(skill)) => Seen::Listed(skill),
        Ok(None) => Seen::Closed,
        Err(reason) => Seen::Dropped(reason),
    }
}

/// Returns whether the program reads a field in the front matter of a `SKILL.md`. A field that stands in a front matter with
/// a fault can be a part of the body, or of another value.
pub fn reads_field(text: &[u8], field: &str) -> bool {
    let (root, _) = fields(&String::from_utf8_lossy(text));
    text.len() <= SIZE && root.entry(field).is_some()
}

/// Returns the fields that the program reads, and the body.
fn fields(content: &str) -> (Node, &str) {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let (front, body) = parts(content);
    let front = without_tabs(front, "  ");
    let root = parse(&front)
        .or_else(|| parse(&repaired(&front)))
        .unwrap_or_else(|| Node::empty_mapping(0));
    (root, body)
}

/// Returns the skill with the name that the file says, which is empty if the program does not show it. Returns
/// `Ok(None)` if the file closes the skill to the model.
fn skill(file: &Found) -> Result<Option<ReadSkill>, DropReason> {
    if file.text.len() > SIZE {
        return Err(LARGE);
    }
    let content = String::from_utf8_lossy(&file.text);
    let (root, body) = fields(&content);
    let globs = root.get("paths").map(paths::globs).unwrap_or_default();
    if is_closed(&root) || paths::close(&globs) {
        return Ok(None);
    }
    let description = written(&root, "description").unwrap_or_else(|| from_body(body));
    let is_shown = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
    let name = written(&root, "name").filter(|name| name.chars().all(is_shown));
    Ok(Some(ReadSkill {
        name: name.unwrap_or_default(),
        description: one_line(&description),
        when_to_use: one_line(&written(&root, "when_to_use").unwrap_or_default()),
        path: file.path.clone(),
    }))
}

/// Parses the front matter. The program's parser lets control characters pass, and a comma at the start of a value.
fn parse(front: &str) -> Option<Node> {
    const COMMA: &str = ": \u{f8ff}";
    // Characters for private use stand in for those that our parser refuses.
    let is_refused = |c: char| c.is_ascii_control() && !matches!(c, '\0' | '\t' | '\n' | '\r');
    if !front.contains(is_refused) && !front.contains(": ,") {
        return BUN.parse(front);
    }
    let masked: String = front
        .chars()
        .map(|c| if is_refused(c) { masked(c) } else { c })
        .collect();
    let mut root = BUN.parse(&masked.replace(": ,", COMMA))?;
    unmask(&mut root);
    Some(root)
}

/// The first of the characters that stand in for control characters.
const MASK: u32 = 0xf700;

fn masked(c: char) -> char {
    char::from_u32(MASK + u32::from(c)).unwrap_or(c)
}

fn unmask(node: &mut Node) {
    match &mut node.value {
        Value::Scalar(scalar) => {
            let unmasked = scalar.text.chars().map(|c| match u32::from(c) {
                0xf8ff => ',',
                code @ MASK..=0xf77f => char::from_u32(code - MASK).unwrap_or(c),
                _ => c,
            });
            scalar.text = unmasked.collect();
        }
        Value::Sequence(items) => items.iter_mut().for_each(unmask),
        Value::Mapping(entries) => {
            for (key, value) in entries {
                unmask(key);
                unmask(value);
            }
        }
    }
}

/// Returns the front matter and the body. The front matter ends at the first `---`, wherever it stands.
fn parts(content: &str) -> (&str, &str) {
    let front = content.strip_prefix("---").and_then(|rest| {
        let (first, rest) = rest.split_once('\n')?;
        first.trim().is_empty().then_some(rest)
    });
    let parts = front.and_then(|front| front.split_once("---"));
    parts.unwrap_or(("", content))
}

/// Returns a value as JavaScript writes it; `None` if it is empty, a list or a mapping.
fn written(root: &Node, key: &str) -> Option<String> {
    let text = match root.get(key).map(|node| &node.value) {
        Some(Value::Scalar(scalar)) if scalar.style == Style::Plain => {
            let plain = scalar.text.as_str();
            match kind(root.get(key)) {
                Kind::Nothing => return None,
                Kind::Plain("True" | "TRUE") => "true".to_owned(),
                Kind::Plain("False" | "FALSE") => "false".to_owned(),
                _ => number(plain).map_or_else(|| plain.trim().to_owned(), javascript),
            }
        }
        Some(Value::Scalar(scalar)) => scalar.text.trim().to_owned(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Returns the number that a plain scalar is.
fn number(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1.0, unsigned),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let radix = |digits: &str, radix| {
        let is_digits = digits.chars().all(|c| c.is_digit(radix));
        is_digits
            .then(|| u32::from_str_radix(digits, radix).ok())
            .flatten()
            .map(f64::from)
    };
    let number = match unsigned {
        ".nan" | ".NaN" | ".NAN" => f64::NAN,
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        _ if unsigned.starts_with("0x") => radix(unsigned.get(2..)?, 16)?,
        _ if unsigned.starts_with("0o") => radix(unsigned.get(2..)?, 8)?,
        _ if unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            unsigned.parse().ok()?
        }
        _ => return None,
    };
    Some(sign * number)
}

/// Writes a number as JavaScript does.
fn javascript(number: f64) -> String {
    if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}Infinity");
    }
    number.to_string()
}

/// Quotes the values that can be the reason why the front matter is not YAML.
fn repaired(front: &str) -> String {
    let is_key = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    let lines = front.lines().map(|line| {
        let found = pair(line, is_key).filter(|(_, value)| value.starts_with([' ', '\t']));
        let Some((key, value)) = found.map(|(key, value)| (key, value.trim_start())) else {
            return line.to_owned();
        };
        let is_between =
            |quote| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
        let is_faulty = value.contains(|c| QUOTED.contains(c)) || value.contains(": ");
        if is_between('"') || is_between('\'') || !is_faulty {
            return line.to_owned();
        }
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}: \"{value}\"")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the first line of the body that is not empty, without the marks of a heading.
fn from_body(body: &str) -> String {
    let line = body.lines().map(str::trim).find(|line| !line.is_empty());
    let Some(line) = line else {
        return "Skill".to_owned();
    };
    let heading = line.trim_start_matches('#');
    let text = match heading.trim_start() {
        title if line.starts_with('#') && title.len() < heading.len() && !title.is_empty() => title,
        _ => line,
    };
    if text.chars().count() <= FROM_BODY {
        return text.to_owned();
    }
    let head: String = text.chars().take(FROM_BODY - 3).collect();
    format!("{head}...")
}

/// Returns whether the field closes the skill: by a truth value, or by a text or number that is written as one.
fn is_closed(root: &Node) -> bool {
    let written = written(root, "disable-model-invocation").unwrap_or_default();
    matches!(&*written.to_ascii_lowercase(), "true" | "yes" | "on" | "1")
}

/// Writes a text on one line: runs of line feeds become a space, and each character that shows nothing.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\r' => {
                while characters
                    .next_if(|next| matches!(next, '\n' | '\r'))
                    .is_some()
                {}
                line.push(' ');
            }
            // A sequence of a terminal goes whole.
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                let is_parameter = |next: &char| !next.is_ascii_alphabetic();
                while characters.next_if(is_parameter).is_some() {}
                characters.next();
            }
            c if is_unseen(c) => line.push(' '),
            c => line.push(c),
        }
    }
    line
}

/// Returns whether a character shows nothing. The joiner of emoji stays.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        )
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use skills_format::{PowerKind, SkillFile};
    use skills_lint::{PowerFile, powers};

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
        matches!(sees(&file), Seen::Listed(_))
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
            ("\n  - **\n  - **", true),
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
}
