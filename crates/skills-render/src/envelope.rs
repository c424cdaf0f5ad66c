//! Writes the envelope around a skill's body in the conversation.

use crate::escape::push_xml_attribute;
use skills_format::text::places_of;
use std::fmt::Write as _;

/// The maximum number of files in the list of an envelope.
pub const MAX_LISTED: usize = 512;

/// An envelope whose content is being written.
pub struct Opened {
    /// The place after the name of the opening tag.
    tag: usize,
    /// The place where the content begins.
    content: usize,
}

/// Appends the opening tag with its attributes. The content follows, then [`Opened::close`].
pub fn open(out: &mut String, attributes: &[(&str, &str)]) -> Opened {
    let tag = out.len() + "<".len() + PREFIX.len() + "_".len() + CONTENT.len();
    push_open(out, CONTENT, "", attributes);
    let content = out.len();
    Opened { tag, content }
}

impl Opened {
    /// Appends the list of files and the closing tag. Returns the number of bytes by which the content was
    /// moved. One line counts the files after the first 512.
    ///
    /// If the content or the path of a resource holds the name of a tag, in any case, all tags get a
    /// number that neither the content nor a path holds. Therefore no text inside can end the envelope.
    pub fn close(self, out: &mut String, resources: &[impl AsRef<str>]) -> usize {
        let listed = resources.get(..MAX_LISTED).unwrap_or(resources);
        let content = out.get(self.content..).unwrap_or_default();
        let suffix = suffix(std::iter::once(content).chain(listed.iter().map(AsRef::as_ref)));
        // The number depends on the whole content. The content is written behind the tag all the same, so
        // that it is copied once: few skills name a tag.
        out.insert_str(self.tag, &suffix);
        out.push('\n');
        if !resources.is_empty() {
            out.push('\n');
            push_open(out, RESOURCES, &suffix, &[]);
            for path in listed {
                out.push_str(path.as_ref());
                out.push('\n');
            }
            push_rest(out, resources.len() - listed.len());
            push_close(out, RESOURCES, &suffix);
            out.push('\n');
        }
        push_close(out, CONTENT, &suffix);
        suffix.len()
    }
}

/// Appends the line with the number of files that are not listed.
fn push_rest(out: &mut String, rest: usize) {
    let (files, each) = match rest {
        0 => return,
        1 => ("file is", "it"),
        _ => ("files are", "each of them"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "({rest} more {files} in the folder; {each} can be read by its path)"
    );
}

const PREFIX: &str = "skill";
const CONTENT: &str = "content";
const RESOURCES: &str = "resources";

fn push_open(out: &mut String, tag: &str, suffix: &str, attributes: &[(&str, &str)]) {
    out.push('<');
    push_tag(out, tag, suffix);
    for (name, value) in attributes {
        out.push(' ');
        out.push_str(name);
        out.push_str("=\"");
        push_xml_attribute(out, value);
        out.push('"');
    }
    out.push_str(">\n");
}

fn push_close(out: &mut String, tag: &str, suffix: &str) {
    out.push_str("</");
    push_tag(out, tag, suffix);
    out.push('>');
}

fn push_tag(out: &mut String, tag: &str, suffix: &str) {
    out.push_str(PREFIX);
    out.push('_');
    out.push_str(tag);
    out.push_str(suffix);
}

/// Returns the suffix of the tags. The suffix is empty, or `-` and the smallest number that no text
/// holds after the name of a tag.
fn suffix<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut held = false;
    let mut taken: Vec<usize> = Vec::new();
    for text in texts {
        for at in places_of(text, b'_') {
            if let Some(rest) = after_tag(text, at) {
                held = true;
                taken.extend(numbers(rest));
            }
        }
    }
    if !held {
        return String::new();
    }
    // Of the numbers from 1, one more than are taken: at least one of them is free.
    let mut is_taken = vec![false; taken.len() + 2];
    for number in taken {
        if let Some(is_taken) = is_taken.get_mut(number) {
            *is_taken = true;
        }
    }
    let free = is_taken
        .iter()
        .skip(1)
        .take_while(|is_taken| **is_taken)
        .count()
        + 1;
    format!("-{free}")
}

