//! Writes the text around a skill's instructions that a profile has as a template.

use crate::options::template::Template;
use skills_format::text::order::sort_by_number;
use skills_runtime::activation::MAX_LISTED;
use skills_runtime::push_xml_attribute;

/// The facts that a template names.
pub(crate) struct Facts<'a> {
    pub(crate) name: &'a str,
    pub(crate) directory: &'a str,
    pub(crate) file: &'a str,
    pub(crate) arguments: &'a str,
}

/// A template whose content is being written.
pub(crate) struct Opened<'a> {
    template: &'a Template,
    facts: &'a Facts<'a>,
    /// The ends of the tags that were written.
    tags: Vec<usize>,
    /// The place where the content begins.
    content: usize,
}

impl<'a> Opened<'a> {
    /// Appends the text before the content.
    pub(crate) fn new(out: &mut String, template: &'a Template, facts: &'a Facts<'a>) -> Self {
        let mut opened = Self {
            template,
            facts,
            tags: Vec::new(),
            content: 0,
        };
        opened.push(out, &template.before, "", &[] as &[&str]);
        opened.content = out.len();
        opened
    }

    /// Appends the text after the content. Returns the number of bytes by which the content was moved.
    pub(crate) fn close(mut self, out: &mut String, resources: &[impl AsRef<str>]) -> usize {
        let content = out.get(self.content..).unwrap_or_default();
        let suffix = suffix(content, &self.template.tag);
        let tags = std::mem::take(&mut self.tags);
        for at in tags.iter().rev() {
            out.insert_str(*at, &suffix);
        }
        self.push(out, &self.template.after, &suffix, resources);
        suffix.len() * tags.len()
    }

    /// Appends a text with its facts.
    fn push(&mut self, out: &mut String, text: &str, suffix: &str, resources: &[impl AsRef<str>]) {
        let mut rest = text;
        while let Some((before, word, after)) = next_word(rest) {
            out.push_str(before);
            rest = after;
            match word {
                "name" => self.push_fact(out, self.facts.name),
                "directory" => self.push_fact(out, self.facts.directory),
                "file" => self.push_fact(out, self.facts.file),
                "tag" => {
                    out.push_str(&self.template.tag);
                    self.tags.push(out.len());
                    out.push_str(suffix);
                }
                "resources" => self.push_resources(out, resources),
                // Other words in braces are text.
                word => {
                    for part in ["{", word, "}"] {
                        out.push_str(part);
                    }
                }
            }
        }
        out.push_str(rest);
    }

    /// Appends a fact. Between tags it is escaped, so that a path cannot write one.
    fn push_fact(&self, out: &mut String, fact: &str) {
        if self.template.tag.is_empty() {
            out.push_str(fact);
        } else {
            push_xml_attribute(out, fact);
        }
    }

    fn push_resources(&self, out: &mut String, resources: &[impl AsRef<str>]) {
        for path in resources.iter().take(MAX_LISTED) {
            let mut rest = &*self.template.resource;
            while let Some((before, word, after)) = next_word(rest) {
                out.push_str(before);
                rest = after;
                match word {
                    "path" => self.push_fact(out, path.as_ref()),
                    "directory" => self.push_fact(out, self.facts.directory),
                    _ => {}
                }
            }
            out.push_str(rest);
        }
    }
}

/// Appends the arguments that the content has no placeholder for.
pub(crate) fn push_arguments(out: &mut String, template: &Template, arguments: &str) {
    if template.arguments.is_empty() {
        return;
    }
    let (before, after) = template
        .arguments
        .split_once("{arguments}")
        .unwrap_or((&template.arguments, ""));
    for part in [before, arguments, after] {
        out.push_str(part);
    }
}

/// Fills the facts of a preamble. Without arguments, the lines with `{arguments}` are left out.
pub(crate) fn preamble(text: &str, facts: &Facts<'_>) -> String {
    let lines = text.split_inclusive('\n');
    let lines: String = lines
        .filter(|line| !facts.arguments.is_empty() || !line.contains("{arguments}"))
        .collect();
    let mut out = String::new();
    let mut rest = lines.trim_end();
    while let Some((before, word, after)) = next_word(rest) {
        out.push_str(before);
        rest = after;
        match word {
            "name" => out.push_str(facts.name),
            "arguments" => out.push_str(facts.arguments),
            word => {
                for part in ["{", word, "}"] {
                    out.push_str(part);
                }
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns the text before a word in braces, the word, and the text after it.
fn next_word(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (word, after) = rest.split_once('}')?;
    Some((before, word, after))
}

/// Returns the suffix of a tag: empty, or `-` and the smallest number that no tag in the content has.
fn suffix(content: &str, tag: &str) -> String {
    let content = content.to_ascii_lowercase();
    let tag = tag.to_ascii_lowercase();
    let mut taken = Vec::new();
    let mut is_held = false;
    for (at, _) in content.match_indices(&*tag).filter(|_| !tag.is_empty()) {
        let before = content.get(..at).unwrap_or_default();
        if !before.ends_with('<') && !before.ends_with("</") {
            continue;
        }
        is_held = true;
        let rest = content.get(at + tag.len()..).unwrap_or_default();
        let digits = rest.strip_prefix('-').unwrap_or_default();
        let digits = digits.bytes().take(9).take_while(u8::is_ascii_digit);
        taken.push(digits.fold(0_usize, |number, digit| {
            number * 10 + usize::from(digit - b'0')
        }));
    }
    if !is_held {
        return String::new();
    }
    sort_by_number(&mut taken, |number| *number);
    let mut free = 1;
    for number in taken {
        free += usize::from(number == free);
    }
    format!("-{free}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::template::TemplateContent;

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
    fn facts_are_filled_and_escaped_between_tags() {
        let template = Template {
            tag: "skill".into(),
            before: "<{tag} a=\"{name}\">{directory} {other} {\n".into(),
            content: TemplateContent::Body,
            arguments: "\n\nARGUMENTS: {arguments}".into(),
            after: "\n{resources}</{tag}>".into(),
            resource: "- {directory}/{path}\n".into(),
        };
        let facts = Facts {
            name: "a",
            directory: "/x<y",
            file: "/x/SKILL.md",
            arguments: "",
        };
        let mut out = String::from("first ");
        let opened = Opened::new(&mut out, &template, &facts);
        out.push_str("{name} </skill>");
        push_arguments(&mut out, &template, "{name}");
        assert_eq!(opened.close(&mut out, &["r&.md"]), 2);
        assert_eq!(
            out,
            "first <skill-1 a=\"a\">/x&lt;y {other} {\n{name} </skill>\n\nARGUMENTS: {name}\n- /x&lt;y/r&amp;.md\n</skill-1>"
        );
        assert_eq!(preamble("{name}: {x} {\n{arguments}", &facts), "a: {x} {");
    }
}
