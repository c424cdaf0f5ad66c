//! Answers the model's tool calls in a conversation.

use crate::dialect::notice::Notice;
use crate::session::Session;
use crate::session::tool::error::ToolError;
use crate::session::tool::{Answer, call_with};
use crate::session::turn::{Message, TurnOutcome};
use crate::text::SharedText;
use skills_runtime::Catalog;

/// The answer to a tool call of the model: the result of [`Session::call`].
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CallOutcome {
    /// The result for the model. If the call starts a skill that is already active, the result is a
    /// reminder.
    pub result: SharedText,
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
            Answer::Text(text) => outcome.result = text.into(),
            Answer::Start(activation) => {
                let skill = activation.skill.clone();
                turn.notices.push(Notice::Using { skill });
                turn.notices.extend(activation.missing_skills_notice());
                turn.notices.extend(self.missing_tools(&activation));
                let entered = self.enter(&activation);
                turn.messages.extend(Message::system(entered.rules.into()));
                turn.started.push(activation.skill);
                outcome.result = entered.text;
            }
        }
        (turn.tools, turn.approved) = (self.tools(), self.approved());
        Ok(outcome)
    }
}
