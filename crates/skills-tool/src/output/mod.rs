//! Standard output for results, standard error for everything else.

// JSON is printed with line breaks, because people read it in logs and diffs.

mod pager;
mod reports;
pub(crate) mod screen;
pub(crate) mod table;
pub(crate) mod text;
mod workflow;

pub(crate) use crate::output::text::{counted, one_line, some_of};

use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::screen::{STRONG, Screen, escaped, marked};
use crate::output::text::printable;
use crate::output::workflow::Workflow;
use anstream::AutoStream;
use clap::builder::styling::{AnsiColor, Style};
use clap::error::ContextValue;
use clap::{Args, ColorChoice, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};
use skills_format::{Prose, Severity};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::rc::Rc;

/// The streams that a command writes to. Bytes written through [`Write`] stay as they are, except on a terminal and
/// in the log of a workflow.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Ctx {
    out: Box<dyn Write>,
    err: Errors,
    pub(crate) colour: bool,
    pub(crate) terminal: bool,
    /// Set while commands for the runner of a workflow are written. `None`: no runner reads standard output.
    workflow: Option<Rc<Cell<bool>>>,
    /// True when the reader of standard output has closed it.
    #[cfg(feature = "agent")]
    pub(crate) unread: Rc<Cell<bool>>,
    /// True if a program reads the result: then only [`Ctx::report`] prints, and no question is asked.
    pub(crate) is_json: bool,
    /// True when a document was printed.
    has_document: bool,
    /// True if lines of standard input answer questions, also without a terminal.
    pub(crate) is_scripted: bool,
    /// The person at a prompt, who answers questions.
    pub(crate) asker: Option<Rc<dyn Asker>>,
    /// True if every problem of every skill is reported: `--verbose`.
    pub(crate) is_verbose: bool,
    /// The findings of the last load of the skills, of which a prompt reports only new ones. `None` outside of a prompt.
    pub(crate) found: Option<Vec<LoadFinding>>,
    /// The folders of this process.
    pub(crate) env: &'static Environment,
}

/// Standard error.
struct Errors {
    stream: Box<dyn Write>,
    is_terminal: bool,
}

/// A finding of a load of the skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoadFinding {
    pub(crate) severity: Severity,
    pub(crate) rule: &'static str,
    /// The place and the message.
    pub(crate) text: Prose,
}

/// A way to ask the person at the terminal of a prompt.
pub(crate) trait Asker {
    /// Asks for a line. Returns `None` without an answer.
    fn line(&self, question: &str, cx: &mut Ctx) -> Option<String>;

    /// Lets the person choose one of the rows, each with a name and a note. Returns `None` without a choice.
    fn choose(&self, title: &str, rows: &[(String, String)], cx: &mut Ctx) -> Option<usize>;
}

/// `--format` of a command: the context has the value, [`Ctx::is_json`].
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct FormatOption {
    /// The output format
    #[arg(
        id = "format",
        short,
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t
    )]
    _format: Format,
}

/// The form of printed data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// JSON, for programs
    Json,
}

impl Ctx {
    /// Opens the streams of this process.
    pub(crate) fn new(choice: ColorChoice, is_json: bool, env: &'static Environment) -> Self {
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
        // A stream that removes colour would also change the bytes of skills.
        let out: Box<dyn Write> = if colour {
            Box::new(AutoStream::always(io::stdout()))
        } else {
            Box::new(io::stdout())
        };
        let unread = Rc::default();
        let out = BufWriter::new(Unread(out, Rc::clone(&unread)));
        let err_is_terminal = io::stderr().is_terminal();
        let err = AutoStream::new(io::stderr(), choice);
        let workflow = Environment::is_workflow().then(Rc::default);
        // The runner does not read a redirected file, and the file gets the bytes of skills unchanged.
        let of_out = workflow.clone().filter(|_| !is_file(&stdout));
        Self {
            out: shown_on(out, terminal, of_out.as_ref()),
            err: Errors {
                stream: shown_on(err, err_is_terminal, workflow.as_ref()),
                is_terminal: err_is_terminal,
            },
            colour,
            terminal,
            workflow: of_out,
            #[cfg(feature = "agent")]
            unread,
            is_json,
            has_document: false,
            is_scripted: false,
            asker: None,
            is_verbose: false,
            found: None,
            env,
        }
    }

