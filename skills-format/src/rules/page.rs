//! The rules as documents: the page of all of them, and one by one.

use super::{Content, Example, Mends, RULES, Rule};
use crate::config::Level;
use std::fmt::Write as _;

/// All rules as a Markdown page.
pub fn page() -> String {
    let mut page = String::from(
        "# Rules\n\n<!-- Generated from the rules. `UPDATE_DOCS=1 cargo test -p skills-format` \
         writes it again. -->\n\n\
         Levels are set in `skills.toml` beside the skills: `deny`, `warn` and `allow` are lists \
         of rules.\n\n\
         | rule | group | level | fix | what must hold |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let Rule {
            id,
            group,
            level,
            mends,
            summary,
            ..
        } = rule;
        let _ = writeln!(
            page,
            "| [`{id}`](#{id}) | {} | {} | {} | {} |",
            group.as_str(),
            level.as_str(),
            mends.as_str(),
            summary.replace('|', "\\|"),
        );
    }
    for rule in RULES {
        let _ = write!(page, "\n## {}\n\n{}", rule.id, explain(rule));
    }
    page
}

/// One rule as Markdown, without a heading.
pub fn explain(rule: &Rule) -> String {
    let level = match rule.level {
        Level::Deny => "An error",
        Level::Warn => "A warning",
        Level::Allow => "Allowed",
    };
    let fix = match rule.mends {
        Mends::No => "",
        Mends::Safely => " `skills check --fix` mends it.",
        Mends::Guessing => " `skills check --fix --unsafe` mends it by a guess.",
    };
    format!(
        "{}.\n\n{level} by default.{fix}\n\n{}\n\nNot so:\n\n{}\nBut so:\n\n{}",
        capitalised(rule.summary),
        rule.why,
        example(&rule.bad),
        example(&rule.good),
    )
}

impl Mends {
    /// `no`, `safe` or `unsafe`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Safely => "safe",
            Self::Guessing => "unsafe",
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).collect()
}

fn example(example: &Example) -> String {
    let mut out = String::new();
    if let Example::Configured { config, .. } = example {
        let _ = writeln!(
            out,
            "`skills.toml`\n\n```toml\n{}\n```\n",
            config.trim_end()
        );
    }
    for (path, content) in example.files() {
        let shown = match content {
            Content::Text(text) => visible(text),
            Content::Bytes(bytes) => visible(&String::from_utf8_lossy(bytes)),
            Content::Long {
                before,
                piece,
                times,
                after,
            } => visible(&format!("{before}{piece}… ({times} times){after}")),
            Content::Sized(size) => {
                let _ = writeln!(out, "`{path}`: {size} bytes\n");
                continue;
            }
            Content::Many { files } => {
                let _ = writeln!(out, "`{path}` and {files} more like it\n");
                continue;
            }
            Content::Unreadable(message) => {
                let _ = writeln!(out, "`{path}`: {message}\n");
                continue;
            }
            Content::Link(to) => {
                let _ = writeln!(out, "`{path}`: a symbolic link to `{to}`\n");
                continue;
            }
        };
        let _ = writeln!(
            out,
            "`{path}`\n\n````markdown\n{}\n````\n",
            shown.trim_end()
        );
    }
    out
}

/// Text with what cannot be seen made visible.
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
