//! Links, headings and code blocks of Markdown documents.

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// A heading of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 for the title, 2 for a section.
    pub level: usize,
    /// The text without its marks.
    pub text: String,
    /// The fragment that leads to the heading, as GitHub and mdBook form it.
    pub anchor: String,
    /// The bytes of the whole heading.
    pub range: Range<usize>,
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

/// Returns the bytes of the target of each inline link and image, in the order of the text.
pub fn targets(text: &str) -> Vec<Range<usize>> {
    let mut targets = Vec::new();
    for (event, range) in events(text) {
        let target = match &event {
            Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => text[range.clone()].rfind(&format!("]({dest_url}")),
            Event::Start(Tag::Image { dest_url, .. }) => {
                text[range.clone()].find(&format!("]({dest_url}"))
            }
            _ => None,
        };
        if let (Some(at), Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })) =
            (target, &event)
        {
            let start = range.start + at + "](".len();
            targets.push(start..start + dest_url.len());
        }
    }
    targets.sort_by_key(|target| target.start);
    targets
}

/// Returns the headings of a document.
pub fn headings(text: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut open: Option<Heading> = None;
    for (event, range) in events(text) {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                let level = level as usize;
                let (text, anchor) = (String::new(), String::new());
                open = Some(Heading {
                    level,
                    text,
                    anchor,
                    range,
                });
            }
            (Event::Text(part) | Event::Code(part), Some(heading)) => heading.text += &part,
            (Event::End(TagEnd::Heading(_)), _) => headings.extend(open.take()),
            _ => {}
        }
    }
    for at in 0..headings.len() {
        let anchor = anchor(&headings[at].text);
        // A second heading of the same text gets a number.
        let same = |heading: &&Heading| self::anchor(&heading.text) == anchor;
        headings[at].anchor = match headings[..at].iter().filter(same).count() {
            0 => anchor,
            before => format!("{anchor}-{before}"),
        };
    }
    headings
}

fn anchor(text: &str) -> String {
    let kept = text.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// A fenced code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The byte at which the block begins.
    pub start: usize,
    /// The bytes of the info string.
    pub info: Range<usize>,
    /// The first word of the info string.
    pub language: String,
    /// The rest of the info string: the path of a file of a case.
    pub path: Option<String>,
}

/// Returns the fenced code blocks that have an info string.
pub fn blocks(text: &str) -> Vec<Block> {
    let blocks = events(text).filter_map(|(event, range)| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if !info.is_empty() => {
            let at = range.start + text[range.clone()].find(&*info)?;
            let (language, path) = info.split_once(' ').unwrap_or((&info, ""));
            Some(Block {
                start: range.start,
                info: at..at + info.len(),
                language: language.to_owned(),
                path: Some(path.to_owned()).filter(|path| !path.is_empty()),
            })
        }
        _ => None,
    });
    blocks.collect()
}
