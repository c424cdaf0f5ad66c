//! Does a whole turn: from a text to the notices, messages and requests for the host.

use crate::activation::{Activation, Approved, Exchange, start};
use crate::dialect::notice::{Notice, Request, meant_request, names};
use crate::dialect::resolution::{Dispatch, Effect};
use crate::options::{AllowedTools, Delivery, TaskPlace};
use crate::session::active::{Active, name};
use crate::session::tool::call::ToolError;
use crate::session::tool::{Answer, call_with};
use crate::session::{REASONS, Session};
use skills_arguments::TypedArguments;
use skills_format::mention::Id;
use skills_format::{ARGUMENTS_FILE, ToolRule};
use skills_permit::{Narrowed, Starter, ToolKind, narrow, not_here};
use skills_runtime::{Catalog, Outcome, Surface};

// The places of a turn's messages follow `Options::delivery`. Rules and guidance are system messages.
// With `UserMessage`, a skill is a user message before the task; an exchange follows the
// task. If the task is empty, the typed text is sent, as for a slash command without arguments.

/// The outcome of one turn, for the host to carry out: the result of [`Session::turn`].
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct TurnOutcome {
    /// Short messages for the person, in order. Show them all.
    pub notices: Vec<Notice>,
    /// The messages for the conversation, in order. Empty: the model gets no turn. The first says which skills have
    /// ended since the last messages, if a skill has ended and the profile keeps skills for the conversation.
    pub messages: Vec<Message>,
    /// The ids of the skills that were started, in order.
    pub started: Vec<String>,
    /// The tools of [`Session::set_tools`] that the active skills leave in this turn. This list replaces
    /// the list of the turn or call before.
    pub tools: Narrowed,
    /// The calls of these tools for which a gate may skip its question. They replace those of the turn or
    /// call before.
    pub approved: Approved,
    /// A tool call that a slash command asks for. The call waits for the host's gate: [`Dispatch::ask`].
    /// `ask` does not apply narrowing: if active skills must also narrow the commands of people, the
    /// gate compares the tool with `tools`.
    pub dispatch: Option<Dispatch>,
    /// A request of `/skill` that only the host can carry out: list, enable, disable, trust or untrust.
    pub request: Option<Request>,
}

/// A message for the conversation, with its place.
///
/// [`Message::text`] returns the text of a message of any place, also of a place that a later version adds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "place", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Message {
    /// A system message at this place of the conversation. If the provider has only one system text, the
    /// host appends the message to that text.
    System {
        /// The text of the message.
        text: String,
    },
    /// A message of the user.
    User {
        /// The text of the message.
        text: String,
    },
    /// A tool call of the model and its result. The host supplies the id of the call.
    Exchange(Exchange),
}

