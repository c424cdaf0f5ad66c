//! `instructions [NAME…] [--json FILE] [--against FILE] [--program FILE]`: the instructions of every
//! kind of work that benches/README.md has figures for, counted by callgrind, as a Markdown table.
//!
//! NAME selects the work whose name begins with it. `--json` saves the counts, `--against` adds a
//! column with the ratio to saved counts. `--program` is the `skills` to count; without it cargo builds
//! the program of the workspace.
//!
//! Needs `valgrind`. Each piece of work runs in a process of its own: this program starts itself as
//! `instructions work NAME TIMES FOLDER`. Only [`counted`](skills_benches::counted) is counted, not what
//! prepares the work. The programs that the bench writes lie below `target/packages`.

mod data;
mod list;
mod work;

use data::Data;
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Instructions by the name of the work.
type Counts = BTreeMap<String, u64>;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [mode, name, times, folder] = arguments.as_slice()
        && mode == "work"
    {
        return work::run(name, times.parse()?, &Data(Path::new(folder)));
    }
    let asked = Asked::parse(arguments)?;
    let mut selected = list::all();
    selected.retain(|work| asked.selects(&work.name));
    if selected.is_empty() {
        return Err("no work has a name that begins so".into());
    }
    let before: Option<Counts> = match &asked.against {
        Some(file) => Some(serde_json::from_str(&fs::read_to_string(file)?)?),
        None => None,
    };
    let folder = Data::write()?;
    let data = Data(folder.path());
    let mut counts = Counts::new();
    println!("{}", heading(before.is_some()));
    for work in selected {
        let count = work.count(&data, asked.program.as_deref())?;
        println!("{}", row(&work.name, count, before.as_ref()));
        counts.insert(work.name, count);
    }
    if let Some(file) = &asked.json {
        fs::write(file, serde_json::to_string_pretty(&counts)? + "\n")?;
    }
    Ok(())
}

/// What the command line asks for.
#[derive(Default)]
struct Asked {
    names: Vec<String>,
    json: Option<PathBuf>,
    against: Option<PathBuf>,
    program: Option<PathBuf>,
}

impl Asked {
    fn parse(arguments: Vec<String>) -> Result<Self> {
        let mut asked = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let option = match argument.as_str() {
                "--json" => &mut asked.json,
                "--against" => &mut asked.against,
                "--program" => &mut asked.program,
                option if option.starts_with("--") => {
                    return Err(format!("there is no option {option}").into());
                }
                _ => {
                    asked.names.push(argument);
                    continue;
                }
            };
            let file = arguments.next().ok_or(format!("{argument} needs a file"))?;
            *option = Some(std::path::absolute(file)?);
        }
        Ok(asked)
    }

    fn selects(&self, name: &str) -> bool {
        let mut names = self.names.iter();
        self.names.is_empty() || names.any(|asked| name.starts_with(asked.as_str()))
    }
}

fn heading(has_before: bool) -> &'static str {
    if has_before {
        "| work | before | now | ratio |\n|---|---:|---:|---:|"
    } else {
        "| work | instructions |\n|---|---:|"
    }
}

fn row(name: &str, count: u64, before: Option<&Counts>) -> String {
    let now = grouped(count);
    let Some(before) = before else {
        return format!("| `{name}` | {now} |");
    };
    match before.get(name) {
        Some(&before) => format!(
            "| `{name}` | {} | {now} | {:.3} |",
            grouped(before),
            count as f64 / before as f64
        ),
        None => format!("| `{name}` | | {now} | |"),
    }
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
