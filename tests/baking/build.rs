//! Bakes the bundled skills again by a build script.

use skills_compiler::Build;
use std::error::Error;

const SKILLS: &str = "../../bundled-skills/skills";

fn main() -> Result<(), Box<dyn Error>> {
    // `tests/baking/typed.rs` bakes this folder by the macro.
    println!("cargo::rerun-if-changed=typed");
    Build::new(SKILLS).compile()?;
    Ok(())
}
