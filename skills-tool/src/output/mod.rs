//! Standard output for results, standard error for everything else.

pub(crate) mod fields;
pub(crate) mod fit;
pub(crate) mod hint;
pub(crate) mod panel;
pub(crate) mod progress;
pub(crate) mod prose;
mod screen;
mod short_paths;
pub(crate) mod style;
pub(crate) mod table;

use crate::environment::Environment;
use crate::outcome::{Failure, Message, for_a_prompt};
use crate::output::fit::wrapped;
use crate::output::hint::with_options;
use crate::output::screen::{Screen, escaped, shown};
use crate::output::short_paths::ShortPaths;
use crate::output::style::{ERROR, HELP, STRONG, WARNING};
use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use serde::Serialize;
use skills_format::text::control;
use skills_runtime::{Diagnostic, Severity};
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::rc::Rc;

/// The streams that a command writes to. Bytes that are written through [`Write`] are not changed,
/// unless a terminal shows them.
pub(crate) struct Output {
    out: Box<dyn Write>,
    err: Errors,
    colour: bool,
    terminal: bool,
    /// Whether a document was printed.
    has_document: bool,
    answers: Answers,
    faults: Faults,
    /// In a prompt: what the last load of the skills found.
    found: Option<Vec<LoadFinding>>,
    /// The options that commands in hints get.
    options: String,
    short_paths: ShortPaths,
}

/// Standard error.
struct Errors {
    stream: Box<dyn Write>,
    is_terminal: bool,
}

/// What a load of the skills found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoadFinding {
    pub(crate) severity: Severity,
    pub(crate) rule: &'static str,
    /// The place and the message, on one line.
    pub(crate) text: String,
}

/// The most problems of skills that a prompt reports at once.
const FOUND: usize = 3;

/// How faults of skills are reported that a command does not name.
enum Faults {
    Counted,
    /// One by one.
    Each,
}

/// Who answers questions.
enum Answers {
    /// A person at a terminal.
    Person,
    /// Lines of standard input.
    Lines,
    /// The person at a prompt.
    Prompt(Rc<dyn Asker>),
}

/// Asks the person at the terminal of a prompt.
pub(crate) trait Asker {
    /// Asks a question that is answered by yes or no.
    fn agreed(&self, question: &str, output: &mut Output) -> bool;

    /// Asks for a line. `None`: there is no answer.
    fn line(&self, question: &str, output: &mut Output) -> Option<String>;
}

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: version 1 of the documents in docs/json.md
    Json,
}

