use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;
use skills_format::text::tokens::estimate_tokens;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::BodyLength,
    level: Level::Warn,
    group: Group::Body,
    summary: "a body has at most 500 lines and about 5,000 tokens",
    why: "The whole body enters the conversation when the skill starts, and stays there. Details \
          that are needed only sometimes belong in files that the body links.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Long {
            before: "---\nname: release-notes\n\
                     description: Writes release notes. Use when a version is published.\n---\n\n",
            piece: "- Look again.\n",
            times: 520,
            after: "",
        },
    )]),
    marks: "- Look again.",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

const MAX_LINES: usize = 500;
const MAX_TOKENS: usize = 5000;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let lines = 1 + memchr::memchr_iter(b'\n', body.as_bytes()).count();
    // By the estimate, a token has at least three bytes, so a short body needs no estimate.
    let tokens = if body.len() <= 3 * MAX_TOKENS {
        0
    } else {
        estimate_tokens(body)
    };
    let has = match lines {
        1 => "the body has 1 line".to_owned(),
        lines => format!("the body has {lines} lines"),
    };
    let message = match (lines > MAX_LINES, tokens > MAX_TOKENS) {
        (false, false) => return Vec::new(),
        (true, false) => format!("{has}, {} too many", lines - MAX_LINES),
        // The estimate can be a third too high.
        (false, true) if tokens * 3 <= MAX_TOKENS * 4 => return Vec::new(),
        (false, true) => format!("{has}, and about {tokens} tokens (a rough estimate)"),
        (true, true) => format!(
            "{has}, {} too many, and about {tokens} tokens (a rough estimate)",
            lines - MAX_LINES
        ),
    };
    let place = first_line_over(document.text, document.body);
    vec![view.at(RULE.id, place, message).help(format!(
        "move details to separate files and link them; {MAX_LINES} lines and {MAX_TOKENS} tokens are enough"
    ))]
}

/// Returns the first line beyond the maximum number of lines, or the first line.
fn first_line_over(text: &str, body: Span) -> Span {
    let over = body.of(text).match_indices('\n').nth(MAX_LINES - 1);
    let at = body.start + over.map_or(0, |(at, _)| at + 1);
    let length = line_at(text, at).of(text).trim_end().len();
    Span::new(at, at + length)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    fn told(body: &str) -> Vec<String> {
        let text = format!("---\nname: a\ndescription: b\n---\n{body}");
        told_of("body-length", &[("a/SKILL.md", &text)])
    }

    #[test]
    fn lines_first_then_tokens_with_the_error_of_the_estimate() {
        assert!(told(&"word ".repeat(4500)).is_empty());
        let many = "about 7500 tokens (a rough estimate)";
        assert_eq!(
            told(&"word ".repeat(6000)),
            [format!("the body has 1 line, and {many}")]
        );
        assert_eq!(
            told(&"a\n".repeat(504)),
            ["the body has 504 lines, 4 too many"]
        );
        let [both] = &told(&"word\n".repeat(6000))[..] else {
            panic!("one finding");
        };
        assert!(
            both.ends_with("about 7500 tokens (a rough estimate)"),
            "{both}"
        );
    }
}
