//! The loop of the prompt: reads and handles messages until the end.

use crate::catalog::options::named;
use crate::commands::chat::console::{Console, Input};
use crate::commands::chat::host::{Host, report};
use crate::commands::chat::shown::Conversation;
use crate::commands::chat::shown::Fold;
use crate::commands::chat::turn::{Next, Told, TurnAtPrompt};
use crate::commands::chat::{shown, skills_menu};
use crate::commands::improve::{offer, waiting};
use crate::outcome::Failure;
use crate::output::text::wrapped;
use crate::output::{Ctx, counted, one_line};
use skills_host::agent::AgentCommand;
use skills_runtime::Catalog;
use skills_runtime::source::Source;
use skills_session::Profile;
use skills_session::options::{Listing, Tools};
use std::io::Write as _;

/// A prompt: the conversation, its skills and its agent.
pub(crate) struct Talk<'t> {
    pub(crate) host: Host<'t>,
    pub(crate) conversation: Conversation,
    pub(crate) tools: &'t Tools,
    pub(crate) agent: Option<&'t AgentCommand>,
    pub(crate) told: Told,
    /// True if the agent failed in a turn.
    pub(crate) has_failed: bool,
}

impl Talk<'_> {
    pub(crate) fn greet(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let current = self.host.live.current();
        let (catalog, profile) = (&current.catalog, &current.profile);
        let all = catalog.iter().count();
        let untrusted = catalog.iter().filter(|entry| !entry.is_trusted()).count();
        let waiting = match untrusted {
            0 => String::new(),
            1 => " (1 waits for `/skill trust`)".to_owned(),
            more => format!(" ({more} wait for `/skill trust`)"),
        };
        let places = if all == 0 {
            format!("None is in {}. ", self.folders(catalog))
        } else {
            String::new()
        };
        let mentions = if profile.mentions.mentions {
            "$ names a skill, "
        } else {
            ""
        };
        let (skills, name) = (counted(all, "skill"), &profile.name);
        let about = format!(
            "{skills}{waiting}, profile {name}. {places}{mentions}/ lists the commands, /help \
             explains, Ctrl-D ends."
        );
        for part in wrapped(&about, cx.width()) {
            writeln!(cx, "{part}")?;
        }
        Ok(())
    }

    /// Returns the folders that are searched for skills.
    fn folders(&self, catalog: &Catalog) -> String {
        let roots: Vec<String> = catalog
            .sources()
            .iter()
            .flat_map(Source::roots)
            .map(|root| self.host.env.shown(root))
            .collect();
        one_line(&roots.join(", "))
    }

    /// Reads and handles messages until the end of the input.
    pub(crate) fn run(&mut self, console: &mut dyn Console, cx: &mut Ctx) -> Result<Next, Failure> {
        let mut interrupted = 0;
        let mut offered = 0;
        loop {
            self.offer(&mut offered, cx);
            let text = match console.read(cx)? {
                Input::Message(text) => text,
                Input::Interrupted => {
                    interrupted += 1;
                    if interrupted > 1 {
                        cx.note("(Ctrl-D or `/quit` ends the prompt)");
                    }
                    continue;
                }
                Input::End => return Ok(Next::GoOn),
                Input::Stopped => return Ok(Next::Stop),
            };
            interrupted = 0;
            if text.trim().is_empty() {
                continue;
            }
            // Before the message: a skill that another program has disabled meanwhile must not start.
            self.host.refresh(cx)?;
            let request = Request::parse(&text).filter(|request| self.is_prompts(request));
            let done = match request {
                Some(Request::Quit) => return Ok(Next::GoOn),
                Some(request) => self.carry_out(request, console, cx),
                None => match self.turn(&text, console, cx) {
                    Ok(Next::Stop) => return Ok(Next::Stop),
                    Ok(Next::Failed) => {
                        self.has_failed = true;
                        Ok(())
                    }
                    Ok(Next::Unsent) => {
                        console.put_back(&text);
                        Ok(())
                    }
                    done => done.map(|_| ()),
                },
            };
            report(done, cx)?;
        }
    }

    /// Offers the waiting repairs of skills when their number has grown since the last check.
    fn offer(&self, offered: &mut usize, cx: &mut Ctx) {
        let waiting = waiting(self.host.env);
        if waiting > *offered {
            cx.note(offer(waiting));
        }
        *offered = waiting;
    }

    fn turn(&mut self, text: &str, console: &dyn Console, cx: &mut Ctx) -> Result<Next, Failure> {
        let turn = TurnAtPrompt {
            host: &mut self.host,
            conversation: &mut self.conversation,
            tools: self.tools,
            agent: self.agent,
            told: &mut self.told,
        };
        turn.run(text, console, cx)
    }

    fn carry_out(
        &mut self,
        request: Request<'_>,
        console: &mut dyn Console,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        match request {
            Request::Menu => skills_menu::open(&mut self.host, console, cx),
            Request::Skill(verb, "") if verb != SkillVerb::Restore => Err(Failure::failed(
                format_args!("/skill {} needs a skill or a source", verb.word()),
                format_args!("write `/skill {} {}`", verb.word(), verb.hint()),
            )),
            Request::Skill(SkillVerb::Show, id) => skills_menu::print(id, &self.host, cx),
            Request::Skill(SkillVerb::Install, source) => {
                skills_menu::install(source, &mut self.host, cx)
            }
            Request::Skill(SkillVerb::Uninstall, id) => {
                skills_menu::uninstall(id, &mut self.host, cx)
            }
            Request::Skill(SkillVerb::Restore, name) => {
                skills_menu::restore(name, &mut self.host, cx)
            }
            Request::TooMuch(name) => Err(Failure::failed(
                format_args!("/{name} takes nothing after it"),
                format_args!("write `/{name}` alone"),
            )),
            Request::Show => self.show(cx),
            Request::Profile(name) => self.profile(name, cx),
            Request::Help => print(&self.host.live.current().profile, cx),
            Request::Quit => Ok(()),
        }
    }

    /// Returns whether the prompt itself carries out a request. `/skill WORD` starts the skill WORD if a skill
    /// has this name. A profile can list its commands for `/skills`.
    fn is_prompts(&self, request: &Request<'_>) -> bool {
        match request {
            Request::Skill(verb, _) => {
                let catalog = self.host.catalog();
                let named = catalog.get(verb.word());
                !named.is_some_and(|entry| entry.is_trusted())
            }
            Request::Menu => self.host.options.profile().commands.listing == Listing::Skills,
            _ => true,
        }
    }

    /// Prints the messages of the last turn, unfolded.
    fn show(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let last = self.conversation.last();
        if last.is_empty() {
            cx.note("nothing was sent yet");
        }
        shown::messages(&last, Fold::Whole, cx)
    }

    /// Prints the profile, or changes the profile. Another profile begins a new conversation, because the
    /// profile decides what stays in a conversation.
    fn profile(&mut self, name: Option<&str>, cx: &mut Ctx) -> Result<(), Failure> {
        if let Some(name) = name {
            let profile =
                named(name).map_err(|error| Failure::not_so(error, "write `/profile NAME`"))?;
            self.host.change_profile(profile, cx)?;
            self.conversation = Conversation::new(&self.host.live.current().profile, self.tools);
        }
        let current = self.host.live.current();
        let (own, reference) = (&current.profile.name, &current.profile.reference);
        let skills = counted(current.catalog.iter().count(), "skill");
        let what = match name {
            Some(_) => "; a new conversation begins",
            None => "",
        };
        let line = format!("profile {own} ({reference}): {skills}{what}");
        for part in wrapped(&line, cx.width()) {
            writeln!(cx, "{part}")?;
        }
        if name.is_none() {
            let others: Vec<&str> = Profile::ALL
                .iter()
                .map(|profile| &*profile.name)
                .filter(|name| name != own)
                .collect();
            cx.note(format!(
                "`/profile NAME` takes another: {}",
                others.join(", ")
            ));
        }
        Ok(())
    }
}