    /// Prints the result of a command for a program that reads it. Text for people is then not printed, nor are notes.
    pub(crate) fn report(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        if self.is_json {
            self.json(document)?;
        }
        Ok(())
    }

    /// Writes a document for programs, after the version of its schema.
    pub(crate) fn json(&mut self, document: &impl Serialize) -> Result<(), Failure> {
        let document = serde_json::to_string_pretty(document).map_err(io::Error::from)?;
        let fields = document.strip_prefix('{').unwrap_or(&document);
        let comma = if fields == "}" { "\n" } else { "," };
        self.document(&format!("{{\n  \"schema\": 1{comma}{fields}"))
    }

    /// Writes a JSON document that is already rendered. Characters that steer a terminal are escaped, wherever the
    /// document goes: it is read in editors and pages too, and a program reads the same value.
    pub(crate) fn document(&mut self, json: &str) -> Result<(), Failure> {
        self.has_document = true;
        let mut json = escaped(json);
        if self.workflow.is_some() {
            json = workflow::escaped(&json).into();
        }
        writeln!(self.out, "{json}")?;
        Ok(())
    }

    /// Writes commands for the runner of a workflow. Other output is escaped, and forms no command.
    pub(crate) fn workflow_commands(&mut self, text: &str) -> io::Result<()> {
        let Some(has_commands) = self.workflow.clone() else {
            return self.out.write_all(text.as_bytes());
        };
        has_commands.set(true);
        let written = self.out.write_all(text.as_bytes());
        has_commands.set(false);
        written
    }

    /// Writes the bytes of a file of a skill. On a terminal, control characters are shown as pictures.
    pub(crate) fn file(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.terminal {
            self.foreign(&String::from_utf8_lossy(bytes).replace("\r\n", "\n"))
        } else {
            self.write_all(bytes)
        }
    }

    /// Prints the error of invalid arguments, or the requested help.
    pub(crate) fn arguments(&mut self, error: &clap::Error) {
        let text = error.render();
        // An argument can contain a colour, which looks the same as a colour of clap.
        let steers = |(_, value): (_, &ContextValue)| value.to_string().contains(char::is_control);
        let to_err = error.use_stderr();
        let is_plain = !to_err && !self.colour || error.context().any(steers);
        let (to, is_terminal) = if to_err {
            (&mut self.err.stream, self.err.is_terminal)
        } else {
            (&mut self.out, self.terminal)
        };
        let text = if is_plain {
            text.to_string()
        } else {
            own(&text.ansi().to_string(), is_terminal)
        };
        // A closed pipe needs no message.
        let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
    }

    /// Emphasizes text if colour is enabled.
    pub(crate) fn strong<T: fmt::Display>(&self, text: T) -> Styled<T> {
        self.styled(STRONG, text)
    }

    /// Styles text if colour is enabled.
    pub(crate) fn styled<T: fmt::Display>(&self, style: Style, text: T) -> Styled<T> {
        let style = if self.colour { style } else { Style::new() };
        Styled {
            style,
            text,
            is_marked: self.terminal,
        }
    }

    /// Marks the colours in text as the program's own. The text must not contain a foreign escape sequence.
    pub(crate) fn own_colours(&self, text: &str) -> String {
        own(text, self.terminal)
    }

    /// Writes a question on standard error. A failed write cannot be reported.
    pub(crate) fn ask(&mut self, question: &str) {
        // The buffered output belongs before the question.
        let _ = self.out.flush();
        let _ = write!(self.err.stream, "{}", one_line(question));
        let _ = write!(self.err.stream, " ").and_then(|()| self.err.stream.flush());
    }

    /// Styles text that asks for care, if colour is enabled.
    pub(crate) fn careful<T: fmt::Display>(&self, text: T) -> Styled<T> {
        self.styled(screen::CAREFUL, text)
    }

