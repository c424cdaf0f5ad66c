//! Compares the places of words, and the addresses of links, with those of pulldown-cmark.

use crate::markdown::parser_input::parser_input;
use crate::mention::mask::place::{Mask, Place};
use crate::mention::mask::{find_comment, lead, places};
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};
use std::ops::Range;

/// Tokens that form containers, blocks and links, and words (`w`, made unique) whose places are compared.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "w", "w", "w", "w", " ", "  ", "   ", "    ", "\t", "\n", "\n", "\n\n", "\n \n", "\r\n", "\\", "\\\n", "\\\\",
    "`", "``", "```", "\n```", "\n~~~", "~~~", "````", "\n  ```w", "\n    ```",
    "> ", ">", "\n> ", "\n>", "\n   > ", "\n> > ", "- ", "\n- ", "\n-", "\n* ", "+ ", "\n  - ", "\n    - ", "\n-   ",
    "1. ", "\n1. ", "\n2) ", "\n01. ", "\n1234567890. ", "\n  w", "\n   w", "\n    w", "\n      w", "\n\tw",
    "#", "# ", "\n# w", "\n###### ", " #", "\n===", "\n---", "\n=", "\n-", "\n***", "\n* * *", "___",
    "<", ">", "/>", "<!--", "-->", "--", "<!-- w -->", "<!-->", "<?", "?>", "<!A", "<![CDATA[", "]]>", "\n<!--", "\n<?w",
    "<div", "\n<div>", "</div>", "\n</p >", "\n<pre>", "</pre>", "\n<script", "</script>", "\n<b>", "\n<b c='w'>", "<b/>",
    "<a w=\"", "\"", "'", "=w", "<http:w>", "<w@x.y>", "<ab:", "<b c = w>",
    "[", "]", "![", "](", ")", "(", "[w](", "[w](w)", "](w)", "](<w>)", "](w \"w\")", "](w 'w')", "](w (w))", "()",
    "[w]", "[r]", "[R]", "[]", "[w][r]", "][r]", "[\\]]", "![w](w)", "[`", "\n[r]: w", "\n[r]:\nw\n\"w\"", "[r]: <w w> 'w", "\n[r]: ",
    "[w]: w", "\n[w\\]]: w", ": ", "&amp;", "&lt;", "&#35;", "&nope;", "*", "_", "**", "ä", "\u{a0}", "請", "$", "!",
];

fn markdown(most: usize) -> impl Strategy<Value = String> {
    let token = prop::sample::select(TOKENS);
    prop::collection::vec(token, 0..most)
        .prop_map(|tokens| {
            let mut text = String::new();
            for (number, token) in tokens.into_iter().enumerate() {
                text += &token.replace('w', &format!("w{number}x"));
            }
            text
        })
        .prop_filter("pulldown-cmark is known to differ", |text| {
            !is_disputed(text)
        })
}

proptest! {
    #[test]
    fn places_and_addresses_are_those_of_pulldown_cmark(text in markdown(32)) {
        prop_assert_eq!(ours(&text), theirs(&text));
    }
}

/// Returns whether pulldown-cmark 0.13 is known to read a text differently from the specification.
fn is_disputed(text: &str) -> bool {
    let is_marker = |c: char| c.is_ascii_digit() || ">-+*".contains(c);
    let has_containers = text
        .lines()
        .any(|line| line.trim_start().starts_with(is_marker));
    [
        // A quotation continues though its marker is indented too far.
        text.contains("\t>"),
        // Long titles are not read.
        parser_input(text).contains("^("),
        // A declaration does not end at the marker of a quotation.
        text.contains("<!A") && text.lines().any(|line| line.trim_start().starts_with('>')),
        // The address of a definition can stand in a lazy line.
        text.lines().any(|line| line.trim_end().ends_with("]:")) && has_containers,
        // CDATA after a `]]>` is skipped.
        text.contains("<![CDATA["),
        // A single tag with this name begins no block of HTML.
        text.contains("<script/>"),
        // Raw HTML ends only at the closing tag of its own name, not of any raw tag.
        text.contains("<pre") && text.contains("</script"),
        text.contains("<script") && text.contains("</pre"),
    ]
    .contains(&true)
}

