//! What a text that begins with `/` means: the command of a skill, or a request of `/skill`.

// An id of `/skill` is looked up as an id first, then as the name of a command. A mention is looked up as the name
// of a command last.
//
// A disabled skill's own name after `/` gives the same report as a mention of that skill. The text is sent as it
// is.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::ids::id_of;
use crate::command::dispatch::Dispatch;
use crate::command::index::CommandIndex;
use crate::command::policy::{CommandNames, CommandPolicy};
use crate::mention::notice::Notice;
use crate::mention::policy::{HostCommands, Policy, Surface};
use skills_format::{command_base, nfc};

/// What a slash command means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
#[non_exhaustive]
pub enum Invocation {
    /// The command starts a skill.
    Skill(SkillCommand),
    /// The command calls a tool without a turn of the model.
    Dispatch(Dispatch),
    /// A request of `/skill` or `/skills`: see [`Meta`].
    Meta(Meta),
    /// The name is that of a skill that cannot be started. The host sends the text as it is.
    Refused(Notice),
    /// The command calls a tool, and its skill cannot be started. The host calls and sends nothing: the
    /// text was not meant for the model.
    NotCalled(Notice),
}

/// A slash command that starts a skill.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
/// use skills_runtime::command::{CommandPolicy, Invocation};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let Some(Invocation::Skill(command)) =
///     catalog.command("/code-review src/parser.rs", &CommandPolicy::DEFAULT)
/// else {
///     panic!("the command of a skill");
/// };
/// assert_eq!((&*command.skill, &*command.message), ("code-review", "src/parser.rs"));
/// let activation = command.activate(&catalog, &Default::default())?;
/// assert!(activation.text.contains("ARGUMENTS: src/parser.rs"));
/// # }
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillCommand {
    /// The command's name as it was typed, without `/`.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The text after the name, over all lines, without white space at its ends.
    pub arguments: String,
    /// The message to send: the arguments. The whole text when the arguments are empty.
    pub message: String,
}

/// A request of `/skill` or `/skills`.
///
/// [`Session::turn`](crate::Session::turn) carries out `Stop`, `Run` and `Incomplete`. The host carries out
/// `List`, `Enable`, `Disable` and `Trust`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "meta", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Meta {
    /// `/skill`, `/skill list`: show what [`CommandPolicy::listing`] says. Of commands, show the description
    /// and the tool. Of skills, also show the disabled, untrusted and ineligible ones, with the reason.
    List,
    /// `/skill enable ID`: switch a skill on.
    Enable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill disable ID`: switch a skill off.
    Disable {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill trust ID`: trust a skill as it is.
    Trust {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
    },
    /// `/skill stop`, `/skill stop ID`: end the active skills, or one of them.
    Stop {
        /// The skill's id, as above. `None`: all active skills.
        id: Option<String>,
    },
    /// `/skill run ID ARGUMENTS`, `/skill ID ARGUMENTS`: start a skill. A skill whose command calls a tool
    /// gives a [`Dispatch`] instead, as its command does.
    Run {
        /// The skill's id. A command's name is replaced by the id of its skill.
        id: String,
        /// The text after the id, without white space at its ends.
        arguments: String,
    },
    /// `/skill enable` and the like without an id: ask for the id.
    Incomplete {
        /// `enable`, `disable`, `trust` or `run`.
        verb: String,
    },
}