impl Output {
    /// The streams of this process.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let choice = match choice {
            ColorChoice::Auto if Environment::forces_colour() => anstream::ColorChoice::Always,
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let colour = choice == anstream::ColorChoice::Always
            || choice == anstream::ColorChoice::Auto
                && AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        // A stream that removes colour would also remove it from the bytes of skills.
        let out: Box<dyn Write> = if colour {
            Box::new(AutoStream::always(stdout))
        } else {
            Box::new(stdout)
        };
        let out = BufWriter::new(out);
        let err_is_terminal = io::stderr().is_terminal();
        let err = AutoStream::new(io::stderr(), choice);
        Self {
            out: on_screen(out, terminal),
            err: Errors {
                stream: on_screen(err, err_is_terminal),
                is_terminal: err_is_terminal,
            },
            colour,
            terminal,
            has_document: false,
            answers: Answers::Person,
            faults: Faults::Counted,
            found: None,
            options: String::new(),
            short_paths: ShortPaths::default(),
        }
    }

    /// From now on, texts for a person have short paths.
    pub(crate) fn shorten_paths(&mut self, environment: Rc<Environment>) {
        self.short_paths = ShortPaths::new(environment);
    }

    /// Writes a text for a person: its commands get the options of the call, its paths are short.
    fn for_a_person(&self, text: &str) -> String {
        let text = with_options(text, &self.options);
        self.short_paths.of(&text).into_owned()
    }

    /// From now on, commands in hints have these options, written for a shell.
    pub(crate) fn keep_options(&mut self, options: String) {
        self.options = options;
    }

    /// From now on, faults of all skills are reported one by one.
    pub(crate) fn say_all(&mut self) {
        self.faults = Faults::Each;
    }

    pub(crate) fn is_verbose(&self) -> bool {
        matches!(self.faults, Faults::Each)
    }

    /// Writes a document for programs.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        self.has_document = true;
        if self.terminal {
            let document = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
            return self.document(&document);
        }
        serde_json::to_writer_pretty(&mut self.out, document).map_err(io::Error::from)?;
        writeln!(self.out)?;
        Ok(())
    }

    /// Writes a document of JSON that is rendered already.
    pub(crate) fn document(&mut self, json: &str) -> Result<(), Failure> {
        self.has_document = true;
        if self.terminal {
            writeln!(self.out, "{}", escaped(json))?;
        } else {
            writeln!(self.out, "{json}")?;
        }
        Ok(())
    }

    /// Writes the bytes of a file of a skill; on a terminal, without what would steer it.
    pub(crate) fn file(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.terminal {
            self.foreign(&String::from_utf8_lossy(bytes).replace("\r\n", "\n"))
        } else {
            self.out.write_all(bytes)
        }
    }

    /// Prints what is wrong with the arguments of the program, or the help that they ask for.
    pub(crate) fn arguments(&mut self, error: &clap::Error) {
        let text = error.render();
        // A closed pipe needs no message.
        let _ = if error.use_stderr() {
            write!(self.err.stream, "{}", text.ansi()).and_then(|()| self.err.stream.flush())
        } else if self.colour {
            write!(self.out, "{}", text.ansi()).and_then(|()| self.out.flush())
        } else {
            write!(self.out, "{text}").and_then(|()| self.out.flush())
        };
    }

    /// Emphasizes a text when colour is wanted.
    pub(crate) fn strong<T: fmt::Display>(&self, text: T) -> Styled<T> {
        self.styled(STRONG, text)
    }

    /// Styles a text when colour is wanted.
    pub(crate) fn styled<T: fmt::Display>(&self, style: Style, text: T) -> Styled<T> {
        let style = if self.colour { style } else { Style::new() };
        Styled { style, text }
    }

    /// From now on, lines of standard input answer questions, also without a terminal.
    pub(crate) fn script(&mut self) {
        self.answers = Answers::Lines;
    }

    pub(crate) fn is_scripted(&self) -> bool {
        matches!(self.answers, Answers::Lines)
    }

    /// From now on, the person at a prompt answers questions.
    pub(crate) fn answered_by(&mut self, asker: Rc<dyn Asker>) {
        self.answers = Answers::Prompt(asker);
    }

    pub(crate) fn asker(&self) -> Option<Rc<dyn Asker>> {
        match &self.answers {
            Answers::Prompt(asker) => Some(Rc::clone(asker)),
            Answers::Person | Answers::Lines => None,
        }
    }

    /// Writes a question on standard error. A failure to write it cannot be reported.
    pub(crate) fn ask(&mut self, question: &str) {
        let _ = self.out.flush();
        let _ = write!(self.err.stream, "{}", one_line(question));
        let _ = write!(self.err.stream, " ").and_then(|()| self.err.stream.flush());
    }

    /// Writes bytes of another program at once.
    pub(crate) fn stream(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()
    }

    /// Writes bytes of another program on standard error. A failure to write them cannot be reported.
    pub(crate) fn diagnostics(&mut self, bytes: &[u8]) {
        let _ = self.out.flush();
        let _ = self
            .err
            .stream
            .write_all(bytes)
            .and_then(|()| self.err.stream.flush());
    }

    /// Marks a text as something to be careful with, when colour is wanted.
    pub(crate) fn careful<T: fmt::Display>(&self, text: T) -> Styled<T> {
        let style = if self.colour {
            style::CAREFUL
        } else {
            Style::new()
        };
        Styled { style, text }
    }

    /// Whether text may contain colour.
    pub(crate) fn has_colour(&self) -> bool {
        self.colour
    }

    /// Returns the columns of the terminal; `None` when standard output is not a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        self.terminal.then_some(width.into())
    }

    /// Writes a text of a skill. On a terminal, control characters are shown as pictures.
    pub(crate) fn foreign(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            self.out.write_all(printable(text, "\n\t").as_bytes())
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    /// A line of a unified difference.
    pub(crate) fn difference(&mut self, line: &str) -> io::Result<()> {
        let style = match line.as_bytes().first() {
            _ if !self.colour => Style::new(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let text = if self.terminal {
            printable(line, "\t")
        } else {
            line.to_owned()
        };
        writeln!(self, "    {}", Styled { style, text })
    }

    /// Reports a problem that loses nothing.
    pub(crate) fn warning(&mut self, warning: impl fmt::Display) {
        let warning = warning.to_string();
        let warning = one_line(&self.for_a_person(&warning));
        self.say(Some((WARNING, "warning:")), &warning);
    }

    /// Reports a finding of a rule.
    pub(crate) fn finding(&mut self, severity: Severity, rule: &str, text: impl fmt::Display) {
        let (style, word) = match severity {
            Severity::Error => (ERROR, "error"),
            _ => (WARNING, "warning"),
        };
        let text = text.to_string();
        let text = one_line(&self.for_a_person(&text));
        self.say(Some((style, &format!("{word}[{rule}]:"))), &text);
    }

    /// Reports a loss. The command goes on.
    pub(crate) fn error(&mut self, error: impl fmt::Display) {
        let error = self.short_paths.of(&error.to_string()).into_owned();
        self.say(Some((ERROR, "error:")), &one_line(&error));
    }

    /// Whether commands run in the prompt of `skills chat`, where a shell's commands are no next step.
    pub(crate) fn is_in_prompt(&self) -> bool {
        self.found.is_some()
    }

    /// Commands run in a prompt from now on: what a load of the skills finds is reported only if the load
    /// before did not find it.
    pub(crate) fn begin_prompt(&mut self) {
        self.found.get_or_insert_default();
    }

    /// Reports what a load of the skills found.
    pub(crate) fn load_findings(&mut self, found: Vec<LoadFinding>) {
        let is_known = |line: &LoadFinding| {
            self.found
                .as_ref()
                .is_some_and(|known| known.contains(line))
        };
        let new = found
            .iter()
            .filter(|line| line.severity != Severity::Info && !is_known(line));
        let new: Vec<&LoadFinding> = new.collect();
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
            self.note(&format!(
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
            let text = format_args!("{}: {}", diagnostic.path, diagnostic.message);
            self.finding(Severity::Warning, diagnostic.rule, text);
        }
    }

    /// Reports a next step that names commands of this program.
    pub(crate) fn hint(&mut self, hint: &str) {
        if self.is_in_prompt() {
            self.note(&for_a_prompt(hint));
        } else {
            self.note(hint);
        }
    }

    /// Writes a text with commands of this program on one line.
    pub(crate) fn commands(&self, text: &str) -> String {
        one_line(&self.for_a_person(text))
    }

    /// Reports something that is not a problem.
    pub(crate) fn note(&mut self, note: &str) {
        let note = self.for_a_person(note);
        self.say(None, &note);
    }

    /// Writes a failure as a document, unless a document was printed.
    pub(crate) fn failure_document(&mut self, failure: &Failure) {
        let Some(message) = failure.message().filter(|_| !self.has_document) else {
            return;
        };
        self.error_document(Message {
            fact: with_options(&message.fact, &self.options).into_owned(),
            help: with_options(&message.help, &self.options).into_owned(),
        });
    }

    /// Writes what is wrong as a document.
    pub(crate) fn error_document(&mut self, message: Message) {
        let document = ErrorDocument {
            schema: 1,
            error: ErrorJson {
                message: message.fact,
                help: message.help,
            },
        };
        // Standard error has the same message.
        let _ = self.json(&document);
        let _ = self.out.flush();
    }

    /// Reports why the command failed.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let Some(message) = failure.message() else {
            return;
        };
        if let Failure::Declined(_) = failure {
            return self.say(None, &printable(&message.fact, "\n"));
        }
        let fact = printable(&self.for_a_person(&message.fact), "\n");
        self.say(Some((ERROR, "error:")), &fact);
        self.help(&message.help);
    }

    /// Says what to do about the error or the warning before. An empty help is not printed.
    pub(crate) fn help(&mut self, help: &str) {
        if !help.is_empty() {
            let help = printable(&self.for_a_person(help), "\n");
            self.say(Some((HELP, " help:")), &help);
        }
    }

    /// Writes a text on standard error, on a terminal broken at words. A failure to write it cannot be
    /// reported.
    fn say(&mut self, label: Option<(Style, &str)>, text: &str) {
        let _ = self.out.flush();
        let text = label.map_or_else(|| text.to_owned(), |(_, label)| format!("{label} {text}"));
        let width = self.err.is_terminal.then(terminal_size::terminal_size);
        let width = width.flatten().map(|(width, _)| usize::from(width.0));
        let lines = text.lines().flat_map(|line| wrapped(line, width));
        let mut said = String::new();
        for (at, line) in lines.enumerate() {
            let head = label.filter(|_| at == 0);
            let labelled = head.and_then(|(style, head)| {
                let rest = line.strip_prefix(head)?;
                Some(format!("{}{rest}", labelled(style, head)))
            });
            said.push_str(labelled.as_deref().unwrap_or(line));
            said.push('\n');
        }
        // One write: other programs write between two of them.
        let stream = &mut self.err.stream;
        let _ = stream
            .write_all(said.as_bytes())
            .and_then(|()| stream.flush());
    }

    /// Writes what is still in the buffer.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush()?;
        Ok(())
    }
}

