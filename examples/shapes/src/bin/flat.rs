//! One file `NAME.md` a skill: `layout = "flat"` in the `skills.toml` of the folder.
//!
//! `echo 'please $tidy-up the garage' | cargo run -p example-shapes --bin flat`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_runtime::{Bundle, Catalog, include_skills};
use std::io;

static SKILLS: Bundle = include_skills!("skills/flat");

fn main() -> io::Result<()> {
    let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    for line in io::stdin().lines() {
        let meant = catalog.resolve(&line?);
        for skill in &meant.skills {
            match skill.activate(meant.arguments(skill)) {
                Ok(text) => println!("{text}"),
                Err(why) => println!("{why}"),
            }
        }
    }
    Ok(())
}
