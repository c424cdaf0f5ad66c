use crate::{Package, synth};
use std::io;

/// Links the runtime: what rustc needs to link the runtime is not counted as the skills'.
const WITHOUT: &str = r#"
static SKILLS: Option<skills_runtime::Bundle> = None;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    println!("{}", SKILLS.as_ref().is_some_and(|skills| skills.get(&name).is_some()));
}
"#;

const WITH: &str = r#"
static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!("skills");

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    println!("{}", SKILLS.get(&name).is_some());
}
"#;

/// Writes a package with so many baked skills of `synth`. Its program looks one name up.
///
/// With 0 skills the package only links the runtime.
pub fn baked_package(count: usize) -> io::Result<Package> {
    let main = if count == 0 { WITHOUT } else { WITH };
    let name = format!("synth-{count}");
    let package = Package::write(&name, "skills-runtime", main, "strip = true")?;
    let skills = package.folder.join("skills");
    if count > 0 && !skills.exists() {
        synth(&skills, count)?;
    }
    Ok(package)
}

/// Writes a package with so many baked skills of `synth`, and 20 skills in a folder beside them. Its
/// program measures lookups.
pub fn lookup_package(count: usize) -> io::Result<Package> {
    let main = include_str!("lookup_program.rs");
    // With several units, whether the hash is inlined depends on their number: 50 instructions of 270.
    let profile = "codegen-units = 1";
    let package = Package::write(&format!("lookup-{count}"), "skills-runtime", main, profile)?;
    let skills = package.folder.join("skills");
    if !skills.exists() {
        synth(&skills, count)?;
        synth(&package.folder.join("user"), 20)?;
    }
    Ok(package)
}

/// Writes a package with a program that runs the work of `include_skills!`.
pub fn expand_package() -> io::Result<Package> {
    let main = include_str!("expand_program.rs");
    Package::write("expand", "skills-compiler", main, "")
}
