//! Comments that suppress findings: `<!-- skills: allow RULE -->`, `<!-- skills: allow-file RULE -->`.

use memchr::memmem;
use skills_format::diagnostic::Diagnostic;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::mention::mask::are_code;
use skills_format::text::span::Span;
use std::collections::BTreeMap;

/// The rules that no comment suppresses: the author of an attack also writes the comments.
pub const NEVER_SUPPRESSED: [RuleId; 6] = [
    RuleId::HiddenText,
    RuleId::Secret,
    RuleId::RemoteExec,
    RuleId::AuthorizedKey,
    RuleId::LinkEscape,
    RuleId::Symlink,
];

/// A comment that begins with `skills:`.
pub struct Comment<'t> {
    /// The bytes of the text.
    pub span: Span,
    /// True if it covers the whole file, and not the block after it.
    pub is_of_file: bool,
    /// The rules that it names.
    pub rules: Vec<&'t str>,
}

/// Returns the comments of a text outside of code. A comment in a comment is a part of it.
pub fn comments<'t>(
    text: &'t str,
    body: Span,
    is_code: &dyn Fn(usize) -> bool,
) -> Vec<Comment<'t>> {
    let body_text = body.of(text).as_bytes();
    // The next end is looked for once: a text can have many starts and no end.
    let mut ends = memmem::find_iter(body_text, b"-->").peekable();
    let mut all: Vec<Comment<'_>> = Vec::new();
    for at in memmem::find_iter(body_text, b"<!--") {
        let start = at + "<!--".len();
        while ends.next_if(|end| *end < start).is_some() {}
        let Some(end) = ends.peek() else { break };
        let span = Span::new(body.start + at, body.start + end + "-->".len());
        let is_inside = all.last().is_some_and(|last| span.start < last.span.end);
        if !is_inside && !is_code(span.start) {
            all.extend(comment(text, span));
        }
    }
    all
}

fn comment(text: &str, span: Span) -> Option<Comment<'_>> {
    let inside = text.get(span.start + "<!--".len()..span.end - "-->".len())?;
    let inside = inside.trim_start().strip_prefix("skills:")?;
    let mut words = inside.split(|c: char| c.is_whitespace() || c == ',');
    let is_of_file = match words.by_ref().find(|word| !word.is_empty())? {
        "allow" => false,
        "allow-file" => true,
        _ => return None,
    };
    Some(Comment {
        span,
        is_of_file,
        // A reason can follow the rules: `-- why`.
        rules: words
            .filter(|word| !word.is_empty())
            .take_while(|word| *word != "--")
            .collect(),
    })
}

/// The comments of one Markdown file, by rule.
#[derive(Clone, Debug, Default)]
pub struct Suppressions(BTreeMap<String, Covered>);

/// What the comments about one rule cover.
#[derive(Clone, Debug, Default)]
struct Covered {
    whole_file: bool,
    /// In order of their starts. Each end is the largest so far.
    parts: Vec<Span>,
}

impl Suppressions {
    /// Reads the comments of a text. A comment covers the block after it, or the whole file.
    ///
    /// # Cost
    ///
    /// Linear in the text.
    pub fn read(text: &str, body: Span) -> Self {
        let mut all = Self::default();
        let markdown = body.of(text);
        if memmem::find(markdown.as_bytes(), b"skills:").is_none() {
            return all;
        }
        let starts: Vec<usize> = memmem::find_iter(markdown.as_bytes(), b"<!--").collect();
        let code = are_code(markdown, starts.iter().copied());
        let is_code = |at: usize| {
            let start = starts.binary_search(&(at - body.start));
            start.is_ok_and(|start| code.get(start) == Some(&true))
        };
        let blocks = blocks(markdown);
        for comment in comments(text, body, &is_code) {
            let (start, end) = (
                comment.span.start - body.start,
                comment.span.end - body.start,
            );
            let part = (!comment.is_of_file).then(|| covered(&blocks, start, end));
            for rule in comment.rules {
                all.0
                    .entry(rule.to_owned())
                    .or_default()
                    .add(part, body.start);
            }
        }
        all
    }

    /// Returns whether a comment suppresses a finding in the same file.
    pub fn hold(&self, found: &Diagnostic) -> bool {
        let at = found.span().start;
        let covered = self
            .0
            .get(found.rule.as_str())
            .filter(|_| !NEVER_SUPPRESSED.contains(&found.rule));
        covered.is_some_and(|covered| {
            let before = covered.parts.partition_point(|part| part.start <= at);
            let last = covered.parts.get(..before).and_then(<[Span]>::last);
            covered.whole_file || last.is_some_and(|last| at < last.end.max(1))
        })
    }
}