    /// Returns the columns of the terminal, or `None` when standard output is not a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        self.terminal.then_some(width.into())
    }

    /// Writes text of a skill. On a terminal, control characters are shown as pictures.
    pub(crate) fn foreign(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            self.write_all(printable(text, "\n\t").as_bytes())
        } else {
            self.write_all(text.as_bytes())
        }
    }

    /// Writes a line, which a terminal gets broken at words.
    pub(crate) fn wrapped_line(&mut self, line: &str) -> io::Result<()> {
        let lines = match self.width() {
            Some(width) => text::indented(line, width),
            None => vec![line.to_owned()],
        };
        lines.iter().try_for_each(|line| writeln!(self, "{line}"))
    }

    /// Writes a line of a unified difference.
    pub(crate) fn difference(&mut self, line: &str) -> io::Result<()> {
        let style = match line.as_bytes().first() {
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        let line = self.styled(style, printable(line, "\t"));
        writeln!(self, "    {line}")
    }

    /// Writes the rest of the buffer.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::from)
    }
}

/// Standard output. A reader that closes it early ends no command: the exit code is the verdict of the whole.
struct Unread(Box<dyn Write>, Rc<Cell<bool>>);

impl Unread {
    fn or<T>(&self, done: io::Result<T>, unread: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.1.set(true);
                Ok(unread)
            }
            done => done,
        }
    }
}

impl Write for Unread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes);
        self.or(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.0.flush();
        self.or(flushed, ())
    }
}

/// Wraps a stream in the writers for a terminal and for the log of a workflow.
fn shown_on(
    stream: impl Write + 'static,
    is_terminal: bool,
    workflow: Option<&Rc<Cell<bool>>>,
) -> Box<dyn Write> {
    // A step can have a terminal too (`script`), and the runner reads its output. So the output of the screen
    // passes through the workflow's writer as well.
    match (workflow, is_terminal) {
        (Some(has_commands), true) => {
            let log = Workflow::new(stream, Rc::clone(has_commands));
            Box::new(Screen::new(log))
        }
        (Some(has_commands), false) => Box::new(Workflow::new(stream, Rc::clone(has_commands))),
        (None, true) => Box::new(Screen::new(stream)),
        (None, false) => Box::new(stream),
    }
}

/// Adds the fields of a value to a document.
pub(crate) fn add(document: &mut Value, more: &impl Serialize) {
    if let (Value::Object(fields), Value::Object(more)) = (document, json!(more)) {
        fields.extend(more);
    }
}

/// Returns whether a stream is redirected into a file.
#[cfg(unix)]
fn is_file(stream: &impl std::os::fd::AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(std::fs::File::from);
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|metadata| metadata.is_file())
}

#[cfg(not(unix))]
fn is_file(_: &io::Stdout) -> bool {
    false
}

/// Writes a line on standard error, for a caller without an [`Output`].
pub(crate) fn line_beside(line: &str) {
    beside(&one_line(line));
}

/// Writes text that is one line on standard error, for a caller without an [`Output`].
pub(crate) fn beside(line: &str) {
    let workflow = Environment::is_workflow().then(Rc::default);
    let mut err = shown_on(io::stderr(), io::stderr().is_terminal(), workflow.as_ref());
    // In one write: events come from several threads. A failed write cannot be reported.
    let _ = err.write_all(format!("{line}\n").as_bytes());
}

impl Write for Ctx {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_json {
            return Ok(bytes.len());
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Text with a style around it. `{:width$}` pads the text.
pub(crate) struct Styled<T> {
    style: Style,
    text: T,
    /// True when the writer of a terminal reads the text.
    is_marked: bool,
}

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&own(&self.style.to_string(), self.is_marked))?;
        self.text.fmt(f)?;
        f.write_str(&own(&format!("{:#}", self.style), self.is_marked))
    }
}

/// Marks the colours in text as the program's own, if the writer of a terminal reads the text.
fn own(text: &str, is_terminal: bool) -> String {
    if is_terminal {
        marked(text)
    } else {
        text.to_owned()
    }
}
