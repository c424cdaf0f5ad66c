use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Edit;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::lenient::recover::{self, Recovered};
use skills_format::text::span::Span;
use skills_format::yaml;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::YamlSyntax,
    level: Level::Deny,
    group: Group::File,
    summary: "the front matter is YAML that maps keys to values",
    why: "A client that cannot parse the front matter drops the skill, usually without a message. The usual causes \
          are small: a colon in an unquoted value, a value that begins with `*` or `@`, text after a closing quote, \
          a tab.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Use when: a version is about to be published\n\
         ---\n\nList every merged change.\n",
    ),
    marks: ":",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = view.faults(RULE.id);
    if has_safe_fixes(view, &found).unwrap_or_default() {
        let fixes = found.iter_mut().filter_map(|it| it.fix.as_mut());
        fixes.for_each(|fix| fix.safe = true);
    }
    found
}

fn has_safe_fixes(view: &SkillView<'_>, found: &[Finding]) -> Option<bool> {
    let document = view.document()?;
    let joined;
    let recovered = match view.skill.file.front_matter.as_ref()? {
        Ok(node) => {
            joined = recover::joined(document, node)?;
            &joined
        }
        Err(_) => view.recovered()?,
    };
    let mut edits: Vec<&Edit> = Vec::new();
    for finding in found {
        edits.extend(&finding.fix.as_ref()?.edits);
    }
    Some(are_safe(document.text, document.yaml, recovered, &edits))
}

/// Returns whether edits keep the meaning: with all of them the front matter parses to the values that were read, and
/// nothing else can have been meant.
fn are_safe(text: &str, yaml: Span, recovered: &Recovered, edits: &[&Edit]) -> bool {
    let is_sure = |edit: &&Edit| {
        let (written, below) = (&text[edit.start..edit.end], &text[edit.end..yaml.end]);
        !edit.text.starts_with(' ') && keeps_meaning(written, below)
    };
    if !recovered.broken.is_empty() || !edits.iter().all(is_sure) {
        return false;
    }
    let inside = edits.iter().map(|edit| {
        let span = Span::new(edit.start - yaml.start, edit.end - yaml.start);
        Edit::replace(span, edit.text.clone())
    });
    let fixed = Edit::apply(yaml.of(text), &inside.collect::<Vec<_>>());
    matches!(yaml::parse(&fixed), Ok(Some(node)) if node.to_json() == recovered.node.to_json())
}

/// Returns whether quotes around a value surely say what was meant: not if the value has a comment, lines below it, an
/// escape, or the form of a list, a block or an alias. `below` is the rest of the front matter.
fn keeps_meaning(value: &str, below: &str) -> bool {
    let mut comments = value.match_indices('#');
    if comments.any(|(at, _)| value[..at].ends_with([' ', '\t'])) || value.contains(['\n', '\\']) {
        return false;
    }
    match value.chars().next() {
        Some('&' | '!' | '|' | '>' | '{') => false,
        // `*bold*` and `*.rs` are text; `*base` can be an alias.
        Some('*') => {
            value.contains(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '-' | '_'))
                || value[1..].contains('*')
        }
        // `[file] [flags]` is text.
        Some('[') => value.split_once(']').is_some_and(|(_, after)| {
            let after = after.trim_start();
            !after.is_empty() && !after.starts_with([',', ']'])
        }),
        // A later quote may be the one that closes the value, and some readers see a comment in `"a"# b`.
        Some(quote @ ('"' | '\'')) => match value[1..].find(quote) {
            None => !below.contains(quote),
            Some(at) => {
                value.ends_with(quote) && !value[at + 2..].starts_with('#') && !value.contains(" '")
            }
        },
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a text has faults, and all fixes are safe.
    fn is_safe(text: &str) -> bool {
        let yaml = Span::new(0, text.len());
        let recovered = recover::front_matter(text, yaml);
        let edits: Vec<&Edit> = recovered
            .faults
            .iter()
            .filter_map(|fault| fault.edit.as_ref())
            .collect();
        let has_all = recovered.faults.iter().all(|fault| fault.edit.is_some());
        has_all && !edits.is_empty() && are_safe(text, yaml, &recovered, &edits)
    }

    #[test]
    fn a_fix_that_may_change_the_text_is_no_safe_one() {
        for text in ["d: \"never closed\nname: x", "d: 'it's'", "d: a: b"] {
            assert!(is_safe(text), "{text}");
        }
        for text in [
            "d: \"forgotten\nname: x\nlicense: MIT\"",
            "d: \"C:\\new\\dir\"",
            "d: \"\\d\"",
            "d: \"a \\ud83d\"",
            "d: > 5 files",
            "d: !important use",
            "d: 'a 'b' c'",
            "d: a: b\nloose",
            "m:\n  k: a\n  b",
            "d: a: b # c",
            "d: 'a' b # c",
            "d: a\n  key: b",
            "m:\n  k: a\n    Key: b",
            "l: [a, *x]",
            "l: [&x a, @b]",
        ] {
            assert!(!is_safe(text), "{text}");
        }
    }

    /// In every style, and with every known field: the line never becomes a part of the text above by a safe fix.
    #[test]
    fn no_safe_fix_makes_a_field_into_text() {
        for field in skills_format::skill::known_fields::FIELDS {
            let key = field.key;
            for above in [
                "k: Does it.",
                "k: Use when: it.",
                "k: \"Does it.\"",
                "k: 'Does it.' Now.",
                "k: \"Does it.",
                "k: [a] b",
                "k: [a]",
                "k: *x y",
                "k: @x",
                "k: > x",
                "k:\n  Does it.",
                "k: Does\n  it.",
                "l:\n  - Does it.",
                "m:\n  k: Does it.",
            ] {
                for indent in [1, 2, 4, 7] {
                    // Beside `k`, the line is a key of the same mapping.
                    if above.starts_with("m:") && indent <= 2 {
                        continue;
                    }
                    let spaces = " ".repeat(indent);
                    for text in [
                        format!("{above}\n{spaces}{key}: true\nx: y"),
                        format!("x: y\n{above}\n{spaces}{key}: a: b\n{spaces}z: 1\n"),
                        format!("{above}\n{spaces}{}: true\n", key.replace('-', "_")),
                        // Which of two fields counts is not known.
                        format!("{key}: false\n{above}\n{spaces}{key}: true\n"),
                    ] {
                        if yaml::parse(&text).is_err() {
                            assert!(!is_safe(&text), "{text}");
                        }
                    }
                }
            }
        }
    }
}
