//! The loop of the prompt: reads and handles messages until the end.

use crate::commands::chat::console::Console;
use crate::commands::chat::editor::Line;
use crate::commands::chat::host::report;
use crate::commands::chat::shown::Fold;
use crate::commands::chat::turn::{Next, Talk};
use crate::commands::chat::words::{Request, WORDS};
use crate::commands::chat::{shown, skills_menu};
use crate::commands::improve::{offer, waiting};
use crate::outcome::Failure;
use crate::output::table::print_field;
use crate::output::{Ctx, counted};
use skills_profiles::Profile;
use std::io::Write as _;

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
        let places = match all {
            0 => "`/skills` installs some. ",
            _ => "",
        };
        let mentions = if profile.options.mentions {
            "$ names a skill, "
        } else {
            ""
        };
        let (skills, name) = (counted(all, "skill"), profile.name);
        let about = format!(
            "{skills}{waiting}, profile {name}. {places}{mentions}/ lists the commands, /help \
             explains, Ctrl-D ends."
        );
        cx.wrapped_line(&about)?;
        Ok(())
    }

    /// Reads and handles messages until the end of the input.
    pub(crate) fn run(&mut self, console: &mut Console, cx: &mut Ctx) -> Result<Next, Failure> {
        let mut interrupted = 0;
        let mut offered = 0;
        loop {
            self.offer(&mut offered, cx);
            let text = match console.read(cx)? {
                Line::Text(text) => text,
                Line::Interrupted => {
                    interrupted += 1;
                    if interrupted > 1 {
                        cx.note("(Ctrl-D or `/quit` ends the prompt)");
                    }
                    continue;
                }
                Line::End => return Ok(Next::GoOn),
                Line::Stopped => return Ok(Next::Stop),
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
                Some(request) => self.obey(request, console, cx),
                None => match self.turn(&text, &console.signals, cx) {
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
            report(done, cx);
            if cx.unread.get() {
                return Ok(Next::GoOn);
            }
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

    fn obey(
        &mut self,
        request: Request<'_>,
        console: &mut Console,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        match request {
            Request::Menu => {
                skills_menu::open(&mut self.host, console, cx);
                Ok(())
            }
            Request::Skill("restore", name) => skills_menu::restore(name, &mut self.host, cx),
            Request::Skill(verb, "") => Err(Failure::failed(
                format_args!("/skill {verb} needs a skill or a source"),
                format_args!("write it after the word: `/skill {verb} pdf`"),
            )),
            Request::Skill("install", source) => skills_menu::install(source, &mut self.host, cx),
            Request::Skill("uninstall", id) => skills_menu::uninstall(id, &mut self.host, cx),
            Request::Skill(_, id) => skills_menu::print(id, &self.host, cx),
            Request::TooMuch(name) => Err(Failure::failed(
                format_args!("/{name} takes no arguments"),
                format_args!("write `/{name}` alone"),
            )),
            Request::Show => self.show_last(cx),
            Request::Help => help(&self.host.live.current().profile, cx),
            Request::Quit => Ok(()),
        }
    }

    /// Returns whether the prompt itself carries out a request. `/skill WORD` starts the skill WORD if a skill
    /// has this name. A profile can list its commands for `/skills`.
    fn is_prompts(&self, request: &Request<'_>) -> bool {
        match request {
            Request::Skill(verb, _) => {
                let catalog = self.host.catalog();
                let named = catalog.get(verb);
                !named.is_some_and(|entry| entry.is_trusted())
            }
            Request::Menu => !self.host.options.profile().lists_commands,
            _ => true,
        }
    }

    /// Prints the messages of the last turn, unfolded.
    fn show_last(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let last = self.conversation.last();
        if last.is_empty() {
            cx.note("nothing was sent yet");
        }
        shown::messages(&last, Fold::Whole, cx)
    }
}

/// The width of a name in cells.
const NAME: usize = 15;

/// The key for a mention, shown in profiles that read `$`.
const MENTION: &str = "$name";
/// The keys and their effects.
const KEYS: [(&str, &str); 10] = [
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
    ("Ctrl-Z", "undo the last change of the line"),
    ("Ctrl-C", "clear the line, or stop the answer"),
    ("Ctrl-D", "quit"),
];

fn help(profile: &Profile, cx: &mut Ctx) -> Result<(), Failure> {
    let has_mentions = profile.options.mentions;
    let keys = KEYS
        .iter()
        .filter(|(key, _)| has_mentions || *key != MENTION);
    for (key, about) in keys {
        print_field(NAME, key, about, cx)?;
    }
    writeln!(cx)?;
    for word in &WORDS {
        let name = format!("/{} {}", word.name, word.hint);
        print_field(NAME, name.trim_end(), word.about(profile), cx)?;
    }
    writeln!(cx)?;
    cx.wrapped_line("A message that begins with a space is not kept in the history.")?;
    if has_mentions {
        cx.wrapped_line("\\$name is text, and names no skill.")?;
    }
    Ok(())
}