impl Session {
    /// Does a whole turn: resolves the text, starts its skills, and returns the notices, messages and
    /// requests for the host.
    ///
    /// A text of a person begins a new turn, and ends the skills that may no longer be active: skills that
    /// were disabled, lost their trust or eligibility, or were removed. A system message, the first of the next messages,
    /// tells the model which skills have ended: their texts stay in the conversation. A text of the model, such as a plan,
    /// belongs to the current turn: only the skills that it names enter the conversation. The model's answer
    /// at the end of a turn goes to [`Session::answered`]. `/skill stop` and `/skill run` are carried out
    /// here.
    ///
    /// # Cost
    ///
    /// The cost of [`Dialect::resolve`](crate::Dialect::resolve). Reads the files of folders' skills that start, so the call blocks:
    /// an async host calls it where blocking is allowed, such as `tokio::task::spawn_blocking`.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_session::options::ToolKind;
    /// use skills_session::session::Message;
    /// use skills_runtime::{Catalog, Surface};
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut session = Session::new(Options::DEFAULT);
    /// session.set_tools([("fs_read", ToolKind::Read), ("bash_exec", ToolKind::Shell)]);
    ///
    /// let turn = session.turn(&catalog, "$code-review the parser", Surface::User);
    /// assert_eq!(turn.notices[0].to_string(), "Using skill: code-review");
    /// let [Message::User { text: skill }, Message::User { text: task }] = &*turn.messages else {
    ///     panic!("the skill, and the task");
    /// };
    /// assert!(skill.contains("<skill_content name=\"code-review\""));
    /// assert_eq!(task, "the parser");
    /// assert_eq!(turn.tools.names().len(), 2, "the skill takes no tool away");
    ///
    /// let turn = session.turn(&catalog, "/skill stop", Surface::User);
    /// assert_eq!(turn.notices[0].to_string(), "Stopped: code-review.");
    /// assert!(turn.messages.is_empty());
    /// ```
    pub fn turn(&mut self, catalog: &Catalog, text: &str, surface: Surface) -> TurnOutcome {
        let mut outcome = match surface {
            Surface::Model => TurnOutcome::default(),
            _ => self.begin(catalog),
        };
        let (resolution, activations) =
            self.dialect
                .resolve(catalog, text, surface)
                .start_with(text, catalog, self.choices());
        outcome.notices.extend(resolution.notices);
        match resolution.effect {
            Effect::ChooseOne | Effect::NotCalled(_) => {}
            Effect::Dispatch(dispatch) => outcome.dispatch = Some(dispatch),
            Effect::Request(Request::Stop { id }) => outcome.notices.push(self.stop(id.as_deref())),
            Effect::Request(Request::Run { id, arguments }) => {
                self.start(catalog, &id, &arguments, text, &mut outcome);
            }
            Effect::Request(Request::Help { verb }) => outcome.notices.push(Notice::Help { verb }),
            Effect::Request(request) => outcome.request = Some(request),
            Effect::Plain | Effect::Activate | Effect::Command | Effect::Refused(_) => {
                // The profile puts the whole typed text, with its mentions, before the skills.
                let is_typed =
                    self.options().task == TaskPlace::TypedFirst && !activations.is_empty();
                let task = match surface {
                    Surface::Model => None,
                    _ if is_typed => Some(text),
                    _ if resolution.task.is_empty() => Some(text),
                    _ => Some(&*resolution.task),
                };
                self.put(&activations, task, &mut outcome);
            }
        }
        self.finish(outcome)
    }

    /// Starts a skill for a person, for `/skill run ID ARGUMENTS`.
    ///
    /// A skill that cannot be started gives a notice and no message.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill, so the call blocks: see [`Session::turn`].
    pub fn run(&mut self, catalog: &Catalog, id: &str, arguments: &str) -> TurnOutcome {
        let mut outcome = self.begin(catalog);
        let typed = format!("/skill run {id}");
        self.start(catalog, id, arguments, &typed, &mut outcome);
        self.finish(outcome)
    }

    /// Begins a turn of a person.
    fn begin(&mut self, catalog: &Catalog) -> TurnOutcome {
        self.next_turn();
        let ended = self.reconcile(catalog);
        let notices = REASONS.into_iter().filter_map(|why| {
            let skills = ended.iter().filter(|(_, by)| *by == why);
            let skills: Vec<&str> = skills.map(|(skill, _)| &**skill).collect();
            let skills = skills.join(", ");
            let notice = format!("{why}, and no longer active: {skills}.");
            (!skills.is_empty()).then_some(Notice::Text(notice))
        });
        TurnOutcome {
            notices: notices.collect(),
            ..TurnOutcome::default()
        }
    }

    fn finish(&mut self, mut outcome: TurnOutcome) -> TurnOutcome {
        // A turn without messages is not a turn of the model: the skills wait for the next messages.
        if !outcome.messages.is_empty()
            && let Some(message) = self.take_ended()
        {
            outcome.messages.insert(0, message);
        }
        (outcome.tools, outcome.approved) = (self.tools(), self.approved());
        outcome
    }

    /// Ends all skills, or the skill of an id, for `/skill stop`. Returns the notice for the person. The
    /// id is the skill's own id or `source:name`.
    pub fn stop(&mut self, id: Option<&str>) -> Notice {
        let bare = id.map(|id| id.trim_start_matches('$'));
        let is_meant = |it: &&Active| {
            bare.is_none_or(|id| it.skill == id || format!("{}:{}", it.source, it.skill) == id)
        };
        let meant = self.active.iter().filter(is_meant);
        let ids = |it: &Active| (it.skill.clone(), it.qualified_id());
        let (skills, ended): (Vec<String>, Vec<String>) = meant.map(ids).unzip();
        match id {
            Some(id) if skills.is_empty() => {
                return Notice::Text(format!("No skill named '{id}' is active."));
            }
            Some(_) => skills.iter().for_each(|skill| _ = self.leave(skill)),
            None => {
                self.active.clear();
                self.in_force.clear();
                self.for_next_turn.clear();
            }
        }
        self.note_ended(ended);
        Notice::Text(match skills.join(", ") {
            none if none.is_empty() => "No skill is active.".to_owned(),
            skills => format!("Stopped: {skills}."),
        })
    }

