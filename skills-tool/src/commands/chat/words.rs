//! The slash commands of the prompt itself.

/// A slash command of the prompt.
pub(crate) struct Word {
    /// The name, without `/`.
    pub(crate) name: &'static str,
    /// The arguments that it takes.
    pub(crate) hint: &'static str,
    pub(crate) description: &'static str,
}

const fn word(name: &'static str, hint: &'static str, description: &'static str) -> Word {
    Word {
        name,
        hint,
        description,
    }
}

/// The commands, in the order of the menu.
pub(crate) const WORDS: [Word; 6] = [
    word(
        "skills",
        "",
        "Open the menu: list, install, uninstall skills",
    ),
    word(
        "skill",
        "VERB ID",
        "list, enable, disable, trust, run, stop: what to do with a skill",
    ),
    word("show", "", "Show the last turn unfolded"),
    word("profile", "[NAME]", "Show the profile, or change it"),
    word("help", "", "Explain the keys and the commands"),
    word("quit", "", "End the prompt"),
];

/// The names that no skill's command can have here.
pub(crate) const RESERVED: [&str; 5] = ["show", "profile", "help", "quit", "exit"];

/// The verbs of `/skill`.
pub(crate) const VERBS: [(&str, &str); 6] = [
    ("list", "List the skills"),
    ("enable", "Enable a skill"),
    ("disable", "Disable a skill"),
    ("trust", "Trust a skill of the project as it is"),
    ("run", "Start a skill"),
    ("stop", "End the active skills, or one of them"),
];

/// What a person asks of the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request<'t> {
    /// The menu of the skills.
    Menu,
    /// The last turn, unfolded.
    Show,
    /// The profile; with a name, another profile.
    Profile(Option<&'t str>),
    Help,
    Quit,
}

impl<'t> Request<'t> {
    /// Reads a message. `None`: it is not a command of the prompt.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim().strip_prefix('/')?;
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (name.to_ascii_lowercase().as_str(), rest) {
            ("skills", "") => Some(Self::Menu),
            ("show", "") => Some(Self::Show),
            ("profile", "") => Some(Self::Profile(None)),
            ("profile", name) => Some(Self::Profile(Some(name))),
            ("help", "") => Some(Self::Help),
            ("quit" | "exit", "") => Some(Self::Quit),
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
            ("/profile  ouro", Some(Request::Profile(Some("ouro")))),
            ("/profile", Some(Request::Profile(None))),
            ("/exit", Some(Request::Quit)),
            ("/show me", None),
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
