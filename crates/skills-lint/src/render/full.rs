//! Renders diagnostics with the source lines that they are about.

use crate::render::Sources;
use crate::render::excerpt::Excerpt;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet, Title};
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::control::{pictured, pictured_lines};
use std::collections::BTreeSet;

/// The use of terminal colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// No colours.
    #[default]
    Never,
    /// ANSI escape sequences.
    Always,
}

/// The options of [`full`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Full<'a> {
    /// The use of colours.
    pub color: Color,
    /// The arguments after `skills check --fix` in the advice to run the command: the checked path, quoted for a
    /// shell.
    pub arguments: Option<&'a str>,
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

    /// Renders one diagnostic for a compiler, without a line feed at the end. The text begins with `error: ` and the
    /// rule. For a compiler that writes `error: ` itself, the caller removes the prefix.
    pub fn one(&self, diagnostic: &Diagnostic, sources: &Sources<'_>) -> String {
        let message = pictured(&diagnostic.message);
        let title = level(diagnostic).primary_title(format!("{}: {message}", diagnostic.rule));
        self.rendered(title, diagnostic, sources, None)
    }

    /// Renders one diagnostic for a person, without a line feed at the end: `error[RULE]: MESSAGE`. The first
    /// finding of a rule ends with the command that explains the rule.
    fn finding(&self, diagnostic: &Diagnostic, sources: &Sources<'_>, is_first: bool) -> String {
        let title = level(diagnostic).primary_title(pictured(&diagnostic.message));
        let title = title.id(diagnostic.rule.as_str());
        let explanation = format!("see `skills explain {}`", diagnostic.rule);
        let explanation = is_first.then_some(&*explanation);
        self.rendered(title, diagnostic, sources, explanation)
    }

    fn rendered(
        &self,
        title: Title<'_>,
        diagnostic: &Diagnostic,
        sources: &Sources<'_>,
        note: Option<&str>,
    ) -> String {
        let path = pictured(&diagnostic.path);
        let help = pictured_lines(&diagnostic.help);
        let source = sources(&diagnostic.path);
        let excerpt = source
            .as_deref()
            .and_then(|source| Excerpt::of(source, diagnostic));
        let mut elements: Vec<Element<'_>> = Vec::new();
        match &excerpt {
            Some(excerpt) => {
                let mut mark = AnnotationKind::Primary.span(excerpt.start..excerpt.end);
                if excerpt.is_short() && !diagnostic.help.is_empty() {
                    mark = mark.label(&*help);
                }
                // The column of the file: in the excerpt, a cut line shifts the column.
                let place = Origin::path(path.as_ref())
                    .line(diagnostic.start.line)
                    .char_column(diagnostic.start.column);
                let snippet = Snippet::source(excerpt.text.as_str())
                    .line_start(excerpt.line)
                    .annotation(mark);
                elements.push(place.into());
                elements.push(snippet.into());
            }
            None => elements.push(Origin::path(path.as_ref()).into()),
        }
        let is_told = excerpt.as_ref().is_some_and(Excerpt::is_short);
        if !is_told && !diagnostic.help.is_empty() {
            elements.push(Level::HELP.message(&*help).into());
        }
        if let Some(advice) = self.advice(diagnostic) {
            elements.push(Level::HELP.message(advice).into());
        }
        elements.extend(note.map(|note| Level::NOTE.message(note).into()));
        let report: Group<'_> = title.elements(elements);
        without_gap(&self.renderer().render(&[report]))
    }

    fn advice(&self, diagnostic: &Diagnostic) -> Option<String> {
        let flags = if diagnostic.fix.as_ref()?.safe {
            "--fix"
        } else {
            "--fix --unsafe"
        };
        let command = match self.arguments.filter(|arguments| !arguments.is_empty()) {
            Some(arguments) => format!("skills check {flags} {arguments}"),
            None => format!("skills check {flags}"),
        };
        Some(format!("`{}` writes it", pictured(&command)))
    }

    fn renderer(&self) -> Renderer {
        match self.color {
            Color::Always => Renderer::styled(),
            Color::Never => Renderer::plain(),
        }
    }
}

fn level(diagnostic: &Diagnostic) -> Level<'static> {
    match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
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
        let is_first = explained.insert(diagnostic.rule);
        let text = how.finding(diagnostic, sources, is_first);
        format!("{}\n\n", text.trim_end())
    })
}

/// Removes the line `|` between the marked text and the help, and a `:::` without a path: neither adds anything.
fn without_gap(rendered: &str) -> String {
    let lines: Vec<&str> = rendered.lines().collect();
    let bare: Vec<String> = lines.iter().map(|line| without_colors(line)).collect();
    let next_is_help = |i: usize| {
        bare.get(i + 1)
            .is_some_and(|next| next.trim_start().starts_with("= "))
    };
    let kept = lines
        .iter()
        .zip(&bare)
        .enumerate()
        .filter(|(i, (_, bare))| match bare.trim() {
            "|" => !next_is_help(*i),
            bare => bare != ":::",
        })
        .map(|(_, (line, _))| *line);
    kept.collect::<Vec<_>>().join("\n")
}

fn without_colors(line: &str) -> String {
    let mut bare = String::new();
    let mut rest = line;
    while let Some((before, escaped)) = rest.split_once('\u{1B}') {
        bare.push_str(before);
        rest = escaped.split_once('m').map_or("", |(_, after)| after);
    }
    bare.push_str(rest);
    bare
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Diagnostic;
    use skills_format::diagnostic::rule_id::RuleId;
    use std::borrow::Cow;

    /// An escape sequence of a foreign text could colour text as the rendering does.
    #[test]
    fn nothing_foreign_keeps_an_escape() {
        const HOSTILE: &str = "\u{1b}[1;30mx\u{9b}31m\u{7f}";
        let mut diagnostic = Diagnostic::new(RuleId::NameForm, Severity::Error, HOSTILE, HOSTILE);
        for help in ["", HOSTILE] {
            diagnostic = diagnostic.help(help);
            for source in [None, Some(HOSTILE)] {
                let sources = |_: &str| source.map(|text| Cow::Borrowed(str::as_bytes(text)));
                let how = Full::default().arguments(HOSTILE);
                for text in each(std::slice::from_ref(&diagnostic), &sources, &how) {
                    let steers = |c: char| c.is_control() && c != '\n';
                    assert!(!text.contains(steers), "{text:?}");
                }
            }
        }
    }
}