    fn start(
        &mut self,
        catalog: &Catalog,
        id: &str,
        arguments: &str,
        typed: &str,
        outcome: &mut TurnOutcome,
    ) {
        let id = id.strip_prefix('$').unwrap_or(id);
        // Without a `Resolution`: the words of `/skill run` give exactly one id, and no text to resolve.
        let skill = match catalog.find(id, Surface::User) {
            Ok(skill) => skill,
            Err(notice) => {
                let near = meant_request(typed).filter(|_| notice.outcome == Outcome::Unknown);
                let id = notice.id.clone();
                let near = near.map(|request| Notice::NoRequest { id, request });
                outcome.notices.push(near.unwrap_or_else(|| notice.into()));
                return;
            }
        };
        let message = arguments.trim();
        let given = self.options().arguments.given(message);
        match start(&skill, None, given, self.choices()) {
            Err(error) => outcome.notices.push(Notice::not_started(error)),
            Ok(activation) => {
                let skill = activation.skill.clone();
                outcome.notices.push(Notice::Using { skill });
                outcome.notices.extend(activation.missing_skills());
                let task = if message.is_empty() { typed } else { message };
                self.put(&[activation], Some(task), outcome);
            }
        }
    }

    /// Makes the skills active, and adds their texts and the task to the messages of the outcome.
    fn put(&mut self, activations: &[Activation], task: Option<&str>, outcome: &mut TurnOutcome) {
        let mut calls = Vec::new();
        let task = match self.options().task {
            TaskPlace::InSkill if task.is_some_and(|task| is_in_skill(activations, task)) => None,
            TaskPlace::TypedFirst if !activations.is_empty() => {
                let first = task.and_then(|task| Message::user(task.into()));
                outcome.messages.extend(first);
                None
            }
            _ => task,
        };
        for activation in activations {
            outcome.started.push(activation.skill.clone());
            outcome.notices.extend(self.missing_tools(activation));
            outcome.notices.extend(self.approves_nothing(activation));
            let mut entered = self.enter(activation);
            let rules = std::mem::take(&mut entered.rules);
            outcome.messages.extend(Message::system(rules));
            match (self.options().delivery, activation.exchange()) {
                (Delivery::ToolCall, Some(mut exchange)) => {
                    outcome.messages.extend(Message::user(entered.before));
                    exchange.result = entered.text;
                    calls.push(Message::Exchange(exchange));
                }
                (Delivery::SystemMessage, _) => {
                    outcome.messages.extend(Message::system(entered.in_turn()));
                }
                _ => outcome.messages.extend(Message::user(entered.in_turn())),
            }
        }
        outcome
            .messages
            .extend(task.and_then(|task| Message::user(task.into())));
        // After the task, where the model's own call would stand.
        outcome.messages.extend(calls);
    }
}

/// Returns whether the text of a skill holds the whole task: as its arguments, or the task is only the command.
fn is_in_skill(activations: &[Activation], task: &str) -> bool {
    let task = task.trim();
    let holds = |activation: &Activation| match &*activation.arguments {
        "" => task.starts_with('/'),
        arguments => arguments == task || activation.written.as_deref() == Some(task),
    };
    activations.iter().any(holds)
}

impl Message {
    /// Returns the text of the message. For a tool call: its result.
    pub fn text(&self) -> &str {
        match self {
            Self::System { text } | Self::User { text } => text,
            Self::Exchange(exchange) => &exchange.result,
        }
    }

    /// Makes a system message. Returns `None` if the text is empty.
    pub(crate) fn system(text: String) -> Option<Self> {
        (!text.is_empty()).then_some(Self::System { text })
    }

    fn user(text: String) -> Option<Self> {
        (!text.is_empty()).then_some(Self::User { text })
    }
}

