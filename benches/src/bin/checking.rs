//! `checking [N…]`: `skills check` over N skills of `synth`, over N with a name and a description alone (`plain N`), and over one
//! skill with 343 Markdown files, beside the validators that are there: wall time, CPU time, memory, instructions.
//!
//! Needs `/usr/bin/time`, for the last `valgrind`, and ours: `cargo build --release -p skills-tool`
//! in the workspace above. The peers come by `cargo install aigent agnix-cli`.

use skills_benches::Part;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Who checks, and how it is asked to.
const CHECKERS: &[(&str, &[&str])] = &[
    ("skills", &["check", "--format", "concise"]),
    ("aigent", &["check", "--recursive"]),
    ("aigent", &["check", "--structure", "--recursive"]),
    ("agnix", &[]),
];

/// The number of Markdown files in the skill with pages.
const PAGES: usize = 343;

/// Milliseconds above which instructions are not counted.
const LONG: f64 = 5_000.0;

/// Runs of each, in turns. The first finds cold files.
const RUNS: usize = 6;

fn main() -> Result<()> {
    let mut counts: Vec<usize> = env::args()
        .skip(1)
        .map(|count| count.parse())
        .collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![1, 1_000, 10_000];
    }
    fs::create_dir_all(target())?;
    println!("skills  wall ms  CPU ms      MB  million instructions");
    for count in counts {
        let folder = target().join(format!("synth-{count}"));
        if !folder.exists() {
            skills_benches::synth(&folder, count)?;
        }
        compare(&count.to_string(), &folder)?;
        let folder = target().join(format!("plain-{count}"));
        if !folder.exists() {
            skills_benches::synth_plain(&folder, count)?;
        }
        compare(&format!("plain {count}"), &folder)?;
    }
    // A checker can take the name of the skill from its folder.
    let folder = target().join("pages/docs");
    if !folder.exists() {
        skills_benches::synth_docs(&folder, PAGES)?;
    }
    compare("pages", &folder)
}

/// Prints a row for each checker of a folder.
fn compare(what: &str, folder: &Path) -> Result<()> {
    let folder = folder.to_str().ok_or("a folder with an odd name")?;
    let mut runs: Vec<Vec<Run>> = CHECKERS.iter().map(|_| Vec::new()).collect();
    for _ in 0..RUNS {
        for ((name, arguments), runs) in CHECKERS.iter().zip(&mut runs) {
            runs.extend(Run::of(name, arguments, folder)?);
        }
    }
    for ((name, arguments), runs) in CHECKERS.iter().zip(&runs) {
        let Some((_, warm)) = runs.split_first() else {
            println!("{what:>6}  {name} is not there");
            continue;
        };
        let cpu = median(warm, |run| run.cpu);
        // Counting takes fifty times as long.
        let instructions = if cpu < LONG {
            let mut process = Command::new(program(name));
            process.args(*arguments).arg(folder);
            skills_benches::instructions(&process, Part::Process).unwrap_or(0)
        } else {
            0
        };
        println!(
            "{what:>6}  {:>7.0}  {:>6.0}  {:>6.1}  {:>20.1}  {name} {}",
            median(warm, |run| run.wall),
            cpu,
            median(warm, |run| run.megabytes),
            instructions as f64 / 1e6,
            arguments.join(" "),
        );
    }
    Ok(())
}

/// One run of a program.
struct Run {
    /// Milliseconds.
    wall: f64,
    /// Milliseconds, in the program and in the system for it.
    cpu: f64,
    megabytes: f64,
}

impl Run {
    /// `None` when there is no such program.
    fn of(name: &str, arguments: &[&str], folder: &str) -> Result<Option<Self>> {
        let log = target().join("run.log");
        let start = Instant::now();
        Command::new("/usr/bin/time")
            .args(["-q", "-f", "%U %S %M", "-o"])
            .arg(&log)
            .arg(program(name))
            .args(arguments)
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        let wall = start.elapsed().as_secs_f64() * 1e3;
        let log = fs::read_to_string(log)?;
        let numbers: Vec<f64> = log
            .split_whitespace()
            .filter_map(|number| number.parse().ok())
            .collect();
        // A program that finds faults says so by its exit code; one that is not there leaves no memory.
        Ok(match numbers.as_slice() {
            [user, system, kilobytes] if *kilobytes > 0.0 && is_there(name) => Some(Self {
                wall,
                cpu: (user + system) * 1e3,
                megabytes: kilobytes / 1024.0,
            }),
            _ => None,
        })
    }
}

fn program(name: &str) -> PathBuf {
    if name == "skills" {
        skills_benches::skills_program()
    } else {
        name.into()
    }
}

fn is_there(name: &str) -> bool {
    let mut command = Command::new(program(name));
    command.arg("--version").stdout(Stdio::null());
    command.status().is_ok()
}

fn median(runs: &[Run], of: fn(&Run) -> f64) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/checking")
}
