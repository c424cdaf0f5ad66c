//! Notices: messages for a person about a mention, as typed parts and as text.

use crate::catalog::state::State;
use crate::resolve::listed::{did_you_mean, listed, names};
use crate::resolve::outcome::{NearKind, Outcome};
use crate::resolve::surface::Surface;
use skills_format::text::shorten::{one_line, shortened};
use skills_format::{Prose, prose};
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// The most characters of a description in a list of skills.
const LISTED_DESCRIPTION: usize = 100;

/// A short message for a person. `Display` writes the English text.
///
/// A front end can act on the outcomes of mentions, such as with a button that enables a skill. The other notices are
/// only shown.
///
/// ```
/// use skills_runtime::{Catalog, Notice, Surface};
/// use skills_runtime::resolve::MentionPolicy;
///
/// let catalog = Catalog::builder().load().catalog;
/// let resolution = catalog.mentions("$nope now", Surface::User, &MentionPolicy::DEFAULT);
/// let notice = &resolution.notices[0];
/// assert_eq!(*notice, Notice::Unknown { id: "nope".to_owned() });
/// assert_eq!(
///     notice.to_string(),
///     "No skill named 'nope'. Run /skill list to see available skills."
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A skill is used.
    Using {
        /// The skill's id.
        skill: String,
    },
    /// No skill has the id.
    Unknown {
        /// The id as it was typed.
        id: String,
    },
    /// No skill has the id, and one skill is near it.
    Suggestion {
        /// The id as it was typed.
        id: String,
        /// The id of the near skill.
        suggestion: String,
    },
    /// Several skills have the id or are near it, or a slash command is near one skill.
    Ambiguous {
        /// The id as it was typed. Of a slash command: the name with `/`.
        id: String,
        /// The ids of these skills, in order. Of a slash command: the text to type for each skill, which is its
        /// command with `/`, or its id with `$` if the skill has no command.
        candidates: Arc<[String]>,
        /// The candidate to offer first.
        use_id: String,
        /// The kind of near match. `None`: the skills have exactly the id.
        kind: Option<NearKind>,
    },
    /// The skill is disabled.
    Disabled {
        /// The skill's id.
        skill: String,
    },
    /// The skill's source is not trusted, or the skill has changed since it was trusted.
    Untrusted {
        /// The skill's id.
        skill: String,
        /// True if a person trusted the skill, and it has changed since.
        changed: bool,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The skill's id.
        skill: String,
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// The skill may not be started this way.
    NotInvocable {
        /// The skill's id.
        skill: String,
        /// The mark before the name that the person typed, `$` or `/`: only the model may start the skill. `None`: the
        /// model named the skill, and only a person may start it.
        mark: Option<char>,
    },
    /// The skill was found and cannot be started.
    Unavailable {
        /// The skill's id.
        skill: String,
        /// The reason, in words: the message of the [`Error`](crate::Error).
        why: String,
    },
    /// A skill that was started names tools that the host does not have. Given once a session for each skill.
    MissingTools {
        /// The skill's id.
        skill: String,
        /// The tools of `allowed-tools`, as the skill names them, or by the name that the host gives to them.
        tools: Vec<String>,
        /// The tools of `disallowed-tools`, by the same names: nothing was taken away for them. A name that
        /// stands for a kind is left out if every tool of the host has a kind.
        disallowed: Vec<String>,
        /// The host's tools without a kind, if the skill can mean them. Given once a session.
        without_kind: Vec<String>,
    },
    /// The message names more skills than the policy allows.
    TooMany {
        /// The maximum number of skills that the policy allows.
        limit: usize,
        /// The ids of the ignored skills, in order.
        ignored: Vec<String>,
    },
    /// The message names several skills, and the person has to choose one.
    ChooseOne {
        /// The ids of these skills, in order of mention.
        skills: Vec<String>,
    },
    /// Active skills that may no longer be active.
    Ended {
        /// The ids of these skills, the latest last.
        skills: Vec<String>,
        /// What ended all of them.
        why: EndedBy,
    },
    /// A reload found other skills. Boxed, since the other notices are small.
    Reloaded(Box<Reload>),
    /// A skill that was started needs skills that are not here.
    MissingSkills {
        /// The skill's id.
        skill: String,
        /// The names as the skill writes them.
        missing: Vec<String>,
    },
    /// A skill that a person started approves no call, because its `allowed-tools` cannot be read strictly.
    ApprovesNothing {
        /// The skill's id.
        skill: String,
    },
    /// `/skill` with a word that names no skill and is near a verb.
    NoRequest {
        /// The word as it was typed.
        id: String,
        /// The words of the request that is near: `enable`, then the words that followed.
        request: Vec<String>,
    },
    /// `/skill help`, or `/skill enable` and the like without an id.
    Help {
        /// The verb that lacks an id. `None`: the help is about all requests.
        verb: Option<String>,
    },
    /// `/skill stop` ended skills.
    Stopped {
        /// The ids of these skills, the latest last. Empty: no skill was active.
        skills: Vec<String>,
    },
    /// `/skill stop ID` names no active skill.
    NotActive {
        /// The id as it was typed.
        id: String,
    },
    /// `/skill enable ID` was carried out.
    Enabled {
        /// The ids of the skills that are on now. Empty: the skill was not disabled.
        skills: Vec<String>,
        /// The qualified ids of skills of the same name that stay off.
        kept: Vec<String>,
    },
    /// `/skill trust ID` was carried out.
    Trusted {
        /// The skill's id.
        skill: String,
    },
    /// `/skill trust ID` cannot be carried out.
    NotTrusted {
        /// The reason, in words: the message of the [`Error`](crate::Error).
        why: String,
    },
    /// `/skill untrust ID` was carried out.
    Distrusted {
        /// The skill's id.
        skill: String,
        /// `false`: no person had trusted the skill.
        was_trusted: bool,
    },
    /// A skill of `/skill list`.
    Listed {
        /// The skill's id.
        skill: String,
        /// The skill's description.
        description: String,
        /// Why a person cannot start the skill now: `not trusted`, `disabled`, `needs …` and `only the model starts it`,
        /// with `; ` between them. Empty: a person can.
        state: String,
    },
}

