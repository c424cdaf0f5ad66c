//! The state that turns, the tools of the model and the hook share.

use crate::narrowing::input;
use rig::message::ToolName;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use skills_runtime::source::Changes;
use skills_runtime::{Catalog, Surface};
use skills_session::Notice;
use skills_session::Session;
use skills_session::session::{self, ToolError, ToolSpec, TurnOutcome};
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The catalog and the conversation. It is locked only during a turn or a call, never while the model answers.
pub(crate) struct Skills(Mutex<State>);

pub(crate) struct State {
    pub(crate) catalog: Catalog,
    session: Session,
    /// The text of the catalog for the model.
    text: String,
    /// The system messages since the start of the conversation. A rig request has one system text, so they follow the
    /// text of the catalog.
    rules: String,
    /// The notices about the skills that the model started, until the reply shows them.
    notices: Vec<Notice>,
    /// The names of the tools that start and read skills. No skill takes them away.
    skill_tools: Vec<String>,
}

impl Skills {
    pub(crate) fn new(catalog: Catalog, session: Session) -> Self {
        let text = session.dialect().list(&catalog).text;
        let specs = session.dialect().tools(&catalog);
        Self(Mutex::new(State {
            skill_tools: specs.into_iter().map(|spec| spec.name).collect(),
            catalog,
            session,
            text,
            rules: String::new(),
            notices: Vec::new(),
        }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the system text of the next request.
    pub(crate) fn preamble(&self) -> String {
        format!("{}{}", self.text, self.rules)
    }

    /// Returns the tools that the active skills leave.
    pub(crate) fn tools(&self) -> Vec<String> {
        let left = self.session.tools().tools;
        let left = left.into_iter().map(|left| left.tool);
        self.skill_tools.iter().cloned().chain(left).collect()
    }

    /// Returns whether the active skills leave a call.
    pub(crate) fn allows(&self, tool: &str, arguments: &str) -> bool {
        let is_skills = self.skill_tools.iter().any(|skills| skills == tool);
        is_skills || self.session.tools().allows(tool, &input(arguments))
    }

    /// Returns the ids of the active skills.
    pub(crate) fn active(&self) -> Vec<String> {
        let active = self.session.active().iter();
        active.map(|active| active.skill.clone()).collect()
    }

    /// Reads the skills again, and returns the findings of skills that changed.
    pub(crate) fn reload(&mut self) -> Vec<String> {
        let read = self.catalog.reload();
        if read.changes_since(&self.catalog) == Changes::default() {
            return Vec::new();
        }
        self.catalog = read;
        self.decided();
        let found = self.catalog.diagnostics().iter();
        found.map(ToString::to_string).collect()
    }

    /// Makes the text of the catalog again: other skills are enabled, trusted or there.
    pub(crate) fn decided(&mut self) {
        self.text = self.session.dialect().list(&self.catalog).text;
    }

    pub(crate) fn turn(&mut self, text: &str) -> TurnOutcome {
        let mut turn = self.session.turn(&self.catalog, text, Surface::User);
        self.take_rules(&mut turn);
        turn
    }

    pub(crate) fn answered(&mut self, text: &str) -> TurnOutcome {
        let mut turn = self.session.answered(&self.catalog, text);
        self.take_rules(&mut turn);
        turn
    }

    fn call(&mut self, tool: &str, arguments: &str) -> Result<String, ToolError> {
        let mut called = self.session.call(&self.catalog, tool, arguments)?;
        self.take_rules(&mut called.turn);
        self.notices.extend(called.turn.notices);
        Ok(called.result.into())
    }

    /// Takes the notices about the skills that the model started.
    pub(crate) fn told(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Moves the system messages of a turn or a call into the system text.
    fn take_rules(&mut self, turn: &mut TurnOutcome) {
        turn.messages.retain(|message| {
            let is_rule = matches!(message, session::Message::System { .. });
            if is_rule {
                self.rules.push_str("\n\n");
                self.rules.push_str(message.text());
            }
            !is_rule
        });
    }
}

/// Returns the tools that start and read skills, as tools of rig.
pub(crate) fn tools(skills: &Arc<Skills>) -> Result<Vec<DynamicTool>, Box<dyn Error>> {
    let specs = {
        let state = skills.lock();
        state.session.dialect().tools(&state.catalog)
    };
    specs.into_iter().map(|spec| tool(skills, spec)).collect()
}

/// Converts a tool of the runtime to a tool of rig.
fn tool(skills: &Arc<Skills>, spec: ToolSpec) -> Result<DynamicTool, Box<dyn Error>> {
    let skills = Arc::clone(skills);
    let name = spec.name.clone();
    Ok(DynamicTool::new(
        ToolName::new(spec.name)?,
        spec.description,
        spec.parameters,
        move |arguments| {
            let result = skills.lock().call(&name, &arguments.to_string());
            Box::pin(async move {
                // The model gets the words of the error itself.
                result
                    .map(ToolOutput::text)
                    .map_err(|error| ToolExecutionError::invalid_args(error.to_string()))
            })
        },
    ))
}
