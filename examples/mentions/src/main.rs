//! A host that reads lines, and prints the meaning of each mention and the message for the model.
//!
//! `echo 'please use $code-reveiw' | cargo run -p example-mentions`

use bundled_skills::SKILLS;
use skills_runtime::{Catalog, Surface};
use skills_session::Dialect as _;
use skills_session::options::Options;
use std::io::{self, BufRead as _, Write as _};

fn main() -> io::Result<()> {
    let catalog = Catalog::builder()
        .untrusted("project", ".agents/skills")
        .directory("user", "skills")
        .bundle("bundled", &SKILLS)
        .disabled(["write-readme"])
        .facts(std::env::consts::OS, |_program| false, |_variable| false)
        .load();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let resolution = Options::DEFAULT.resolve(&catalog, &line, Surface::User);
        writeln!(out, "> {line}")?;
        for mention in &resolution.mentions {
            // As a host underlines a mention during typing. Spans are in bytes, so the characters are counted.
            let before = line[..mention.span.start].chars().count();
            let marks = "~".repeat(mention.span.of(&line).chars().count());
            writeln!(out, "  {:before$}{marks} {}", "", mention.outcome)?;
        }
        for notice in &resolution.notices {
            writeln!(out, "  {notice}")?;
        }
        writeln!(out, "  the model is sent {:?}", resolution.task)?;
        for skill in resolution.activated() {
            writeln!(out, "  and what {skill} says")?;
        }
    }
    Ok(())
}
