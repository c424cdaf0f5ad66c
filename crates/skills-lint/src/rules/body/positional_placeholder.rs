use crate::client::{Behaviour, Condition, enumerated};
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::map::TextMap;
use skills_format::text::span::Span;
use std::fmt::Write as _;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PositionalPlaceholder,
    level: Level::Warn,
    group: Group::Body,
    summary: "`$0` to `$9` in the body mean the same in every client",
    why: "The specification has no positional arguments, and most clients leave `$1` as it is. Claude Code puts the \
          second word of the arguments in its place, in code and in prices too: `print $1` of awk, `$1,000`. OpenCode puts \
          the first there, if a person starts the skill as a command. Without \
          `clients` in `skills.toml` or `--client`, only prose that means arguments is reported: with `arguments` or \
          `argument-hint` in the front matter, or with `$ARGUMENTS` in the body. If a client is named that fills \
          `$1`, each `$0` to `$9` that means something else is reported. Safe everywhere are words for what the person \
          names, `$(1)` in awk, `USD 1,000` for a price, and `$1` or `${1}` in a script file of the skill. `$ARGUMENTS` is \
          replaced in most clients, and stays in Codex and Gemini CLI, where the message follows the skill.",
    bad: Example::Skill(with_body!(
        "List every change since $1 and sort them. Then $ARGUMENTS.\n"
    )),
    marks: "$1",
    good: Example::Skill(with_body!(
        "List every change since the version that the person names. It costs USD 5 per month.\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.text().contains('$') {
        return Vec::new();
    }
    let meant = meant(view);
    let clients = view.tree.scope.clients;
    if !clients.are_named() {
        let told = meant.into_iter().map(|span| {
            let written = span.of(view.text());
            let message = format!(
                "`{written}` is not a placeholder of the specification: most clients leave it as it is"
            );
            view.at(RULE.id, span, message)
                .help(format!(
                    "say in words what the person names, which works in every client: `$ARGUMENTS` stays as it is in Codex \
                     and Gemini CLI, and `{written}` is {} in Claude Code",
                    ordinal(written, 0)
                ))
        });
        return told.collect();
    }
    let mut found = Vec::new();
    let keep = view.on(Condition::PositionalKept);
    let fill = view.on(Condition::Positional);
    if !keep.is_empty() {
        found.extend(meant.iter().map(|span| {
            let written = span.of(view.text());
            let what = format!("`{written}` stands for an argument");
            // A client that replaces no `$1` may replace no `$ARGUMENTS` either.
            let mut works = "say in words what the person names".to_owned();
            if !fill.is_empty() {
                let _ = write!(works, "; {}", meanings(written, &fill));
            }
            view.about_clients(RULE.id, *span, &what, &keep, &works)
        }));
    } else if !fill.is_empty() {
        found.extend(counted_otherwise(view, &meant, &fill));
    }
    if !fill.is_empty() {
        found.extend(exposed(view, &meant, &fill));
    }
    found
}

/// Reports numbers above those of the words that the author counts with: an author who begins with `$1` means the first
/// word, and a client that counts from zero fills in the second.
fn counted_otherwise(view: &SkillView<'_>, meant: &[Span], fill: &[Behaviour<'_>]) -> Vec<Finding> {
    let written = |span: &Span| span.of(view.text());
    if meant.iter().any(|span| written(span) == "$0") {
        return Vec::new();
    }
    let from_zero = fill.iter().filter(|one| one.fact.limit == 0);
    let from_zero: Vec<Behaviour<'_>> = from_zero.copied().collect();
    if from_zero.is_empty() {
        return Vec::new();
    }
    let told = meant.iter().map(|span| {
        let written = written(span);
        let clients: Vec<&str> = from_zero.iter().map(|one| one.client.title).collect();
        let message = format!(
            "`{written}` stands for an argument: it is {} in {}, which counts from `$0`",
            ordinal(written, 0),
            enumerated(&clients)
        );
        view.at(RULE.id, *span, message)
            .help("write `$0` for the first word, or names with the field `arguments`")
    });
    told.collect()
}

/// Reports each of `$0` to `$9` that does not mean an argument, once, at its first place.
fn exposed(view: &SkillView<'_>, meant: &[Span], fill: &[Behaviour<'_>]) -> Vec<Finding> {
    let mut first: TextMap<'_, (Span, usize)> = TextMap::default();
    for span in numbered(view) {
        if !meant.contains(&span) {
            first.or_insert(span.of(view.text()), (span, 0)).1 += 1;
        }
    }
    let is_awk = memchr::memmem::find(view.text().as_bytes(), b"awk").is_some();
    let told = first.iter().map(|(written, &(span, count))| {
        let times = match count {
            1 => String::new(),
            _ => format!(" ({count} times)"),
        };
        let what = format!("the body holds `{written}`{times}");
        let digit = written.trim_start_matches('$');
        let awk = if is_awk { format!("`$({digit})` in awk, ") } else { String::new() };
        let works = format!(
            "{}: say an argument in words, write {awk}`USD {digit}` for a price, or move code into a script file of the skill",
            meanings(written, fill)
        );
        view.about_clients(RULE.id, span, &what, fill, &works)
    });
    told.collect()
}

