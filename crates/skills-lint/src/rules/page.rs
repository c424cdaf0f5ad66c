//! Renders the rules as documents: the page of all rules, and single rules.

use crate::rules::example::{Content, Example};
use crate::rules::other::Other;
use crate::rules::rule::{FixKind, Group, Level, Rule};
use crate::rules::{OF_A_BUILD, RULES};
use skills_format::diagnostic::Severity;
use std::fmt::Write as _;

/// Renders all rules as a Markdown page.
pub fn page() -> String {
    let mut page = String::from(
        "# Rules\n\n<!-- Generated from the rules. `UPDATE_DOCS=1 cargo test -p skills-lint` \
         writes it again. -->\n\n\
         Set the levels of rules in a `skills.toml` beside the skills: `deny` lists rules that report errors, \
         `warn` rules that report warnings, and `allow` rules that are off.\n\n\
         | rule | what must hold | level | fix | group |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let Rule {
            id,
            group,
            level,
            fix,
            summary,
            ..
        } = rule;
        let _ = writeln!(
            page,
            "| [`{id}`](#{id}) | {} | {} | {} | {} |",
            summary.replace('|', "\\|"),
            level.findings(),
            match fix {
                FixKind::No => "",
                fix => fix.as_str(),
            },
            group.as_str(),
        );
    }
    for rule in RULES {
        let _ = write!(page, "\n## {}\n\n{}", rule.id, explain(rule));
    }
    page
}

/// Renders one rule as Markdown, without a heading.
pub fn explain(rule: &Rule) -> String {
    let level = match rule.level {
        Level::Deny => "An error",
        Level::Warn => "A warning",
        Level::Allow => "Off",
    };
    let asked = asked(rule);
    let fix = match rule.fix {
        FixKind::No => "",
        FixKind::Safe => " `skills check --fix` fixes it if the fix keeps the meaning.",
        FixKind::Unsafe => {
            " `skills check --fix --unsafe` fixes it if there is one likely fix; `--diff --unsafe` shows it."
        }
    };
    let mut text = format!(
        "{}.\n\n{level} by default{asked}.{fix}\n\n{}\n",
        capitalised(rule.summary),
        rule.why,
    );
    // A rule that a check of a folder never runs has no finding in an example without a `skills.toml`.
    if !rule.is_asked_elsewhere() || matches!(rule.bad, Example::Configured { .. }) {
        text.push_str("\nBad:\n\n");
        text.push_str(&example(&rule.bad));
        text.push_str("\nGood:\n\n");
        text.push_str(&example(&rule.good));
    }
    text
}

/// Says where the level of a rule about clients is another than its default: `about_clients` lowers it, and a build asks
/// no client.
fn asked(rule: &Rule) -> &'static str {
    if OF_A_BUILD.contains(&rule.id) {
        return ", and a warning in a git repository without a `skills.toml` or a `Cargo.toml` above the skills";
    }
    match (rule.group, rule.level) {
        (Group::Portability, Level::Deny) => {
            " if `clients` in `skills.toml` or `--client` names the client that loses something, and a warning \
             otherwise. Not checked when skills are compiled into a program"
        }
        (Group::Portability, Level::Warn) => {
            ". Not checked when skills are compiled into a program"
        }
        _ => "",
    }
}

/// Renders the explanation of an id that is not a rule as Markdown, without a heading.
pub fn explain_other(other: &Other) -> String {
    let level = match other.severity {
        Severity::Error => "An error",
        Severity::Warning => "A warning",
        Severity::Info => "Information",
    };
    format!(
        "{}.\n\n{level}, reported when skills are loaded or built into a program. It is not a rule and has no level to \
         set.\n\n{}\n",
        capitalised(other.summary),
        other.why,
    )
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).collect()
}

fn example(example: &Example) -> String {
    let mut parts = Vec::new();
    if let Example::Configured { config, .. } = example {
        parts.push(block("skills.toml", "toml", config));
    }
    for (path, content) in example.files() {
        parts.push(file(&path, content));
    }
    parts.join("\n")
}

fn file(path: &str, content: Content) -> String {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let language = match extension {
        "md" => "markdown",
        "sh" | "toml" => extension,
        "py" => "python",
        _ => "text",
    };
    match content {
        Content::Text(text) => block(path, language, text),
        Content::Bytes(bytes) => block(path, language, &String::from_utf8_lossy(bytes)),
        Content::Long {
            before,
            piece,
            times,
            after,
        } => {
            let text = format!("{before}{piece}… ({times} times){after}");
            block(path, language, &text)
        }
        Content::Sized(size) => format!("`{path}`: {size} bytes\n"),
        Content::Many { files } => format!("`{path}…`: {files} files\n"),
        Content::Unreadable(message) => format!("`{path}`: {message}\n"),
        Content::Link(to) => format!("`{path}`: a symbolic link to `{to}`\n"),
    }
}

fn block(path: &str, language: &str, text: &str) -> String {
    let shown = visible(text.trim_end());
    format!("`{path}`\n\n````{language}\n{shown}\n````\n")
}

/// Returns a text with invisible characters made visible.
fn visible(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' => c.to_string(),
            '\t' => "→".to_owned(),
            c if c.is_control() || !c.is_ascii() && is_hidden(c) => {
                format!("{{U+{:04X}}}", u32::from(c))
            }
            c => c.to_string(),
        })
        .collect()
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}
