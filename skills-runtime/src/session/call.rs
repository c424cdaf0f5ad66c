//! Answers the model's tool calls in a conversation.

use crate::activation::Approved;
use crate::activation::narrow::Narrowed;
use crate::catalog::Catalog;
use crate::resolve::notice::Notice;
use crate::session::Session;
use crate::session::tool::Answer;
use crate::session::tool::error::ToolError;
use crate::session::turn::Message;
use crate::text::shared::SharedText;

/// The answer to a tool call of the model: the result of [`Session::call`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CallOutcome {
    /// The result for the model. If the call starts a skill that is already active, the result is a
    /// reminder.
    pub result: SharedText,
    /// The id of the skill that the call started. `None`: the call started no skill.
    pub started: Option<String>,
    /// Further messages for the conversation, after the result: the profile's rules before the first
    /// skill of the conversation.
    pub messages: Vec<Message>,
    /// Short messages for the person, in order. Show them all.
    pub notices: Vec<Notice>,
    /// The tools of [`Session::set_tools`] that the active skills leave. This list replaces the list of the
    /// turn or call before.
    pub tools: Narrowed,
    /// The calls of these tools for which a gate may skip its question. A skill that the model starts adds
    /// none.
    pub approved: Approved,
}

impl Session {
    /// Answers a tool call of the model. The arguments are JSON as written by the model.
    ///
    /// A skill that the call starts becomes active like the skill of a mention: it gives notices and reminders,
    /// narrows the tools, and is retained. Each call uses the given catalog; the session keeps no older
    /// one.
    ///
    /// # Errors
    ///
    /// The errors of [`Catalog::call`]. The message of the error is the result for the model.
    ///
    /// # Cost
    ///
    /// The cost of [`Catalog::call`]. Reads files, so the call blocks: see [`Session::turn`].
    ///
    /// ```
    /// # #[cfg(feature = "macros")] {
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_runtime::{Catalog, Profile, Session};
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
    /// let mut session = Session::new(Profile::DEFAULT);
    /// let called = session.call(&catalog, "skill", r#"{"name":"code-review"}"#)?;
    /// assert_eq!(called.started.as_deref(), Some("code-review"));
    /// let again = session.call(&catalog, "skill", r#"{"name":"code-review"}"#)?;
    /// assert!(again.result.starts_with("The skill code-review is active already"));
    /// # }
    /// # Ok::<(), skills_runtime::session::ToolError>(())
    /// ```
    pub fn call(
        &mut self,
        catalog: &Catalog,
        tool: &str,
        arguments: &str,
    ) -> Result<CallOutcome, ToolError> {
        let mut outcome = CallOutcome::default();
        match catalog.call(tool, arguments, &self.options())? {
            Answer::Text(text) => outcome.result = text.into(),
            Answer::Start(activation) => {
                let skill = activation.skill.clone();
                outcome.notices.push(Notice::Using { skill });
                outcome.notices.extend(activation.missing_skills_notice());
                outcome.notices.extend(self.missing_tools(&activation));
                let entered = self.enter(&activation);
                outcome
                    .messages
                    .extend(Message::system(entered.rules.into()));
                outcome.result = entered.text;
                outcome.started = Some(activation.skill);
            }
        }
        (outcome.tools, outcome.approved) = (self.tools(), self.approved());
        Ok(outcome)
    }
}
