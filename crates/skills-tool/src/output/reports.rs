//! Reports on standard error: problems, notes and hints, with short paths.

use crate::environment::Environment;
use crate::outcome::{Failure, Message};
use crate::output::screen::{ERROR, HELP, WARNING};
use crate::output::text::{counted, one_line, printable, wrapped};
use crate::output::{Ctx, LoadFinding, Styled};
use clap::builder::styling::Style;
use serde_json::json;
use skills_format::text::path::PathText as _;
use skills_format::text::prose::Form;
use skills_format::{Diagnostic, Prose, Severity, prose};
use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;

/// The maximum number of problems of skills that a prompt reports at once.
const FOUND: usize = 3;

impl Ctx {
    /// Reports a problem without a loss.
    pub(crate) fn warning(&mut self, warning: impl Into<Prose>) {
        let warning = self.on_one_line(warning);
        self.say(Some((WARNING, "warning:")), &warning);
    }

    /// Reports a finding of a rule.
    pub(crate) fn finding(&mut self, severity: Severity, rule: &str, text: impl Into<Prose>) {
        let (style, word) = match severity {
            Severity::Error => (ERROR, "error"),
            _ => (WARNING, "warning"),
        };
        let text = self.on_one_line(text);
        self.say(Some((style, &format!("{word}[{rule}]:"))), &text);
    }

    /// Reports a loss. The command continues.
    pub(crate) fn error(&mut self, error: impl Into<Prose>) {
        let error = self.on_one_line(error);
        self.say(Some((ERROR, "error:")), &error);
    }

    /// Returns whether commands run in the prompt of `skills chat`, where a command of a shell is not a next
    /// step.
    pub(crate) fn is_in_prompt(&self) -> bool {
        self.found.is_some()
    }

    /// Reports the findings of a load of the skills.
    pub(crate) fn load_findings(&mut self, found: Vec<LoadFinding>) {
        let is_known = |line: &LoadFinding| {
            self.found
                .as_ref()
                .is_some_and(|known| known.contains(line))
        };
        let new: Vec<&LoadFinding> = found
            .iter()
            .filter(|line| line.severity != Severity::Info && !is_known(line))
            .collect();
        // A line that counts one more problem would take the room of that problem.
        let most = if self.is_in_prompt() && new.len() > FOUND + 1 {
            FOUND
        } else {
            new.len()
        };
        for line in new.iter().take(most) {
            self.finding(line.severity, line.rule, &line.text);
        }
        if most < new.len() {
            let more = counted(new.len() - most, "more problem");
            self.note(prose!(
                "{more} of skills: in a shell, `skills list -v` reports them all"
            ));
        }
        if let Some(known) = &mut self.found {
            *known = found;
        }
    }

    /// Reports diagnostics of files as warnings.
    pub(crate) fn warnings(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            let text = prose!("{}: {}", &diagnostic.path, &diagnostic.message);
            self.finding(Severity::Warning, diagnostic.rule.as_str(), text);
        }
    }

    /// Formats text for a person on one line.
    pub(crate) fn on_one_line(&self, text: impl Into<Prose>) -> String {
        one_line(&text.into().written(self.env))
    }

    /// Reports a fact that is not a problem, to a person.
    pub(crate) fn note(&mut self, note: impl Into<Prose>) {
        if !self.is_json {
            let note = note.into().written(self.env);
            self.say(None, &note);
        }
    }

    /// Writes the error as a document, unless the command has printed a document.
    pub(crate) fn error_document(&mut self, message: &Message) {
        if !self.has_document {
            // A failed write loses nothing: standard error gets the same message.
            let _ = self.report(&json!({ "error": message }));
            let _ = self.out.flush();
        }
    }

    /// Reports the failure of the command.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let message = failure.message();
        if let Failure::Declined(_) = failure {
            return self.say(None, &printable(&message.fact, "\n"));
        }
        let fact = printable(&message.fact.written(self.env), "\n");
        self.say(Some((ERROR, "error:")), &fact);
        self.say_help(&message.help);
    }

    /// Prints the help for the error or the warning before, to a person.
    pub(crate) fn help(&mut self, help: &Prose) {
        if !self.is_json {
            self.say_help(help);
        }
    }

    /// An empty help is not printed.
    fn say_help(&mut self, help: &Prose) {
        if !help.is_empty() {
            let help = printable(&help.written(self.env), "\n");
            self.say(Some((HELP, " help:")), &help);
        }
    }

    /// Writes text on standard error, broken at words on a terminal. A failed write cannot be reported.
    fn say(&mut self, label: Option<(Style, &str)>, text: &str) {
        // Standard output first: both streams can be one terminal.
        let _ = self.out.flush();
        let text = label.map_or_else(|| text.to_owned(), |(_, label)| format!("{label} {text}"));
        let width = self
            .err
            .is_terminal
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(width, _)| usize::from(width.0));
        let lines = text.lines().flat_map(|line| wrapped(line, width));
        let is_marked = self.err.is_terminal;
        let mut said = String::new();
        for (at, line) in lines.enumerate() {
            let head = label.filter(|_| at == 0);
            let labelled = head.and_then(|(style, head)| {
                let rest = line.strip_prefix(head)?;
                Some(format!("{}{rest}", labelled(style, head, is_marked)))
            });
            said.push_str(labelled.as_deref().unwrap_or(line));
            said.push('\n');
        }
        // One write, because other programs can write between two writes.
        let stream = &mut self.err.stream;
        let _ = stream
            .write_all(said.as_bytes())
            .and_then(|()| stream.flush());
    }
}

