//! A conversation of a person with a model, with all of its files in one folder.

use crate::decisions::Decisions;
use crate::error::{Error, ErrorKind};
use crate::files::copy::{make_folder, read_json, replace_file};
use skills_runtime::activation::SharedText;
use skills_runtime::catalog::TrustQuestion;
use skills_runtime::resolve::{AllowedCall, Dispatch, DispatchRefused, Request};
use skills_runtime::session::{Message, SessionState, ToolErrorKind};
use skills_runtime::{Catalog, CatalogBuilder, Diagnostic, Notice, Profile, Session, Surface};
use std::fmt;
use std::path::{Path, PathBuf};

/// The person of a [`Conversation`]: the host's way to show a line and to ask a question.
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
    /// A notice of a turn, a call or an answer, or the answer to a request of `/skill`.
    Notice(&'n Notice),
    /// A problem of a skill or of a file of the decisions. Each is told once.
    Diagnostic(&'n Diagnostic),
    /// The tool call of a slash command was refused.
    Refused(&'n DispatchRefused),
    /// A request of `/skill` failed, and nothing was changed.
    Failed(&'n Error),
}

impl fmt::Display for News<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notice(notice) => notice.fmt(f),
            // With the lines of the file, if the finding has them.
            Self::Diagnostic(found) => write!(f, "{found:#}"),
            Self::Refused(refused) => refused.fmt(f),
            Self::Failed(error) => write!(f, "{error:?}"),
        }
    }
}

/// A question that a person answers with yes or no. `Display` writes the whole question.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Question<'q> {
    /// `/skill trust ID`: the files and the instructions of the skill.
    Trust(&'q TrustQuestion),
    /// A call of one of the host's tools.
    Call {
        /// The host's name of the tool.
        tool: &'q str,
        /// What the call acts on: see [`Conversation::may_run`].
        input: &'q str,
    },
}

impl fmt::Display for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trust(question) => write!(f, "{question}\nTrust it?"),
            Self::Call { tool, input } => write!(f, "Run {tool} {input}?"),
        }
    }
}

/// A conversation with skills, for a host: the catalog, the session and the decisions, with their files in one folder.
///
/// The files are `skills.json` and `trust.json` ([`Decisions`]), and `session.json`, which holds the result of
/// [`Session::save`]. Each is written when its content changes. The messages of the conversation are the host's: it
/// stores them with the session, and calls [`Session::leave_all`] if it does not.
///
/// A host with another store, or that asks a person asynchronously, uses the parts: [`Catalog`], [`Session`] and
/// [`Decisions`].
///
/// ```
/// use skills_runtime::options::ToolKind;
/// use skills_runtime::{Catalog, Profile};
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
/// let mut talk = Conversation::open(&config, sources, Profile::DEFAULT, Terminal::default())?;
/// talk.session.set_tools([("shell", ToolKind::Shell)]);
///
/// let turn = talk.turn("$lint the parser")?;
/// assert_eq!(turn.messages.len(), 2, "the skill, and the task");
/// assert!(talk.call("shell", r#"{"command": "make"}"#)?.is_none(), "a tool of the host");
/// assert!(!talk.may_run("shell", "make"), "the person says no");
/// assert_eq!(talk.person.shown, ["Using skill: lint", "Run shell make?"]);
/// # Ok::<(), skills_store::Error>(())
/// ```
#[derive(Debug)]
pub struct Conversation<P> {
    /// The skills, as of the last turn.
    pub catalog: Catalog,
    /// The active skills. Set the host's tools here: [`Session::set_tools`].
    pub session: Session,
    /// The host's way to the person.
    pub person: P,
    decisions: Decisions,
    stored: PathBuf,
    /// The state that `stored` holds. Without the file: the state of a new session.
    saved: SessionState,
    /// The diagnostics of the last load, which were told.
    known: Vec<Diagnostic>,
}

/// What a turn gives a host.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Turn {
    /// The messages to send, in order. Empty: the model gets no turn.
    pub messages: Vec<Message>,
    /// A call that the person typed as a slash command, and that may run. The host makes the call.
    pub call: Option<AllowedCall>,
    /// The ids of the skills that were started, in order.
    pub started: Vec<String>,
}

/// The answer to a call of a tool for skills.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called {
    /// The result for the model. If the call failed: why, so that the model can try again.
    pub result: SharedText,
    /// The messages to add after the result: the rules of a profile that has some.
    pub messages: Vec<Message>,
}

