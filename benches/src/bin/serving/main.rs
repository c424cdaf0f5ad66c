//! `serving [N…]`: `skills mcp` on standard input and output, over the skills in the program and over N skills of
//! `synth`: from the start to the first answer, the pages of each list, memory, instructions of a request.
//!
//! Needs `valgrind`, Linux, and ours: `cargo build --release -p skills-tool` in the workspace above.

mod server;

use server::{HELLO, READY, Server, request};
use skills_benches::{Part, Temporary};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Runs of each measurement.
const RUNS: usize = 5;
/// Requests after the first, of which callgrind counts one.
const REQUESTS: u64 = 100;
/// The lists, and the key of their items.
const LISTS: [(&str, &str); 3] = [
    ("skills/list", "skills"),
    ("resources/list", "resources"),
    ("prompts/list", "prompts"),
];

/// What a row shows: milliseconds, and megabytes.
#[derive(Clone, Copy, Default)]
struct Run {
    first: f64,
    lists: [f64; LISTS.len()],
    memory: f64,
}

fn main() -> Result<()> {
    let counts: std::result::Result<Vec<usize>, _> =
        env::args().skip(1).map(|count| count.parse()).collect();
    let mut counts = counts?;
    if counts.is_empty() {
        counts = vec![1_000, 10_000];
    }
    println!(
        "skills   first answer ms  skills/list ms  resources/list ms  prompts/list ms     MB  \
         instructions to the first skills/get, of one more"
    );
    row(
        "bundled",
        &program(None),
        "skill://bundled/code-review/SKILL.md",
    )?;
    for count in counts {
        let work = Temporary::new("serving")?;
        skills_benches::synth(work.path(), count)?;
        let program = program(Some(work.path()));
        row(
            &count.to_string(),
            &program,
            "skill://team/skill-00000/SKILL.md",
        )?;
    }
    Ok(())
}

/// The arguments of the server, its program first.
fn program(folder: Option<&Path>) -> Vec<String> {
    let program = skills_benches::skills_program().display().to_string();
    let mut words = vec![program, "mcp".to_owned()];
    if let Some(folder) = folder {
        let layer = format!("team={}", folder.display());
        words.extend(["--no-bundled", "--layer", &layer].map(str::to_owned));
    }
    words
}

fn row(name: &str, program: &[String], uri: &str) -> Result<()> {
    let runs = (0..RUNS)
        .map(|_| run(program))
        .collect::<Result<Vec<Run>>>()?;
    let median = |of: &dyn Fn(&Run) -> f64| {
        let mut values: Vec<f64> = runs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let lists: [f64; 3] = std::array::from_fn(|list| median(&|run| run.lists[list]));
    let first = instructions(program, uri, 1)?;
    let more = instructions(program, uri, REQUESTS + 1)?.saturating_sub(first) / REQUESTS;
    println!(
        "{name:7}  {:>15.1}  {:>14.1}  {:>17.1}  {:>15.1}  {:>5.1}  {first}, {more}",
        median(&|run| run.first),
        lists[0],
        lists[1],
        lists[2],
        median(&|run| run.memory),
    );
    Ok(())
}

/// Starts a server, and asks for all pages of each list.
fn run(program: &[String]) -> Result<Run> {
    let mut run = Run::default();
    let start = Instant::now();
    let mut server = Server::start(program)?;
    server.ask(HELLO)?;
    run.first = milliseconds(start);
    server.write(READY)?;
    let mut id = 0;
    for (taken, (method, key)) in run.lists.iter_mut().zip(LISTS) {
        let start = Instant::now();
        let mut cursor = serde_json::json!({});
        loop {
            id += 1;
            let answer = server.ask(&request(id, method, &cursor))?;
            let page = &answer["result"];
            if !page[key].is_array() {
                return Err(format!("{method}: {answer}").into());
            }
            match page["nextCursor"].as_str() {
                Some(next) => cursor = serde_json::json!({ "cursor": next }),
                None => break,
            }
        }
        *taken = milliseconds(start);
    }
    run.memory = server.most_memory()?;
    server.end()?;
    Ok(run)
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// The instructions of a process that answers so many `skills/get`.
fn instructions(program: &[String], uri: &str, requests: u64) -> Result<u64> {
    let work = Temporary::new("serving-requests")?;
    let file = work.path().join("requests");
    let get = |id| request(id, "skills/get", &serde_json::json!({ "uri": uri }));
    let lines = [HELLO.to_owned(), READY.to_owned()].into_iter();
    let lines: Vec<String> = lines.chain((1..=requests).map(get)).collect();
    fs::write(&file, lines.join("\n") + "\n")?;
    let mut process = Command::new(&program[0]);
    process.args(&program[1..]);
    let input = fs::File::open(&file)?;
    Ok(skills_benches::instructions_with(
        &process,
        Part::Process,
        input.into(),
    )?)
}
