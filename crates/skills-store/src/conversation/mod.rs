//! A conversation of a person with a model, with all of its files in one folder.

mod file;

use crate::conversation::file::{Content, ConversationFile, place};
use crate::decisions::{Decisions, TrustQuestion};
use crate::error::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use skills_arguments::TypedArguments;
use skills_format::mention::{Refusal, listed};
use skills_format::text::control::shown;
use skills_runtime::source::Changes;
use skills_runtime::{Catalog, CatalogBuilder, Diagnostic, Outcome, Surface};
use skills_session::options::ToolKind;
use skills_session::resolve::{AllowedCall, Dispatch, Request, Verdict};
use skills_session::session::{Active, Message, ToolErrorKind, TurnOutcome};
use skills_session::{Dialect, Notice, Session};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// A conversation with skills, for a host: the catalog, the session, the messages and the decisions, with their files in
/// one folder.
///
/// The files are `skills.json` and `trust.json` ([`Decisions`]), and `conversations/NAME.json` with the messages and the
/// active skills. All conversations of a folder share the decisions. One program at a time has a conversation open.
///
/// `M` is a message as the host stores it, such as the JSON of its provider. The host adds the messages of each turn,
/// call and answer to [`messages`](Self::messages), and calls [`save`](Self::save) after each turn.
///
/// A host with another store, or that asks a person asynchronously, uses the parts: [`Catalog`], [`Session`] and
/// [`Decisions`].
///
/// ```
/// use skills_session::options::ToolKind;
/// use skills_session::session::Message;
/// use skills_runtime::Catalog;
/// use skills_session::options::Options;
/// use skills_store::{Conversation, News, Person, Question};
///
/// #[derive(Default)]
/// struct Terminal {
///     yes: bool,
///     shown: Vec<String>,
/// }
///
/// impl Person for Terminal {
///     fn tell(&mut self, news: &News<'_>) {
///         self.shown.push(news.to_string());
///     }
///
///     fn agrees(&mut self, question: &Question<'_>) -> bool {
///         self.shown.push(question.to_string());
///         self.yes
///     }
/// }
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (config, skills) = (folder.path().join("config"), folder.path().join("skills"));
/// # std::fs::create_dir_all(skills.join("lint")).unwrap();
/// # std::fs::write(skills.join("lint/SKILL.md"), "---\nname: lint\ndescription: Lints.\n---\n").unwrap();
/// let sources = Catalog::builder().directory("user", &skills);
/// let person = Terminal::default();
/// let mut talk = Conversation::<_, Message>::open(&config, "main", sources, Options::DEFAULT, person)?;
/// talk.session.set_tools([("shell", ToolKind::Shell)]);
///
/// let turn = talk.turn("$lint the parser");
/// assert_eq!(turn.messages.len(), 2, "the skill, and the task");
/// talk.messages.extend(turn.messages);
/// let called = talk.call("shell", r#"{"command": "make"}"#, "make");
/// assert_eq!(called.result.unwrap(), "shell did not run: the person refused.");
/// assert_eq!(talk.person.shown, ["Using skill: lint", "Run shell make?"]);
/// talk.save()?;
/// # Ok::<(), skills_store::Error>(())
/// ```
#[derive(Debug)]
pub struct Conversation<P, M> {
    /// The skills, as of the last turn or reload.
    pub catalog: Catalog,
    /// The active skills. Set the host's tools here: [`Session::set_tools`].
    pub session: Session,
    /// The host's way to the person.
    pub person: P,
    /// The messages so far, in order, as the host stores them.
    pub messages: Vec<M>,
    sources: CatalogBuilder,
    decisions: Decisions,
    file: ConversationFile,
    /// The diagnostics of the last load, which were told.
    known: Vec<Diagnostic>,
}

/// What a turn gives a host.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Turn {
    /// The messages to add to the conversation, in order. Of skills that have ended, a system message says so: their
    /// texts stay in the conversation.
    pub messages: Vec<Message>,
    /// True if the model answers now. False after `/skill …`, after a command that calls a tool, after `/name` with values
    /// that do not fit, and where the profile asks which of several skills is meant.
    pub asks_model: bool,
    /// A call that the person typed as a slash command, and that may run. The host makes the call. The tool has the
    /// host's name.
    pub call: Option<AllowedCall>,
    /// The ids of the skills that were started, in order.
    pub started: Vec<String>,
}

