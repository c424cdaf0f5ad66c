//! The meaning of a text.

use crate::dialect::dispatch::{Dispatch, TypedJson};
use crate::dialect::notice::Notice;
use crate::dialect::request::Request;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use skills_format::Span;
use skills_format::mention::Refusal;
use skills_runtime::resolve::Mention;
use skills_runtime::{Outcome, Surface};

/// The meaning of a text: its mentions, the skills to activate, the notices and the task.
///
/// [`Dialect::resolve`](crate::Dialect::resolve) returns this type.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::{Catalog, Surface};
/// use skills_session::Dialect as _;
/// use skills_session::options::Options;
/// use skills_session::resolve::Effect;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let text = "$code-review the parser";
/// let resolution = Options::DEFAULT.resolve(&catalog, text, Surface::User);
/// assert_eq!(resolution.effect, Effect::Activate);
/// assert_eq!(resolution.activated(), ["code-review"]);
/// assert_eq!(resolution.task, "the parser");
///
/// let (resolution, activations) = resolution.start_all(text, &catalog, &Options::DEFAULT);
/// assert_eq!(activations[0].arguments, "the parser");
/// for notice in &resolution.notices {
///     println!("{notice}");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution {
    pub(crate) text: String,
    /// The origin of the text.
    pub surface: Surface,
    /// The effect of the text.
    pub effect: Effect,
    /// Every mention, in the order of the text. A skill that is named twice has two mentions.
    pub mentions: Vec<Mention>,
    /// The notices for the person, in order.
    pub notices: Vec<Notice>,
    /// The message to send: the text without the leading mentions that are activated, or the arguments
    /// of a slash command. A slash command without arguments is sent whole.
    pub task: String,
    /// The skills to activate, in order of first mention.
    pub(crate) skills: Vec<Named>,
    /// The name of the command of [`Effect::Command`], as typed.
    pub(crate) command: Option<String>,
}

/// A skill that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The id that the person or the model is shown.
    pub(crate) id: String,
    /// True if a mention of the skill leads the text.
    pub(crate) leads: bool,
    pub(crate) arguments: String,
}

impl Resolution {
    /// A text that names no skill: it is sent unchanged.
    pub(crate) fn plain(text: &str, surface: Surface) -> Self {
        Self {
            text: text.to_owned(),
            surface,
            effect: Effect::Plain,
            mentions: Vec::new(),
            notices: Vec::new(),
            task: text.to_owned(),
            skills: Vec::new(),
            command: None,
        }
    }

    /// Returns the ids of the skills to activate, in order of first mention.
    pub fn activated(&self) -> Vec<&str> {
        self.skills.iter().map(|skill| &*skill.id).collect()
    }

    /// Returns the arguments of an activated skill, given by its id. Empty: the skill has no arguments.
    ///
    /// A slash command passes its own arguments; a mention passes what [`Arguments`](crate::options::Arguments) says.
    pub fn arguments(&self, skill: &str) -> &str {
        let skill = self.skills.iter().find(|named| named.id == skill);
        skill.map_or("", |named| &named.arguments)
    }

    /// Asks the person to choose one of these skills: none of them starts, and no message is sent.
    #[must_use]
    pub fn choose_one(mut self, text: &str, skills: &[String]) -> Self {
        self.skills.clear();
        self.notices.retain(|notice| match notice {
            Notice::Using { .. } => false,
            notice => !matches!(
                notice.outcome(),
                Some(Outcome::Ambiguous { candidates, kind: Some(_), .. }) if candidates.len() == 1
            ),
        });
        let last = self.notices.last().and_then(Notice::outcome);
        let too_many = |outcome: &Outcome| match outcome {
            Outcome::Refused { why, .. } => matches!(why, Refusal::TooMany { .. }),
            _ => false,
        };
        let place = self.notices.len() - usize::from(last.is_some_and(too_many));
        let mut ids: Vec<String> = skills.iter().map(|id| format!("${id}")).collect();
        let last = ids.pop().unwrap_or_default();
        let first = ids.join(", ");
        let choose = format!("Choose one skill to lead this turn: {first} or {last}.");
        self.notices.insert(place, Notice::Text(choose));
        text.clone_into(&mut self.task);
        self.effect = Effect::ChooseOne;
        self
    }
}

/// The effect of a text, with all its data.
///
/// The enum is exhaustive on purpose: a new variant is a breaking change of this crate, so that no host
/// ignores a variant unnoticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No skill is activated. The host sends the text unchanged.
    Plain,
    /// Skills are activated. The host sends the task with their activations.
    Activate,
    /// The text names several skills, and a person has to choose one. No skill is activated, and no
    /// message is sent.
    ChooseOne,
    /// A slash command starts a skill. The host sends the task with its activation.
    Command,
    /// A slash command calls a tool without a turn of the model. The host asks its gate.
    Dispatch(Dispatch),
    /// A request of `/skill`: see [`Request`].
    Request(Request),
    /// A slash command names a skill that cannot be started. The notices of the resolution hold this
    /// notice. The host sends the text unchanged.
    Refused(Notice),
    /// A slash command calls a tool, and its skill cannot be started; or the arguments of a slash command do not
    /// fit the types of its skill. The notices of the resolution hold this notice. No tool is called and no message is
    /// sent: the text was not meant for the model.
    NotCalled(Notice),
}

impl Effect {
    /// Returns the effect's name in JSON: `plain`, `activate`, `choose-one` or `command`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Plain | Self::Refused(_) => "plain",
            Self::Activate => "activate",
            Self::ChooseOne => "choose-one",
            Self::Command | Self::Dispatch(_) | Self::Request(_) | Self::NotCalled(_) => "command",
        }
    }
}

#[derive(Serialize)]
struct MentionJson<'r> {
    #[serde(flatten)]
    span: Span,
    raw: &'r str,
    leads: bool,
    #[serde(flatten)]
    outcome: &'r Outcome,
}

impl Serialize for Resolution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mentions = self.mentions.iter().map(|mention| MentionJson {
            span: mention.span,
            raw: &self.text[mention.span.range()],
            leads: mention.leads,
            outcome: &mention.outcome,
        });
        let mut json = serializer.serialize_map(None)?;
        json.serialize_entry("surface", &self.surface)?;
        json.serialize_entry("turn", self.effect.as_str())?;
        json.serialize_entry("mentions", &mentions.collect::<Vec<_>>())?;
        json.serialize_entry("activated", &self.activated())?;
        json.serialize_entry("notices", &self.notices)?;
        match (&self.effect, self.skills.as_slice()) {
            (Effect::Command, [skill]) => json.serialize_entry(
                "command",
                &TypedJson {
                    name: self.command.as_deref().unwrap_or_default(),
                    skill: &skill.id,
                    arguments: Some(&skill.arguments),
                    dispatch: None,
                    message: Some(&self.task),
                },
            )?,
            (Effect::Dispatch(dispatch), _) => json.serialize_entry("command", dispatch)?,
            (Effect::Request(request), _) => json.serialize_entry("command", request)?,
            _ => {}
        }
        json.serialize_entry("task", &self.task)?;
        json.end()
    }
}
