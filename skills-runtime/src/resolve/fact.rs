//! The facts of [`Notice::Info`](crate::Notice::Info): notices that a host shows, and by which it decides nothing.

// Hidden from the documentation as a whole: only the packages of this repository make or match these.

use crate::resolve::listed::{listed, names};
use crate::text::shorten::{one_line, shortened};
use skills_format::{Prose, prose};
use std::fmt::{self, Write as _};

/// The most characters of a description in a list of skills.
const LISTED_DESCRIPTION: usize = 100;

/// The fact of a [`Notice::Info`](crate::Notice::Info).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
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
    /// A reload found other skills. Boxed, since the other facts are small.
    Reloaded(Box<ReloadFact>),
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
    Untrusted {
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
pub struct ReloadFact {
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
    /// The changed files of active skills, each as `PATH of ID`.
    pub files: Vec<String>,
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

impl ReloadFact {
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
        for (what, which) in [
            ("Changed arguments", &self.arguments),
            ("To use the new text, start again", &self.active),
            (read_again, &self.files),
        ] {
            if !which.is_empty() {
                write!(f, " {what}: {}.", listed(which))?;
            }
        }
        Ok(())
    }
}

impl EndedBy {
    pub(crate) const ALL: [Self; 4] = [
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

impl Fact {
    /// Writes the text. `command` writes a command of `/skill` from its words.
    pub(crate) fn write(&self, f: &mut Prose, command: &dyn Fn(&[&str]) -> Prose) -> fmt::Result {
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
            Self::Untrusted {
                skill,
                was_trusted: true,
            } => write!(f, "No longer trusted: {skill}."),
            Self::Untrusted { skill, .. } => write!(f, "Skill '{skill}' was not trusted."),
            _ => Ok(()),
        }
    }
}
