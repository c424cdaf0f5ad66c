//! Renders diagnostics with the source lines that they are about.

use crate::render::Sources;
use crate::render::drawing::{Color, Drawing};
use crate::render::excerpt::{Excerpt, Hidden};
use crate::render::quoted::quoted;
use skills_format::diagnostic::Diagnostic;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::control::{pictured, pictured_lines};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The options of [`full`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Full<'a> {
    /// The use of colours.
    pub color: Color,
    /// The arguments after `skills check --fix` in the advice to run the command: the checked path, quoted for a
    /// shell.
    pub arguments: Option<&'a str>,
    /// What is left out of the lines of files.
    pub hidden: Option<Hidden>,
}

impl<'a> Full<'a> {
    /// Sets the use of colours.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// Sets the arguments after `skills check --fix`: see [`quoted`](crate::render::quoted).
    #[must_use]
    pub fn arguments(mut self, arguments: &'a str) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Sets what is left out of the lines of files.
    #[must_use]
    pub fn hidden(mut self, hidden: Hidden) -> Self {
        self.hidden = Some(hidden);
        self
    }

    /// Renders one diagnostic for a compiler, without a line feed at the end. The text begins with `error: ` and the
    /// rule. For a compiler that writes `error: ` itself, the caller removes the prefix.
    pub fn one(&self, diagnostic: &Diagnostic, sources: &Sources<'_>) -> String {
        let message = format!("{}: {}", diagnostic.rule, pictured(&diagnostic.message));
        let level = diagnostic.severity.to_string();
        let mut diagnostic = diagnostic.clone();
        // Which fixes of YAML are safe is for the linter to say, and most of them are.
        if diagnostic.is(RuleId::YamlSyntax)
            && let Some(fix) = &mut diagnostic.fix
        {
            fix.safe = true;
        }
        self.rendered((&level, &message), &diagnostic, sources, None)
    }

    /// Renders one diagnostic for a person, without a line feed at the end: `error[RULE]: MESSAGE`. The first
    /// finding of a rule ends with the command that explains the rule.
    fn finding(&self, diagnostic: &Diagnostic, sources: &Sources<'_>, is_first: bool) -> String {
        let level = format!("{}[{}]", diagnostic.severity, diagnostic.rule);
        let explanation = format!("see `skills explain {}`", diagnostic.rule);
        let explanation = is_first.then_some(&*explanation);
        let message = pictured(&diagnostic.message);
        self.rendered((&level, &message), diagnostic, sources, explanation)
    }

    fn rendered(
        &self,
        (level, message): (&str, &str),
        diagnostic: &Diagnostic,
        sources: &Sources<'_>,
        note: Option<&str>,
    ) -> String {
        let source = sources(&diagnostic.path);
        let excerpt = source
            .as_deref()
            .and_then(|source| Excerpt::of(source, diagnostic, self.hidden));
        let help = pictured_lines(&diagnostic.help);
        let is_beside = excerpt.as_ref().is_some_and(Excerpt::is_short) && !help.contains('\n');
        let mut drawing = Drawing::new(self.color, diagnostic.severity, excerpt.as_ref());
        drawing.title(level, message);
        drawing.place(&pictured(&diagnostic.path), diagnostic.start);
        if let Some(excerpt) = &excerpt {
            drawing.excerpt(excerpt, if is_beside { &help } else { "" });
        }
        if !is_beside && !help.is_empty() {
            drawing.note("help", &help);
        }
        if let Some(advice) = self.advice(diagnostic) {
            drawing.note("help", &advice);
        }
        if let Some(note) = note {
            drawing.note("note", note);
        }
        drawing.text
    }

    fn advice(&self, diagnostic: &Diagnostic) -> Option<String> {
        let fix = diagnostic.fix.as_ref()?;
        let words = if fix.safe {
            vec![
                "skills check --fix".into(),
                self.arguments.unwrap_or_default().into(),
            ]
        } else {
            // The file of the finding: a guess about another skill is not asked for.
            vec![
                "skills check --fix --unsafe".into(),
                quoted(&diagnostic.path),
            ]
        };
        let words: Vec<Cow<'_, str>> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let command = words.join(" ");
        Some(format!("`{}` fixes it", pictured(&command)))
    }
}

/// Renders each diagnostic with the lines that it is about, and an empty line after each diagnostic. The first
/// finding of each rule names the command that explains the rule.
pub fn full(diagnostics: &[Diagnostic], sources: &Sources<'_>, how: &Full<'_>) -> String {
    each(diagnostics, sources, how).collect()
}

/// Renders as [`full`] does, one diagnostic after the other.
pub fn each<'r>(
    diagnostics: &'r [Diagnostic],
    sources: &'r Sources<'_>,
    how: &'r Full<'_>,
) -> impl Iterator<Item = String> + 'r {
    let mut explained = BTreeSet::new();
    diagnostics.iter().map(move |diagnostic| {
        let is_first = explained.insert(diagnostic.rule.as_str());
        let text = how.finding(diagnostic, sources, is_first);
        format!("{}\n\n", text.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Severity;
    use skills_format::diagnostic::rule_id::RuleId;

    /// An escape sequence of a foreign text could colour text as the rendering does.
    #[test]
    fn nothing_foreign_keeps_an_escape() {
        const HOSTILE: &str = "\u{1b}[1;30mx\u{9b}31m\u{7f}\u{202e}\u{2066}";
        let mut diagnostic = Diagnostic::new(RuleId::NameForm, Severity::Error, HOSTILE, HOSTILE);
        for help in ["", HOSTILE] {
            diagnostic = diagnostic.help(help);
            for source in [None, Some(HOSTILE)] {
                let sources = |_: &str| source.map(|text| Cow::Borrowed(str::as_bytes(text)));
                let how = Full::default().arguments(HOSTILE);
                for text in each(std::slice::from_ref(&diagnostic), &sources, &how) {
                    let steers = |c: char| {
                        c.is_control() && c != '\n' || ['\u{202e}', '\u{2066}'].contains(&c)
                    };
                    assert!(!text.contains(steers), "{text:?}");
                }
            }
        }
    }
}