impl Session {
    /// Reads an answer of the model that ends a turn, and starts the skills that the answer names with
    /// `$`.
    ///
    /// The skills are for the next turn: they stay active and narrow its tools, although they were
    /// started in this turn. A skill that the model starts only narrows further. The messages follow the
    /// answer in the conversation. The first message repeats the notices that a model can act on, so
    /// that the model can write another id. The person is shown all notices.
    ///
    /// The options say whether answers are read ([`Options::answers`](crate::options::Options::answers)). If not, the
    /// outcome holds only the tools still allowed. A text of the model within a turn, such as a plan, goes to
    /// [`Session::turn`] with [`Surface::Model`]: its skills belong to the current turn.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::turn`]. Reads files, so the call blocks.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_runtime::{Catalog, Surface};
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let options = Options { lasts_one_turn: true, ..Options::DEFAULT };
    /// let mut session = Session::new(options);
    /// let answered = session.answered(&catalog, "First I use $code-review.");
    /// assert_eq!(answered.notices[0].to_string(), "Using skill: code-review");
    /// assert_eq!(answered.messages.len(), 1, "the skill, after the answer");
    /// session.turn(&catalog, "Go on.", Surface::User);
    /// assert_eq!(session.active().len(), 1, "active in the next turn");
    /// session.turn(&catalog, "Go on.", Surface::User);
    /// assert!(session.active().is_empty(), "and in no later turn");
    /// ```
    pub fn answered(&mut self, catalog: &Catalog, text: &str) -> TurnOutcome {
        if !self.options().answers {
            return self.finish(TurnOutcome::default());
        }
        let mut outcome = self.turn(catalog, text, Surface::Model);
        // The next turn begins before the model sees these skills. Without this list, `next_turn` would
        // end them.
        for skill in &outcome.started {
            if !self.for_next_turn.contains(skill) {
                self.for_next_turn.push(skill.clone());
            }
        }
        let to_act_on = outcome.notices.iter();
        let to_act_on = to_act_on.filter(|notice| !matches!(notice, Notice::Using { .. }));
        let words: Vec<String> = to_act_on.map(ToString::to_string).collect();
        if let Some(told) = Message::system(words.join("\n")) {
            outcome.messages.insert(0, told);
        }
        outcome
    }

    /// Starts a skill for a person with the values of a struct: the struct `Arguments` of the skill, of the module form
    /// of [`include_skills!`](skills_runtime::include_skills).
    ///
    /// It starts the skill that `/name` starts: that of a person's folder, if it goes before the bundled skill. Then its
    /// `arguments.schema.json` decides what fits. A skill that lists `arguments` and has no schema does not start. To start
    /// the bundled skill whatever else has the name, seal it, or [`run`](Self::run) `bundled:deploy` with
    /// [`TypedArguments::line`]; `bundled` is the name of its source.
    ///
    /// A skill that cannot be started, or whose types a value does not fit, gives a notice and no message.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::run`].
    ///
    /// ```
    /// # macro_rules! include_skills {
    /// #     (mod skill in "skills") => { skills_runtime::include_skills! { mod skill in "tests/typed" } };
    /// # }
    /// use skill::deploy::{Arguments, Environment};
    /// use skills_runtime::Catalog;
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// include_skills! { mod skill in "skills" }
    ///
    /// let catalog = Catalog::builder().bundle("bundled", skill::bundle()).load();
    /// let mut session = Session::new(Options::DEFAULT);
    /// let arguments = Arguments { environment: Environment::Staging, count: 3, dry_run: true };
    /// let turn = session.run_typed(&catalog, &arguments);
    /// assert_eq!(turn.started, ["deploy"]);
    /// assert!(turn.messages[0].text().contains("Deploy to staging"));
    /// ```
    pub fn run_typed<A: TypedArguments>(
        &mut self,
        catalog: &Catalog,
        arguments: &A,
    ) -> TurnOutcome {
        let line = arguments.line();
        let found = catalog.find(A::SKILL, Surface::User);
        // Without types, the first words would be taken for the listed arguments, with their names.
        if let Ok(skill) = found
            && !line.is_empty()
            && !skill.fields().arguments.is_empty()
            && matches!(skill.typed_arguments(), Ok(None))
        {
            let (name, source) = (A::SKILL, skill.source());
            let mut outcome = self.begin(catalog);
            outcome.notices.push(Notice::not_started(format_args!(
                "the skill '{name}' of '{source}' has no {ARGUMENTS_FILE}, and takes no values of the program"
            )));
            return self.finish(outcome);
        }
        self.run(catalog, A::SKILL, &line)
    }
}

