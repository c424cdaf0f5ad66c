use crate::rules::example::Example;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionCut,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a description ends where its sentence ends",
    why: "A cut description lacks its end, often the part that says when to use the skill. One cause is YAML: in an \
          unquoted value, a space and `#` begin a comment, and every client reads only the text before them. The \
          fix puts the value in quotes; it is a guess that the text was meant for the model. A comment after a \
          whole sentence, `Does it. # a note`, is not reported. The other cause is a program that shortened the \
          text to end in `…`: it has no fix.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes the release notes of a version, #changelog included. Use when a version is published.\n\
         ---\n\nList every merged change.\n",
    ),
    marks: "#changelog included. Use when a version is published.",
    good: Example::Skill(
        "---\nname: release-notes\n\
         description: \"Writes the release notes of a version, #changelog included. Use when a version is published.\"\n\
         ---\n\nList every merged change.\n",
    ),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

/// The minimum length of a description that a program shortens.
const SHORTEST: usize = 60;

/// The fields whose texts a model reads.
const FIELDS: [&str; 3] = ["description", "when_to_use", "when-to-use"];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let comments: Vec<Finding> = FIELDS
        .iter()
        .filter_map(|field| comment(view, field))
        .collect();
    if comments.is_empty() {
        shortened(view)
    } else {
        comments
    }
}

/// Reports a comment that cuts a value without quotes.
fn comment(view: &SkillView<'_>, field: &str) -> Option<Finding> {
    let (value, text) = view.text_field(field)?;
    let is_plain =
        matches!(&value.value, Value::Scalar(scalar) if matches!(scalar.style, Style::Plain));
    let rest = line_at(view.text(), value.span.end);
    let comment = rest.of(view.text()).trim_end();
    let note = comment.trim_start().strip_prefix('#')?;
    // `Does it. # a note` is a comment as people write them, and the text before it is whole.
    let is_note = note.starts_with([' ', '\t', '#']) && text.ends_with(['.', '!', '?', '。']);
    // An alias has no quotes of its own.
    let is_alias = value.span.of(view.text()).starts_with('*');
    if !is_plain || is_alias || comment.starts_with('#') || is_note {
        return None;
    }
    let whole = Span::new(value.span.start, rest.start + comment.len());
    let start = rest.start + (comment.len() - comment.trim_start().len());
    let message = format!("the {field} ends before this `#`, which begins a comment of YAML");
    let edit = Edit::replace(whole, in_quotes(whole.of(view.text())));
    Some(
        view.at(RULE.id, Span::new(start, whole.end), message)
            .help("put the value in quotes, or the comment on a line of its own")
            // Every client reads the value without the comment: in quotes it is longer.
            .fix(Fix::guess(vec![edit])),
    )
}

/// Writes a text of one line, or lines that a reader of YAML joins, in quotes.
fn in_quotes(text: &str) -> String {
    if text.contains(['"', '\\']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        format!("\"{text}\"")
    }
}

/// Reports a text that a program shortened.
fn shortened(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, description)) = view.text_field("description") else {
        return Vec::new();
    };
    let text = description.trim();
    let length = text.chars().count();
    let stem = text.strip_suffix("...").or_else(|| text.strip_suffix('…'));
    let is_shortened = stem.is_some_and(|stem| {
        let word = stem.split_whitespace().next_back().unwrap_or_default();
        let ends_in_word = word.ends_with(char::is_alphanumeric);
        let is_open_list =
            ["etc", "more", "others", "on", "like", "as"].contains(&word.to_lowercase().as_str());
        ends_in_word && !is_open_list && length >= SHORTEST
    });
    let word = text.split_whitespace().next_back().unwrap_or_default();
    if !is_shortened {
        return Vec::new();
    }
    let written = value.span.of(view.text());
    let at = written.rfind(word).unwrap_or_default();
    let start = value.span.start + at;
    let span = Span::new(start, start + word.len().min(written.len() - at));
    let message = "the description ends in the middle";
    vec![
        view.at(RULE.id, span, message)
            .help("write the rest of the sentence"),
    ]
}

#[cfg(test)]
mod tests {
    use crate::check::fix::FixLevel;
    use crate::rules::tests::fix_bundle;
    use crate::rules::tests::{told_of, tree};
    use crate::view::scope::Scope;
    use skills_check::Config;

    fn skill(description: &str) -> String {
        format!("---\nname: x\ndescription: {description}\n---\n\nGo.\n")
    }

    #[test]
    fn comments_that_cut_a_description() {
        let told = |text: &str| told_of("description-cut", &[("x/SKILL.md", skill(text))]);
        for cut in [
            "Runs the script, #weekly. Use when asked.",
            "Builds C and C #1. Use when asked.",
            "Sorts issues # by label. Use when asked.",
            "Sorts issues. #labels count too. Use when asked.",
            "Sorts issues of\n  the team #1. Use when asked.",
        ] {
            assert_eq!(
                told(cut),
                ["the description ends before this `#`, which begins a comment of YAML"],
                "{cut}"
            );
        }
        for whole in [
            "Sorts issues. Use when asked. # keep it short",
            "Sorts C# and F#. Use when asked.",
            "\"Sorts issues, #1 first. Use when asked.\" # quoted",
            "> # folded\n  Sorts issues, #1 first. Use when asked.",
            "'Sorts #1.'",
        ] {
            assert_eq!(told(whole), Vec::<String>::new(), "{whole}");
        }
    }

    /// A comment can be a comment: no safe fix makes it a text for the model.
    #[test]
    fn a_comment_stays_a_comment() {
        for before in [
            "Does a thing # TODO: better words",
            "Does a thing # max 1024 characters",
            "Deploys: use it. # internal: do not ship",
            "Deploys: use it # internal",
            "*x* does a thing # internal",
        ] {
            let mut files = tree(&[("x/SKILL.md", skill(before))]);
            let config = Config::default();
            let _ = fix_bundle("", &mut files, &config, Scope::default(), FixLevel::Safe);
            let bytes = files.get("x/SKILL.md").and_then(|file| file.bytes.clone());
            assert_eq!(bytes, Some(skill(before).into_bytes()), "{before}");
        }
    }

    #[test]
    fn the_fix_keeps_the_text() {
        for (before, after) in [
            (
                "Says \"it\", #1 isn't. Use when asked.",
                "'Says \"it\", #1 isn''t. Use when asked.'",
            ),
            (
                "Sorts #1. Use when asked.  ",
                "\"Sorts #1. Use when asked.\"  ",
            ),
        ] {
            let mut files = tree(&[("x/SKILL.md", skill(before))]);
            let config = Config::default();
            let _ = fix_bundle("", &mut files, &config, Scope::default(), FixLevel::All);
            let bytes = files.get("x/SKILL.md").and_then(|file| file.bytes.clone());
            let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            assert!(text.contains(after.trim_end()), "{text}");
        }
    }
}
