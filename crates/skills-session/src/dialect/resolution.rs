//! The meaning of a text.

use crate::dialect::notice::{Notice, Request};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use skills_arguments::Typed;
use skills_format::mention::Refusal;
use skills_format::{Fields, Span};
use skills_runtime::resolve::Mention;
use skills_runtime::{Catalog, Error, ErrorKind, Outcome, Skill, Surface};
use std::borrow::Cow;
use std::fmt;

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

/// A tool call that a slash command asks for. The tool and the arguments are disclosed only to a host
/// that asks its gate, after the skill's file was compared with the catalog and with the trusted
/// version.
///
/// ```
/// use skills_runtime::{Catalog, Skill};
/// use skills_session::resolve::Dispatch;
///
/// fn run(
///     dispatch: Dispatch,
///     catalog: &Catalog,
///     allowed: &[&str],
/// ) -> Result<String, String> {
///     let call = dispatch.ask(catalog, |tool, _arguments| allowed.contains(&tool))?;
///     Ok(format!("calling {} with {}", call.tool, call.arguments))
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// The command's name as it was typed, without `/`.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    tool: String,
    /// The text after the name and the following white space, verbatim. One line end at the end of the
    /// text is removed.
    arguments: String,
    /// `true` once the skill's file has been compared.
    is_checked: bool,
}

/// The verdict of the host's gate about a tool call. The same gate decides about the model's calls. A gate
/// that gives no reasons answers `true` or `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The host may make the call.
    Allowed,
    /// The host has no such tool.
    Unknown,
    /// The host may not make the call.
    Refused {
        /// The reason as text, without a full stop.
        reason: String,
    },
}

/// Writes the verdict as the reason of a refusal, for a person or for the model.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allowed => "it is allowed",
            Self::Unknown => "this program has no such tool",
            Self::Refused { reason } if reason.is_empty() => "it is not allowed",
            Self::Refused { reason } => reason,
        })
    }
}

/// A tool call that the host's gate allows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedCall {
    /// The tool's name.
    pub tool: String,
    /// The tool's one argument, verbatim.
    pub arguments: String,
}

/// `true`: the host may make the call. `false`: the host may not, without a reason.
impl From<bool> for Verdict {
    fn from(may_run: bool) -> Self {
        if may_run {
            Self::Allowed
        } else {
            let reason = String::new();
            Self::Refused { reason }
        }
    }
}

impl Dispatch {
    pub(crate) fn new(name: &str, skill: String, tool: &str, arguments: &str) -> Self {
        Self {
            name: name.to_owned(),
            skill,
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            is_checked: false,
        }
    }

    /// Compares the skill's file with the catalog and with the trusted version.
    pub(crate) fn check(&mut self, catalog: &Catalog) -> Result<(), Error> {
        let skill = catalog
            .find(&self.skill, Surface::User)
            .map_err(|notice| Error::new(ErrorKind::Refused, Notice::from(notice).to_string()))?;
        let fields = skill.instructions()?.fields;
        if fields.command_tool.as_deref() != Some(&*self.tool) {
            let message = format_args!(
                "skill '{}' has changed: it calls another tool now",
                self.skill
            );
            return Err(Error::new(ErrorKind::Refused, message));
        }
        // The tool gets the arguments as they were typed, but only if they fit.
        read_typed(&skill, &fields, &self.arguments)?;
        self.is_checked = true;
        Ok(())
    }

    /// The JSON of the command. The tool and the arguments are there once the skill's file is compared.
    pub(crate) fn json(&self) -> TypedJson<'_> {
        let arguments = self.is_checked.then_some(&*self.arguments);
        TypedJson {
            name: &self.name,
            skill: &self.skill,
            arguments,
            dispatch: Some(CallJson {
                tool: self.is_checked.then_some(&*self.tool),
                arguments,
            }),
            message: None,
        }
    }

    /// Compares the skill's file, then asks the host's gate about the tool's name and the arguments. The gate
    /// answers with a [`Verdict`], or with `bool`.
    ///
    /// Narrowing is not applied, because a person made the call. A host whose active skills must also
    /// limit the calls of people compares the tool with
    /// [`TurnOutcome::tools`](crate::session::TurnOutcome::tools) in its gate.
    ///
    /// # Errors
    ///
    /// A message for the person if the skill has changed or may not be started now, or if the gate's verdict is not
    /// [`Verdict::Allowed`]. The call is never passed to the model instead.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill.
    pub fn ask<V: Into<Verdict>>(
        mut self,
        catalog: &Catalog,
        gate: impl FnOnce(&str, &str) -> V,
    ) -> Result<AllowedCall, String> {
        // Before the gate: the gate must not allow a tool that the changed file no longer names.
        let checked = self.check(catalog);
        let Self {
            name,
            tool,
            arguments,
            ..
        } = self;
        if let Err(error) = checked {
            let why = format!("{error:#}");
            let why = why.trim_end_matches('.');
            return Err(format!("/{name} calls no tool: {why}."));
        }
        match gate(&tool, &arguments).into() {
            Verdict::Allowed => Ok(AllowedCall { tool, arguments }),
            Verdict::Unknown => Err(format!(
                "/{name} calls the tool '{tool}', which this program does not have."
            )),
            refused => Err(format!(
                "/{name} may not call the tool '{tool}': {refused}."
            )),
        }
    }
}

