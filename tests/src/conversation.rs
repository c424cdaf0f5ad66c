//! A table of turns: one conversation through the library, with an event in each row.

use crate::block::Row;
use crate::cell::{list, literal, spans};
use crate::folder::Folder;
use crate::options;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Surface};
use skills_session::activation::{Approved, Narrowed};
use skills_session::options::{ToolKind, Tools};
use skills_session::resolve::Verdict;
use skills_session::session::{Message, TurnOutcome};
use skills_session::{Notice, Session};

/// A table whose first column is `turn`.
#[derive(Clone, Debug)]
pub(crate) struct Conversation {
    /// The tools of the host, if a column names them.
    host: Tools,
    steps: Vec<Step>,
}

/// A row.
#[derive(Clone, Debug)]
struct Step {
    line: usize,
    event: Event,
    enters: Vec<String>,
    /// Not checked if the table has no such column, like the tools.
    active: Option<Vec<String>>,
    /// Empty if the table has no such column: then no notice is allowed.
    told: Vec<String>,
    tools: Option<Vec<String>>,
    /// The calls that a gate may allow without a question.
    approved: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Event {
    /// A user's message, which begins a turn.
    Turn(String),
    /// A call of the skill tool by the model, in the turn above.
    Call(String),
    /// The model's answer, which ends the turn above.
    Answer(String),
    /// The user disables a skill, and the host updates the session.
    Disable(String),
}

/// The prefix of the column that names the tools of the host.
const TOOLS: &str = "tools of ";

/// Returns whether a table is a conversation.
pub(crate) fn is_one(rows: &[Row]) -> bool {
    rows.first()
        .and_then(|head| head.cells.first())
        .is_some_and(|cell| cell.text == "turn")
}

impl Conversation {
    /// Parses the table. Returns it with the line of its header.
    pub(crate) fn parse(rows: &[Row]) -> Result<(usize, Self), String> {
        let (head, rows) = rows.split_first().ok_or("a table without a header")?;
        let host = head
            .cells
            .iter()
            .find_map(|cell| cell.text.strip_prefix(TOOLS))
            .map_or_else(Vec::new, list);
        let host = host.iter().map(|tool| kind(tool));
        let host = Tools::from(host.collect::<Result<Vec<_>, String>>()?);
        let steps = rows.iter().map(|row| {
            Step::parse(head, row).map_err(|error| format!("line {}: {error}", row.line))
        });
        let steps = steps.collect::<Result<Vec<Step>, String>>()?;
        if steps.is_empty() {
            return Err(format!("line {}: nothing happens", head.line));
        }
        Ok((head.line, Self { host, steps }))
    }

    /// Runs the conversation over the catalog of the folder. Returns the differences.
    pub(crate) fn run(&self, options: &str, folder: &Folder) -> Result<Vec<String>, String> {
        let (catalog, profile) = options::catalog(options, folder, None)?;
        let mut session = Session::new(profile.clone());
        session.set_tools(self.host.clone());
        let mut held = Held {
            session,
            catalog,
            profile,
            host: &self.host,
        };
        let mut faults = Vec::new();
        for step in &self.steps {
            let Came { enters, told } = held.next(&step.event)?;
            let approved = approved(&held.session.approved());
            let left = left(held.session.tools());
            let active = held.session.active().iter();
            let active = active.map(|active| active.skill.clone()).collect();
            let mut compare = |what, expected: Option<&Vec<String>>, came: Vec<String>| {
                if let Some(expected) = expected.filter(|expected| **expected != came) {
                    let line = step.line;
                    faults.push(format!(
                        "line {line}: {what}: expected {expected:?}, came {came:?}"
                    ));
                }
            };
            compare("enters", Some(&step.enters), enters);
            compare("active", step.active.as_ref(), active);
            compare("told", Some(&step.told), told);
            compare("tools", step.tools.as_ref(), left);
            compare("approved", step.approved.as_ref(), approved);
        }
        Ok(faults)
    }
}

impl Step {
    fn parse(head: &Row, row: &Row) -> Result<Self, String> {
        let (mut turn, mut call, mut answer, mut disable) = (None, None, None, None);
        let (mut enters, mut active, mut told) = (None, None, Vec::new());
        let (mut tools, mut approved) = (None, None);
        for (column, cell) in head.cells.iter().zip(&row.cells) {
            match column.text.as_str() {
                "turn" => turn = literal(cell)?,
                "call" => call = literal(cell)?,
                "answer" => answer = literal(cell)?,
                "disable" => disable = literal(cell)?,
                "enters" => enters = Some(list(&cell.text)),
                "active" => active = Some(list(&cell.text)),
                "told" => told = spans(cell)?,
                "approved" => approved = Some(list(&cell.text)),
                name if name.starts_with(TOOLS) => tools = Some(list(&cell.text)),
                "why" => {}
                other => return Err(format!("no column is called `{other}`")),
            }
        }
        let event = match (turn, call, answer, disable) {
            (Some(turn), None, None, None) => Event::Turn(turn),
            (None, Some(call), None, None) => Event::Call(call),
            (None, None, Some(answer), None) => Event::Answer(answer),
            (None, None, None, Some(id)) => Event::Disable(id),
            _ => return Err("write a turn, a call, an answer or a skill to disable".to_owned()),
        };
        Ok(Self {
            line: row.line,
            event,
            enters: enters.ok_or("say what enters the conversation")?,
            active,
            told,
            tools,
            approved,
        })
    }
}

/// A conversation that is being run.
struct Held<'h> {
    catalog: Catalog,
    profile: Profile,
    session: Session,
    host: &'h Tools,
}

