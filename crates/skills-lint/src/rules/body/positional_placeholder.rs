use crate::client::{Behaviour, Condition, enumerated};
use crate::rules::example::{Example, with_body};
use crate::rules::portability::arguments::{Declared, begins_with, declared, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::distance::nearest;
use skills_format::text::span::Span;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PositionalPlaceholder,
    level: Level::Warn,
    group: Group::Body,
    summary: "`$ARGUMENTS` and similar placeholders are spelled as clients read them, and `$0` to `$9` mean \
              the same in every client",
    why: "The specification has no positional arguments, and most clients leave `$1` as it is. Claude Code replaces \
          it with the second word of the arguments, even in code and in prices: `print $1` of awk, `$1,000`. \
          OpenCode replaces it with the first word, if a person starts the skill as a command. Without `clients` in \
          `skills.toml` or `--client`, only placeholders in prose are reported, and only if the skill takes \
          arguments: it has `arguments` or `argument-hint` in the front matter, or `$ARGUMENTS` in the body. If you \
          name a client that fills `$1`, each `$0` to `$9` that is not meant as an argument is reported. These are \
          safe everywhere: words for what the person names, `$(1)` in awk, `USD 1,000` for a price, and `$1` or \
          `${1}` in a script file of the skill. Most clients replace `$ARGUMENTS`; in Codex and Gemini CLI it \
          stays, and the message follows the skill. Nothing fills `$ARGUMENT`, `$arguments`, `${ARGUMENTS}`, \
          `{{ARGUMENTS}}`, or a `$name` that is one letter off a name in `arguments`.",
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
    // Before the Markdown is parsed.
    if memchr::memchr2(b'$', b'{', view.text().as_bytes()).is_none() {
        return Vec::new();
    }
    let mut found = misspelt(view);
    found.extend(positional(view));
    found
}

/// Returns whether a place lies in prose. The pieces of prose are in order.
fn is_prose(view: &SkillView<'_>, span: Span) -> bool {
    let prose = &view.markdown().prose;
    let next = prose.partition_point(|it| it.end < span.end);
    prose
        .get(next)
        .is_some_and(|it| it.start <= span.start && span.end <= it.end)
}

/// The forms of other programs and slips of `$ARGUMENTS`.
const MISSPELT: [&str; 5] = [
    "$ARGUMENT",
    "$arguments",
    "${ARGUMENTS}",
    "{{ARGUMENTS}}",
    "{{arguments}}",
];

/// Reports placeholders that nothing fills, since one letter or the form is wrong.
fn misspelt(view: &SkillView<'_>) -> Vec<Finding> {
    if view.is_about_skills() {
        return Vec::new();
    }
    let text = view.text();
    let mut declared = declared(view);
    declared.retain(Declared::is_usable);
    let names = || declared.iter().map(|argument| argument.name);
    let mut found = Vec::new();
    let mut report = |span: Span, name: &str| {
        let message = format!("`{}` stays as it is written", span.of(text));
        let finding = view.at(RULE.id, span, message);
        found.push(finding.help(format!("write `${name}`")));
    };
    for prose in &view.markdown().prose {
        for form in MISSPELT {
            for (at, _) in prose.of(text).match_indices(form) {
                let span = Span::new(prose.start + at, prose.start + at + form.len());
                let after = text[span.end..].chars().next();
                if !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
                    && !names().any(|name| form == format!("${name}"))
                {
                    report(span, "ARGUMENTS");
                }
            }
        }
    }
    // With a schema, `schema-placeholder` knows every argument.
    if !declared.is_empty() && view.skill.arguments.is_none() {
        for (word, span) in words(view) {
            let is_known =
                names().any(|name| begins_with(word, name)) || begins_with(word, "ARGUMENTS");
            if let Some(near) = nearest(word, names()).filter(|_| !is_known && is_prose(view, span))
            {
                report(span, near);
            }
        }
    }
    found
}

fn positional(view: &SkillView<'_>) -> Vec<Finding> {
    let all = numbered(view);
    let (meant, others): (Vec<Span>, Vec<Span>) = if means_arguments(view, &all) {
        all.into_iter().partition(|span| is_prose(view, *span))
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
            1 => format!("the body contains `{written}`"),
            _ => format!("the body contains `{written}` ({count} times)"),
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

/// Returns whether the author means arguments: the skill declares arguments or uses `$ARGUMENTS`, or nothing else can be
/// meant. No number is a price, as `$1,000` or `$1.50`.
fn means_arguments(view: &SkillView<'_>, all: &[Span]) -> bool {
    let declares = ["arguments", "argument-hint", "argument"]
        .iter()
        .any(|field| view.has(field));
    let is_price = |span: &Span| {
        let mut after = view.text()[span.end..].chars();
        matches!(after.next(), Some('.' | ',')) && after.next().is_some_and(|c| c.is_ascii_digit())
    };
    // A text about money, or about what `$1` is to a shell.
    let is_other = |text: &str| {
        let words = [
            "rgument", "arameter", "cript", "shell", "cost", "price", "paid", "pay", "illion",
            "per ", "USD",
        ];
        words.iter().any(|word| text.contains(word))
    };
    let is_small = |span: &Span| matches!(span.of(view.text()), "$1" | "$2" | "$3");
    let body = view
        .document()
        .map_or("", |document| document.body.of(document.text));
    (declares || body.contains("$ARGUMENTS") || all.iter().all(is_small) && !is_other(body))
        && !all.iter().any(is_price)
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
                matches!(told.as_slice(), [one] if one.ends_with("the body contains `$1`: it is lost in CLAUDE")),
                "{body}: {told:?}"
            );
        }
        let stays = "Shell $HOME, ${1}, $@, $#, $?, $$, $1st, $(1), \\$1, $10, $1_, $1é.";
        assert!(told(&["claude"], "", stays).is_empty());
        assert_eq!(
            told(&["claude"], "", "`$2` and `$1` and `$2`"),
            [
                "6:2: the body contains `$2` (2 times): it is lost in CLAUDE",
                "6:11: the body contains `$1`: it is lost in CLAUDE"
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
    fn slips_of_placeholders_are_told() {
        let fields = "arguments: [since, until]\n";
        assert_eq!(
            told(
                &[],
                fields,
                "Use $ARGUMENT, ${ARGUMENTS}, {{ARGUMENTS}}, $arguments; $sinse, $since."
            ),
            [
                "7:5: `$ARGUMENT` stays as it is written",
                "7:16: `${ARGUMENTS}` stays as it is written",
                "7:30: `{{ARGUMENTS}}` stays as it is written",
                "7:45: `$arguments` stays as it is written",
                "7:57: `$sinse` stays as it is written",
            ]
        );
        for body in [
            "`$ARGUMENT` `$sinse`",
            "$ARGUMENTS, $ARGUMENTS_OF, $argumentsOf",
            "$HOME",
        ] {
            assert_eq!(told(&[], fields, body), [""; 0], "{body}");
        }
        assert_eq!(told(&[], "arguments: [arguments]\n", "$arguments"), [""; 0]);
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