impl Covered {
    fn add(&mut self, part: Option<Span>, moved: usize) {
        let Some(part) = part else {
            self.whole_file = true;
            return;
        };
        let end = self
            .parts
            .last()
            .map_or(0, |last| last.end)
            .max(part.end + moved);
        self.parts.push(Span::new(part.start + moved, end));
    }
}

/// A part of a text between empty lines. A list, and what is indented below it, is one block.
struct Block {
    span: Span,
    /// True if the last line defines the label of a link, which is no block of its own.
    is_definition: bool,
}

/// Returns what a comment from `start` to `end` covers: the block after it. In a paragraph, it covers the rest of the
/// paragraph too.
fn covered(blocks: &[Block], start: usize, end: usize) -> Span {
    let first = blocks.partition_point(|block| block.span.end <= end);
    let Some(block) = blocks.get(first) else {
        return Span::at(end);
    };
    let mut last = first;
    let is_inside = block.span.start < start;
    let mut is_more = is_inside || block.is_definition;
    while is_more && last + 1 < blocks.len() {
        last += 1;
        is_more = blocks.get(last).is_some_and(|block| block.is_definition);
    }
    Span::new(
        end.max(block.span.start),
        blocks.get(last).map_or(end, |block| block.span.end),
    )
}

fn blocks(markdown: &str) -> Vec<Block> {
    let is_item = |line: &str| {
        let line = line.trim_start();
        line.starts_with(['-', '*', '+']) || line.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut blocks: Vec<Block> = Vec::new();
    let (mut is_list, mut is_over) = (false, true);
    let mut start = 0;
    for line in markdown.split_inclusive('\n') {
        let span = Span::new(start, start + line.trim_end().len());
        start += line.len();
        if line.trim().is_empty() {
            is_over = true;
            continue;
        }
        let content = line.trim_start();
        let is_definition = content.starts_with('[') && content.contains("]:");
        let goes_on = !is_over || is_list && (line.starts_with([' ', '\t']) || is_item(line));
        if let Some(block) = blocks.last_mut().filter(|_| goes_on) {
            block.span.end = span.end;
            block.is_definition = is_definition;
        } else {
            is_list = false;
            blocks.push(Block {
                span,
                is_definition,
            });
        }
        is_list |= is_item(line);
        is_over = false;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Severity;

    fn holds(text: &str, rule: RuleId, at: &str) -> bool {
        let place = Span::at(text.find(at).expect("the place"));
        let found =
            Diagnostic::new(rule, Severity::Error, "SKILL.md", "x").at(text.as_bytes(), place);
        Suppressions::read(text, Span::new(0, text.len())).hold(&found)
    }

    #[test]
    fn a_comment_covers_the_block_after_it() {
        let text =
            "[a](1)\n\n<!-- skills: allow link-broken -- why -->\n[b](2)\n[c](3)\n\n[d](4)\n";
        let held = ["[a]", "[b]", "[c]", "[d]"].map(|at| holds(text, RuleId::LinkBroken, at));
        assert_eq!(held, [false, true, true, false]);
        assert!(!holds(text, RuleId::LinkCase, "[b]"));
        let list =
            "<!-- skills: allow link-broken -->\n\n- a\n\n  [b](2)\n- [c](3)\n\nEnd [d](4)\n";
        let held = ["[b]", "[c]", "[d]"].map(|at| holds(list, RuleId::LinkBroken, at));
        assert_eq!(held, [true, true, false]);
        assert!(holds(
            "<!-- skills: allow-file name-form -->\nname",
            RuleId::NameForm,
            "name-form"
        ));
        assert!(!holds(
            "`<!-- skills: allow-file name-form -->`\nx",
            RuleId::NameForm,
            "x"
        ));
        assert!(!holds(
            "<!-- skills: allow-file link-escape -->\nx",
            RuleId::LinkEscape,
            "x"
        ));
    }

    fn rules(text: &str) -> Vec<Vec<&str>> {
        let code = text.find('`').unwrap_or(usize::MAX);
        let all = comments(text, Span::new(0, text.len()), &|at| at > code);
        all.into_iter().map(|comment| comment.rules).collect()
    }

    #[test]
    fn a_comment_ends_at_the_next_end() {
        assert_eq!(
            rules("<!-- note <!-- skills: allow a b --> <!--skills: allow-file c -- why--> -->"),
            [vec!["a", "b"], vec!["c"]]
        );
        assert_eq!(rules("<!--> skills: allow a -->"), [[""; 0]; 0]);
        assert_eq!(rules("`<!-- skills: allow a -->"), [[""; 0]; 0]);
        assert_eq!(
            rules("<!-- skills: allow a <!-- skills: allow b -->").len(),
            1
        );
        // Each start looks no further than the start before: the text has a megabyte.
        assert_eq!(rules(&"<!-- skills: allow a ".repeat(50_000)), [[""; 0]; 0]);
    }
}