/// What becomes of a call that the model makes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called {
    /// The result for the model, of a tool for skills or of a call that may not run. If the call failed: why, so that the
    /// model can try again. `None`: a tool of the host, and the call may run. The host makes the call.
    pub result: Option<String>,
    /// The messages to add after the result, such as the rules that some profiles send.
    pub messages: Vec<Message>,
}

impl<P: Person, M: Serialize + DeserializeOwned> Conversation<P, M> {
    /// Begins a conversation, or continues the saved conversation of this name. Makes the folder if it is missing.
    ///
    /// The folder belongs to the person and lies outside of every project: whoever writes its `trust.json` decides which
    /// skills are trusted. The name is a name as skills have it: lower-case letters and digits, with single hyphens.
    ///
    /// The sources are loaded under what the person decided, and their diagnostics are told.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Refused`](crate::ErrorKind::Refused): another program has the conversation open.
    /// - [`ErrorKind::Damaged`](crate::ErrorKind::Damaged): the file of the conversation cannot be read. The file stays. A
    ///   damaged file of the decisions is a diagnostic.
    /// - [`ErrorKind::Usage`](crate::ErrorKind::Usage): the name is not valid.
    /// - [`ErrorKind::Io`](crate::ErrorKind::Io): a file cannot be read, or the folder cannot be made.
    pub fn open(
        folder: impl AsRef<Path>,
        name: &str,
        sources: CatalogBuilder,
        dialect: impl Dialect + 'static,
        mut person: P,
    ) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let file = ConversationFile::open(folder, name)?;
        let (session, messages) = match file.read()? {
            Some(Content { session, messages }) => (Session::restore(session, dialect), messages),
            None => (Session::new(dialect), Vec::new()),
        };
        let (sources, decisions) = (sources.reloadable(), Decisions::in_folder(folder));
        let (catalog, known) = decisions.load(sources.clone())?;
        for found in &known {
            person.tell(&News::Diagnostic(found));
        }
        Ok(Self {
            catalog,
            session,
            person,
            messages,
            sources,
            decisions,
            file,
            known,
        })
    }

    /// Stores the active skills and the messages, in one step. Call it after each turn, when the model has answered: a
    /// program that is killed continues after the last whole turn, and no call of a tool is without its result.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io): the file cannot be written. [`ErrorKind::Usage`](crate::ErrorKind::Usage):
    /// a message cannot be written as JSON. The saved conversation stays as it was.
    pub fn save(&self) -> Result<(), Error> {
        let (session, messages) = (self.session.save(), &*self.messages);
        self.file.write(&Content { session, messages })
    }
}

impl<P: Person, M> Conversation<P, M> {
    /// Does a whole turn with what a person typed: reads changed skills, starts the skills that the text names, carries
    /// out `/skill …`, asks before the tool call of a slash command, and tells the person all notices. A request of
    /// `/skill` that fails is told.
    ///
    /// # Cost
    ///
    /// The costs of [`Conversation::reload`] and of [`Session::turn`]. The call blocks.
    pub fn turn(&mut self, text: &str) -> Turn {
        self.turn_of(|session, catalog| session.turn(catalog, text, Surface::User))
    }

    /// Starts a skill for a person by its id, as `/skill run ID ARGUMENTS` does: a whole turn, for a button or a menu.
    ///
    /// # Cost
    ///
    /// The cost of [`Conversation::turn`]. The call blocks.
    pub fn run(&mut self, id: &str, arguments: &str) -> Turn {
        self.turn_of(|session, catalog| session.run(catalog, id, arguments))
    }

    /// Does the same as [`Conversation::run`] with the values of a struct, which the module form of `include_skills!`
    /// generates. [`Session::run_typed`] says which skill starts if several have the name.
    ///
    /// # Cost
    ///
    /// The cost of [`Conversation::turn`]. The call blocks.
    pub fn run_typed<A: TypedArguments>(&mut self, arguments: &A) -> Turn {
        self.turn_of(|session, catalog| session.run_typed(catalog, arguments))
    }

