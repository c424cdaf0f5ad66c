//! `lookup [N…]`: how long it takes to find a skill by its name: in a bundle of N skills of `synth`
//! alone, in one with 20 skills of a folder over it, and in a `HashMap` of the standard library.
//!
//! Builds a program with the bundle in it, below `target/packages`, and runs it. 10,000 skills take a
//! minute to bake.

use std::error::Error;
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
    let package = skills_benches::lookup_package(count)?;
    let program = package.build()?;
    let status = Command::new(&program)
        .current_dir(&package.folder)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} does not run", program.display()).into())
    }
}