/// The width of a name in cells.
const NAME: usize = 15;

/// The key for a mention, shown in profiles that read `$`.
const MENTION: &str = "$name";
/// The keys and their effects.
const KEYS: [(&str, &str); 11] = [
    (
        MENTION,
        "a skill; $ alone lists all, and each letter narrows the list",
    ),
    (
        "/name",
        "a command, at the start of a message; / alone lists all",
    ),
    ("Tab", "take the chosen row of the list, or the first row"),
    (
        "Enter",
        "take the chosen row; if no row is chosen, send the message",
    ),
    ("Up, Down", "choose a row; without a list: earlier messages"),
    ("Esc", "close the list"),
    ("Alt-Enter", "a new line (Ctrl-J too)"),
    ("Ctrl-R", "search in earlier messages"),
    ("Ctrl-Z", "undo the last change of the line"),
    ("Ctrl-C", "drop the line, or end the answer"),
    ("Ctrl-D", "end the prompt"),
];

pub(crate) fn print(profile: &Profile, cx: &mut Ctx) -> Result<(), Failure> {
    let has_mentions = profile.mentions.mentions;
    for (key, about) in KEYS {
        if key == MENTION && !has_mentions {
            continue;
        }
        line(key, about, cx)?;
    }
    writeln!(cx)?;
    for word in &WORDS {
        let name = format!("/{} {}", word.name, word.hint);
        line(name.trim_end(), word.about(profile), cx)?;
    }
    writeln!(cx)?;
    let mut about = vec!["A message that begins with a space is not kept in the history."];
    if has_mentions {
        about.push("\\$name is text, and names no skill.");
    }
    let width = cx.width();
    for part in about.into_iter().flat_map(|about| wrapped(about, width)) {
        writeln!(cx, "{part}")?;
    }
    Ok(())
}

