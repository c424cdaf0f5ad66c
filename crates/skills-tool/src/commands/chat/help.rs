//! `/help`: the keys and the commands of the prompt.

use crate::commands::chat::words::WORDS;
use crate::outcome::Failure;
use crate::output::Ctx;
use crate::output::fit::wrapped;
use skills_session::Profile;
use std::io::Write as _;

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