/// The answer to a tool call of the model: the result of [`Session::call`].
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CallOutcome {
    /// The result for the model. If the call starts a skill that is already active, the result is a
    /// reminder.
    pub result: String,
    /// What the call changes, as a turn does: the skill that it started, the notices, and the tools. The messages
    /// follow the result: the profile's rules before the first skill of the conversation.
    #[serde(flatten)]
    pub turn: TurnOutcome,
}

impl Session {
    /// Answers a tool call of the model. The arguments are JSON as written by the model.
    ///
    /// A skill that the call starts becomes active like the skill of a mention: it gives notices and reminders,
    /// and narrows the tools. Each call uses the given catalog; the session keeps no older
    /// one.
    ///
    /// # Errors
    ///
    /// The message of the error is the result for the model.
    ///
    /// - [`ToolErrorKind::UnknownTool`]: no tool of [`Dialect::tools`](crate::Dialect::tools) has the name. The host makes the call.
    /// - [`ToolErrorKind::Arguments`]: the arguments do not match the tool's schema.
    /// - [`ToolErrorKind::Skill`]: no skill has the id, or the model may not start the skill.
    /// - [`ToolErrorKind::Files`]: a file of the skill cannot be read or has changed.
    ///
    /// [`ToolErrorKind::UnknownTool`]: crate::session::ToolErrorKind::UnknownTool
    /// [`ToolErrorKind::Arguments`]: crate::session::ToolErrorKind::Arguments
    /// [`ToolErrorKind::Skill`]: crate::session::ToolErrorKind::Skill
    /// [`ToolErrorKind::Files`]: crate::session::ToolErrorKind::Files
    ///
    /// # Cost
    ///
    /// A call of the skill tool or of `read_skill_resource` reads the files of a folder's skill, so the call
    /// blocks: see [`Session::turn`]. A call of `list_skills` reads every skill of the catalog in memory.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_runtime::Catalog;
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let mut session = Session::new(Options::DEFAULT);
    /// let called = session.call(&catalog, "skill", r#"{"name":"code-review"}"#)?;
    /// assert_eq!(called.turn.started, ["code-review"]);
    /// let again = session.call(&catalog, "skill", r#"{"name":"code-review"}"#)?;
    /// assert!(again.result.starts_with("The skill code-review is active already"));
    /// # Ok::<(), skills_session::session::ToolError>(())
    /// ```
    pub fn call(
        &mut self,
        catalog: &Catalog,
        tool: &str,
        arguments: &str,
    ) -> Result<CallOutcome, ToolError> {
        let mut outcome = CallOutcome::default();
        let turn = &mut outcome.turn;
        match call_with(catalog, tool, arguments, self.choices())? {
            Answer::Text(text) => outcome.result = text,
            Answer::Start(activation) => {
                let skill = activation.skill.clone();
                turn.notices.push(Notice::Using { skill });
                turn.notices.extend(activation.missing_skills());
                turn.notices.extend(self.missing_tools(&activation));
                let entered = self.enter(&activation);
                turn.messages.extend(Message::system(entered.rules));
                turn.started.push(activation.skill);
                outcome.result = entered.text;
            }
        }
        (turn.tools, turn.approved) = (self.tools(), self.approved());
        Ok(outcome)
    }
}

impl Session {
    /// Notes skills of whose end the model must learn, by their qualified ids. Under options by which each skill ends with
    /// its turn, the model expects nothing else.
    pub(crate) fn note_ended(&mut self, skills: Vec<String>) {
        if !self.options().lasts_one_turn {
            self.untold.retain(|ended| !skills.contains(ended));
            self.untold.extend(skills);
        }
    }

    /// Takes the message about the skills that have ended since the last messages, for a host that adds it to the
    /// conversation at once.
    pub fn take_ended(&mut self) -> Option<Message> {
        let skills = std::mem::take(&mut self.untold);
        let skills = skills.iter().map(|ended| self.ended_name(ended));
        let skills = skills.collect::<Vec<_>>().join(", ");
        // Not "no longer": a host with one system text keeps the message there, also if a skill starts again.
        let text = format!(
            "These skills have ended; until they start again, do not follow their instructions: {skills}."
        );
        (!skills.is_empty()).then_some(Message::System { text })
    }

    /// Returns the name of a skill that has ended as its text has it: with the source if a skill of the same name is active.
    fn ended_name(&self, ended: &str) -> String {
        let Id {
            source,
            name: ended,
        } = Id::parse(ended);
        let mut active = self.active.iter();
        let has_rival = active.any(|active| name(&active.source, &active.skill) == ended);
        if has_rival {
            format!("{ended} (source {})", source.unwrap_or_default())
        } else {
            ended.to_owned()
        }
    }
}