fn line(name: &str, about: &str, cx: &mut Ctx) -> Result<(), Failure> {
    let room = cx.width().map(|width| width.saturating_sub(NAME + 1));
    for (at, part) in wrapped(about, room).into_iter().enumerate() {
        let name = if at == 0 { name } else { "" };
        let name = format!("{name:NAME$}");
        writeln!(cx, "{} {part}", cx.strong(name))?;
    }
    Ok(())
}

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
        match (self.name, profile.commands.listing) {
            ("skills", Listing::Commands) => "List the commands of skills",
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
pub(crate) const WORDS: [Word; 6] = [
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
    word("show", "", "Show the last turn unfolded"),
    word("profile", "[NAME]", "Show the profile, or change it"),
    word("help", "", "Explain the keys and the commands"),
    word("quit", "", "End the prompt"),
];

/// The names that no skill's command can have in the prompt. The runtime reserves `skill` and `skills`.
pub(crate) const RESERVED: [&str; 5] = ["show", "profile", "help", "quit", "exit"];

/// The verbs of `/skill`.
pub(crate) const VERBS: [(&str, &str); 12] = [
    ("list", "List the skills or their commands"),
    ("show", "Show what a skill is"),
    ("enable", "Enable a skill"),
    ("disable", "Disable a skill"),
    ("trust", "Trust a skill of the project as it is"),
    ("untrust", "Withdraw the trust in a skill"),
    ("run", "Start a skill"),
    ("stop", "End the active skills, or one of them"),
    ("install", "Install skills from a path or a git URL"),
    ("uninstall", "Move an installed skill to the trash"),
    ("restore", "Bring a skill back from the trash"),
    ("help", "Explain the requests of /skill"),
];

/// A command of the prompt, as a person wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request<'t> {
    /// The menu of the skills.
    Menu,
    /// The last turn, unfolded.
    Show,
    /// The profile; with a name, another profile.
    Profile(Option<&'t str>),
    /// A command of the prompt with words that it does not take.
    TooMuch(&'t str),
    /// A verb of `/skill` that the prompt adds to the verbs of the runtime.
    Skill(SkillVerb, &'t str),
    Help,
    Quit,
}

/// A verb of `/skill` that the prompt carries out itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkillVerb {
    Show,
    Install,
    Uninstall,
    Restore,
}

impl SkillVerb {
    const ALL: [Self; 4] = [Self::Show, Self::Install, Self::Uninstall, Self::Restore];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Install => "install",
            Self::Uninstall => "uninstall",
            Self::Restore => "restore",
        }
    }

    /// Returns the placeholder for the word after the verb.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::Install => "SOURCE",
            _ => "ID",
        }
    }
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
                let verb = SkillVerb::ALL.into_iter().find(|it| it.word() == verb)?;
                Some(Self::Skill(verb, what.trim()))
            }
            ("profile", "") => Some(Self::Profile(None)),
            ("profile", name) => Some(Self::Profile(Some(name))),
            ("help", "") => Some(Self::Help),
            ("quit" | "exit", "") => Some(Self::Quit),
            ("show" | "help" | "quit" | "exit", _) => Some(Self::TooMuch(name)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod words_tests {
    use super::*;

    #[test]
    fn requests() {
        for (text, request) in [
            ("/skills", Some(Request::Menu)),
            (" /Skills ", Some(Request::Menu)),
            ("/skills list", None),
            ("/skill", None),
            ("/skill show", Some(Request::Skill(SkillVerb::Show, ""))),
            ("/skill run it", None),
            (
                "/skill show it",
                Some(Request::Skill(SkillVerb::Show, "it")),
            ),
            (
                "/Skill install  ~/a b",
                Some(Request::Skill(SkillVerb::Install, "~/a b")),
            ),
            ("/profile  ouro", Some(Request::Profile(Some("ouro")))),
            ("/profile", Some(Request::Profile(None))),
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
