//! What a host writes: a bundle, a folder of the user's skills, and a loop over lines of text.
//!
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- my-skills`

use bundled_skills::SKILLS;
use skills_runtime::command::Verdict;
use skills_runtime::session::Message;
use skills_runtime::{Catalog, Profile, Session, Surface};
use std::io::{self, BufRead as _, Write as _};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let folder = std::env::args_os().nth(1).unwrap_or("skills".into());
    let loaded = Catalog::builder()
        .directory("user", folder)
        .bundle("bundled", &SKILLS)
        .load();
    for diagnostic in &loaded.diagnostics {
        writeln!(out, "! {diagnostic}")?;
    }
    let catalog = loaded.catalog;
    let profile = Profile::DEFAULT;
    let mut session = Session::new(&profile);
    send(&mut out, "system", &catalog.prompt(&profile.prompt()).text)?;
    for line in io::stdin().lock().lines() {
        let turn = session.turn(&catalog, &line?, Surface::User, &profile);
        for notice in turn.notices {
            writeln!(out, "! {notice}")?;
        }
        if let Some(dispatch) = turn.dispatch {
            match dispatch.ask(&catalog, |_tool, _arguments| Verdict::Unknown) {
                Ok(call) => writeln!(out, "! calling {}", call.tool)?,
                Err(refused) => writeln!(out, "! {refused}")?,
            }
        }
        if let Some(request) = turn.request {
            writeln!(out, "! for the host to do: {request:?}")?;
        }
        for message in turn.messages {
            match message {
                Message::System { text } => send(&mut out, "system", &text)?,
                Message::User { text } => send(&mut out, "user", &text)?,
                Message::Exchange(call) => send(&mut out, &call.tool, &call.result)?,
            }
        }
    }
    Ok(())
}

/// Where a real host calls its model: this one shows what the model would be sent.
fn send(out: &mut impl io::Write, role: &str, text: &str) -> io::Result<()> {
    writeln!(out, "[{role}] {text}")
}