/// The tools of `Dialect::tools` beside the tool that starts a skill.
const TOOLS_FOR_SKILLS: [&str; 2] = ["list_skills", "read_skill_resource"];

impl Session {
    /// Returns the notice about the tools that a skill names and the host does not have: once for each skill,
    /// and never if the host gave no tools.
    pub(super) fn missing_tools(&mut self, activation: &Activation) -> Option<Notice> {
        self.tools.iter().next()?;
        let mut tools = match self.options().allowed_tools {
            AllowedTools::Ignored => Vec::new(),
            _ => narrow(&[&activation.allowed_tools], &self.tools).unknown,
        };
        let mut disallowed = not_here(&activation.disallowed_tools, &self.tools);
        // If every tool has a kind, no tool of the host is the one to take away.
        let has_unknown = self
            .tools
            .iter()
            .any(|(name, kind)| kind == ToolKind::Other && !is_of_server(name));
        disallowed.retain(|tool| match ToolKind::of(tool) {
            ToolKind::Other => !is_of_server(tool),
            _ => has_unknown,
        });
        // The tools for skills are the runtime's, and the host leaves them out of its list.
        let own = self.options().tool.as_ref().map(|tool| &*tool.name);
        let is_missing = |tool: &String| {
            let tool = &**tool;
            // A list that cannot be read was reported when the skill was.
            tool != ToolRule::NONE.tool
                && tool != "Skill"
                && Some(tool) != own
                && !TOOLS_FOR_SKILLS.contains(&tool)
        };
        tools.retain(is_missing);
        disallowed.retain(is_missing);
        let skill = format!("{}:{}", activation.source, activation.skill);
        let is_told = tools.is_empty() && disallowed.is_empty() || !self.told_missing.insert(skill);
        if is_told {
            return None;
        }
        let skill = &activation.skill;
        let mut parts = Vec::new();
        if !tools.is_empty() {
            let tools = names(&tools);
            parts.push(format!("asks for tools that are not available: {tools}"));
        }
        if !disallowed.is_empty() {
            let it = if tools.is_empty() { "" } else { "it " };
            let taken = names(&disallowed);
            parts.push(format!("{it}takes away tools that are not here: {taken}"));
        }
        let parts = parts.join("; ");
        Some(Notice::Text(format!("Skill '{skill}' {parts}.")))
    }

    /// Returns the notice that a skill approves no call because its list cannot be read strictly: when a person starts
    /// a skill that is not active, if the list would approve.
    pub(super) fn approves_nothing(&self, activation: &Activation) -> Option<Notice> {
        let is_it = |old: &Active| old.skill == activation.skill && old.source == activation.source;
        let is_new = activation.is_doubtful
            && activation.started_by == Starter::Person
            && self.options().allowed_tools == AllowedTools::Approves
            && !self.active.iter().any(is_it);
        let skill = &activation.skill;
        is_new.then(|| Notice::Text(format!(
            "Skill '{skill}' approves no tool call: its tools are not written exactly. Write the key allowed-tools \
             once, and each entry as the name of a tool or as Tool(pattern)."
        )))
    }
}