/// The result of a step.
#[derive(Default)]
struct Came {
    enters: Vec<String>,
    told: Vec<String>,
}

impl Held<'_> {
    fn next(&mut self, event: &Event) -> Result<Came, String> {
        match event {
            Event::Turn(text) => Ok(self.turn(text)),
            Event::Call(json) => self.call(json),
            Event::Answer(text) => Ok(self.answer(text)),
            Event::Disable(id) => Ok(self.disable(id)),
        }
    }

    fn disable(&mut self, id: &str) -> Came {
        let off = self.catalog.iter().filter(|skill| !skill.is_enabled());
        let mut ids: Vec<String> = off.map(|skill| skill.to_string()).collect();
        ids.push(id.to_owned());
        self.catalog = self.catalog.with(|builder| builder.disabled(ids));
        let ended = self.session.reconcile(&self.catalog).into_iter();
        Came {
            told: ended.map(|(id, _)| format!("ended {id}")).collect(),
            ..Came::default()
        }
    }

    fn turn(&mut self, text: &str) -> Came {
        let mut turn = self.session.turn(&self.catalog, text, Surface::User);
        let dispatch = turn.dispatch.take();
        let mut came = Came::of(&turn);
        if let Some(dispatch) = dispatch {
            let has = |tool: &str| self.host.iter().any(|(other, _)| other == tool);
            let gate = |tool: &str, _: &str| {
                if has(tool) {
                    Verdict::Allowed
                } else {
                    Verdict::Unknown
                }
            };
            match dispatch.ask(&self.catalog, gate) {
                Ok(call) => came.enters.push(format!("tool {}", call.tool)),
                Err(refused) => came.told.push(refused),
            }
        }
        came
    }

    fn answer(&mut self, text: &str) -> Came {
        Came::of(&self.session.answered(&self.catalog, text))
    }

    fn call(&mut self, json: &str) -> Result<Came, String> {
        let shape = self.profile.options.tool.as_ref();
        let tool = &shape.ok_or("the profile has no skill tool")?.name;
        let called = self.session.call(&self.catalog, tool, json);
        Ok(match called {
            Ok(mut call) => {
                call.turn.messages.push(Message::User { text: call.result });
                Came::of(&call.turn)
            }
            Err(error) => Came {
                told: vec![error.to_string()],
                ..Came::default()
            },
        })
    }
}

impl Came {
    fn of(turn: &TurnOutcome) -> Self {
        Self {
            enters: entered(&turn.messages, &turn.started),
            told: told(&turn.notices),
        }
    }
}

/// Returns the notices without those about the skills that start: `enters` names these skills.
fn told(notices: &[Notice]) -> Vec<String> {
    let notices = notices.iter();
    let notices = notices.filter(|notice| !matches!(notice, Notice::Using { .. }));
    notices.map(ToString::to_string).collect()
}

/// Returns the texts of the started skills that enter the conversation, by the texts of the messages.
fn entered(messages: &[Message], started: &[String]) -> Vec<String> {
    let texts: Vec<&str> = messages.iter().map(Message::text).collect();
    let rules = texts
        .iter()
        .any(|text| text.starts_with("While a skill is active:"));
    let is_reminded = |skill: &String| {
        let reminder = format!("The skill {skill} is active already");
        texts.iter().any(|text| text.contains(&reminder))
    };
    let skills = started.iter().map(|skill| {
        if is_reminded(skill) {
            format!("reminder of {skill}")
        } else {
            skill.clone()
        }
    });
    rules
        .then(|| "rules".to_owned())
        .into_iter()
        .chain(skills)
        .collect()
}

/// Returns the host's tools that are still allowed, with their patterns.
fn left(narrowed: Narrowed) -> Vec<String> {
    let tools = narrowed.tools.into_iter();
    tools
        .map(|tool| {
            let patterns = tool.rules.iter().filter_map(|rule| rule.pattern.as_deref());
            let patterns: Vec<&str> = patterns.collect();
            let mut shown = match patterns.as_slice() {
                [] => tool.tool,
                patterns => format!("{}({})", tool.tool, patterns.join("|")),
            };
            for rule in &tool.denied {
                shown.push_str(" but not ");
                shown.push_str(rule.pattern.as_deref().unwrap_or_default());
            }
            shown
        })
        .collect()
}

/// Returns the host's tools whose calls are approved, with the pattern of each rule.
fn approved(approved: &Approved) -> Vec<String> {
    let rules = approved.rules.iter();
    rules
        .map(|rule| match &rule.rule.pattern {
            Some(pattern) => format!("{}({pattern})", rule.tool),
            None => rule.tool.clone(),
        })
        .collect()
}

/// Reads a tool of the host: `NAME`, or `NAME=KIND`.
fn kind(tool: &str) -> Result<(String, ToolKind), String> {
    let Some((name, kind)) = tool.split_once('=') else {
        return Ok((tool.to_owned(), ToolKind::of(tool)));
    };
    let known = ToolKind::ALL
        .into_iter()
        .find(|known| known.as_str() == kind);
    let kind = known.ok_or_else(|| format!("no kind is called `{kind}`"))?;
    Ok((name.to_owned(), kind))
}