impl<P: Person> Conversation<P> {
    /// Begins a conversation, or continues the conversation of `session.json`. Makes the folder if it is missing.
    ///
    /// The folder belongs to the person and lies outside of every project: whoever writes its `trust.json` decides which
    /// skills are trusted.
    ///
    /// The sources are loaded under what the person decided, and their diagnostics are told.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`]: `session.json` cannot be read as a session. The file stays. [`ErrorKind::Io`]: a file
    /// cannot be read, or the folder cannot be made. A damaged file of the decisions is a diagnostic.
    pub fn open(
        folder: impl AsRef<Path>,
        sources: CatalogBuilder,
        profile: Profile,
        mut person: P,
    ) -> Result<Self, Error> {
        let folder = folder.as_ref();
        make_folder(folder)?;
        let stored = folder.join("session.json");
        let session = match read_json(&stored)? {
            Some(state) => Session::restore(state, profile),
            None => Session::new(profile),
        };
        let decisions = Decisions::in_folder(folder);
        let loaded = decisions.load(sources.reloadable())?;
        for found in &loaded.diagnostics {
            person.tell(&News::Diagnostic(found));
        }
        Ok(Self {
            catalog: loaded.catalog,
            saved: session.save(),
            session,
            person,
            decisions,
            stored,
            known: loaded.diagnostics,
        })
    }

    /// Does a whole turn with what a person typed: reads changed skills, starts the skills that the text names, carries
    /// out `/skill …`, asks before the tool call of a slash command, and tells the person all notices.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the session cannot be stored. A request of `/skill` that fails is told.
    ///
    /// # Cost
    ///
    /// The costs of [`Catalog::reload`] and of [`Session::turn`]. The call blocks.
    pub fn turn(&mut self, text: &str) -> Result<Turn, Error> {
        self.reload();
        let outcome = self.session.turn(&self.catalog, text, Surface::User);
        self.tell(&outcome.notices);
        if let Some(request) = outcome.request {
            self.carry_out(request);
        }
        let call = outcome.dispatch.and_then(|dispatch| self.asked(dispatch));
        self.save()?;
        Ok(Turn {
            messages: outcome.messages,
            call,
            started: outcome.started,
        })
    }

    /// Answers a call of the model. `arguments` is JSON as the model wrote it. Returns `None` for a tool that is the
    /// host's own: ask [`Conversation::may_run`] then.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the session cannot be stored.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::call`]. The call blocks.
    pub fn call(&mut self, tool: &str, arguments: &str) -> Result<Option<Called>, Error> {
        let called = match self.session.call(&self.catalog, tool, arguments) {
            Ok(called) => {
                self.tell(&called.turn.notices);
                Called {
                    result: called.result,
                    messages: called.turn.messages,
                }
            }
            Err(error) if error.kind() == ToolErrorKind::UnknownTool => return Ok(None),
            Err(error) => {
                // A model tries other names after a wrong one. The person learns only what the person can change.
                let notice = error.notice().filter(|notice| is_for_a_person(notice));
                self.tell(notice.map(std::slice::from_ref).unwrap_or_default());
                Called {
                    result: error.to_string().into(),
                    messages: Vec::new(),
                }
            }
        };
        self.save()?;
        Ok(Some(called))
    }

    /// Returns whether the host may make a call of its own tool now. A call of a tool that skills took away is refused,
    /// a call that skills approve needs no question, and the person decides about any other call.
    ///
    /// `input` is what the call acts on: the command line of a shell, the path of a file relative to the project, the
    /// address of a page. The host takes it out of the arguments.
    pub fn may_run(&mut self, tool: &str, input: &str) -> bool {
        may_run(&self.session, &mut self.person, tool, input)
    }

    /// Reads the answer of the model at the end of a turn, and starts the skills that the answer names with `$`. Returns
    /// the messages to add after the answer.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the session cannot be stored.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::answered`]. The call blocks.
    pub fn answered(&mut self, text: &str) -> Result<Vec<Message>, Error> {
        let outcome = self.session.answered(&self.catalog, text);
        self.tell(&outcome.notices);
        self.save()?;
        Ok(outcome.messages)
    }

    fn reload(&mut self) {
        let read = self.catalog.reload();
        for found in &read.diagnostics {
            if !self.known.contains(found) {
                self.person.tell(&News::Diagnostic(found));
            }
        }
        (self.catalog, self.known) = (read.catalog, read.diagnostics);
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
        let gate = |tool: &str, input: &str| may_run(session, person, tool, input);
        match dispatch.ask(&self.catalog, gate) {
            Ok(call) => Some(call),
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

    fn save(&mut self) -> Result<(), Error> {
        let state = self.session.save();
        if state != self.saved {
            let json = serde_json::to_vec(&state).map_err(|error| {
                let message = format!("the session cannot be written as JSON: {error}");
                Error::new(ErrorKind::Usage, message)
            })?;
            replace_file(&self.stored, &json)?;
            self.saved = state;
        }
        Ok(())
    }
}

fn may_run(session: &Session, person: &mut impl Person, tool: &str, input: &str) -> bool {
    session.tools().allows(tool, input)
        && (session.approved().admits(tool, input)
            || person.agrees(&Question::Call { tool, input }))
}

fn is_for_a_person(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::Disabled { .. }
            | Notice::Untrusted { .. }
            | Notice::Ineligible { .. }
            | Notice::Unavailable { .. }
    )
}
