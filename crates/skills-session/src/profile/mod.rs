//! Profiles: the choices of a host about naming, showing and keeping skills, as plain data.
//!
//! A [`Profile`] holds every choice in which hosts differ. The engine reads the fields of a profile and never its
//! name. [`Profile::DEFAULT`] is always here. The feature `profiles` adds profiles of existing systems
//! ([`Profile::named`]), so that a host with choices of its own links none of them.

mod agenvoy;
mod caliban;
mod claude_code;
mod codewhale;
mod codex;
mod default;
mod gemini_cli;
mod openclaw;
mod opencode;
mod ouro;

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::CommandPolicy;
use crate::options::envelope::Envelope;
use crate::options::layout::Layout;
use crate::options::policy::Policy;
use crate::options::tool_shape::ToolShape;
use skills_format::Text;
use skills_permit::{TablePlace, ToolNames};
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::{Budget, Format, ListText};

/// The choices of a host about naming, showing and keeping skills. A host starts from a constant and
/// changes fields.
///
/// ```
/// use skills_session::options::ToolNames;
/// use skills_session::profile::{Lifetime, Profile};
/// use skills_session::options::Format;
///
/// let mut profile = Profile::DEFAULT;
/// profile.name = "my-agent".into();
/// profile.lifetime = Lifetime::Turn;
/// profile.catalog.format = Format::Bullets;
/// profile.commands.reserved = vec!["help".into(), "quit".into()].into();
/// profile.tool_names = ToolNames::new([("AskUserQuestion", "ask_user")])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Profile {
    /// The profile's name.
    pub name: Text,
    /// The document that the profile follows.
    pub reference: Text,
    /// The folders that are searched for skills.
    pub folders: Layout,
    /// The options of mentions.
    pub mentions: Policy,
    /// The options of slash commands.
    pub commands: CommandPolicy,
    /// The time for which a skill stays active.
    pub lifetime: Lifetime,
    /// The meaning of a skill's `allowed-tools`.
    pub allowed_tools: AllowedTools,
    /// The text that enters the conversation when an active skill is started again.
    pub repeat: Repeat,
    /// The place of an activation in the conversation.
    pub delivery: Delivery,
    /// The place of the person's message beside the skills that it starts.
    pub task: TaskPlace,
    /// The form of an activation's text.
    pub envelope: Envelope,
    /// The line before an activation. `{name}` and `{arguments}` in it stand for those of the skill. Empty: no line.
    pub preamble: Text,
    /// The placeholders of a skill's body.
    pub placeholders: Placeholders,
    /// The text that stands once, before the first activation of a conversation. Empty: no text.
    pub rules: Text,
    /// The host's names for the tools that skills name differently.
    pub tool_names: ToolNames,
    /// The format and the place of the catalog text.
    pub catalog: CatalogText,
    /// The tool that starts a skill. `None`: the model has no such tool.
    pub tool: Option<ToolShape>,
}

/// The time for which a skill stays active.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Lifetime {
    /// The turn that starts the skill.
    Turn,
    /// The conversation. The active skills form a stack: a later skill adds to the earlier skills and
    /// overrides them.
    Conversation,
}

/// The text that enters the conversation when an active skill is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Repeat {
    /// A line that reminds the model of the skill, with the arguments. If the skill's text has changed,
    /// the whole activation.
    Reminder,
    /// The whole activation again.
    Body,
}

/// The place of an activation in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Delivery {
    /// The result of the model's own call. If a person starts the skill, the user's turn.
    ToolResult,
    /// A system message beside the user's message, as guidance.
    SystemMessage,
    /// The user's turn, before the message.
    UserMessage,
    /// A tool call and its result. The host adds the call if the model did not make it:
    /// [`Activation::exchange`](crate::Activation::exchange).
    ToolCall,
    /// No place: the model reads the skill's file itself.
    SkillFile,
}

/// The place of a person's message beside the skills that it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TaskPlace {
    /// After the skills, without the mention or command.
    #[default]
    After,
    /// Before the skills, as typed.
    TypedFirst,
    /// In the text of the skill, as its arguments: no further message follows.
    InSkill,
}

/// The format and the place of the catalog text, the list of skills for a model.
///
/// ```
/// use skills_session::Profile;
/// use skills_session::options::{Budget, Format};
/// use skills_session::profile::CatalogText;
///
/// let mut profile = Profile::DEFAULT;
/// profile.catalog = CatalogText::new(Format::Section);
/// assert_eq!(profile.catalog.heading, "## Skills");
/// assert_eq!(profile.catalog.budget, Budget::Characters(8_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
        let text = ListText::new(format);
        Self {
            place: CatalogPlace::SystemPrompt,
            format,
            budget: text.budget,
            heading: Text::Borrowed(text.heading),
            intro: Text::Borrowed(text.intro),
        }
    }
}

impl Profile {
    /// Every profile: the default first, then the others by name.
    pub const ALL: [&'static Self; 10] = [
        &Self::DEFAULT,
        &Self::AGENVOY,
        &Self::CALIBAN,
        &Self::CLAUDE_CODE,
        &Self::CODEWHALE,
        &Self::CODEX,
        &Self::GEMINI_CLI,
        &Self::OPENCLAW,
        &Self::OPENCODE,
        &Self::OURO,
    ];

    /// Changes fields in one expression, for a profile that differs from a constant.
    ///
    /// ```
    /// use skills_session::Profile;
    /// use skills_session::profile::Lifetime;
    /// use std::sync::LazyLock;
    ///
    /// static MINE: LazyLock<Profile> =
    ///     LazyLock::new(|| Profile::DEFAULT.with(|profile| profile.lifetime = Lifetime::Turn));
    /// assert_eq!(MINE.lifetime, Lifetime::Turn);
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Finds a profile by its name: `default`; `claude-code`, `codex`, `gemini-cli` and `opencode`, as these programs send
    /// it; `agenvoy`, `caliban`, `codewhale`, `openclaw` and `ouro`. [`Profile::reference`] names the document that a
    /// profile follows.
    ///
    /// ```
    /// use skills_session::Profile;
    ///
    /// let profile = Profile::named("codex").expect("a profile");
    /// assert_eq!(profile.name, "codex");
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// Returns the profile's rules, with the table of tool names if [`ToolNames::place`] is
    /// [`TablePlace::Rules`]. Empty: no rules.
    pub fn rules(&self) -> String {
        let mut rules = self.rules.to_string();
        if self.tool_names.place == TablePlace::Rules {
            self.tool_names.push_table(&mut rules);
        }
        rules
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests;
