//! `baking [N…]`: what `include_skills!` costs over N skills of `synth`: CPU time and memory of
//! rustc with the macro in it, size of the program, instructions at its start.
//!
//! Needs `/usr/bin/time`, and for the last `valgrind`. Everything is written below `target/packages`.

use skills_benches::{Package, Part, baked_package, instructions};
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    // cargo runs this program in the place of rustc, so that it can measure the last crate alone.
    let arguments: Vec<String> = env::args().skip(1).collect();
    if env::var_os("BAKING_LOG").is_some()
        && arguments
            .first()
            .is_some_and(|first| first.contains("rustc"))
    {
        return rustc(&arguments);
    }
    let mut counts: Vec<usize> = arguments
        .iter()
        .map(|count| count.parse())
        .collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![100, 1_000, 10_000];
    }
    let none = Measured::of(0)?;
    // The first skill brings the runtime's own bytes.
    let one = Measured::of(1)?;
    println!(
        "skills  debug CPU s  release CPU s  debug MB  release MB  bytes a skill  instructions at start"
    );
    for count in counts {
        let some = Measured::of(count)?;
        let over = |some: f64, none: f64| some - none;
        println!(
            "{count:>6}  {:>11.2}  {:>13.2}  {:>8.0}  {:>10.0}  {:>13.0}  {:>21}",
            over(some.debug.seconds, none.debug.seconds),
            over(some.release.seconds, none.release.seconds),
            over(some.debug.megabytes, none.debug.megabytes),
            over(some.release.megabytes, none.release.megabytes),
            (some.program - one.program - (some.files - one.files)) / (count.max(2) - 1) as f64,
            some.instructions.saturating_sub(none.instructions),
        );
    }
    println!(
        "All is above a program that links the runtime without skills; the size above the files and a program with one skill."
    );
    Ok(())
}

/// One crate, built.
struct Measured {
    debug: Rustc,
    release: Rustc,
    /// Bytes of all files of the skills.
    files: f64,
    /// Bytes of the program, stripped.
    program: f64,
    /// From its start to its end, with one lookup.
    instructions: u64,
}

/// The median of some runs of rustc.
struct Rustc {
    seconds: f64,
    megabytes: f64,
}

impl Measured {
    fn of(count: usize) -> Result<Self> {
        let package = baked_package(count)?;
        let dir = &package.folder;
        let (debug, release) = (Rustc::over(dir, "debug")?, Rustc::over(dir, "release")?);
        let program = Package::target()
            .join("release")
            .join(format!("synth-{count}"));
        let mut process = Command::new(&program);
        process.arg("skill-00042");
        Ok(Self {
            debug,
            release,
            files: size(&dir.join("skills"))? as f64,
            program: fs::metadata(&program)?.len() as f64,
            instructions: instructions(&process, Part::Process).unwrap_or(0),
        })
    }
}

impl Rustc {
    fn over(dir: &Path, profile: &str) -> Result<Self> {
        let log = dir.join("rustc.log");
        let mut runs = Vec::new();
        for run in 0..6 {
            let source = fs::read(dir.join("src/main.rs"))?;
            fs::write(dir.join("src/main.rs"), source)?;
            let _ = fs::remove_file(&log);
            let mut cargo = Command::new("cargo");
            cargo.args(["build", "--quiet", "--offline"]);
            if profile == "release" {
                cargo.arg("--release");
            }
            let status = cargo
                .current_dir(dir)
                .env("CARGO_TARGET_DIR", Package::target())
                .env("RUSTC_WRAPPER", env::current_exe()?)
                .env("BAKING_LOG", &log)
                .stderr(Stdio::null())
                .status()?;
            if !status.success() {
                return Err(format!("{} does not build", dir.display()).into());
            }
            let text = fs::read_to_string(&log)?;
            let numbers: Vec<f64> = text
                .split_whitespace()
                .filter_map(|number| number.parse().ok())
                .collect();
            // The first one finds cold files.
            if let ([user, system, kilobytes], 1..) = (numbers.as_slice(), run) {
                runs.push((user + system, kilobytes / 1024.0));
            }
        }
        let median = |of: fn(&(f64, f64)) -> f64| {
            let mut values: Vec<f64> = runs.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        Ok(Self {
            seconds: median(|run| run.0),
            megabytes: median(|run| run.1),
        })
    }
}

/// Runs rustc; the crates of this bench under `/usr/bin/time`.
fn rustc(command: &[String]) -> Result<()> {
    let is_ours = command
        .windows(2)
        .any(|pair| pair[0] == "--crate-name" && pair[1].starts_with("synth_"));
    let status = if is_ours {
        let log = env::var("BAKING_LOG")?;
        Command::new("/usr/bin/time")
            .args(["-f", "%U %S %M", "-o", &log])
            .args(command)
            .status()?
    } else {
        let (program, arguments) = command.split_first().ok_or("no compiler")?;
        Command::new(program).args(arguments).status()?
    };
    std::process::exit(status.code().unwrap_or(1))
}

fn size(dir: &Path) -> Result<u64> {
    let mut sum = 0;
    if dir.exists() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            sum += match entry.file_type()?.is_dir() {
                true => size(&entry.path())?,
                false => entry.metadata()?.len(),
            };
        }
    }
    Ok(sum)
}