/// Formats a label in its style. The spaces before the label have no style.
fn labelled(style: Style, label: &str, is_marked: bool) -> String {
    let text = label.trim_start();
    let blanks = label.get(..label.len() - text.len()).unwrap_or_default();
    let styled = Styled {
        style,
        text,
        is_marked,
    };
    format!("{blanks}{styled}")
}

/// The form of a text for a person at a shell: short paths.
impl Form for Environment {
    /// Writes a path relative to the working folder, or with `~`.
    fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match below(path, self.working_folder.as_deref()) {
            Some(below) => below.into(),
            None => self.path_word(path),
        }
    }

    /// Writes a path with `~`, and never relative: a relative path can be the name of an agent.
    fn path_word<'p>(&self, path: &'p str) -> Cow<'p, str> {
        // In quotes, a shell does not replace `~`.
        let (quote, bare) = match path.strip_prefix('\'') {
            Some(bare) => ("'", bare),
            None => ("", path),
        };
        match below(bare, self.home.as_deref()) {
            Some(below) => format!("~/{quote}{below}").into(),
            None => path.into(),
        }
    }
}

/// Returns the part of a path below a folder.
fn below<'p>(path: &'p str, folder: Option<&Path>) -> Option<&'p str> {
    // A root such as `/` would shorten every path.
    let folder = folder.filter(|folder| folder.parent().is_some())?;
    let below = path.strip_prefix(&*folder.shown())?.strip_prefix('/')?;
    // A relative path that begins with `-` would be an option.
    below
        .starts_with(|c: char| c.is_alphanumeric() || c == '.')
        .then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::{Prose, command, prose};

    fn env(working_folder: &str, home: &str) -> Environment {
        Environment {
            working_folder: Some(working_folder.into()),
            home: Some(home.into()),
            ..Environment::default()
        }
    }

    #[test]
    fn paths_are_short() {
        let env = env("/home/p/work", "/home/p");
        for (path, shown, word) in [
            ("/home/p/.agents", "~/.agents", "~/.agents"),
            ("/home/p/work/x", "x", "~/work/x"),
            ("/home/p/work/a b", "a b", "~/'work/a b'"),
            ("/home/p/work/-x", "~/work/-x", "~/work/-x"),
            ("/home/p", "/home/p", "/home/p"),
            ("/home/pp/x", "/home/pp/x", "/home/pp/x"),
        ] {
            let path = Path::new(path);
            let text = prose!("{} {}", path, command("check").path(path));
            assert_eq!(text.written(&env), format!("{shown} `skills check {word}`"));
        }
        let words = Prose::from("/home/p/x");
        assert_eq!(words.written(&env), "/home/p/x");
    }

    #[test]
    fn a_root_shortens_no_path() {
        let env = env("/", "/");
        assert_eq!(prose!("see {}", Path::new("/x")).written(&env), "see /x");
    }
}
