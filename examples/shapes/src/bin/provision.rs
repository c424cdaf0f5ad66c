//! Keeps the skills of a program as files in a fixed folder, as agents do that hand them to a model by path.
//!
//! `cargo run -p example-shapes --bin provision -- FOLDER`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_provision::Provision as _;
use skills_runtime::{Bundle, include_skills};
use std::error::Error;

static SKILLS: Bundle = include_skills!("skills/plain");

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder")?;
    let done = SKILLS.provision(folder).run()?;
    for path in &done.written {
        println!("wrote {path}");
    }
    for path in &done.removed {
        println!("removed {path}");
    }
    for path in &done.kept {
        println!("{path} was edited and stays as it is");
    }
    Ok(())
}
