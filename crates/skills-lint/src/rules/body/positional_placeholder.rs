use crate::client::{Behaviour, Condition, enumerated};
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::collections::BTreeMap;
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
    let mut found = Vec::new();
    if !view.tree.scope.clients.are_named() {
        for span in meant {
            let written = span.of(view.text());
            let message = format!(
                "`{written}` is not a placeholder of the specification: most clients leave it as it is"
            );
            let help = format!(
                "say in words what the person names, which works in every client: `$ARGUMENTS` stays as it is in Codex \
                 and Gemini CLI, and `{written}` is {} in Claude Code",
                ordinal(written, 0)
            );
            found.push(view.at(RULE.id, span, message).help(help));
        }
        return found;
    }
    let keep = view.on(Condition::PositionalKept);
    let fill = view.on(Condition::Positional);
    for span in meant.iter().filter(|_| !keep.is_empty()) {
        let written = span.of(view.text());
        let what = format!("`{written}` stands for an argument");
        // A client that replaces no `$1` may replace no `$ARGUMENTS` either.
        let mut works = "say in words what the person names".to_owned();
        if !fill.is_empty() {
            let _ = write!(works, "; {}", meanings(written, &fill));
        }
        found.push(view.about_clients(RULE.id, *span, &what, &keep, &works));
    }
    if !fill.is_empty() {
        // An author who begins with `$1` means the first word, and a client that counts from zero fills in the second.
        let is_from_zero = meant.iter().any(|span| span.of(view.text()) == "$0");
        let is_right = is_from_zero || fill.iter().all(|one| one.fact.limit == 1);
        let skipped = if is_right || !keep.is_empty() {
            meant
        } else {
            Vec::new()
        };
        found.extend(exposed(view, &skipped, &fill));
    }
    found
}

/// Reports each of `$0` to `$9` that a client fills otherwise than its author means: once, at its first place.
fn exposed(view: &SkillView<'_>, skipped: &[Span], fill: &[Behaviour<'_>]) -> Vec<Finding> {
    let mut first: BTreeMap<&str, (Span, usize)> = BTreeMap::new();
    for span in numbered(view) {
        if !skipped.contains(&span) {
            first.entry(span.of(view.text())).or_insert((span, 0)).1 += 1;
        }
    }
    let mut found = Vec::new();
    for (written, (span, count)) in first {
        let times = match count {
            1 => String::new(),
            _ => format!(" ({count} times)"),
        };
        let what = format!("the body holds `{written}`{times}");
        let digit = written.trim_start_matches('$');
        let awk = if view.text().contains("awk") {
            format!("`$({digit})` in awk, ")
        } else {
            String::new()
        };
        let works = format!(
            "{}: say an argument in words, write {awk}`USD {digit}` for a price, or move code into a script file of the skill",
            meanings(written, fill)
        );
        found.push(view.about_clients(RULE.id, span, &what, fill, &works));
    }
    found
}

/// Says which word a placeholder stands for: ``in Claude Code `$1` is the second word``. Clients count from zero or one.
fn meanings(written: &str, fill: &[Behaviour<'_>]) -> String {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
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
fn ordinal(written: &str, first: usize) -> String {
    const WORDS: [&str; 10] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
    ];
    let digit: Option<usize> = written.trim_start_matches('$').parse().ok();
    let at = digit.and_then(|digit| digit.checked_sub(first));
    match at.and_then(|at| WORDS.get(at)) {
        Some(word) => format!("the {word} word"),
        None => "no word".to_owned(),
    }
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

/// Returns the places in prose where `$` and a digit mean an argument: the skill declares arguments or uses `$ARGUMENTS`,
/// and its prose names no sum of money.
fn meant(view: &SkillView<'_>) -> Vec<Span> {
    let text = view.text();
    let declares = ["arguments", "argument-hint", "argument"];
    let takes_arguments =
        declares.iter().any(|field| view.has(field)) || text.contains("$ARGUMENTS");
    let prose = &view.markdown().prose;
    if !takes_arguments || prose.iter().any(|prose| has_price(prose.of(text))) {
        return Vec::new();
    }
    let mut places = numbered(view);
    places.retain(|place| {
        let before = text[..place.start].chars().next_back();
        let after = text[place.end..].chars().next();
        let joins = |c: char| c.is_alphanumeric() || "\\$<>~+-–—=/%".contains(c);
        let is_joined = before.is_some_and(joins) || after.is_some_and(joins);
        !is_joined
            && prose
                .iter()
                .any(|prose| prose.start <= place.start && place.end <= prose.end)
    });
    places
}

/// Returns whether a text holds an unambiguous sum of money, such as `$20` or `$1,000`.
fn has_price(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let rest = &text[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let fraction = rest[digits..].strip_prefix(['.', ',']).unwrap_or_default();
        digits > 1 || digits == 1 && fraction.bytes().take_while(u8::is_ascii_digit).count() > 1
    })
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
            ["7:7: the body holds `$1`: it is lost in CLAUDE"]
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
