//! The text around a skill's instructions, as data.

use serde::Serialize;
use skills_render::push_xml_attribute;
use skills_runtime::Error;
use skills_session::activation::{MAX_LISTED, Starting, Written};

/// The text of a skill that starts.
///
/// Words in braces stand for facts of the skill. In [`before`](Self::before) and [`after`](Self::after): `{id}`, `{name}`,
/// `{directory}` (the whole path of the folder), `{file}` (that of the `SKILL.md`), `{listed_file}` (the same as the list of
/// the skills shows it), `{tag}`, and `{resources}`, the list of the other files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Template {
    /// The name of the tag that `{tag}` writes. If the instructions hold it, the tag gets a number, so that no
    /// text inside can end it. Empty: the text has no tag.
    pub tag: &'static str,
    /// The text before the instructions.
    pub before: &'static str,
    /// What the instructions are.
    pub content: Content,
    /// The text after the instructions if they have no placeholder for the arguments. `{arguments}` stands for
    /// the arguments. Empty: the arguments are only in the message.
    pub arguments: &'static str,
    /// The text after that.
    pub after: &'static str,
    /// The line of a file: `{path}` from the folder, and `{directory}`.
    pub resource: &'static str,
}

/// The instructions in a [`Template`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// The body, without white space at its ends.
    Body,
    /// The whole `SKILL.md`, with its front matter. No placeholder is filled.
    File,
    /// Nothing: the model reads the file itself.
    Nothing,
}

impl Template {
    /// The body alone: arguments that it has no placeholder for are only in the message.
    pub const BODY: Self = Self {
        tag: "",
        before: "",
        content: Content::Body,
        arguments: "",
        after: "",
        resource: "",
    };

    pub(crate) fn text(&self, skill: &Starting<'_>) -> Result<Written, Error> {
        let mut content = String::new();
        let is_placed = match self.content {
            Content::Nothing => false,
            Content::File => {
                content.push_str(&String::from_utf8_lossy(&skill.read.file));
                false
            }
            Content::Body => skill.push_instructions(&mut content)?,
        };
        let line = content.len();
        if !is_placed && !skill.arguments.is_empty() {
            content.push_str(&self.arguments.replacen("{arguments}", skill.arguments, 1));
        }
        let suffix = suffix(&content, self.tag);
        let mut out = String::with_capacity(content.len() + 256);
        self.push(&mut out, self.before, &suffix, skill);
        let start = out.len();
        out.push_str(&content);
        let line = start + line..out.len();
        self.push(&mut out, self.after, &suffix, skill);
        Ok(Written {
            text: out,
            arguments: line,
        })
    }

    /// Appends a text with its facts.
    fn push(&self, out: &mut String, text: &str, suffix: &str, skill: &Starting<'_>) {
        fill(out, text, &|out, word| {
            match word {
                "id" => self.push_fact(out, skill.id),
                "name" => self.push_fact(out, skill.entry.name()),
                "directory" => self.push_fact(out, &skill.read.folders.skill),
                "file" => self.push_fact(out, &skill.file()),
                "listed_file" => self.push_fact(out, &skill.entry.place()),
                "tag" => {
                    out.push_str(self.tag);
                    out.push_str(suffix);
                }
                "resources" => self.push_resources(out, skill),
                _ => return false,
            }
            true
        });
    }

    /// Appends a fact. Between tags it is escaped, so that a path cannot write one.
    fn push_fact(&self, out: &mut String, fact: &str) {
        if self.tag.is_empty() {
            out.push_str(fact);
        } else {
            push_xml_attribute(out, fact);
        }
    }

    fn push_resources(&self, out: &mut String, skill: &Starting<'_>) {
        let directory = &skill.read.folders.skill;
        for path in skill.read.resources.iter().take(MAX_LISTED) {
            fill(out, self.resource, &|out, word| {
                match word {
                    "path" => self.push_fact(out, path),
                    "directory" => self.push_fact(out, directory),
                    _ => return false,
                }
                true
            });
        }
    }
}

/// Fills `{name}` and `{arguments}` of a preamble. Without arguments, the lines with `{arguments}` are left out.
pub(crate) fn preamble(text: &str, skill: &Starting<'_>) -> String {
    fill_preamble(text, skill.entry.name(), skill.arguments)
}

fn fill_preamble(text: &str, name: &str, arguments: &str) -> String {
    if !text.contains('{') {
        return text.to_owned();
    }
    let lines = text.split_inclusive('\n');
    let lines: String = lines
        .filter(|line| !arguments.is_empty() || !line.contains("{arguments}"))
        .collect();
    let mut out = String::new();
    fill(&mut out, lines.trim_end(), &|out, word| {
        match word {
            "name" => out.push_str(name),
            "arguments" => out.push_str(arguments),
            _ => return false,
        }
        true
    });
    out
}

/// Fills the words in braces. Those that `push` does not know stay.
fn fill(out: &mut String, text: &str, push: &dyn Fn(&mut String, &str) -> bool) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{')
        && let Some((word, after)) = after.split_once('}')
    {
        out.push_str(before);
        if !push(out, word) {
            out.extend(["{", word, "}"]);
        }
        rest = after;
    }
    out.push_str(rest);
}

/// Returns the suffix of a tag: empty, or `-` and the smallest number that no tag in the content has.
fn suffix(content: &str, tag: &str) -> String {
    let content = content.to_ascii_lowercase();
    let tag = tag.to_ascii_lowercase();
    let mut taken = Vec::new();
    let mut is_held = false;
    for (at, _) in content.match_indices(&*tag).filter(|_| !tag.is_empty()) {
        let before = &content[..at];
        if !before.ends_with('<') && !before.ends_with("</") {
            continue;
        }
        is_held = true;
        let digits = content[at + tag.len()..].strip_prefix('-');
        let digits = digits.unwrap_or_default().bytes();
        let digits = digits.take(9).take_while(u8::is_ascii_digit);
        taken.push(digits.fold(0_usize, |number, digit| {
            number * 10 + usize::from(digit - b'0')
        }));
    }
    if !is_held {
        return String::new();
    }
    taken.sort_unstable();
    let mut free = 1;
    for number in taken {
        free += usize::from(number == free);
    }
    format!("-{free}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_inside_ends_a_tag() {
        for (content, expected) in [
            ("skill", ""),
            ("</skill>", "-1"),
            ("</SKILL >", "-1"),
            ("<skill-1></skill-2>", "-3"),
            ("</skill-2>", "-1"),
        ] {
            assert_eq!(suffix(content, "skill"), expected, "{content}");
        }
        assert_eq!(suffix("</>", ""), "");
        let many: Vec<String> = (0..50_000).map(|n| format!("</skill-{n}>")).collect();
        assert_eq!(suffix(&many.concat(), "skill"), "-50000");
    }

    #[test]
    fn a_preamble_leaves_out_lines_of_no_arguments() {
        let text = "{name}: {x}\n{arguments}";
        assert_eq!(fill_preamble(text, "a", ""), "a: {x}");
        assert_eq!(fill_preamble(text, "a", "b"), "a: {x}\nb");
    }
}