fn ours(text: &str) -> Vec<(&str, Place)> {
    let places = places(text, words(text).into_iter());
    words(text)
        .into_iter()
        .map(|word| text.get(word).unwrap_or_default())
        .zip(places)
        .collect()
}

fn theirs(text: &str) -> Vec<(&str, Place)> {
    let places = places_of_events(text, words(text).into_iter());
    words(text)
        .into_iter()
        .map(|word| text.get(word).unwrap_or_default())
        .zip(places)
        .collect()
}

fn words(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices('w');
    starts
        .map(|(start, _)| {
            let rest = text.get(start..).unwrap_or_default();
            start..start + rest.find('x').map_or(rest.len(), |end| end + 1)
        })
        .collect()
}

/// Returns the same as [`places`], by the events of the parser.
fn places_of_events(text: &str, candidates: impl Iterator<Item = Range<usize>>) -> Vec<Place> {
    let lead = lead(text);
    let markdown = &parser_input(text.get(lead..).unwrap_or_default());
    let candidates = candidates
        .map(|range| range.start.saturating_sub(lead)..range.end.saturating_sub(lead))
        .collect();
    let mut walk = Walk {
        markdown,
        candidates,
        places: Vec::new(),
    };
    for (event, range) in Parser::new_ext(markdown, Options::empty()).into_offset_iter() {
        if walk.places.len() == walk.candidates.len() {
            break;
        }
        walk.event(event, range);
    }
    walk.places.resize(walk.candidates.len(), Place::Unseen);
    for place in &mut walk.places {
        if let Place::Label(link, _) = place {
            *link = link.start + lead..link.end + lead;
        }
    }
    walk.places
}

struct Walk<'t> {
    markdown: &'t str,
    candidates: Vec<Range<usize>>,
    /// The places of the candidates so far.
    places: Vec<Place>,
}

impl<'t> Walk<'t> {
    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                self.put(range, &Place::Masked(Mask::Fence));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                self.put(range, &Place::Masked(Mask::Indented));
            }
            Event::Code(_) => self.put(range, &Place::Masked(Mask::CodeSpan)),
            Event::Start(Tag::HtmlBlock) => self.html_block(range),
            Event::InlineHtml(html) if html.starts_with("<!--") => {
                self.put(range, &Place::Masked(Mask::Comment));
            }
            Event::Start(Tag::Image { .. }) => self.put(range, &Place::Unseen),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => match link_type {
                LinkType::Autolink | LinkType::Email => self.put(range, &Place::Unseen),
                LinkType::Inline => {
                    let place = Place::Label(range.clone(), dest_url.into_string());
                    self.label(&range, place);
                }
                _ => self.label(&range, Place::Unseen),
            },
            Event::Text(_) | Event::Html(_) | Event::InlineHtml(_) => {
                self.put(range, &Place::Prose);
            }
            _ => {}
        }
    }

    /// Gives `place` to the candidates in the range that have no place yet. Candidates before the range are
    /// in no text.
    fn put(&mut self, range: Range<usize>, place: &Place) {
        while let Some(candidate) = self.candidates.get(self.places.len()) {
            let place = match candidate.start {
                start if start < range.start => Place::Unseen,
                start if start < range.end => place.clone(),
                _ => break,
            };
            self.places.push(place);
        }
    }

    /// Gives its place to the candidate that is the whole label of this link. A candidate holds no bracket,
    /// so the first bracket after the candidate ends the label.
    fn label(&mut self, link: &Range<usize>, place: Place) {
        self.put(link.start..link.start, &Place::Unseen);
        if let Some(candidate) = self.candidates.get(self.places.len())
            && candidate.start == link.start + 1
            && self.markdown.as_bytes().get(candidate.end) == Some(&b']')
        {
            self.places.push(place);
        }
    }

    /// Masks the comments of an HTML block. The rest of the block is text.
    fn html_block(&mut self, block: Range<usize>) {
        let html = self.markdown.get(block.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(comment) = find_comment(html, at) {
            self.put(block.start + at..block.start + comment.start, &Place::Prose);
            at = comment.end;
            let comment = block.start + comment.start..block.start + comment.end;
            self.put(comment, &Place::Masked(Mask::Comment));
        }
        self.put(block.start + at..block.end, &Place::Prose);
    }
}