/// The skills that a reload found. The ids are qualified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reload {
    /// The ids of new skills.
    pub added: Vec<String>,
    /// The ids of changed skills.
    pub changed: Vec<String>,
    /// The ids of removed skills.
    pub removed: Vec<String>,
    /// The ids of changed skills whose old text stands in the conversation.
    pub active: Vec<String>,
    /// The ids of changed skills with other typed arguments.
    pub arguments: Vec<String>,
    /// The changed files of active skills: the id and the path.
    pub files: Vec<(String, String)>,
}

/// What ended an active skill between two turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndedBy {
    /// The skill has gone from the catalog.
    Removed,
    /// The skill was disabled.
    Disabled,
    /// The skill is no longer trusted: its trust was withdrawn, or the skill has changed.
    Untrusted,
    /// The host no longer meets the needs of the skill.
    Ineligible,
}

impl Notice {
    /// Writes the notice with other commands instead of `/skill`. `command` writes a command from its
    /// words: `["list"]`, `["enable", ID]` or `["trust", ID]`.
    ///
    /// ```
    /// # use skills_runtime::Notice;
    /// let notice = Notice::Disabled { skill: "deploy".to_owned() };
    /// let words = notice.with_commands(|words| format!("agent skills {}", words.join(" ")));
    /// assert_eq!(
    ///     words.as_str(),
    ///     "Skill 'deploy' is disabled. Enable it with agent skills enable deploy."
    /// );
    /// ```
    pub fn with_commands<C: Into<Prose>>(&self, command: impl Fn(&[&str]) -> C) -> Prose {
        let mut text = Prose::default();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, &|words| command(words).into());
        text
    }

    fn write(&self, f: &mut Prose, command: &dyn Fn(&[&str]) -> Prose) -> fmt::Result {
        match self {
            Self::Using { skill } => write!(f, "Using skill: {skill}"),
            Self::Unknown { id } => {
                let list = command(&["list"]);
                f.add(&prose!(
                    "No skill named '{id}'. Run {} to see available skills.",
                    list
                ));
                Ok(())
            }
            Self::Suggestion { id, suggestion } => {
                write!(f, "No exact skill '{id}'. Did you mean ${suggestion}?")
            }
            Self::Ambiguous { .. } => self.write_several(f),
            Self::Disabled { skill } => {
                let enable = command(&["enable", skill]);
                f.add(&prose!(
                    "Skill '{skill}' is disabled. Enable it with {}.",
                    enable
                ));
                Ok(())
            }
            Self::Untrusted {
                skill,
                changed: true,
            } => {
                f.add(&prose!(
                    "Skill '{skill}' has changed since it was trusted. Trust it as it is with {}.",
                    command(&["trust", skill])
                ));
                Ok(())
            }
            Self::Untrusted { skill, .. } => {
                f.add(&prose!(
                    "Skill '{skill}' comes from a project that is not trusted. Trust it with {}.",
                    command(&["trust", skill])
                ));
                Ok(())
            }
            Self::Ineligible { skill, needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Self::NotInvocable {
                skill,
                mark: Some(mark),
            } => write!(
                f,
                "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
            ),
            Self::NotInvocable { skill, mark: None } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            Self::MissingTools { .. } => self.write_missing(f),
            // The message of the error begins with the skill.
            Self::Unavailable { why, .. } => write!(f, "Not started: {why}."),
            _ => self.write_other(f, command),
        }
    }

    /// Writes the notice about tools that are not here.
    fn write_missing(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::MissingTools {
                skill,
                tools,
                disallowed,
                without_kind,
            } => {
                write!(f, "Skill '{skill}'")?;
                if !tools.is_empty() {
                    let asked = names(tools);
                    write!(f, " asks for tools that are not here: {asked}")?;
                }
                if !disallowed.is_empty() {
                    let and = if tools.is_empty() { "" } else { "; it" };
                    let taken = names(disallowed);
                    write!(f, "{and} takes away tools that are not here: {taken}")?;
                }
                f.write_str(".")?;
                if without_kind.is_empty() {
                    return Ok(());
                }
                // For the author of the host: a person cannot give a tool its kind.
                let plain = names(without_kind);
                write!(f, " The host gives no kind to these tools: {plain}.")
            }
            _ => Ok(()),
        }
    }

    /// Writes the notice about an id or a command that matches several skills.
    fn write_several(&self, f: &mut Prose) -> fmt::Result {
        let Self::Ambiguous {
            id,
            candidates,
            use_id,
            kind,
        } = self
        else {
            return Ok(());
        };
        let (of_command, count) = (id.starts_with('/'), candidates.len());
        // Only the ids of a mention lack their mark.
        let mark = if of_command { "" } else { "$" };
        if *kind == Some(NearKind::Distance) || of_command && count == 1 {
            let what = if of_command { "command" } else { "skill" };
            let near: Vec<String> = candidates.iter().map(|id| format!("{mark}{id}")).collect();
            return write!(f, "No exact {what} '{id}'. {}", did_you_mean(&near));
        }
        let listed = listed(candidates);
        write!(
            f,
            "{mark}{id} matched {count} skills: {listed} — use {mark}{use_id}."
        )
    }

    /// Writes a notice that is no outcome of a mention.
    fn write_other(&self, f: &mut Prose, command: &dyn Fn(&[&str]) -> Prose) -> fmt::Result {
        match self {
            Self::TooMany { limit, ignored } => {
                let ignored: Vec<String> = ignored.iter().map(|id| format!("${id}")).collect();
                let skills = if *limit == 1 { "skill" } else { "skills" };
                write!(
                    f,
                    "Only {limit} {skills} can be named in one message; ignored: {}.",
                    ignored.join(", ")
                )
            }
            Self::ChooseOne { skills } => {
                f.write_str("Choose one skill to lead this turn: ")?;
                for (i, skill) in skills.iter().enumerate() {
                    let separator = match i {
                        0 => "",
                        i if i + 1 == skills.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{separator}${skill}")?;
                }
                f.write_str(".")
            }
            Self::Ended { skills, why } => write!(
                f,
                "{}, and no longer active: {}.",
                why.as_str(),
                skills.join(", ")
            ),
            Self::Reloaded(reload) => reload.write(f),
            Self::MissingSkills { skill, missing } => write!(
                f,
                "Skill '{skill}' needs skills that are not here: {}.",
                names(missing)
            ),
            Self::ApprovesNothing { skill } => write!(
                f,
                "Skill '{skill}' approves no tool call: its tools are not written exactly. Write the key allowed-tools \
                 once, and each entry as the name of a tool or as Tool(pattern)."
            ),
            Self::NotActive { id } => write!(f, "No skill named '{id}' is active."),
            Self::Listed {
                skill,
                description,
                state,
            } => {
                let description = one_line(description);
                let description = shortened(&description, LISTED_DESCRIPTION);
                write!(f, "{skill}: {description}")?;
                match &**state {
                    "" => Ok(()),
                    state => write!(f, " ({state})"),
                }
            }
            Self::NoRequest { .. } | Self::Help { .. } => {
                self.write_help(f, command);
                Ok(())
            }
            _ => self.write_done(f),
        }
    }

    /// Writes how requests are typed.
    fn write_help(&self, f: &mut Prose, command: &dyn Fn(&[&str]) -> Prose) {
        match self {
            Self::NoRequest { id, request } => {
                let request: Vec<&str> = request.iter().map(String::as_str).collect();
                let request = command(&request);
                f.add(&prose!("No skill named '{id}'. Did you mean {}?", request));
            }
            Self::Help { verb: Some(verb) } => f.add(&prose!(
                "/skill {verb} needs a skill: write /skill {verb} ID. Run {} to see available skills.",
                command(&["list"])
            )),
            _ => f.add(&prose!(
                "{} shows the skills. With the ID of a skill: /skill run ID starts it, /skill enable ID and /skill \
                 disable ID switch it on and off, /skill trust ID and /skill untrust ID change whether you trust it, \
                 /skill stop ID ends it. /skill stop ends all active skills.",
                command(&["list"])
            )),
        }
    }

    /// Writes the answer to a request that was carried out, or that cannot be.
    fn write_done(&self, f: &mut Prose) -> fmt::Result {
        match self {
            Self::Stopped { skills } if skills.is_empty() => f.write_str("No skill is active."),
            Self::Stopped { skills } => write!(f, "Stopped: {}.", skills.join(", ")),
            Self::Enabled { skills, kept } => {
                match skills.join(", ") {
                    none if none.is_empty() => f.write_str("It was not disabled.")?,
                    skills => write!(f, "Enabled: {skills}.")?,
                }
                match kept.join(", ") {
                    none if none.is_empty() => Ok(()),
                    kept => write!(f, " Still disabled: {kept}."),
                }
            }
            Self::Trusted { skill } => write!(f, "Trusted: {skill}."),
            Self::NotTrusted { why } => write!(f, "Not trusted: {why}."),
            Self::Distrusted {
                skill,
                was_trusted: true,
            } => write!(f, "No longer trusted: {skill}."),
            Self::Distrusted { skill, .. } => write!(f, "Skill '{skill}' was not trusted."),
            _ => Ok(()),
        }
    }
}