impl Catalog {
    /// Reads a text as a slash command. `None`: the text is not the command of a skill, and the host
    /// handles it.
    ///
    /// White space before the `/` does not count. The name ends at the first white space. The rest of the
    /// text, over all lines, is the arguments. A name is looked up as the name of a command first, then as a
    /// skill's own name.
    ///
    /// `/skill` and `/skills` count in any case. `/skill:ID` is `/skill ID`.
    ///
    /// # Cost
    ///
    /// Two look-ups. The first call computes the names of all commands, at about a microsecond a skill.
    /// The catalog keeps the names for the first policy. Another policy's names are computed at each
    /// call, so a host with two policies gives each policy a catalog of its own:
    /// [`Catalog::with_state`] copies no skill.
    pub fn command(&self, text: &str, policy: &CommandPolicy) -> Option<Invocation> {
        let slash = Slash::parse(text)?;
        if let Some(request) = slash.request() {
            let meta = Meta::parse(request, &|id| self.id_of_command(id, policy));
            let dispatch = self.dispatch_of(&meta, request, policy);
            return Some(dispatch.map_or(Invocation::Meta(meta), Invocation::Dispatch));
        }
        let Slash { name, rest, .. } = slash;
        if policy.names == CommandNames::None || policy.is_reserved(name) {
            return None;
        }
        let typed = nfc(name);
        let (skill, entry) = match self.command_skill(&typed, policy) {
            Some(Ok(found)) => found,
            Some(Err(notice)) => return Some(self.refused(notice)),
            None => return self.scheduled_command(&typed, rest, text, policy),
        };
        let arguments = rest.trim();
        Some(match entry.fields().command_tool.as_deref() {
            Some(tool) => {
                let arguments = verbatim(rest);
                Invocation::Dispatch(Dispatch::new(name, &skill, policy.plugins, tool, arguments))
            }
            None => Invocation::Skill(SkillCommand {
                name: name.to_owned(),
                skill,
                arguments: arguments.to_owned(),
                message: if arguments.is_empty() {
                    text
                } else {
                    arguments
                }
                .to_owned(),
            }),
        })
    }

    /// The tool call of `/skill ID ARGUMENTS`. `None`: the request starts a skill or is another request, or
    /// skills have no commands here.
    fn dispatch_of(&self, meta: &Meta, request: &str, policy: &CommandPolicy) -> Option<Dispatch> {
        let Meta::Run { id, .. } = meta else {
            return None;
        };
        if policy.names == CommandNames::None {
            return None;
        }
        let id = id.strip_prefix('$').unwrap_or(id);
        // A skill that may not be started stays a request: carrying it out gives the reason.
        let entry = self.find(id, Surface::User, policy.plugins).ok()?;
        let tool = entry.fields().command_tool.as_deref()?;
        let (name, rest) = named_to_run(request);
        let skill = id_of(&entry, policy.plugins);
        let arguments = verbatim(rest);
        Some(Dispatch::new(name, &skill, policy.plugins, tool, arguments))
    }

    fn refused(&self, notice: Notice) -> Invocation {
        let skill = match &notice {
            Notice::Disabled { skill }
            | Notice::Untrusted { skill }
            | Notice::Ineligible { skill, .. }
            | Notice::ModelOnlyCommand { skill } => self.by_id(skill),
            _ => None,
        };
        if skill.is_some_and(|entry| entry.fields().command_tool.is_some()) {
            Invocation::NotCalled(notice)
        } else {
            Invocation::Refused(notice)
        }
    }

    /// Finds the id of the skill whose command has a name, without `/`. The command need not work now: the
    /// skill can be disabled or untrusted. `None`: no command has the name, or a skill has it as its id.
    ///
    /// # Cost
    ///
    /// As [`Catalog::command`]. A name that is not known is compared with the names of all skills.
    pub fn id_of_command(&self, name: &str, policy: &CommandPolicy) -> Option<String> {
        let name = nfc(name);
        let is_id = self.by_id(&name).is_some()
            || self
                .named(&name)
                .chain(self.aliased(&name))
                .next()
                .is_some();
        if is_id || policy.names == CommandNames::None || name.contains(':') {
            return None;
        }
        let index = CommandIndex::of(self, policy);
        if let Some(command) = index.named(&name) {
            return Some(command.skill.clone());
        }
        if policy.names != CommandNames::Sanitised {
            return None;
        }
        let name = name.to_lowercase();
        let mut skills = self.iter();
        let skill = skills.find(|entry| command_base(entry.name()) == name)?;
        Some(skill.id_under(policy.plugins).into_owned())
    }

    /// The skill of a command's name, and its id. `None`: no skill has the name.
    fn command_skill(
        &self,
        name: &str,
        policy: &CommandPolicy,
    ) -> Option<Result<(String, Entry<'_>), Notice>> {
        let index = CommandIndex::of(self, policy);
        if let Some(command) = index.named(name) {
            return Some(Ok((command.skill.clone(), command.entry(self)?)));
        }
        let is_own_name = match name.rsplit_once(':') {
            Some((source, name)) => self.in_source(source, name).is_some(),
            None => self.named(name).next().is_some(),
        };
        let id = if is_own_name {
            name
        } else {
            index.asleep(name)?
        };
        match self.find(id, Surface::User, policy.plugins) {
            Ok(entry) => Some(Ok((id_of(&entry, policy.plugins).into_owned(), entry))),
            Err(Notice::Unknown { .. }) => None,
            Err(notice) => Some(Err(of_command(name, notice, &index))),
        }
    }
}