    fn turn_of(&mut self, start: impl FnOnce(&mut Session, &Catalog) -> TurnOutcome) -> Turn {
        let changes = self.read_again();
        let outcome = start(&mut self.session, &self.catalog);
        // After the start: a skill that this turn starts again has its new text, and a stopped skill needs none.
        self.tell_changes(&changes, &outcome.started);
        self.tell(&outcome.notices);
        if let Some(request) = outcome.request {
            self.carry_out(request);
        }
        let asks_model = !outcome.messages.is_empty();
        let mut messages = outcome.messages;
        // After `/skill stop` the model gets no turn, and the host stores the message for the next one.
        messages.extend(self.session.take_ended());
        Turn {
            messages,
            asks_model,
            call: outcome.dispatch.and_then(|dispatch| self.asked(dispatch)),
            started: outcome.started,
        }
    }

    /// Answers a call of the model, or decides whether the host may make it. `arguments` is JSON as the model wrote it: a
    /// call with anything else may not run. For `input` see [`Conversation::may_run`]. The tools for skills do not read it.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::call`]. The call blocks.
    pub fn call(&mut self, tool: &str, arguments: &str, input: &str) -> Called {
        let (result, messages) = match self.session.call(&self.catalog, tool, arguments) {
            Ok(called) => {
                self.tell(&called.turn.notices);
                (Some(called.result), called.turn.messages)
            }
            Err(error) if error.kind() == ToolErrorKind::UnknownTool => {
                let verdict = match faulty(arguments) {
                    // Before the person is asked about a call that cannot be made.
                    Some(reason) => Verdict::Refused { reason },
                    None => self.may_run(tool, input),
                };
                let refused = format!("{tool} did not run: {verdict}.");
                let is_allowed = verdict == Verdict::Allowed;
                ((!is_allowed).then_some(refused), Vec::new())
            }
            Err(error) => {
                // A model tries other names after a wrong one. The person learns only what the person can change.
                if let Some(notice) = error.notice()
                    && is_for_a_person(&notice.outcome)
                {
                    self.tell(&[notice.clone().into()]);
                }
                (Some(error.to_string()), Vec::new())
            }
        };
        Called { result, messages }
    }

    /// Returns whether the host may make a call of its own tool now. A call of a tool that skills took away is refused,
    /// a call that skills approve needs no question, and the person decides about any other call. `Display` of the
    /// [`Verdict`] says who refused. [`Conversation::call`] asks it about the calls of the model.
    ///
    /// `input` is what the call acts on: the command line of a shell, the path of a file as the tool opens it in the
    /// working folder, the address of a page. The host takes it out of the arguments. Links of a path are followed: a
    /// skill that approves the files of the project approves no link that leads out of it.
    pub fn may_run(&mut self, tool: &str, input: &str) -> Verdict {
        may_run(&self.session, &mut self.person, tool, input)
    }

    /// Reads the answer of the model at the end of a turn, and starts the skills that the answer names with `$`. Returns
    /// the messages to add after the answer.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::answered`]. The call blocks.
    pub fn answered(&mut self, text: &str) -> Vec<Message> {
        let outcome = self.session.answered(&self.catalog, text);
        self.tell(&outcome.notices);
        outcome.messages
    }

    /// Reads changed skills, and what another program stored of the decisions. Tells the person which skills are new,
    /// changed or removed, and new diagnostics. [`Conversation::turn`] does the same first.
    ///
    /// # Cost
    ///
    /// Reads both files of the decisions, and the cost of [`Catalog::reload`]. The call blocks.
    pub fn reload(&mut self) {
        let changes = self.read_again();
        self.tell_changes(&changes, &[]);
    }

    /// Reads changed skills, and tells the person new diagnostics. Returns the changes, which are not told yet.
    fn read_again(&mut self) -> Changes {
        let (read, found) = match self.decisions.reload(&self.catalog, self.sources.clone()) {
            Ok(read) => read,
            Err(error) => {
                self.person.tell(&News::Failed(&error));
                let catalog = self.catalog.reload();
                let found = catalog.diagnostics().to_vec();
                (catalog, found)
            }
        };
        for found in &found {
            if !self.known.iter().any(|known| says_the_same(known, found)) {
                self.person.tell(&News::Diagnostic(found));
            }
        }
        let mut changes = read.changes_since(&self.catalog);
        // The notice of an active skill's end follows, and says that the skill was removed.
        let active: Vec<_> = self
            .session
            .active()
            .iter()
            .map(Active::qualified_id)
            .collect();
        changes.removed.retain(|id| !active.contains(id));
        (self.catalog, self.known) = (read, found);
        changes
    }