impl Reload {
    fn write(&self, f: &mut Prose) -> fmt::Result {
        let all = [
            ("New", &self.added),
            ("Changed", &self.changed),
            ("Removed", &self.removed),
        ];
        let mut separator = "";
        for (what, ids) in all.into_iter().filter(|(_, ids)| !ids.is_empty()) {
            let skills = if ids.len() == 1 { "skill" } else { "skills" };
            write!(f, "{separator}{what} {skills}: {}.", listed(ids))?;
            separator = " ";
        }
        let read_again = "If the model read it before, ask it to read again";
        let files = self.files.iter();
        let files: Vec<String> = files.map(|(id, path)| format!("{path} of {id}")).collect();
        for (what, which) in [
            ("Changed arguments", &self.arguments),
            ("To use the new text, start again", &self.active),
            (read_again, &files),
        ] {
            if !which.is_empty() {
                write!(f, " {what}: {}.", listed(which))?;
            }
        }
        Ok(())
    }
}

impl EndedBy {
    /// Every reason, in the order of notices.
    pub const ALL: [Self; 4] = [
        Self::Removed,
        Self::Disabled,
        Self::Untrusted,
        Self::Ineligible,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::Removed => "Removed",
            Self::Disabled => "Disabled",
            Self::Untrusted => "Not trusted now",
            Self::Ineligible => "Without what it needs now",
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_commands(|words| format!("/skill {}", words.join(" "))))
    }
}

