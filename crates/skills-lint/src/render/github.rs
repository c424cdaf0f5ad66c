//! Renders diagnostics as workflow commands, which GitHub shows beside the lines of a change.

use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::control::shown;
use std::fmt::Write as _;

/// Renders one workflow command for each diagnostic, each on a line of its own.
pub fn github(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let Diagnostic {
            path, start, end, ..
        } = diagnostic;
        let _ = write!(
            out,
            "::{command} file={},line={}",
            property(path),
            start.line
        );
        if end.line > start.line {
            // GitHub accepts columns only for a single line.
            let _ = write!(out, ",endLine={}", end.line);
        } else if end.column > start.column {
            let _ = write!(out, ",col={},endColumn={}", start.column, end.column - 1);
        } else {
            let _ = write!(out, ",col={}", start.column);
        }
        // The log of a workflow shows only the message, so the message repeats the place.
        let mut text = format!("{path}:{}: {}", start.line, diagnostic.message);
        if !diagnostic.help.is_empty() {
            text.push('\n');
            text.push_str(&diagnostic.help);
        }
        let _ = writeln!(
            out,
            ",title={}::{}",
            property(diagnostic.rule.as_str()),
            data(&text)
        );
    }
    out
}

fn data(text: &str) -> String {
    // The log of a workflow is read on a page, where foreign text must not turn its neighbours around.
    let shown = |c| match c {
        '\r' | '\n' => c,
        c => shown(c),
    };
    let text: String = text.chars().map(shown).collect();
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::rule_id::RuleId;
    use skills_format::text::span::Span;

    #[test]
    fn nothing_breaks_out() {
        let text = b"---\nname: x\n---\n";
        let finding = Diagnostic::new(
            RuleId::NameForm,
            Severity::Error,
            "a,b:c%.md",
            "50%\n::error::x\u{1b}\u{202e}",
        )
        .at(text, Span::new(10, 11))
        .help("y");
        assert_eq!(
            github(&[finding]),
            "::error file=a%2Cb%3Ac%25.md,line=2,col=7,endColumn=7,title=name-form::a,b:c%25.md:2: 50%25%0A::error::x␛\u{fffd}%0Ay\n"
        );
    }
}
