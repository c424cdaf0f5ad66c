//! The parts of a Markdown text that rules check: links, code and prose, each with its bytes.

use crate::view::parser_input::parser_input;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use skills_format::text::span::Span;
use std::collections::BTreeMap;

/// The parts of a Markdown text. All spans count from the start of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markdown {
    /// Links and images, in order. A reference link stands at its definition, once.
    pub(crate) links: Vec<Link>,
    /// The insides of code spans.
    pub(crate) code_spans: Vec<Span>,
    /// The insides of code blocks, fenced and indented, in pieces of whole lines.
    pub(crate) code_blocks: Vec<Span>,
    /// Text that is rendered as text: no code, no HTML, no address.
    pub(crate) prose: Vec<Span>,
    /// The texts of headings, with their marks.
    pub(crate) headings: Vec<Span>,
    /// Fenced code blocks, with their fences.
    pub(crate) fences: Vec<Span>,
    /// Blocks of HTML.
    pub(crate) html: Vec<Span>,
}

/// The approximate number of bytes of a text for each span, to reserve memory.
const SPAN: usize = 128;

/// The maximum number of spaces before a fence, above the place of its block.
const MAX_INDENT: usize = 3;

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The address with its escapes resolved.
    pub(crate) address: String,
    /// The address as it is written.
    pub(crate) span: Span,
    /// True for an image, which is fetched when the text is shown.
    pub(crate) is_image: bool,
}

/// A link whose label is being read, and the end of the label so far.
struct OpenLink {
    link: Option<Link>,
    inside_end: usize,
}

/// Returns the parts of a Markdown text that can name a file or a skill: the addresses of its links and images, with
/// escapes resolved, and the texts of its code spans.
///
/// ```
/// let (links, codes) = skills_lint::named_places("See [it](../tidy/SKILL.md) or `tidy`.");
/// assert_eq!(links, ["../tidy/SKILL.md"]);
/// assert_eq!(codes, ["tidy"]);
/// ```
///
/// # Cost
///
/// Linear in the text.
pub fn named_places(text: &str) -> (Vec<String>, Vec<&str>) {
    if memchr::memchr2(b'`', b'[', text.as_bytes()).is_none() {
        return Default::default();
    }
    let markdown = Markdown::parse(text, Span::new(0, text.len()));
    let links = markdown.links.into_iter().map(|link| link.address);
    let codes = markdown.code_spans.iter().map(|span| span.of(text));
    (links.collect(), codes.collect())
}

/// The places of a Markdown text that an editor leads on from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Places {
    /// The address of each link and image with escapes resolved, and its place as it is written.
    pub links: Vec<(String, Span)>,
    /// The insides of code spans.
    pub codes: Vec<Span>,
    /// The texts of headings, with their marks.
    pub headings: Vec<Span>,
}

impl Places {
    /// Reads `body` of `text`. Spans count from the start of the text.
    ///
    /// # Cost
    ///
    /// Linear in the body.
    pub fn read(text: &str, body: Span) -> Self {
        let markdown = Markdown::parse(text, body);
        let links = markdown.links.into_iter();
        Self {
            links: links.map(|link| (link.address, link.span)).collect(),
            codes: markdown.code_spans,
            headings: markdown.headings,
        }
    }
}

impl Markdown {
    /// Parses `body` of `text`.
    pub(crate) fn parse(text: &str, body: Span) -> Self {
        let source = body.of(text);
        let input = parser_input(source);
        let parser = Parser::new_ext(&input, options());
        let definitions: BTreeMap<String, Span> = parser
            .reference_definitions()
            .iter()
            .map(|(label, definition)| (fold(label), definition.span.clone().into()))
            .collect();
        let mut reader = Reader {
            source,
            base: body.start,
            definitions,
            markdown: Self {
                code_spans: Vec::with_capacity(source.len() / SPAN),
                code_blocks: Vec::with_capacity(source.len() / SPAN),
                prose: Vec::with_capacity(source.len() / SPAN),
                headings: Vec::with_capacity(source.len() / SPAN),
                fences: Vec::with_capacity(source.len() / SPAN),
                ..Self::default()
            },
            open: Vec::new(),
            in_code: false,
        };
        for (event, range) in parser.into_offset_iter() {
            reader.event(event, range.into());
        }
        let mut markdown = reader.markdown;
        markdown.links.sort_by_key(|link| link.span);
        markdown.links.dedup_by(|next, link| {
            let is_same = next.span == link.span && next.address == link.address;
            link.is_image |= is_same && next.is_image;
            is_same
        });
        markdown
    }
}

impl Markdown {
    /// Returns whether a place is in a code span or a code block.
    pub(crate) fn is_code(&self, at: usize) -> bool {
        holds(&self.code_spans, at) || self.is_in_block(at)
    }

    /// Returns whether a place is in a code block.
    pub(crate) fn is_in_block(&self, at: usize) -> bool {
        holds(&self.code_blocks, at)
    }