/// Tools of MCP servers have one name in every program: without the tool, the host does not have this server.
fn is_of_server(tool: &str) -> bool {
    tool.starts_with("mcp__")
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod answer_tests;

#[cfg(test)]
mod typed_tests {
    use super::*;
    use crate::fixture::Sources;
    use crate::options::Options;
    use std::fs;

    struct Deploy(&'static str);

    impl TypedArguments for Deploy {
        const SKILL: &'static str = "deploy";

        fn line(&self) -> String {
            format!("--environment={}", self.0)
        }
    }

    #[test]
    fn the_skill_that_answers_to_the_name_starts() {
        let fixture = Sources::new()
            .source("user", &[("deploy", "", "Mine: $environment.")])
            .source("shared", &[("deploy", "", "Theirs.")])
            .load();
        let schema = r#"{"type": "object", "properties": {"environment": {"enum": ["staging"]}}}"#;
        let path = fixture.dir.path().join("user/deploy/arguments.schema.json");
        fs::write(path, schema).unwrap();
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.run_typed(&fixture.catalog, &Deploy("staging"));
        assert!(turn.messages[0].text().contains("Mine: staging."));
        let turn = session.run_typed(&fixture.catalog, &Deploy("nowhere"));
        assert!(turn.started.is_empty() && turn.messages.is_empty());
        let told = turn.notices[0].to_string();
        assert!(told.contains("does not take 'nowhere'"), "{told}");
        let turn = session.run(&fixture.catalog, "shared:deploy", &Deploy("nowhere").line());
        assert_eq!(turn.started, ["shared:deploy"]);
    }

    #[test]
    fn a_skill_without_types_takes_no_values() {
        let more = "arguments: [environment]\n";
        let fixture = Sources::new()
            .source("user", &[("deploy", more, "Mine: $environment.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.run_typed(&fixture.catalog, &Deploy("staging"));
        assert!(turn.started.is_empty() && turn.messages.is_empty());
        assert_eq!(
            turn.notices[0].to_string(),
            "Not started: the skill 'deploy' of 'user' has no arguments.schema.json, and takes no values of the program."
        );
        let turn = session.run(&fixture.catalog, "deploy", "staging");
        assert!(turn.messages[0].text().contains("Mine: staging."));
    }
}

#[cfg(test)]
mod ended_tests {
    use super::*;
    use crate::fixture::Sources;
    use crate::options::Options;
    use skills_runtime::Catalog;
    use skills_runtime::Surface;

    fn turn(session: &mut Session, catalog: &Catalog, text: &str) -> Vec<String> {
        let turn = session.turn(catalog, text, Surface::User);
        let messages = turn.messages.iter();
        messages.map(|message| message.text().to_owned()).collect()
    }

    fn told(skills: &str) -> String {
        format!(
            "These skills have ended; until they start again, do not follow their instructions: {skills}."
        )
    }

    #[test]
    fn the_model_learns_of_an_end_once_with_the_next_messages() {
        let skills = [
            ("lint", "", "Lint."),
            ("plan", "", "Plan."),
            ("ship", "", "Ship."),
        ];
        let fixture = Sources::new().source("user", &skills).load();
        let on = &fixture.catalog;
        let off = on.with(|builder| builder.disabled(["lint"]));
        let mut session = Session::new(Options::DEFAULT);
        assert_eq!(turn(&mut session, on, "$lint and $plan and $ship").len(), 4);
        assert!(
            turn(&mut session, on, "/skill stop plan").is_empty(),
            "the model gets no turn"
        );
        // Also of a session that was stored meanwhile.
        let mut session = Session::restore(session.save(), Options::DEFAULT);
        assert_eq!(
            turn(&mut session, &off, "hello"),
            [&*told("plan, lint"), "hello"]
        );
        assert_eq!(turn(&mut session, &off, "hello"), ["hello"], "once");
        let run = session.run(&Catalog::builder().load(), "nosuch", "");
        assert!(run.messages.is_empty());
        assert_eq!(turn(&mut session, on, "hello"), [&*told("ship"), "hello"]);
    }

    #[test]
    fn a_skill_that_starts_again_has_not_ended() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        turn(&mut session, &fixture.catalog, "$lint it");
        turn(&mut session, &fixture.catalog, "/skill stop");
        let again = turn(&mut session, &fixture.catalog, "$lint it");
        assert!(again[0].contains("Lint.") && again.len() == 2, "{again:?}");
    }

    #[test]
    fn of_two_skills_with_one_name_the_ended_one_is_told() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .source("bundled", &[("lint", "", "Lint too.")])
            .load();
        let only = Sources::new()
            .source("bundled", &[("lint", "", "Lint too.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        turn(&mut session, &fixture.catalog, "$lint it");
        turn(&mut session, &fixture.catalog, "$bundled:lint it");
        assert_eq!(
            turn(&mut session, &only.catalog, "hello"),
            [&*told("lint (source user)"), "hello"]
        );
        assert_eq!(session.active().len(), 1);
    }

    #[test]
    fn a_skill_of_one_turn_ends_without_a_message() {
        let fixture = Sources::new()
            .source("user", &[("lint", "", "Lint.")])
            .load();
        let profile = Options {
            lasts_one_turn: true,
            ..Options::DEFAULT
        };
        let mut session = Session::new(profile);
        turn(&mut session, &fixture.catalog, "$lint it");
        assert_eq!(turn(&mut session, &fixture.catalog, "hello"), ["hello"]);
    }
}
