//! The choices of a host, as plain data: how skills are named, shown, started and retained.
//!
//! [`Options`] holds every choice that a [`Session`](crate::Session) asks for. Start from [`Options::DEFAULT`], and change
//! fields. What data cannot say, such as a text of its own around a skill, is a [`Dialect`](crate::Dialect).

pub(crate) mod fill;

pub use skills_permit::{ToolKind, ToolNames, Tools};
pub use skills_render::Budget;

use serde::Serialize;
use skills_format::Text;
use skills_render::ListText;

/// The choices of a host. The default is the specification of agentskills.io, with the common choices of its clients.
///
/// ```
/// use skills_session::options::{CatalogText, Format, Options, ToolNames};
///
/// let options = Options {
///     lasts_one_turn: true,
///     reserved: vec!["help".into(), "quit".into()],
///     tool_names: ToolNames::new([("AskUserQuestion", "ask_user")])?,
///     catalog: CatalogText::new(Format::Bullets),
///     ..Options::DEFAULT
/// };
/// assert!(options.mentions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Options {
    /// `true` if texts are scanned for `$name`.
    pub mentions: bool,
    /// `true` if a skill that an answer of the model names is started for the next turn:
    /// [`Session::answered`](crate::Session::answered). `false`: only people name skills with `$`.
    pub answers: bool,
    /// `true` if an unknown id gives no notice.
    pub quiet: bool,
    /// `true` if each id gives a notice wherever it stands, also in a model's text. `false`: prose can hold `$variables`,
    /// so an unknown id and a vaguely near one give a notice only if they lead, and an unknown id of a model never does.
    pub everywhere: bool,
    /// The ids that a plugin's skills answer to.
    /// The arguments that a mention passes to a skill.
    pub arguments: Arguments,
    /// The maximum number of different skills that one text may activate. Also the maximum number of ids
    /// in one text for which near matches are searched, because each search compares all names.
    pub limit: usize,
    /// `true` if each skill is a slash command. `/skill` and `/skills` always work.
    pub commands: bool,
    /// The names of the host's own commands, without `/`: no skill has them. `skill` and `skills` are always reserved. If
    /// there are names, a command that neither the host nor a skill has gives
    /// [`Outcome::Unknown`](skills_runtime::Outcome::Unknown).
    pub reserved: Vec<String>,
    /// The prefix of the commands of scheduled skills, without `/`. Empty: scheduled skills have no
    /// commands.
    pub scheduled: Text,
    /// `true` if a skill is active in the turn that starts it. `false`: for the conversation. The active skills form a
    /// stack: a later skill adds to the earlier skills and overrides them.
    pub lasts_one_turn: bool,
    /// The meaning of a skill's `allowed-tools`.
    pub allowed_tools: AllowedTools,
    /// `true` if a skill that is active and starts again gives a line that reminds the model of the skill, with the
    /// arguments. A skill whose text has changed enters whole, as all skills do with `false`.
    pub reminders: bool,
    /// The place of an activation in the conversation.
    pub delivery: Delivery,
    /// The place of the person's message beside the skills that it starts.
    pub task: TaskPlace,
    /// The line before an activation. Empty: no line.
    pub preamble: Text,
    /// The placeholders of a skill's body.
    pub placeholders: Placeholders,
    /// The text that stands once, before the first activation of a conversation. Empty: no text.
    pub rules: Text,
    /// The host's names for the tools that skills name differently.
    pub tool_names: ToolNames,
    /// `true` if the text of a skill ends with a table of the tools that it names differently.
    pub tool_table: bool,
    /// The format and the place of the catalog text.
    pub catalog: CatalogText,
    /// The tool that starts a skill. `None`: the model has no such tool.
    pub tool: Option<ToolShape>,
}

