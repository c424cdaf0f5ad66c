use crate::client::{Behaviour, Condition, enumerated};
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::collections::BTreeMap;

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

const IN_WORDS: &str = "say in words what the person names, which works in every client";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.text().contains('$') {
        return Vec::new();
    }
    let all = numbered(view);
    let (meant, others): (Vec<Span>, Vec<Span>) = if means_arguments(view, &all) {
        let prose = &view.markdown().prose;
        all.into_iter().partition(|span| {
            prose
                .iter()
                .any(|it| it.start <= span.start && span.end <= it.end)
        })
    } else {
        (Vec::new(), all)
    };
    if !view.tree.scope.clients.are_named() {
        return meant.into_iter().map(|span| unknown(view, span)).collect();
    }
    let (keep, fill) = (
        view.on(Condition::PositionalKept),
        view.on(Condition::Positional),
    );
    let mut found = Vec::new();
    if !keep.is_empty() {
        found.extend(meant.iter().map(|span| {
            let what = format!("`{}` stands for an argument", span.of(view.text()));
            view.about_clients(RULE.id, *span, &what, &keep, IN_WORDS)
        }));
    } else if !fill.is_empty() {
        found.extend(counted_otherwise(view, &meant, &fill));
    }
    if !fill.is_empty() {
        found.extend(exposed(view, &others, &fill));
    }
    found
}

/// Reports an argument for the clients that nobody names.
fn unknown(view: &SkillView<'_>, span: Span) -> Finding {
    let written = span.of(view.text());
    let message = format!(
        "`{written}` is not a placeholder of the specification: most clients leave it as it is"
    );
    view.at(RULE.id, span, message).help(IN_WORDS)
}

/// Reports numbers above those of the words that the author counts with: an author who begins with `$1` means the first
/// word, and a client that counts from zero fills in the second.
fn counted_otherwise(view: &SkillView<'_>, meant: &[Span], fill: &[Behaviour<'_>]) -> Vec<Finding> {
    let from_zero = fill.iter().filter(|one| one.fact.limit == 0);
    let clients: Vec<&str> = from_zero.map(|one| one.client.title).collect();
    if clients.is_empty() || meant.iter().any(|span| span.of(view.text()) == "$0") {
        return Vec::new();
    }
    let found = meant.iter().map(|span| {
        let message = format!(
            "`{}` stands for an argument, and {} counts from `$0`",
            span.of(view.text()),
            enumerated(&clients)
        );
        view.at(RULE.id, *span, message)
            .help("write `$0` for the first word, or names with the field `arguments`")
    });
    found.collect()
}

/// Reports each of `$0` to `$9` that does not mean an argument, once, at its first place.
fn exposed(view: &SkillView<'_>, others: &[Span], fill: &[Behaviour<'_>]) -> Vec<Finding> {
    let mut first: BTreeMap<&str, (Span, usize)> = BTreeMap::new();
    for span in others {
        let written = span.of(view.text());
        first.entry(written).or_insert((*span, 0)).1 += 1;
    }
    let found = first.iter().map(|(written, &(span, count))| {
        let what = match count {
            1 => format!("the body holds `{written}`"),
            _ => format!("the body holds `{written}` ({count} times)"),
        };
        let digit = written.trim_start_matches('$');
        let works = format!(
            "say an argument in words, write `$({digit})` in awk and `USD {digit}` for a price, or move code into a script file"
        );
        view.about_clients(RULE.id, span, &what, fill, &works)
    });
    found.collect()
}

/// Returns every `$` with one digit in the body that Claude Code takes for an argument: not one single backslash
/// stands before it, and no letter, digit or `_` after it. Larger numbers need more than ten words of arguments.
fn numbered(view: &SkillView<'_>) -> Vec<Span> {
    let Some(document) = view.document() else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let is_argument = |at: &usize| {
        let before = body[..*at].bytes().rev();
        let mut after = body[at + 1..].chars();
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

/// Returns whether the author means arguments: the skill declares arguments or uses `$ARGUMENTS`, and no number is a
/// price, as `$1,000` or `$1.50`.
fn means_arguments(view: &SkillView<'_>, all: &[Span]) -> bool {
    let declares = ["arguments", "argument-hint", "argument"]
        .iter()
        .any(|field| view.has(field));
    let is_price = |span: &Span| {
        let mut after = view.text()[span.end..].chars();
        matches!(after.next(), Some('.' | ',')) && after.next().is_some_and(|c| c.is_ascii_digit())
    };
    (declares || view.text().contains("$ARGUMENTS")) && !all.iter().any(is_price)
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
            ["7:7: `$1` stands for an argument, and CLAUDE counts from `$0`"]
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