/// Says which word a placeholder stands for: ``in Claude Code `$1` is the second word``. Clients count from zero or one.
fn meanings(written: &str, fill: &[Behaviour<'_>]) -> String {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in fill {
        let word = ordinal(written, one.fact.limit);
        match all.iter_mut().find(|(known, _)| *known == word) {
            Some((_, clients)) => clients.push(one.client.title),
            None => all.push((word, vec![one.client.title])),
        }
    }
    let all: Vec<String> = all
        .iter()
        .map(|(word, clients)| format!("in {} `{written}` is {word}", enumerated(clients)))
        .collect();
    all.join(", ")
}

/// Returns the word that a placeholder stands for in a client that gives the first word a number.
fn ordinal(written: &str, first: usize) -> &'static str {
    const WORDS: [&str; 10] = [
        "the first word",
        "the second word",
        "the third word",
        "the fourth word",
        "the fifth word",
        "the sixth word",
        "the seventh word",
        "the eighth word",
        "the ninth word",
        "the tenth word",
    ];
    let digit: Option<usize> = written.trim_start_matches('$').parse().ok();
    let at = digit.and_then(|digit| digit.checked_sub(first));
    at.and_then(|at| WORDS.get(at))
        .copied()
        .unwrap_or("no word")
}

/// Returns every `$` with one digit in the body that Claude Code takes for an argument: not one single backslash
/// stands before it, and no letter, digit or `_` after it. Larger numbers need more than ten words of arguments.
fn numbered(view: &SkillView<'_>) -> Vec<Span> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let is_argument = |at: &usize| {
        let before = body.get(..*at).unwrap_or_default().bytes().rev();
        let mut after = body.get(at + 1..).unwrap_or_default().chars();
        before.take_while(|&byte| byte == b'\\').count() != 1
            && after.next().is_some_and(|c| c.is_ascii_digit())
            && !after
                .next()
                .is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    let places = memchr::memchr_iter(b'$', body.as_bytes()).filter(is_argument);
    let start = document.body.start;
    places
        .map(|at| Span::new(start + at, start + at + 2))
        .collect()
}

/// Returns the places in prose where `$` and a digit mean an argument.
fn meant(view: &SkillView<'_>) -> Vec<Span> {
    let text = view.text();
    let prose = &view.markdown().prose;
    if !means_arguments(view) || prose.iter().any(|prose| has_price(prose.of(text))) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for prose in prose {
        let written = prose.of(text);
        let places = memchr::memchr_iter(b'$', written.as_bytes());
        let places = places.filter(|at| is_placeholder(written, *at));
        found.extend(places.map(|at| Span::new(prose.start + at, prose.start + at + 2)));
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

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_of, told_to};

    fn told(named: &[&str], fields: &str, body: &str) -> Vec<String> {
        let clients: [Client; 2] = [
            client("claude", Condition::Positional, Loss::Nothing, &[]),
            client("codex", Condition::PositionalKept, Loss::Nothing, &[]),
        ];
        let text =
            format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\n{body}\n");
        let found = told_to(
            "positional-placeholder",
            &clients,
            named,
            &[("x/SKILL.md", &text)],
        );
        let shown = found
            .iter()
            .map(|one| format!("{}: {}", one.start, one.message));
        shown.collect()
    }

    /// The places that Claude Code 2.1.330 replaced, and those that it left (tests/clients/kept/placeholders.txt).
    #[test]
    fn what_claude_code_fills() {
        for body in [
            "`awk '{print $1}'`",
            "A price of $1,000 or \\$5.",
            "```sh\necho $1\n```",
            "Escaped \\\\$1 by a script.",
            "Escaped \\\\\\$1 by a script.",
        ] {
            let told = told(&["claude"], "", body);
            assert!(
                matches!(told.as_slice(), [one] if one.ends_with("the body holds `$1`: it is lost in CLAUDE")),
                "{body}: {told:?}"
            );
        }
        let stays = "Shell $HOME, ${1}, $@, $#, $?, $$, $1st, $(1), \\$1, $10, $1_, $1é.";
        assert!(told(&["claude"], "", stays).is_empty());
        assert_eq!(
            told(&["claude"], "", "`$2` and `$1` and `$2`"),
            [
                "6:2: the body holds `$2` (2 times): it is lost in CLAUDE",
                "6:11: the body holds `$1`: it is lost in CLAUDE"
            ]
        );
    }

    #[test]
    fn a_meant_argument_is_told_for_clients_that_leave_it() {
        let hint = "argument-hint: \"[name]\"\n";
        assert_eq!(
            told(&["codex", "claude"], hint, "Greet $1."),
            ["7:7: `$1` stands for an argument: it is lost in CODEX"]
        );
        assert_eq!(
            told(&["claude"], hint, "Greet $1."),
            [
                "7:7: `$1` stands for an argument: it is the second word in CLAUDE, which counts from `$0`"
            ]
        );
        assert!(told(&["claude"], hint, "Greet $0 and $1.").is_empty());
        assert!(told(&["codex"], "", "Run `echo $1`.").is_empty());
    }

    #[test]
    fn without_clients_only_prose_counts() {
        assert_eq!(told(&[], "", "`echo $1` costs $5, $1,000.").len(), 0);
        let text = "---\nname: x\ndescription: D. Use when asked.\nargument-hint: \"[name]\"\n---\n\nGreet $1.\n";
        let told = told_of("positional-placeholder", &[("x/SKILL.md", text)]);
        assert_eq!(
            told,
            ["`$1` is not a placeholder of the specification: most clients leave it as it is"]
        );
    }
}