impl Options {
    /// The specification of agentskills.io, and the common choices of its clients.
    ///
    /// A skill stays active for the conversation, and its tool lists are in force in the turn that starts the skill.
    /// Starting the skill again gives a reminder. A person's activation is a user message before the task. The catalog
    /// text goes into the system prompt, as XML of at most 8,000 characters. The model starts skills with the tool `skill`.
    ///
    /// The preamble refers to the user's message, and is left out before a skill that the model starts.
    pub const DEFAULT: Self = Self {
        mentions: true,
        answers: true,
        quiet: false,
        everywhere: false,
        arguments: Arguments::Task,
        limit: 8,
        commands: true,
        reserved: Vec::new(),
        scheduled: Text::Borrowed("sched-"),
        lasts_one_turn: false,
        allowed_tools: AllowedTools::Approves,
        reminders: true,
        delivery: Delivery::UserMessage,
        task: TaskPlace::After,
        preamble: Text::Borrowed(PREAMBLE),
        placeholders: Placeholders::Guarded,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        tool_table: true,
        catalog: CatalogText::new(Format::Xml),
        tool: Some(ToolShape::SKILL),
    };

    /// Returns whether no skill may have a command of this name.
    pub fn is_reserved(&self, name: &str) -> bool {
        matches!(name, "skill" | "skills") || self.reserved.iter().any(|reserved| reserved == name)
    }
}

const PREAMBLE: &str =
    "The user's message sets parameters for this skill and overrides its defaults.";

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The arguments that a mention passes to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arguments {
    /// A leading mention passes the task as arguments. Any other mention passes no arguments.
    Task,
    /// A mention passes the text up to the next skill that the text names.
    UpToNext,
    /// No skill that a person starts has arguments: the task is only the message.
    None,
}

impl Arguments {
    /// Returns the arguments that a skill is given. Without any, nothing asks for their types.
    pub(crate) fn given(self, arguments: &str) -> Option<&str> {
        (self != Self::None).then_some(arguments)
    }
}

/// The meaning of a skill's `allowed-tools`.
///
/// The specification calls the list "pre-approved": it takes no tool away, and most clients read it this
/// way. Some clients read it as the tools that the skill is limited to. `disallowed-tools` takes tools away
/// under every meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AllowedTools {
    /// All tools stay. If a person started the skill, and its source is the person's own, a gate may use
    /// the rules to skip a question.
    Approves,
    /// Only the named tools stay. Nothing is approved.
    Narrows,
    /// The list is read and shown, and has no effect.
    Ignored,
}

/// The place of an activation in the conversation, if the model did not ask for it with a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// The user's turn.
    UserMessage,
    /// A system message beside the user's message, as guidance.
    SystemMessage,
    /// A tool call and its result, as if the model had made the call: [`Activation::exchange`](crate::Activation::exchange).
    ToolCall,
}

/// The place of a person's message beside the skills that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskPlace {
    /// After the skills, without the mention or command.
    After,
    /// Before the skills, as typed.
    TypedFirst,
    /// In the text of the skill, as its arguments: no further message follows.
    InSkill,
}

/// The format and the place of the catalog text, the list of skills for a model.
///
/// ```
/// use skills_session::options::{Budget, CatalogText, Format};
///
/// let text = CatalogText::new(Format::Section);
/// assert_eq!(text.heading, "## Skills");
/// assert_eq!(text.budget, Budget::Characters(8_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CatalogText {
    /// The place of the text.
    pub place: CatalogPlace,
    /// The format of each skill.
    pub format: Format,
    /// The maximum cost of the text. The default is 8,000 characters.
    pub budget: Budget,
    /// The first line. Empty: no line.
    pub heading: Text,
    /// The text between the heading and the skills. Empty: no text.
    pub intro: Text,
}

/// The place of the catalog text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CatalogPlace {
    /// The system prompt.
    SystemPrompt,
    /// The description of the skill tool.
    ToolDescription,
    /// A message before the first message of the user.
    FirstMessage,
}

impl CatalogText {
    /// Makes the usual text of a format, in the system prompt, within 8,000 characters. [`Format::Section`] has a
    /// heading and rules; the other formats have neither.
    pub const fn new(format: Format) -> Self {
        let (heading, intro) = match format {
            Format::Section => (SECTION_HEADING, SECTION_RULES),
            _ => ("", ""),
        };
        Self {
            place: CatalogPlace::SystemPrompt,
            format,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(heading),
            intro: Text::Borrowed(intro),
        }
    }