/// The document of a failure.
#[derive(Serialize)]
struct ErrorDocument {
    schema: u32,
    error: ErrorJson,
}

#[derive(Serialize)]
struct ErrorJson {
    message: String,
    help: String,
}

/// The stream as it is, or what a terminal is given of it.
fn on_screen(stream: impl Write + 'static, is_terminal: bool) -> Box<dyn Write> {
    if is_terminal {
        Box::new(Screen::new(stream))
    } else {
        Box::new(stream)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A text with a style around it. `{:width$}` pads the text.
pub(crate) struct Styled<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.style.fmt(f)?;
        self.text.fmt(f)?;
        write!(f, "{:#}", self.style)
    }
}

/// A label in its style; the blanks before it have none.
fn labelled(style: Style, label: &str) -> String {
    let text = label.trim_start();
    let blanks = label.get(..label.len() - text.len()).unwrap_or_default();
    format!("{blanks}{}", Styled { style, text })
}

/// Writes a number with its noun: `1 skill`, `2 skills`.
pub(crate) fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Puts a text of a skill on one line: white space becomes one space, control characters become
/// pictures.
pub(crate) fn one_line(text: &str) -> String {
    control::one_line(text, |c| Some(shown(c))).into_owned()
}

/// Replaces the control characters of a text by pictures. Line feeds and tabs stay.
pub(crate) fn typed(text: &str) -> String {
    printable(text, "\n\t")
}

/// Replaces every control character that is not in `kept` by a picture.
fn printable(text: &str, kept: &str) -> String {
    let as_shown = |c| if kept.contains(c) { c } else { shown(c) };
    text.chars().map(as_shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_pictures() {
        assert_eq!(one_line("a\n\tb\u{1b}[31m\u{202e}c"), "a b␛[31m\u{fffd}c");
        assert_eq!(printable("a\r\nb\u{7f}\u{9b}", "\n"), "a␍\nb␡\u{fffd}");
    }
}
