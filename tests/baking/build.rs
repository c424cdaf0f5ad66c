//! Bakes the skills that ship once more, by a build script, which also writes a page about them.

use std::path::PathBuf;

fn main() -> Result<(), skills_compiler::Error> {
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    skills_compiler::Build::new("../../bundled-skills/skills")
        .allow("package-loss")
        .report(PathBuf::from(out).join("skills.html"))
        .compile()
}