    pub(crate) fn list(&self) -> ListText<'_> {
        let xml = ListText::default();
        ListText {
            budget: self.budget,
            heading: &self.heading,
            intro: &self.intro,
            skill: self.format.skill().unwrap_or(xml.skill),
            is_xml: self.format == Format::Xml,
        }
    }
}

/// The name and parameters of the tool that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolShape {
    /// The tool's name.
    pub name: Text,
    /// The parameter that holds the skill's id.
    pub parameter: Text,
    /// `true` if the schema of the parameter lists all ids as an `enum`, up to 200 ids. `false`: any string.
    pub lists_ids: bool,
    /// The optional parameter that holds the skill's arguments. `None`: the tool takes no arguments.
    pub arguments: Option<Text>,
}

impl ToolShape {
    /// The default tool: `skill {name, arguments?}`. The name is any string, so that the bytes of the tool
    /// stay when a skill is enabled or a catalog is reloaded: a prompt cache depends on them, and a framework that took
    /// the tool once never holds an old list.
    pub const SKILL: Self = Self {
        name: Text::Borrowed("skill"),
        parameter: Text::Borrowed("name"),
        lists_ids: false,
        arguments: Some(Text::Borrowed("arguments")),
    };

    /// Returns the arguments of the call that starts a skill, as JSON with sorted keys. Returns `None`
    /// if the skill has arguments and the tool takes no arguments: such a call cannot be written.
    pub(crate) fn call(&self, skill: &str, arguments: &str) -> Option<String> {
        let mut members = vec![(&*self.parameter, skill)];
        if !arguments.is_empty() {
            members.push((self.arguments.as_deref()?, arguments));
        }
        members.sort_unstable();
        let members = members.into_iter();
        let members = members.map(|(key, value)| (key.to_owned(), value.into()));
        Some(serde_json::Value::Object(members.collect()).to_string())
    }
}

/// The format of a skill in the catalog text. In every format a description is one line, and cannot end
/// its own entry or begin another entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// `<available_skills>` with a `<skill>` for each skill: `<name>`, `<description>`, `<location>`.
    #[default]
    Xml,
    /// A line `- name: description` for each skill.
    Bullets,
    /// A line `- name: description (file: …)` for each skill.
    Files,
    /// A heading and the rules of use, then two lines for each skill: `- name: description` and `  path:
    /// …`.
    Section,
}

impl Format {
    /// Returns the text of a skill. `None`: elements of XML.
    pub(crate) fn skill(self) -> Option<&'static str> {
        match self {
            Self::Xml => None,
            Self::Bullets => Some("- {name}: {description}"),
            Self::Files => Some("- {name}: {description} (file: {location})"),
            Self::Section => Some("- {name}: {description}\n  path: {location}"),
        }
    }
}

/// The first line of a section.
pub const SECTION_HEADING: &str = "## Skills";

/// The rules of a section, before its skills.
pub const SECTION_RULES: &str = "\
How to use skills:
- When the user names a skill, with `$name` or in plain words, use that skill.
- When the task clearly matches a skill's description, use that skill.
- When several skills match, use all of them.
- A skill holds for the turn that names it: use it again only when it is named again.

To use a skill, read its file and follow it. The skills:";

/// The placeholders that an activation fills in a skill's body: which texts after a `$` have a value.
///
/// In every form, inserted text is never scanned again, and the body's commands (`` !`cmd` ``) are never run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placeholders {
    /// Those of [`skills_render::Values`], where no other meaning is possible.
    #[default]
    Guarded,
    /// The placeholders of Claude Code. As [`Placeholders::Guarded`], with these differences:
    ///
    /// - `$0` and `$1` everywhere, also in code and in prices, if there are arguments.
    /// - `$ARGUMENTS` also as the beginning of a word, and after a `$`.
    /// - Every name of `arguments` has a position, also a number or a name in capitals.
    /// - `${SKILL_DIR}` stays.
    /// - Only a single backslash keeps a placeholder, and none keeps one in braces.
    Everywhere,
    /// The placeholders of `OpenCode`'s commands: `$ARGUMENTS`, and `$1` for the first word. The highest number
    /// in the body has all words that are left. Nothing escapes a placeholder.
    Numbered,
    /// No placeholders: the body stays as it is.
    None,
}