/// Reads arguments by the types of the skill, in the order that its file has now. Returns `None` if the skill has no types.
///
/// # Errors
///
/// [`ErrorKind::Arguments`]: they do not fit. [`ErrorKind::Schema`]: the types cannot be read.
pub(crate) fn read_typed(
    skill: &Skill<'_>,
    now: &Fields,
    text: &str,
) -> Result<Option<Typed>, Error> {
    let Some(schema) = skill.typed_arguments()? else {
        return Ok(None);
    };
    let schema = match schema {
        Cow::Owned(schema) => Cow::Owned(schema.ordered(&now.arguments)),
        baked @ Cow::Borrowed(_) => baked,
    };
    Typed::read(&schema, text).map(Some).map_err(|why| {
        let what = format_args!("skill '{}': {why}", skill.name());
        Error::new(ErrorKind::Arguments, what)
    })
}

impl fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatch")
            .field("name", &self.name)
            .field("skill", &self.skill)
            .finish_non_exhaustive()
    }
}

/// A command that starts a skill or calls a tool.
#[derive(Serialize)]
pub(crate) struct TypedJson<'a> {
    pub(crate) name: &'a str,
    pub(crate) skill: &'a str,
    pub(crate) arguments: Option<&'a str>,
    /// The tool call. `null`: the command starts the skill.
    pub(crate) dispatch: Option<CallJson<'a>>,
    /// The message, only for a command that starts the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "tool")]
pub(crate) struct CallJson<'a> {
    /// The tool. `null`: the skill's file is not compared yet; `start_all` and the gate compare it.
    pub(crate) tool: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
}

impl Serialize for Dispatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, skills};

    const FRONT: &str = "command-dispatch: tool\ncommand-tool: exec";

    fn dispatch() -> (Fixture, Dispatch) {
        let fixture = skills(&[("shell", FRONT, "Run.")]);
        let dispatch = Dispatch::new("sh", "shell".to_owned(), "exec", "ls -la");
        (fixture, dispatch)
    }

    #[test]
    fn asks_the_gate() {
        let (Fixture { catalog, .. }, dispatch) = &dispatch();
        let asked = dispatch.clone().ask(catalog, |tool, arguments| {
            assert_eq!((tool, arguments), ("exec", "ls -la"));
            Verdict::Allowed
        });
        let call = asked.unwrap();
        assert_eq!((&*call.tool, &*call.arguments), ("exec", "ls -la"));
        let may_run = |tool: &str, _: &str| tool == "exec";
        assert_eq!(dispatch.clone().ask(catalog, may_run), Ok(call));
        let refused = dispatch.clone().ask(catalog, |_, _| false).unwrap_err();
        assert_eq!(
            refused,
            "/sh may not call the tool 'exec': it is not allowed."
        );
        let told = |verdict| {
            let asked = dispatch.clone().ask(catalog, |_, _| verdict);
            asked.unwrap_err()
        };
        assert_eq!(
            told(Verdict::Unknown),
            "/sh calls the tool 'exec', which this program does not have."
        );
        assert_eq!(Verdict::Allowed.to_string(), "it is allowed");
        let reason = "the sandbox is on".to_owned();
        assert_eq!(
            told(Verdict::Refused { reason }),
            "/sh may not call the tool 'exec': the sandbox is on."
        );
    }

    #[test]
    fn a_skill_that_has_changed_asks_no_gate() {
        let (fixture, dispatch) = dispatch();
        let debug = format!("{dispatch:?}");
        assert!(!debug.contains("exec") && !debug.contains("ls"), "{debug}");
        let path = fixture.dir.path().join("user/shell/SKILL.md");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("exec", "read")).unwrap();
        let asked = dispatch.ask(&fixture.catalog, |_, _| -> bool {
            panic!("the gate is asked")
        });
        let told = asked.unwrap_err();
        assert!(told.starts_with("/sh calls no tool: "), "{told}");
        assert!(told.contains("has changed"), "{told}");
    }
}