/// Turns the notice about a mention into the notice about a command. Offers commands, and mentions of
/// skills without commands.
fn of_command(name: &str, notice: Notice, index: &CommandIndex) -> Notice {
    let commands = index.by_skill();
    let typed = |id: &str| match commands.get(id) {
        Some(command) => format!("/{command}"),
        None => format!("${id}"),
    };
    let (candidates, use_id, kind) = match &notice {
        Notice::ModelOnly { skill } => {
            let skill = skill.clone();
            return Notice::ModelOnlyCommand { skill };
        }
        Notice::Suggestion { suggestion, .. } => {
            (std::slice::from_ref(suggestion), suggestion, None)
        }
        Notice::Ambiguous {
            candidates,
            use_id,
            kind,
            ..
        } => (&**candidates, use_id, *kind),
        _ => return notice,
    };
    Notice::AmbiguousCommand {
        name: name.to_owned(),
        candidates: candidates.iter().map(|id| typed(id)).collect(),
        use_id: typed(use_id),
        kind,
    }
}

/// A text that begins with `/` and a name.
struct Slash<'t> {
    name: &'t str,
    /// The text after the name.
    rest: &'t str,
    /// The name and the rest.
    text: &'t str,
}

impl<'t> Slash<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_start().strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        (!name.is_empty()).then_some(Self { name, rest, text })
    }

    /// The text after `/skill` or `/skills`. `None`: the command is another.
    fn request(&self) -> Option<&'t str> {
        let word = self.name.split(':').next().unwrap_or_default();
        let is_ours = ["skill", "skills"]
            .iter()
            .any(|ours| word.eq_ignore_ascii_case(ours));
        let after = self.text.get(word.len()..).filter(|_| is_ours)?;
        Some(after.strip_prefix(':').unwrap_or(after))
    }
}

/// Whether a text has the form of a slash command: `/`, a word of letters, digits, `-`, `_` and `:`, and
/// white space or the end. A path such as `/usr/bin/env` is text.
fn is_command(text: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    Slash::parse(text).is_some_and(|slash| slash.name.chars().all(is_of_word))
}

/// Whether a text is left to the host, and not scanned for mentions: it has the form of a slash command, and the
/// policy leaves these to the host. A model's text is always scanned.
pub(crate) fn is_of_host(text: &str, surface: Surface, policy: &Policy) -> bool {
    policy.host_commands == HostCommands::Unscanned && surface != Surface::Model && is_command(text)
}

impl Meta {
    /// `named` gives the id of the skill whose command has a name.
    fn parse(text: &str, named: &dyn Fn(&str) -> Option<String>) -> Self {
        let (verb, rest) = first_word(text);
        let (id, arguments) = first_word(rest);
        let meant = |id: &str| named(id).unwrap_or_else(|| id.to_owned());
        let given = || meant(id);
        match verb {
            "" | "list" => Self::List,
            "stop" => Self::Stop {
                id: (!id.is_empty()).then(given),
            },
            "enable" | "disable" | "trust" | "run" if id.is_empty() => Self::Incomplete {
                verb: verb.to_owned(),
            },
            "enable" => Self::Enable { id: given() },
            "disable" => Self::Disable { id: given() },
            "trust" => Self::Trust { id: given() },
            "run" => Self::Run {
                id: given(),
                arguments: arguments.to_owned(),
            },
            id => Self::Run {
                id: meant(id),
                arguments: rest.to_owned(),
            },
        }
    }
}

/// The id in a request to run a skill, without `$`, and the text after the id as it was typed.
fn named_to_run(request: &str) -> (&str, &str) {
    let (id, rest) = match word(request) {
        ("run", rest) => word(rest),
        named => named,
    };
    (id.strip_prefix('$').unwrap_or(id), rest)
}

/// The first word, and the text after it as it was typed.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The arguments of a tool call: the text without the white space that follows the command's name.
/// One line end at the end is removed, since it only ends the input.
fn verbatim(rest: &str) -> &str {
    let rest = rest.trim_start();
    let line = rest.strip_suffix("\r\n").or(rest.strip_suffix('\n'));
    line.unwrap_or(rest)
}

/// The first word and the rest, both without white space at their ends.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
