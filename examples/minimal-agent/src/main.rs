//! What a host writes: a bundle, a folder of the user's skills, and a loop over lines of text.
//!
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- my-skills`

use bundled_skills::SKILLS;
use skills_runtime::command::{Invocation, Verdict};
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
    let options = profile.activation();
    let mut session = Session::new(&profile);
    send(&mut out, "system", &catalog.prompt(&profile.prompt()).text)?;
    for line in io::stdin().lock().lines() {
        session.next_turn();
        let turn = catalog.turn(&line?, Surface::User, &profile);
        for notice in &turn.notices {
            writeln!(out, "! {notice}")?;
        }
        match &turn.command {
            // No turn of the model: the tool is called, if the gate of this host lets it pass.
            Some(Invocation::Dispatch(dispatch)) => {
                let refused = dispatch.clone().ask(&catalog, |_, _| Verdict::Unknown);
                writeln!(out, "! {}", refused.expect_err("this host has no tools"))?;
                continue;
            }
            Some(Invocation::Meta(meta)) => {
                writeln!(out, "! for the host to do: {meta:?}")?;
                continue;
            }
            _ => {}
        }
        for activation in turn.activate(&catalog, &options) {
            match activation {
                Ok(activation) => send(&mut out, "skill", &session.enter(&activation).text)?,
                Err(error) => writeln!(out, "! {error}")?,
            }
        }
        send(&mut out, "user", &turn.task)?;
    }
    Ok(())
}

/// Where a real host calls its model: this one shows what the model would be sent.
fn send(out: &mut impl io::Write, role: &str, text: &str) -> io::Result<()> {
    writeln!(out, "[{role}] {text}")
}
