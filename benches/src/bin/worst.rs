//! `worst [COUNT] [--all]`: COUNT patterns of random Markdown constructs, and patterns that are known to
//! be hard, through `check`, `resolve`, `activate` and the catalog text, as a Markdown table: the slowest
//! pattern of each in seconds a megabyte, and the largest ratio of four times the text. `--all` prints
//! every pattern. Processor time of all threads; a ratio over the limit is measured again, and the least
//! times count.
//!
//! A `SKILL.md` has at most 1 MiB and front matter 64 KiB: `check` and `activate` take 250 KB and 1 MB,
//! the catalog text 12 KB and 50 KB, `resolve` 1 MB and 4 MB. `check` is the whole program in a process
//! of its own: this program, started again. Ends with an error when a limit is passed.

#[path = "../../../tests/hostile/src/markdown_text.rs"]
mod markdown_text;
#[path = "../../../tests/hostile/src/numbers.rs"]
mod numbers;

use markdown_text::{Pattern, hard, random};
use rustix::time::{ClockId, clock_gettime};
use skills_runtime::{Catalog, Surface};
use skills_session::Dialect as _;
use skills_session::activation::activate;
use skills_session::options::Options;
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const MB: usize = 1_000_000;
/// Patterns, unless another number is given.
const COUNT: usize = 40;
/// The most that four times the text may cost.
const MOST_TIMES: f64 = 5.0;
/// The most seconds that a megabyte may take.
const MOST_SECONDS: f64 = 2.0;
/// Seconds of the shorter text below which a ratio says nothing.
const NOISE: f64 = 0.005;
/// How often a pattern is measured before it is too slow.
const TRIES: usize = 4;
/// Names the file to which a process that is `skills` writes its seconds.
const SWITCH: &str = "WORST_SECONDS";
/// Turns on the rules that are allowed otherwise.
const WARN: &str = "warn = ['unpinned-command', 'file-unused', 'link-depth', 'link-sibling']\n";

fn main() -> Result<ExitCode> {
    if let Some(file) = env::var_os(SWITCH) {
        let code = skills_tool::run();
        fs::write(file, cpu().to_string())?;
        return Ok(code);
    }
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let before = arguments.len();
    arguments.retain(|argument| argument != "--all");
    let all = arguments.len() < before;
    let count = arguments.first().map_or(Ok(COUNT), |count| count.parse())?;
    let bench = Bench {
        patterns: [hard(), random(5, count)].concat(),
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("target/worst"),
        all,
    };
    println!("| | s a megabyte | times | pattern |\n|---|---|---|---|");
    let plain = bench.catalog("Does a.", "Text.")?;
    let held = [
        bench.run("check", MB / 4, |text| bench.check(text))?,
        bench.run("resolve", MB, |text| {
            seconds(|| Ok(plain.mentions(text, Surface::User, 8)))
        })?,
        bench.run("activate", MB / 4, |text| {
            let catalog = bench.catalog("Does a.", text)?;
            let entry = catalog.get("a").ok_or("no skill")?;
            seconds(|| Ok(activate(&Options::DEFAULT, &entry, "x")?))
        })?,
        bench.run("prompt", MB / 80, |text| {
            let description = text.replace('\'', "''").replace(['\n', '\r'], " ");
            let catalog = bench.catalog(&description, "Text.")?;
            seconds(|| Ok(Options::DEFAULT.list(&catalog)))
        })?,
    ];
    Ok(if held.iter().all(|held| *held) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

struct Bench {
    patterns: Vec<Pattern>,
    folder: PathBuf,
    /// Whether every pattern is printed.
    all: bool,
}

/// What a pattern costs.
struct Cost {
    a_megabyte: f64,
    times: f64,
    pattern: String,
}

impl Cost {
    fn print(&self, what: &str) {
        let Self {
            a_megabyte,
            times,
            pattern,
        } = self;
        println!("| {what} | {a_megabyte:.2} | {times:.1} | `{pattern}` |");
    }
}

impl Bench {
    /// Prints the slowest pattern of a way through, and the pattern with the largest ratio. Returns
    /// whether every pattern holds.
    fn run(&self, what: &str, short: usize, run: impl Fn(&str) -> Result<f64>) -> Result<bool> {
        let mut costs = Vec::new();
        for pattern in &self.patterns {
            costs.push(cost(pattern, short, &run)?);
        }
        if self.all {
            costs.iter().for_each(|cost| cost.print(what));
        }
        costs.sort_by(|a, b| a.times.total_cmp(&b.times));
        let steepest = costs.pop().ok_or("no pattern")?;
        let slowest = costs
            .iter()
            .max_by(|a, b| a.a_megabyte.total_cmp(&b.a_megabyte));
        let slowest = slowest.filter(|cost| cost.a_megabyte > steepest.a_megabyte);
        slowest.iter().for_each(|cost| cost.print(what));
        steepest.print(what);
        let most = slowest.map_or(steepest.a_megabyte, |cost| cost.a_megabyte);
        Ok(steepest.times <= MOST_TIMES && most <= MOST_SECONDS)
    }

    /// The program over one skill, with the rules that are allowed otherwise.
    fn check(&self, body: &str) -> Result<f64> {
        self.write("Does a. Use when asked for a.", body)?;
        fs::write(self.folder.join("skills/skills.toml"), WARN)?;
        let seconds = self.folder.join("seconds");
        let mut command = Command::new(env::current_exe()?);
        command.env(SWITCH, &seconds);
        command.args(["check", "--format", "concise"]);
        command.arg(self.folder.join("skills"));
        let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
        match silent.status()?.code() {
            Some(0 | 1) => Ok(fs::read_to_string(seconds)?.parse()?),
            code => Err(format!("check ended with {code:?}").into()),
        }
    }

    fn catalog(&self, description: &str, body: &str) -> Result<Catalog> {
        self.write(description, body)?;
        let skills = self.folder.join("skills");
        Ok(Catalog::builder().directory("user", skills).load())
    }

    fn write(&self, description: &str, body: &str) -> Result {
        let text = format!("---\nname: a\ndescription: '{description}'\n---\n\n{body}\n");
        let skill = self.folder.join("skills/a");
        fs::create_dir_all(&skill)?;
        fs::write(skill.join("SKILL.md"), text)?;
        Ok(())
    }
}

fn cost(pattern: &Pattern, short: usize, run: impl Fn(&str) -> Result<f64>) -> Result<Cost> {
    let (quarter, whole) = (pattern.text(short), pattern.text(4 * short));
    let mut least = (f64::MAX, f64::MAX);
    for _ in 0..TRIES {
        least.0 = run(&quarter)?.min(least.0);
        least.1 = run(&whole)?.min(least.1);
        if least.1 <= least.0.max(NOISE) * MOST_TIMES {
            break;
        }
    }
    Ok(Cost {
        a_megabyte: least.1 * MB as f64 / (4 * short) as f64,
        times: least.1 / least.0.max(NOISE),
        pattern: format!("{pattern:?}"),
    })
}

/// The processor time of this process, on all threads.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The processor time of a run.
fn seconds<T>(run: impl FnOnce() -> Result<T>) -> Result<f64> {
    let start = cpu();
    black_box(run()?);
    Ok(cpu() - start)
}
