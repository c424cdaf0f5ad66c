//! The slash commands of the prompt itself.

use skills_profiles::Profile;

/// A slash command of the prompt.
pub(crate) struct Word {
    /// The name, without `/`.
    pub(crate) name: &'static str,
    /// The arguments of the command.
    pub(crate) hint: &'static str,
    description: &'static str,
}

impl Word {
    /// Returns the description of the command under a profile.
    pub(crate) fn about(&self, profile: &Profile) -> &'static str {
        match (self.name, profile.lists_commands) {
            ("skills", true) => "List the commands of skills",
            _ => self.description,
        }
    }
}

const fn word(name: &'static str, hint: &'static str, description: &'static str) -> Word {
    Word {
        name,
        hint,
        description,
    }
}

/// The commands, in the order of the menu.
pub(crate) const WORDS: [Word; 5] = [
    word(
        "skills",
        "",
        "Open the menu: list, install, uninstall skills",
    ),
    word(
        "skill",
        "VERB ID",
        "list, show, enable, disable, trust, untrust, run, stop, install, uninstall, restore",
    ),
    word("show", "", "Show the last turn in full"),
    word("help", "", "Explain the keys and the commands"),
    word("quit", "", "Quit"),
];

/// The names that no skill's command can have in the prompt. The runtime reserves `skill` and `skills`.
pub(crate) const RESERVED: [&str; 4] = ["show", "help", "quit", "exit"];

/// The verbs of `/skill` that the prompt adds to those of the runtime.
const VERBS: [&str; 4] = ["show", "install", "uninstall", "restore"];

/// A command of the prompt, as a person wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request<'t> {
    /// The menu of the skills.
    Menu,
    /// The last turn, unfolded.
    Show,
    /// A command of the prompt with words that it does not take.
    TooMuch(&'t str),
    /// A verb of `/skill` that the prompt adds to the verbs of the runtime.
    Skill(&'t str, &'t str),
    Help,
    Quit,
}

impl<'t> Request<'t> {
    /// Parses a message. Returns `None` for a message that is not a command of the prompt.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim().strip_prefix('/')?;
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (name.to_ascii_lowercase().as_str(), rest) {
            ("skills", "") => Some(Self::Menu),
            ("show", "") => Some(Self::Show),
            ("skill", rest) => {
                let (verb, what) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let is_own = VERBS.contains(&verb);
                is_own.then_some(Self::Skill(verb, what.trim()))
            }
            ("help", "") => Some(Self::Help),
            ("quit" | "exit", "") => Some(Self::Quit),
            ("show" | "help" | "quit" | "exit", _) => Some(Self::TooMuch(name)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        for (text, request) in [
            ("/skills", Some(Request::Menu)),
            (" /Skills ", Some(Request::Menu)),
            ("/skills list", None),
            ("/skill", None),
            ("/skill show", Some(Request::Skill("show", ""))),
            ("/skill run it", None),
            ("/skill show it", Some(Request::Skill("show", "it"))),
            (
                "/Skill install  ~/a b",
                Some(Request::Skill("install", "~/a b")),
            ),
            ("/exit", Some(Request::Quit)),
            ("/show me", Some(Request::TooMuch("show"))),
            ("show", None),
            ("/", None),
        ] {
            assert_eq!(Request::parse(text), request, "{text}");
        }
    }

    #[test]
    fn every_word_of_the_prompt_is_reserved() {
        for Word { name, .. } in &WORDS {
            let is_the_runtimes = matches!(*name, "skill" | "skills");
            assert!(is_the_runtimes || RESERVED.contains(name), "{name}");
        }
    }
}