/// Returns the notice of an outcome. Returns `None` if the outcome gives no notice of its own.
pub(crate) fn notice(
    surface: Surface,
    id: &str,
    outcome: &Outcome,
    state: &State,
) -> Option<Notice> {
    let id = id.to_owned();
    Some(match outcome.clone() {
        Outcome::Found { skill, .. } => Notice::Using { skill },
        Outcome::Unknown => Notice::Unknown { id },
        Outcome::Suggestion { suggestion, .. } => Notice::Suggestion { id, suggestion },
        Outcome::Ambiguous {
            candidates,
            use_id,
            kind,
        } => Notice::Ambiguous {
            id,
            candidates,
            use_id,
            kind,
        },
        // A skill that only counts as disabled cannot be enabled: the file of the decisions must be fixed first.
        Outcome::Disabled { skill } => match state.why_unknown() {
            Some(why) => Notice::Unavailable {
                why: format!("skill '{skill}' counts as disabled: {why}"),
                skill,
            },
            None => Notice::Disabled { skill },
        },
        Outcome::Untrusted { skill, changed } => Notice::Untrusted { skill, changed },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } => match surface {
            Surface::Model => Notice::NotInvocable { skill, mark: None },
            Surface::User => Notice::NotInvocable {
                skill,
                mark: Some('$'),
            },
        },
        Outcome::TooMany { .. } | Outcome::Escaped | Outcome::Reserved => return None,
    })
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
