//! `paging [N…]`, after `cargo build --release -p skills-tool`: how long `skills page` takes over N skills of `synth`, as a whole process, and how long its page is.

use skills_benches::{Temporary, skills_program, synth};
use std::error::Error;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How often each page is made. The median counts.
const RUNS: usize = 7;

fn main() -> Result<()> {
    let counts = std::env::args().skip(1).map(|count| count.parse());
    let mut counts: Vec<usize> = counts.collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![12, 100, 1_000];
    }
    let program = skills_program();
    println!("  skills        ms        KB");
    for count in counts {
        let folder = Temporary::new("paging")?;
        let skills = folder.path().join("skills");
        fs::create_dir_all(&skills)?;
        synth(&skills, count)?;
        let mut taken = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            let status = Command::new(&program)
                .args(["page", "skills"])
                .current_dir(folder.path())
                .stderr(Stdio::null())
                .status()?;
            taken.push(start.elapsed().as_secs_f64() * 1e3);
            if !status.success() {
                return Err("the page was not made".into());
            }
        }
        taken.sort_by(f64::total_cmp);
        let length = fs::metadata(folder.path().join("report.html"))?.len();
        println!(
            "{count:>8}  {:>8.0}  {:>8.0}",
            taken[RUNS / 2],
            length as f64 / 1e3
        );
    }
    Ok(())
}