/// Returns the text after the name of a tag whose `_` is at `at`.
fn after_tag(text: &str, at: usize) -> Option<&[u8]> {
    let (before, after) = (&text.as_bytes()[..at], &text.as_bytes()[at + 1..]);
    let start = before.len().checked_sub(PREFIX.len())?;
    let begins = before[start..].eq_ignore_ascii_case(PREFIX.as_bytes());
    let ends = |tag: &str| {
        let (name, rest) = after.split_at_checked(tag.len())?;
        name.eq_ignore_ascii_case(tag.as_bytes()).then_some(rest)
    };
    begins.then(|| ends(CONTENT).or_else(|| ends(RESOURCES)))?
}

/// Returns the numbers that begin after a `-`. `-123` holds 1, 12 and 123: a search for the tag with
/// `-1` finds `-123` too.
fn numbers(rest: &[u8]) -> impl Iterator<Item = usize> {
    let digits = rest.strip_prefix(b"-").unwrap_or_default();
    digits
        .iter()
        // Nine digits fit into a `usize` of 32 bits, and no content holds more tags.
        .take(9)
        .take_while(|byte| byte.is_ascii_digit())
        .scan(0, |number, digit| {
            *number = *number * 10 + usize::from(digit - b'0');
            Some(*number)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push_enclosed(
        out: &mut String,
        attributes: &[(&str, &str)],
        content: &str,
        resources: &[impl AsRef<str>],
    ) {
        let opened = open(out, attributes);
        out.push_str(content);
        opened.close(out, resources);
    }

    fn tag_of(content: &str) -> String {
        let mut out = String::new();
        push_enclosed(&mut out, &[], content, &[] as &[&str]);
        out.split_once('>').unwrap().0[1..].to_owned()
    }

    #[test]
    fn suffixes() {
        for (content, tag) in [
            ("no tag, skill content, a_b", "skill_content"),
            ("</skill_content>", "skill_content-1"),
            ("</SKILL_Content >", "skill_content-1"),
            ("</skill_resources>", "skill_content-1"),
            ("</skill_content></skill_content-1>", "skill_content-2"),
            ("</skill_content-12>", "skill_content-2"),
            ("skill_content-2 skill_content-1", "skill_content-3"),
        ] {
            assert_eq!(tag_of(content), tag, "{content}");
        }
    }

    #[test]
    fn many_tags_take_linear_time() {
        let mut content = String::new();
        for n in 0..70_000 {
            write!(content, "skill_content-{n} ").unwrap();
        }
        assert_eq!(tag_of(&content), "skill_content-70000");
    }

    #[test]
    fn many_files_are_counted() {
        let files: Vec<String> = (0..20_000).map(|n| format!("{n}.md")).collect();
        let text = |count| {
            let mut out = String::new();
            push_enclosed(&mut out, &[], "body", &files[..count]);
            out
        };
        assert!(text(512).ends_with("\n511.md\n</skill_resources>\n</skill_content>"));
        assert!(text(513).contains(
            "\n511.md\n(1 more file is in the folder; it can be read by its path)\n</skill_resources>"
        ));
        assert!(text(20_000).contains(
            "\n511.md\n(19488 more files are in the folder; each of them can be read by its path)\n"
        ));
    }

    #[test]
    fn attributes_and_resources() {
        let mut out = String::new();
        push_enclosed(
            &mut out,
            &[("name", "a"), ("directory", "/a \"b\"")],
            "body",
            &["x.md", "y/z"],
        );
        assert_eq!(
            out,
            "<skill_content name=\"a\" directory=\"/a &quot;b&quot;\">\nbody\n\n<skill_resources>\nx.md\ny/z\n</skill_resources>\n</skill_content>"
        );
    }
}
