//! The kinds of powers.

/// The kind of a power, in the order in which powers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum PowerKind {
    /// A rule of `allowed-tools`.
    Tools,
    /// A program that is run, with its sub-command: `git push`.
    Commands,
    /// A host that is fetched from or sent to.
    Hosts,
    /// A file that can be run, after its interpreter: `bash scripts/run.sh`.
    Scripts,
    /// A package that is fetched, with its version if the version is fixed.
    Packages,
    /// A variable of the environment.
    Variables,
    /// A path outside of the skill: below the home folder or the root.
    Files,
    /// The tool that a slash command calls without the model.
    Dispatch,
    /// A command that a client runs at an event.
    Hooks,
    /// A command that runs before the model reads the skill.
    Injection,
    /// A part that cannot be read as code or text. It can hold any power.
    Unreadable,
    /// A limit on the skill. A restraint that is lost widens a skill, and a restraint that is added does not.
    Restraints,
}

impl PowerKind {
    /// Every kind, in the order in which powers are shown.
    pub const ALL: [Self; 12] = [
        Self::Tools,
        Self::Commands,
        Self::Hosts,
        Self::Scripts,
        Self::Packages,
        Self::Variables,
        Self::Files,
        Self::Dispatch,
        Self::Hooks,
        Self::Injection,
        Self::Unreadable,
        Self::Restraints,
    ];

    /// Returns the name of the kind in a lock and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Commands => "commands",
            Self::Hosts => "hosts",
            Self::Scripts => "scripts",
            Self::Packages => "packages",
            Self::Variables => "variables",
            Self::Files => "files",
            Self::Dispatch => "dispatch",
            Self::Hooks => "hooks",
            Self::Injection => "injection",
            Self::Unreadable => "unreadable",
            Self::Restraints => "restraints",
        }
    }

    /// Returns the kind with a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}
