//! Bakes the skills that ship once more, by a build script.

fn main() -> Result<(), skills_compiler::Error> {
    skills_compiler::Build::new("../../bundled-skills/skills")
        .allow("package-loss")
        .compile()
}
