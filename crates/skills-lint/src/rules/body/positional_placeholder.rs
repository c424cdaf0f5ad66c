use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PositionalPlaceholder,
    level: Level::Warn,
    group: Group::Body,
    summary: "the body's prose holds no `$0` to `$3`",
    why: "The specification has no positional arguments: `$1` stays as it is, and the model reads \
          a dollar sign and a one. `$ARGUMENTS` is replaced by what the person typed. `$1` in code \
          is allowed. Only skills that take arguments are asked: `arguments` or `argument-hint` in the \
          front matter, or `$ARGUMENTS` in the body.",
    bad: Example::Skill(with_body!(
        "List every change since $1 and sort them. Then $ARGUMENTS.\n"
    )),
    marks: "$1",
    good: Example::Skill(with_body!(
        "List every change since $ARGUMENTS. It costs $5 per month.\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut found = Vec::new();
    if memchr::memchr(b'$', text.as_bytes()).is_none() || !means_arguments(view) {
        return found;
    }
    if view
        .markdown()
        .prose
        .iter()
        .any(|prose| has_price(prose.of(text)))
    {
        return found;
    }
    for prose in &view.markdown().prose {
        let written = prose.of(text);
        for at in memchr::memchr_iter(b'$', written.as_bytes()) {
            if is_placeholder(written, at) {
                let start = prose.start + at;
                let span = Span::new(start, start + 2);
                let message = format!("`{}` is never replaced", span.of(text));
                found.push(
                    view.at(RULE.id, span, message)
                        .help("write `$ARGUMENTS`, or say it in words"),
                );
            }
        }
    }
    found
}

/// Returns whether the author means arguments: the skill declares arguments, or nothing else can be meant. `$0`, `$4`
/// and `$5` are money, and a text about arguments or scripts explains the meaning of `$1` in other programs.
fn means_arguments(view: &SkillView<'_>) -> bool {
    const OTHERS: [&str; 8] = [
        "$0",
        "$4",
        "$5",
        "rgument",
        "arameter",
        "ositional",
        "script",
        "shell",
    ];
    let body = view
        .document()
        .map(|document| document.body.of(document.text));
    let is_other = |body: &str| {
        let holds = |part: &&str| memchr::memmem::find(body.as_bytes(), part.as_bytes()).is_some();
        OTHERS.iter().any(holds)
    };
    takes_arguments(view) || body.is_some_and(|body| !is_other(body))
}

/// Returns whether the skill declares arguments, or uses `$ARGUMENTS`.
fn takes_arguments(view: &SkillView<'_>) -> bool {
    let body = view
        .document()
        .map(|document| document.body.of(document.text));
    let names = |body: &str| memchr::memmem::find(body.as_bytes(), b"$ARGUMENTS").is_some();
    ["arguments", "argument-hint", "argument"]
        .iter()
        .any(|field| view.has(field))
        || body.is_some_and(names)
}

/// Returns whether a text holds an unambiguous sum of money. In such a text, other sums are likely too.
fn has_price(text: &str) -> bool {
    memchr::memchr_iter(b'$', text.as_bytes()).any(|at| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let part = rest.get(digits..).unwrap_or_default();
        digits > 1
            || digits == 1
                && part.starts_with(['.', ','])
                && part.len() > 2
                && part.bytes().skip(1).take(2).all(|b| b.is_ascii_digit())
    })
}

/// Returns whether `$` and one digit are not a sum of money.
fn is_placeholder(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let mut after = text.get(at + 1..).unwrap_or_default().chars();
    // Larger digits are prices.
    let is_digit = after.next().is_some_and(|c| matches!(c, '0'..='3'));
    let rest = after.as_str();
    let is_joined = before.is_some_and(|c| {
        c.is_alphanumeric() || matches!(c, '\\' | '$' | '<' | '>' | '~' | '+' | '-' | '=')
    }) || rest.starts_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '/' | '+' | '-' | '–' | '—' | '%' | '_' | '$' | '~')
    }) || rest.starts_with(['.', ','])
        && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    is_digit && !is_joined && !is_money(rest) && !is_price(text.get(..at).unwrap_or_default())
}

fn is_money(rest: &str) -> bool {
    const WORDS: [&str; 22] = [
        "million", "billion", "trillion", "thousand", "bn", "k", "per", "each", "usd", "for", "to",
        "off", "a", "an", "monthly", "yearly", "worth", "or", "in", "of", "credit", "minimum",
    ];
    // Without this check, a text without spaces would be read to its end for every `$`.
    if !rest.starts_with(' ') {
        return false;
    }
    let word = rest.split_whitespace().next().unwrap_or_default();
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    WORDS.contains(&word.as_str())
}

/// Returns whether the last word before a `$` announces a price.
fn is_price(before: &str) -> bool {
    const WORDS: [&str; 15] = [
        "cost", "costs", "price", "pay", "pays", "paid", "only", "about", "under", "over", "than",
        "at", "charge", "charges", "just",
    ];
    if !before.ends_with(' ') {
        return false;
    }
    let word = before.split_whitespace().next_back().unwrap_or_default();
    WORDS.contains(&word.to_lowercase().as_str())
}
