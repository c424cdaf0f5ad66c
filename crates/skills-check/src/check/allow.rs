//! Comments that suppress findings: `<!-- skills: allow RULE -->`, `<!-- skills: allow-file RULE -->`.

use memchr::memmem;
use skills_format::diagnostic::Diagnostic;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::mention::mask::are_code;
use skills_format::text::span::Span;

/// The rules that no comment suppresses: the author of an attack also writes the comments.
pub const NEVER_SUPPRESSED: [RuleId; 6] = [
    RuleId::HiddenText,
    RuleId::Secret,
    RuleId::RemoteExec,
    RuleId::AuthorizedKey,
    RuleId::LinkEscape,
    RuleId::Symlink,
];

/// The comments of one Markdown file.
#[derive(Clone, Debug, Default)]
pub struct Suppressions(Vec<(String, Option<Span>)>);

impl Suppressions {
    /// Reads the comments of a text. A comment covers the block after it, or the whole file.
    pub fn read(text: &str, body: Span) -> Self {
        let markdown = body.of(text);
        if memmem::find(markdown.as_bytes(), b"skills:").is_none() {
            return Self::default();
        }
        let starts: Vec<usize> = memmem::find_iter(markdown.as_bytes(), b"<!--").collect();
        let code = are_code(markdown, starts.iter().copied());
        let mut all = Vec::new();
        let mut next = 0;
        for (start, is_code) in starts.into_iter().zip(code) {
            let inside = markdown.get(start + 4..).unwrap_or_default();
            let Some(length) = inside.find("-->").filter(|_| !is_code && start >= next) else {
                continue;
            };
            let comment = inside.get(..length).unwrap_or_default().trim_start();
            let Some(rest) = comment.strip_prefix("skills:") else {
                continue;
            };
            next = start + 4 + length + 3;
            let mut words = rest
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|word| !word.is_empty());
            let block = match words.next() {
                Some("allow") => Some(covered(markdown, start, next)),
                Some("allow-file") => None,
                _ => continue,
            };
            let block =
                block.map(|block| Span::new(body.start + block.start, body.start + block.end));
            // A reason can follow the rules: `-- why`.
            let rules = words.take_while(|word| *word != "--");
            all.extend(rules.map(|rule| (rule.to_owned(), block)));
        }
        Self(all)
    }

    /// Returns whether a comment suppresses a finding in the same file.
    pub fn hold(&self, found: &Diagnostic) -> bool {
        let start = found.span().start;
        let is_in =
            |block: Option<Span>| block.is_none_or(|it| it.start <= start && start < it.end.max(1));
        !NEVER_SUPPRESSED.contains(&found.rule)
            && self
                .0
                .iter()
                .any(|(rule, block)| rule == found.rule.as_str() && is_in(*block))
    }
}

/// Returns what a comment covers: the block after it. In a paragraph, it covers the rest of the paragraph too, and
/// definitions of links are no block.
fn covered(markdown: &str, start: usize, end: usize) -> Span {
    let mut block = block_after(markdown, end);
    let before = markdown.get(..start).unwrap_or_default();
    let mut is_more = before
        .rsplit('\n')
        .next()
        .is_some_and(|line| !line.trim().is_empty());
    loop {
        let last = block
            .of(markdown)
            .lines()
            .last()
            .unwrap_or_default()
            .trim_start();
        is_more |= last.starts_with('[') && last.contains("]:");
        if !is_more || block.end >= markdown.len() {
            return block;
        }
        block.end = block_after(markdown, block.end).end;
        is_more = false;
    }
}

/// Returns the block that begins after a place: its lines up to the next empty line. A list, and what is indented below
/// it, is one block.
fn block_after(markdown: &str, at: usize) -> Span {
    let rest = markdown.get(at..).unwrap_or_default();
    let start = at + rest.len() - rest.trim_start().len();
    let block = markdown.get(start..).unwrap_or_default();
    let is_item = |line: &str| {
        let line = line.trim_start();
        line.starts_with(['-', '*', '+']) || line.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_list = is_item(block);
    let mut end = start;
    let mut lines = block.split_inclusive('\n').peekable();
    let mut gap = 0;
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() {
            end += gap + line.len();
            gap = 0;
            continue;
        }
        gap += line.len();
        let goes_on = lines.peek().is_some_and(|next| {
            next.trim().is_empty() || is_list && (next.starts_with([' ', '\t']) || is_item(next))
        });
        if !goes_on {
            break;
        }
    }
    Span::new(start, end)
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
}
