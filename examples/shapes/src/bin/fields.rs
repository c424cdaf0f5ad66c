//! The author's own fields as a Rust type: `build.rs` checks them in the bundled skills, and the program in a person's.
//!
//! `echo 'sort my mail' | cargo run -p example-shapes --bin fields -- FOLDER`

#![expect(clippy::print_stdout, reason = "what the program says")]

#[path = "../extra.rs"]
mod extra;

use extra::{Activation, Extra};
use skills_fields::{CheckFields as _, TypedFields as _};
use skills_runtime::{Bundle, Catalog, include_skills};
use std::error::Error;
use std::io;

static SKILLS: Bundle = include_skills!(OUT_DIR, "skills/typed");

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = Catalog::builder();
    if let Some(folder) = std::env::args_os().nth(1) {
        builder = builder.directory("user", folder);
    }
    let catalog = builder.bundle("bundled", &SKILLS).load();
    for problem in catalog.check_fields::<Extra>() {
        println!("{problem}");
    }
    for line in io::stdin().lines() {
        let line = line?;
        for skill in &catalog {
            let Ok(Extra {
                activation:
                    Activation {
                        keywords,
                        max_tokens,
                    },
            }) = skill.fields_as()
            else {
                continue;
            };
            if keywords.iter().any(|word| line.contains(word)) {
                println!(
                    "{} starts, with {max_tokens:?} tokens at most",
                    skill.name()
                );
            }
        }
    }
    Ok(())
}