    /// Tells the person which skills are new, changed or removed, and which active ones have a text that the model does not
    /// have.
    fn tell_changes(&mut self, changes: &Changes, started: &[String]) {
        let active = self.session.active().iter();
        let old: Vec<String> = active
            .filter(|active| !started.contains(&active.skill))
            .map(Active::qualified_id)
            .filter(|id| changes.changed.contains(id))
            .collect();
        let mut sentences = Vec::new();
        for (what, ids) in [
            ("New skill", &changes.added),
            ("Changed skill", &changes.changed),
            ("Removed skill", &changes.removed),
            ("To use the new text, start again", &old),
        ] {
            let is_plural = ids.len() > 1 && what.ends_with("skill");
            let plural = if is_plural { "s" } else { "" };
            if !ids.is_empty() {
                sentences.push(format!("{what}{plural}: {}.", listed(ids)));
            }
        }
        if !sentences.is_empty() {
            self.tell(&[Notice::Text(sentences.join(" "))]);
        }
    }

    /// Asks the person whether to trust a skill, as `/skill trust ID` does, and stores the answer. Returns whether the
    /// skill is trusted now.
    pub fn trust(&mut self, id: &str) -> bool {
        self.carry_out(Request::Trust { id: id.to_owned() });
        self.catalog.get(id).is_some_and(|skill| skill.is_trusted())
    }

    /// Returns the qualified ids of the skills that a person must trust before they start, in the catalog's order. A skill
    /// that changed since a person trusted it is one of them.
    pub fn untrusted(&self) -> Vec<String> {
        let skills = self.catalog.iter().filter(|skill| !skill.is_trusted());
        skills.map(|skill| skill.to_string()).collect()
    }

    fn carry_out(&mut self, request: Request) {
        let person = &mut self.person;
        let ask = |question: &TrustQuestion| person.agrees(&Question::Trust(question));
        match self.decisions.carry_out(request, &mut self.catalog, ask) {
            Ok(notices) => self.tell(&notices),
            // A file that cannot be written ends no conversation.
            Err(error) => self.person.tell(&News::Failed(&error)),
        }
    }

    fn asked(&mut self, dispatch: Dispatch) -> Option<AllowedCall> {
        let (session, person) = (&self.session, &mut self.person);
        // Skills name tools as other programs do: `command-tool: Bash` means the host's shell.
        let own = |tool: &str| session.own_tool(tool).unwrap_or(tool).to_owned();
        let gate = |tool: &str, input: &str| may_run(session, person, &own(tool), input);
        match dispatch.ask(&self.catalog, gate) {
            Ok(mut call) => {
                call.tool = own(&call.tool);
                Some(call)
            }
            Err(refused) => {
                self.person.tell(&News::Refused(&refused));
                None
            }
        }
    }

    fn tell(&mut self, notices: &[Notice]) {
        for notice in notices {
            self.person.tell(&News::Notice(notice));
        }
    }
}

fn may_run(session: &Session, person: &mut impl Person, tool: &str, input: &str) -> Verdict {
    if session.own_tool(tool) != Some(tool) {
        return Verdict::Unknown;
    }
    // A skill takes away a path as it is written and the place where it ends, and approves only the place.
    let place = acted_on(session, tool, input);
    let mut inputs = [Some(input), place.as_deref()].into_iter().flatten();
    let taken = inputs.find(|input| !session.tools().allows(tool, input));
    let is_approved = |place: &str| session.approved().admits(tool, place);
    let reason = if let Some(taken) = taken {
        let skills = session.taken_by(tool, taken).join(", ");
        format!("an active skill takes it away: {skills}")
    } else if place.as_deref().is_some_and(is_approved)
        || person.agrees(&Question::Call {
            tool,
            input: place.as_deref().unwrap_or(input),
        })
    {
        return Verdict::Allowed;
    } else {
        "the person refused".to_owned()
    };
    Verdict::Refused { reason }
}

