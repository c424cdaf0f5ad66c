//! Reads lines, says what each mention in them means, and what a model would be sent.
//!
//! `echo 'please use $code-reveiw' | cargo run -p example-mentions`

use bundled_skills::SKILLS;
use skills_runtime::{Catalog, Policy, Surface, Turn};
use std::io::{self, BufRead as _, Write as _};

fn main() -> io::Result<()> {
    let catalog = Catalog::builder()
        .directory("user", "skills")
        .bundle("bundled", &SKILLS)
        .load()
        .catalog;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let resolution = catalog.resolve(&line, Surface::User, &Policy::DEFAULT);
        for mention in &resolution.mentions {
            // Where it stands, as a host would underline it while the person types.
            let (start, end) = (mention.span.start, mention.span.end);
            writeln!(
                out,
                "{start:>4}–{end} {} is {}",
                mention.raw,
                mention.outcome.as_str()
            )?;
        }
        for notice in &resolution.notices {
            writeln!(out, "  {notice}")?;
        }
        match resolution.turn {
            Turn::Activate => {
                for skill in &resolution.activated {
                    let body = catalog.get(skill).map(|entry| entry.body()).transpose();
                    let length = body.map_err(io::Error::other)?.unwrap_or_default().len();
                    writeln!(out, "  to the model: {length} bytes of {skill}")?;
                }
                writeln!(out, "  to the model: {}", resolution.task)?;
            }
            Turn::ChooseOne => writeln!(out, "  to the model: nothing until you choose")?,
            _ => writeln!(out, "  to the model: {line}")?,
        }
    }
    Ok(())
}