    /// Returns the first fence without a language whose block holds a fence with one, of no fewer characters. Most such
    /// fences are meant to close a block: what stands above was to be code, and what follows was not.
    pub(crate) fn mistaken_fence(&self, text: &str) -> Option<Span> {
        let mut before = 0;
        self.fences.iter().find_map(|fence| {
            let above = Span::new(before, fence.start);
            before = fence.end;
            let block = fence.of(text);
            let mark = block.chars().next()?;
            let length = block.len() - block.trim_start_matches(mark).len();
            let opening = Span::new(fence.start, fence.start + length);
            let after = block.get(length..)?;
            let is_bare = after.trim_start_matches([' ', '\t']).starts_with('\n');
            if !is_bare {
                return None;
            }
            // A line that is indented more can close no block.
            let column = text.get(..fence.start)?.rsplit('\n').next()?.len();
            let indent = column + MAX_INDENT;
            // A fence directly after a tag is HTML: the fence above is there, and only a renderer does not see it.
            let is_mistaken = has_opening(after, opening.of(text), indent)
                && !has_opening(above.of(text), opening.of(text), indent);
            is_mistaken.then_some(opening)
        })
    }
}

/// Returns whether a line opens a fence with a language, after at most `indent` spaces.
fn has_opening(text: &str, opening: &str, indent: usize) -> bool {
    let bytes = text.as_bytes();
    let mark = opening.chars().next().unwrap_or_default();
    memchr::memmem::find_iter(bytes, opening.as_bytes()).any(|at| {
        // A line can hold a million fences: no more than the indentation is read again for each of them.
        let near = bytes.get(at.saturating_sub(indent + 1)..at);
        let near = near.unwrap_or_default();
        let spaces = near.iter().rev().take_while(|byte| **byte == b' ').count();
        let is_first = spaces == at || near.iter().rev().nth(spaces) == Some(&b'\n');
        let language = || {
            let rest = text.get(at..).unwrap_or_default();
            rest.trim_start_matches(mark)
        };
        is_first && language().starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

/// Returns whether one of the spans holds a place. The spans must be in order, and must not nest.
fn holds(spans: &[Span], at: usize) -> bool {
    let next = spans.partition_point(|span| span.start <= at);
    let last = next.checked_sub(1).and_then(|last| spans.get(last));
    last.is_some_and(|span| at < span.end)
}

/// Returns the blocks of `body`, in the order of their starts.
pub(crate) fn blocks(text: &str, body: Span) -> Vec<Span> {
    let source = body.of(text);
    let input = parser_input(source);
    let events = Parser::new_ext(&input, options()).into_offset_iter();
    let blocks = events.filter_map(|(event, range)| match event {
        Event::Start(
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::Table(_)
            | Tag::TableRow,
        ) => Some(Span::new(body.start + range.start, body.start + range.end)),
        _ => None,
    });
    blocks.collect()
}

fn options() -> Options {
    Options::ENABLE_FOOTNOTES | Options::ENABLE_TABLES
}

struct Reader<'t> {
    source: &'t str,
    base: usize,
    definitions: BTreeMap<String, Span>,
    markdown: Markdown,
    open: Vec<OpenLink>,
    in_code: bool,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Span) {
        let is_image = matches!(event, Event::Start(Tag::Image { .. }));
        match event {
            Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    id,
                    ..
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    id,
                    ..
                },
            ) => {
                let link = Link {
                    address: dest_url.into_string(),
                    span: range,
                    is_image,
                };
                return self.open(link_type, link, &id);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close(range),
            Event::Start(Tag::CodeBlock(kind)) => {
                self.in_code = true;
                if kind.is_fenced() {
                    self.markdown.fences.push(self.placed(range));
                }
            }
            Event::Start(Tag::Heading { .. }) => self.markdown.headings.push(self.placed(range)),
            Event::Html(_) | Event::InlineHtml(_) => self.markdown.html.push(self.placed(range)),
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Text(_) if self.in_code => self.markdown.code_blocks.push(self.placed(range)),
            Event::Text(_) => self.prose(range),
            Event::Code(_) => {
                let written = range.of(self.source);
                let ticks = written.len() - written.trim_start_matches('`').len();
                let inside = Span::new(range.start + ticks, range.end.saturating_sub(ticks));
                self.markdown.code_spans.push(self.placed(inside));
            }
            _ => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.inside_end = open.inside_end.max(range.end.min(self.source.len()));
        }
    }

    /// Adds a piece of prose. Pieces that touch are merged, since the parser cuts text at every character that could be
    /// markup: a word across two pieces would be missed.
    fn prose(&mut self, range: Span) {
        let span = self.placed(range);
        match self.markdown.prose.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => self.markdown.prose.push(span),
        }
    }

    fn open(&mut self, kind: LinkType, link: Link, id: &str) {
        let range = link.span;
        let link = match kind {
            LinkType::Inline => Some(link),
            LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut => self
                .definitions
                .get(&fold(id))
                .and_then(|definition| {
                    let at = definition.of(self.source).find("]:")? + 2;
                    destination(self.source, definition.start + at)
                })
                .map(|span| Link {
                    span: self.placed(span),
                    ..link
                }),
            _ => None,
        };
        if let Some(outer) = self.open.last_mut() {
            outer.inside_end = outer.inside_end.max(range.end);
        }
        let inside_end = match kind {
            LinkType::Inline => range.start + 1,
            // The place of the address is already known.
            _ => usize::MAX,
        };
        self.open.push(OpenLink { link, inside_end });
    }

    fn close(&mut self, range: Span) {
        let Some(OpenLink { link, inside_end }) = self.open.pop() else {
            return;
        };
        let Some(link) = link else {
            return;
        };
        if inside_end == usize::MAX {
            self.markdown.links.push(link);
            return;
        }
        // After the last part of the label: a code span or a link in the label can hold `](`.
        let rest = Span::new(inside_end, range.end);
        let span = rest
            .of(self.source)
            .find("](")
            .and_then(|at| destination(self.source, inside_end + at + 2));
        if let Some(span) = span {
            let span = self.placed(span);
            self.markdown.links.push(Link { span, ..link });
        }
    }

    fn placed(&self, span: Span) -> Span {
        Span::new(self.base + span.start, self.base + span.end)
    }
}

