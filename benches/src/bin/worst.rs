//! `worst [COUNT]`: COUNT patterns of random Markdown constructs, and patterns that are known to be
//! hard, through `check`, `resolve`, `activate` and the catalog text: the slowest pattern of each, in
//! seconds a megabyte, and what four times the text costs.
//!
//! A `SKILL.md` has at most 1 MiB and front matter 64 KiB: `check` and `activate` take 250 KB and 1 MB,
//! the catalog text 12 KB and 50 KB, `resolve` 1 MB and 4 MB. Needs ours:
//! `cargo build --release -p skills-tool` in the workspace above.

#[path = "../../../tests/hostile/src/markdown_text.rs"]
mod markdown_text;
#[path = "../../../tests/hostile/src/numbers.rs"]
mod numbers;

use markdown_text::{Pattern, hard, random};
use rustix::time::{ClockId, clock_gettime};
use skills_runtime::prompt::PromptOptions;
use skills_runtime::{ActivationOptions, Catalog, Policy, Surface};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const MB: usize = 1_000_000;
/// Patterns, unless another number is given.
const COUNT: usize = 40;
/// Seconds below which a ratio says nothing.
const NOISE: f64 = 0.005;

fn main() -> Result {
    let count = env::args()
        .nth(1)
        .map_or(Ok(COUNT), |count| count.parse())?;
    let patterns = [hard(), random(5, count)].concat();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/worst");
    println!("{:10}  s/MB  4 times  pattern", "");
    worst("check", &patterns, MB / 4, |text| check(&folder, text))?;
    let plain = catalog(&folder, "Does a.", "Text.")?;
    worst("resolve", &patterns, MB, |text| {
        seconds(|| Ok(plain.resolve(text, Surface::User, &Policy::DEFAULT)))
    })?;
    worst("activate", &patterns, MB / 4, |text| {
        let catalog = catalog(&folder, "Does a.", text)?;
        let entry = catalog.get("a").ok_or("no skill")?;
        seconds(|| Ok(entry.activate("x", &ActivationOptions::default())?))
    })?;
    worst("prompt", &patterns, MB / 80, |text| {
        let description = text.replace('\'', "''").replace(['\n', '\r'], " ");
        let catalog = catalog(&folder, &description, "Text.")?;
        seconds(|| Ok(catalog.prompt(&PromptOptions::default())))
    })
}

/// Prints the slowest pattern of a way through.
fn worst(
    what: &str,
    patterns: &[Pattern],
    short: usize,
    run: impl Fn(&str) -> Result<f64>,
) -> Result {
    let mut slowest = (0.0, 0.0, "");
    let mut shown = Vec::new();
    for pattern in patterns {
        let quarter = run(&pattern.text(short))?;
        let whole = run(&pattern.text(4 * short))?;
        let a_megabyte = whole * MB as f64 / (4 * short) as f64;
        shown.push((
            a_megabyte,
            whole / quarter.max(NOISE),
            format!("{pattern:?}"),
        ));
    }
    for (a_megabyte, ratio, pattern) in &shown {
        if *a_megabyte > slowest.0 {
            slowest = (*a_megabyte, *ratio, pattern);
        }
    }
    println!(
        "{what:10}  {:.2}  {:7.1}  {}",
        slowest.0, slowest.1, slowest.2
    );
    Ok(())
}

/// The program over one skill, with the rules that are allowed otherwise.
fn check(folder: &Path, body: &str) -> Result<f64> {
    write(folder, "Does a. Use when asked for a.", body)?;
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/skills");
    let mut command = Command::new(program);
    command.args(["check", "--format", "concise"]);
    for rule in [
        "unpinned-command",
        "file-unused",
        "link-depth",
        "link-sibling",
    ] {
        command.args(["--warn", rule]);
    }
    command.arg(folder.join("skills"));
    let start = Instant::now();
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(start.elapsed().as_secs_f64())
}

fn catalog(folder: &Path, description: &str, body: &str) -> Result<Catalog> {
    write(folder, description, body)?;
    let skills = folder.join("skills");
    Ok(Catalog::builder().directory("user", skills).load().catalog)
}

fn write(folder: &Path, description: &str, body: &str) -> Result {
    let text = format!("---\nname: a\ndescription: '{description}'\n---\n\n{body}\n");
    let skill = folder.join("skills/a");
    fs::create_dir_all(&skill)?;
    fs::write(skill.join("SKILL.md"), text)?;
    Ok(())
}

/// The processor time of a run, on all threads.
fn seconds<T>(run: impl FnOnce() -> Result<T>) -> Result<f64> {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = now();
    black_box(run()?);
    Ok(now() - start)
}