/// Returns what a call acts on: for a tool that opens files the place where the path ends, `None` if that is not known.
fn acted_on<'i>(session: &Session, tool: &str, input: &'i str) -> Option<Cow<'i, str>> {
    let opens_files = matches!(
        session.tool_kind(tool),
        ToolKind::Read
            | ToolKind::Write
            | ToolKind::Edit
            | ToolKind::Notebook
            | ToolKind::Search
            | ToolKind::List
    );
    if opens_files {
        place(input)
    } else {
        Some(input.into())
    }
}

/// Returns why the arguments of a call cannot be read. A model writes nothing for a tool without parameters.
fn faulty(arguments: &str) -> Option<String> {
    // As a host reads them: a reader that skips values takes numbers and escapes that a host cannot read.
    match serde_json::from_str::<serde_json::Value>(arguments) {
        Ok(value) if value.is_object() => None,
        Ok(_) => Some("the arguments are not a JSON object".to_owned()),
        Err(_) if arguments.trim().is_empty() => None,
        Err(error) => Some(format!("the arguments are not JSON: {error}")),
    }
}

fn is_for_a_person(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Refused {
            why: Refusal::Disabled { .. } | Refusal::Untrusted { .. } | Refusal::Ineligible { .. },
            ..
        }
    )
}

/// The person of a [`Conversation`](crate::Conversation): the host's way to show a line and to ask a question.
pub trait Person {
    /// Shows news. `Display` writes them.
    fn tell(&mut self, news: &News<'_>);

    /// Asks a question. Returns whether the person agrees.
    fn agrees(&mut self, question: &Question<'_>) -> bool;
}

/// What a person should know. `Display` writes it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum News<'n> {
    /// A notice of a turn, a call, an answer or a reload, or the answer to a request of `/skill`.
    Notice(&'n Notice),
    /// A problem of a skill or of a file of the decisions. Each is told once.
    Diagnostic(&'n Diagnostic),
    /// The tool call of a slash command was refused.
    Refused(&'n str),
    /// A request of `/skill` failed, and nothing was changed. Or the decisions cannot be read, and those of before hold.
    Failed(&'n Error),
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notice(notice) => notice.fmt(f),
            Self::Diagnostic(found) => write!(f, "{found:#}"),
            Self::Refused(refused) => f.write_str(refused),
            Self::Failed(error) => f.write_str(&error.report()),
        }
    }
}

/// A question that a person answers with yes or no. `Display` writes the whole question.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Question<'q> {
    /// [`Conversation::trust`](crate::Conversation::trust), or `/skill trust ID`: the files and the instructions of the
    /// skill.
    Trust(&'q TrustQuestion),
    /// A call of one of the host's tools.
    Call {
        /// The host's name of the tool.
        tool: &'q str,
        /// What the call acts on: see [`Conversation::may_run`](crate::Conversation::may_run).
        input: &'q str,
    },
}

impl fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trust(question) => write!(f, "{question}\nTrust it?"),
            // A model writes the input, and a person must see all of it: no character of it moves the cursor, and a
            // line feed is a picture.
            Self::Call { tool, input } => {
                let input: String = input.chars().map(shown).collect();
                write!(f, "Run {tool} {input}?")
            }
        }
    }
}

/// A diagnostic of the same rule about the same file with the same words is known, also if an edit moved its line.
fn says_the_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    (a.rule, a.severity, &a.path, &a.message) == (b.rule, b.severity, &b.path, &b.message)
}

#[cfg(test)]
mod told_tests {
    use super::*;
    use skills_format::Severity;
    use skills_format::text::span::Position;

    #[test]
    fn a_diagnostic_that_moved_is_known() {
        let at = |line: usize, message: &str| {
            let path = "greet/SKILL.md";
            let rule = skills_format::RuleId::Unfinished;
            let mut found = Diagnostic::new(rule, Severity::Warning, path, message);
            found.start = Position {
                offset: 0,
                line,
                column: 1,
            };
            found
        };
        let is_known = |found: &Diagnostic| says_the_same(&at(3, "a"), found);
        assert!(is_known(&at(5, "a")));
        assert!(!is_known(&at(3, "c")));
        let mut error = at(3, "a");
        error.severity = Severity::Error;
        assert!(!is_known(&error));
    }
}
