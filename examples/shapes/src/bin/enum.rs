//! An enum of the skills: a `match` without an arm for a new skill does not compile.
//!
//! `cargo run -p example-shapes --bin enum -- deploy`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_runtime::include_skills;

include_skills! {
    /// The skills of this program.
    pub enum Skill in "skills/plain"
}

fn icon(skill: Skill) -> char {
    match skill {
        Skill::CodeReview => '🔎',
        Skill::Deploy => '🚀',
    }
}

fn main() {
    let named = std::env::args().nth(1);
    match named.as_deref().map(Skill::from_name) {
        Some(Some(skill)) => println!("{} {}", icon(skill), skill.body()),
        Some(None) => println!("there is no such skill"),
        None => {
            for skill in Skill::ALL {
                println!("{} {}", icon(*skill), skill.name());
            }
        }
    }
}
