//! Checks the author's own fields of the skills for `src/bin/fields.rs`, and makes cargo notice new skills.

#[expect(dead_code, reason = "the script only reads the type")]
#[path = "src/extra.rs"]
mod extra;

use skills_fields::BuildFields as _;

fn main() -> Result<(), skills_compiler::Error> {
    println!("cargo::rerun-if-changed=skills");
    skills_compiler::Build::new("skills/typed")
        .fields::<extra::Extra>()
        .compile()
}
