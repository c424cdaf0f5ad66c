//! Every piece of work, and how its process is started.

use crate::Result;
use crate::data::Data;
use crate::work::prompts;
use skills_benches::texts::{HOSTILE, TYPED, USUAL};
use skills_benches::{
    Part, baked_package, build_skills, expand_package, instructions, lookup_package, succeed,
};
use std::env;
use std::path::Path;
use std::process::Command;

/// One piece of work.
#[derive(Debug)]
pub struct Work {
    /// The kind of work, a slash, and the piece.
    pub name: String,
    /// How often it runs in the part that is counted.
    times: u32,
}

/// Every piece of work, in the order of the table.
pub fn all() -> Vec<Work> {
    let mut all = Vec::new();
    let mut add = |times: u32, kind: &str, pieces: &[&str]| {
        all.extend(pieces.iter().map(|piece| Work {
            name: format!("{kind}/{piece}"),
            times,
        }));
    };
    add(1, "bake", &["expand", "start and a lookup"]);
    let lookups = [
        "hit, bundle alone",
        "hit, catalog over the bundle",
        "hit, 20 user skills above",
        "miss, bundle alone",
        "miss, catalog over the bundle",
        "miss, 20 user skills above",
        "load of the catalog",
    ];
    add(10, "lookup", &lookups);
    add(
        3,
        "discover",
        &["load", "load with stamps", "reload, nothing changed"],
    );
    add(3, "resolve", &USUAL.map(|text| text.0));
    // The most of all instructions, of which what is prepared once is a small part.
    add(1, "resolve", &HOSTILE.map(|text| text.0));
    add(3, "scan", &USUAL.map(|text| text.0));
    add(5, "near", &["few near names", "many near names"]);
    let prompts: Vec<String> = prompts().map(|(name, _)| name).collect();
    let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
    add(5, "render", &prompts);
    add(5, "tools", &["default", "caliban"]);
    add(10, "complete", &TYPED);
    add(5, "complete", &["made, and one key"]);
    add(100, "activate", &["bundled skills"]);
    add(
        1,
        "check",
        &["1 skill", "1,000 skills", "343 pages of 1 skill"],
    );
    add(1, "start", &["version", "resolve"]);
    all
}

impl Work {
    /// Counts the instructions of running the work once. `skills` is the program `skills` to count;
    /// without it cargo builds the program of the workspace.
    pub fn count(&self, data: &Data, skills: Option<&Path>) -> Result<u64> {
        let (kind, piece) = self.name.split_once('/').unwrap_or((&self.name, ""));
        let times = self.times.to_string();
        match kind {
            "bake" if piece == "expand" => expand(data),
            "bake" => {
                let with = baked(1_000)?;
                Ok(with.saturating_sub(baked(0)?))
            }
            "lookup" => {
                let package = lookup_package(1_000)?;
                let mut process = Command::new(package.build()?);
                process
                    .args([&self.name, &times])
                    .current_dir(package.folder);
                self.counted(&process)
            }
            "check" | "start" => {
                let program = skills.map_or_else(build_skills, |skills| Ok(skills.to_owned()))?;
                whole(&mut skills_process(&program, piece, data)?)
            }
            _ => {
                let mut process = Command::new(env::current_exe()?);
                process.args(["work", &self.name, &times]).arg(data.0);
                self.counted(&process)
            }
        }
    }

    fn counted(&self, process: &Command) -> Result<u64> {
        Ok(instructions(process, Part::Counted)? / u64::from(self.times))
    }
}

/// Counts the expansion of `include_skills!` over 1,000 skills.
fn expand(data: &Data) -> Result<u64> {
    let program = expand_package()?.build()?;
    let process = |mode| {
        let mut process = Command::new(&program);
        process.arg(mode).env("CARGO_MANIFEST_DIR", data.0);
        process
    };
    succeed(&mut process("check"))?;
    let all = whole(&mut process("expand"))?;
    Ok(all.saturating_sub(whole(&mut process("nothing"))?))
}

/// Counts the start of a program with so many baked skills, and one lookup.
fn baked(count: usize) -> Result<u64> {
    let mut process = Command::new(baked_package(count)?.build()?);
    whole(process.arg("skill-00042"))
}

/// The program `skills`, in a project and a home without files.
fn skills_process(program: &Path, piece: &str, data: &Data) -> Result<Command> {
    let mut process = Command::new(program);
    let check = ["check", "--format", "concise"];
    match piece {
        "1 skill" => process.args(check).arg(data.synth(1)),
        "1,000 skills" => process.args(check).arg(data.synth(1_000)),
        "343 pages of 1 skill" => process.args(check).arg(data.docs()),
        "version" => process.arg("--version"),
        "resolve" => process.args(["resolve", "$code-review the parser"]),
        _ => return Err(format!("no work has the name '{piece}'").into()),
    };
    process.current_dir(data.project());
    process.env("HOME", data.home());
    Ok(process)
}

/// Counts a whole process that must succeed.
fn whole(process: &mut Command) -> Result<u64> {
    succeed(process)?;
    Ok(instructions(process, Part::Process)?)
}
