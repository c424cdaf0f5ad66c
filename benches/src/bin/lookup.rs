//! `lookup [N…]`: how long it takes to find a skill by its name: in a bundle of N skills of `synth`
//! alone, in one with 20 skills of a folder over it, and in a `HashMap` of the standard library.
//!
//! Builds a program with the bundle in it, below `target/lookup`, and runs it. 10,000 skills take a
//! minute to bake.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let mut counts: Vec<usize> = std::env::args()
        .skip(1)
        .map(|count| count.parse())
        .collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![1_000, 10_000];
    }
    println!(
        "skills  looked up                alone ns   catalog ns  20 over it ns  HashMap ns  load ns"
    );
    for count in counts {
        run(count)?;
    }
    Ok(())
}

fn run(count: usize) -> Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = here.join("target/lookup");
    let dir = target.join(format!("lookup-{count}"));
    let runtime = here.join("../skills-runtime");
    fs::create_dir_all(dir.join("src"))?;
    fs::write(
        dir.join("Cargo.toml"),
        format!(
            "[workspace]\n[package]\nname = \"lookup-{count}\"\nedition = \"2024\"\npublish = false\n\
             [dependencies]\nskills-runtime = {{ path = {runtime:?} }}\n"
        ),
    )?;
    fs::copy(here.join("../Cargo.lock"), dir.join("Cargo.lock"))?;
    fs::write(
        dir.join("src/main.rs"),
        include_str!("../lookup_program.rs"),
    )?;
    if !dir.join("skills").exists() {
        skills_benches::synth(&dir.join("skills"), count)?;
        skills_benches::synth(&dir.join("user"), 20)?;
    }
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--offline", "--release"])
        .current_dir(&dir)
        .env("CARGO_TARGET_DIR", target.join("target"))
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} does not run", dir.display()).into())
    }
}