/// Finds the address that begins at `at`, or after the white space there, in one of Markdown's two forms.
fn destination(source: &str, at: usize) -> Option<Span> {
    let rest = source.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = source.get(start..)?;
    let bracketed = rest.starts_with('<');
    let mut depth = 0_usize;
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(usize::from(bracketed)) {
        let ends = match c {
            _ if escaped => false,
            '>' if bracketed => true,
            '\n' => true,
            ')' if !bracketed => depth == 0,
            c => !bracketed && c.is_ascii_whitespace(),
        };
        if ends {
            return Some(Span::new(start + usize::from(bracketed), start + i));
        }
        match c {
            '(' if !escaped => depth += 1,
            ')' if !escaped => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    Some(Span::new(start + usize::from(bracketed), source.len()))
}

/// Folds a label for comparison: case and white space do not count.
fn fold(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<(String, &str)> {
        Markdown::parse(text, Span::new(0, text.len()))
            .links
            .into_iter()
            .map(|link| (link.address, link.span.of(text)))
            .collect()
    }

    #[test]
    fn a_fence_that_is_meant_to_close_a_block() {
        let mistaken = |text: &str| {
            let markdown = Markdown::parse(text, Span::new(0, text.len()));
            markdown.mistaken_fence(text).map(|span| span.start)
        };
        let json = "```json\n{}\n```\n";
        assert_eq!(mistaken(&format!("a\n\n```\nb\n\n{json}")), Some(3));
        assert_eq!(mistaken(&format!("- a\n\n  ```\n  b\n  {json}")), Some(7));
        for text in [
            format!("```\na\n```\n{json}"),
            format!("````\n{json}````\n"),
            format!("```text\na\n{json}```\n"),
            "```\na\n    ```json\n    {}\n    ```\n```\n".to_owned(),
            format!("<Good>\n{json}</Good>\n\n{json}"),
            "```\na\n```\n\n```\nb\n```\n".to_owned(),
            "```\nThen ```json opens.\n```\n".to_owned(),
            // A line of many fences is read once.
            format!("```\n{}\n```\n", "```json ".repeat(100_000)).replacen("```j", "x```j", 1),
            format!("```\nx{}json\n```\n", "`".repeat(900_000)),
        ] {
            assert_eq!(mistaken(&text), None, "{}", &text[..40]);
        }
    }

    #[test]
    fn addresses_are_where_they_are_written() {
        let pair = |a: &str, b: &'static str| (a.to_owned(), b);
        assert_eq!(links("see [a](b/c.md)."), [pair("b/c.md", "b/c.md")]);
        assert_eq!(links("[a]( <b c.md> 't')"), [pair("b c.md", "b c.md")]);
        assert_eq!(
            links("[a](b\\_c(1).md \"t\")"),
            [pair("b_c(1).md", "b\\_c(1).md")]
        );
        assert_eq!(
            links("[![x](i.png) *y*](p.md)"),
            [pair("i.png", "i.png"), pair("p.md", "p.md")]
        );
        assert_eq!(
            links("[a][G], [b][g]\n\n[g]: <r s.md> 'x'\n[unused]: y\n"),
            [pair("r s.md", "r s.md")]
        );
        assert_eq!(links("[](x)"), [pair("x", "x")]);
        assert_eq!(
            links("```\n[a](b)\n```\n`[a](b)`\n\n[^1]: note\n\ntext[^1]"),
            []
        );
        assert_eq!(links("<https://example.org> [x] (y)"), []);
    }

    #[test]
    fn code_and_prose() {
        let text = "---\n\na `b` `` c` ``\n\n```sh\nd\ne\n```\n\n    f\n\n*g*<b>h</b>";
        let body = Span::new(5, text.len());
        let markdown = Markdown::parse(text, body);
        let of = |spans: &[Span]| {
            spans
                .iter()
                .map(|s| s.of(text).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&markdown.code_spans), ["b", " c` "]);
        assert_eq!(of(&markdown.code_blocks).concat(), "d\ne\nf\n");
        assert_eq!(of(&markdown.prose), ["a ", " ", "g", "h"]);
    }
}
