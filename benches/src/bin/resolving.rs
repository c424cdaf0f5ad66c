//! `resolving [texts | hostile [TEXT…] | near | first]`: how fast texts are resolved and near matches are found, and how good these are,
//! beside published crates.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use pulldown_cmark::Parser;
use regex::Regex;
use skills_benches::names::{self, Typed};
use skills_benches::{Time, time};
use skills_format::scan;
use skills_runtime::source::Limits;
use skills_runtime::{Catalog, Outcome, Policy, Surface};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const MB: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<String> = env::args().skip(1).collect();
    let is_asked =
        |part: &str| asked.is_empty() || asked.first().is_some_and(|asked| asked == part);
    let catalog = catalog(1_700)?;
    if is_asked("texts") {
        texts(&catalog)?;
    }
    if is_asked("hostile") {
        let only = asked.iter().skip(1).collect::<Vec<_>>();
        hostile_texts(&catalog, &only);
    }
    if is_asked("near") {
        near(&catalog)?;
    }
    if is_asked("first") {
        quality(&catalog);
    }
    Ok(())
}

/// Text as it is met.
fn texts(catalog: &Catalog) -> Result<(), Box<dyn Error>> {
    let plain = Regex::new(r"(?:^|\s)\$([A-Za-z][\w-]*(?::[\w-]+)?)")?;
    println!(
        "1 MB of text                     resolve GB/s  scan GB/s  regex GB/s  parser GB/s  target"
    );
    for (what, text, target) in [
        ("prose with no $", repeated(PROSE, MB), 20.0),
        ("prose, a $ each hundred bytes", dollars(MB), 1.0),
        ("Markdown full of code", repeated(CODE, MB), 0.12),
    ] {
        let resolve = time(|| catalog.resolve(&text, Surface::User, &Policy::DEFAULT));
        let scan = time(|| scan(&text, &|_| false).len());
        let regex = time(|| plain.find_iter(&text).count());
        // The Markdown parser by itself: what a text that must be parsed cannot be faster than.
        let parser = time(|| Parser::new(&text).into_offset_iter().count());
        let speed = |time: Time| time.gb_per_second(text.len());
        println!(
            "{what:<32} {:>12.2}  {:>9.2}  {:>10.2}  {:>11.2}  {target:>6}",
            speed(resolve),
            speed(scan),
            speed(regex),
            speed(parser)
        );
    }
    Ok(())
}

/// Text that is made to be slow.
fn hostile_texts(catalog: &Catalog, only: &[&String]) {
    println!("\n1 MB of                           ms  of that scan  4 MB: times   target 150, 8");
    let links = |n: usize| {
        (0..n / 24)
            .map(|i| format!("[$a](skill://b/{i:07})\n"))
            .collect()
    };
    let unknown = |n: usize| (0..n / 8).map(|i| format!("$a{i:05} ")).collect();
    let money = |n: usize| (0..n / 8).map(|i| format!("${i:05}a ")).collect();
    let texts: [(&str, &dyn Fn(usize) -> String); 19] = [
        ("$a", &|n| "$a ".repeat(n / 3)),
        ("known names", &|n| "$api-design $code ".repeat(n / 18)),
        ("a known part", &|n| "$api ".repeat(n / 5)),
        ("different unknown ids", &unknown),
        ("different numbers", &money),
        ("links", &links),
        ("backticks", &|n| format!("$a {}", "`".repeat(n))),
        ("runs of backticks", &|n| {
            format!(
                "$a {}",
                (1..)
                    .map(|i| "`".repeat(i) + " ")
                    .scan(0, |sum, run| {
                        *sum += run.len();
                        (*sum < n).then_some(run)
                    })
                    .collect::<String>()
            )
        }),
        ("[a](", &|n| format!("$a {}", "[a](".repeat(n / 4))),
        ("[$a](", &|n| "[$a](".repeat(n / 5)),
        ("[", &|n| format!("$a {}`", "[".repeat(n))),
        (">", &|n| format!("$a ` {}", ">".repeat(n))),
        ("> in lines", &|n| {
            format!("$a `\n{}", "> $a\n".repeat(n / 5))
        }),
        ("backslashes", &|n| format!("$a ` {}$a", "\\".repeat(n))),
        ("*a_", &|n| format!("$a ` {}", "*a_".repeat(n / 3))),
        ("nested quotes", &|n| {
            format!(
                "`$a`\n{}",
                (1..)
                    .map(|i| ">".repeat(i % 500) + "\n")
                    .scan(0, |sum, line| {
                        *sum += line.len();
                        (*sum < n).then_some(line)
                    })
                    .collect::<String>()
            )
        }),
        ("comments that open", &|n| {
            format!("$a {}", "<!-- ".repeat(n / 5))
        }),
        ("<a", &|n| format!("$a {}", "<a ".repeat(n / 3))),
        ("fences", &|n| "```\n$a\n".repeat(n / 7)),
    ];
    for (what, text) in texts {
        if !only.is_empty() && !only.iter().any(|only| *only == what) {
            continue;
        }
        let (small, large) = (text(MB), text(4 * MB));
        let resolve = |text: &str| {
            catalog
                .resolve(text, Surface::User, &Policy::DEFAULT)
                .mentions
                .len()
        };
        let ours = time(|| resolve(&small));
        let times = time(|| resolve(&large)).seconds / ours.seconds;
        let scan = time(|| scan(&small, &|_| false).len());
        let missed = if ours.ms() > 150.0 || times > 8.0 {
            "  MISSED"
        } else {
            ""
        };
        println!(
            "{what:<28} {:>8.1}  {:>12.1}  {times:>11.1}{missed}",
            ours.ms(),
            scan.ms()
        );
    }
}

/// How long one near match takes, over more and more names.
fn near(catalog: &Catalog) -> Result<(), Box<dyn Error>> {
    println!("\nnear match, ms          ours    worst  target  strsim  nucleo");
    let more = |count| (count != 1_700).then(|| self::catalog(count)).transpose();
    for (count, target) in [(1_000, 0.5), (10_000, 3.5), (100_000, 25.0)] {
        let made = more(count)?;
        let catalog = made.as_ref().unwrap_or(catalog);
        let names: Vec<&str> = catalog.iter().map(|entry| entry.name()).collect();
        let typed = [
            "code-reveiw",
            "desing-api",
            "postgres-migra",
            "kdp",
            "zzzzzz",
        ];
        let resolve = |typed: &str| {
            let text = format!("${typed} x");
            time(|| catalog.resolve(&text, Surface::User, &Policy::DEFAULT)).ms()
        };
        let ours = typed.iter().map(|typed| resolve(typed)).sum::<f64>() / typed.len() as f64;
        // Every name with an `e` in it.
        let worst = ["ing", "test", "api"]
            .iter()
            .map(|typed| resolve(typed))
            .fold(0.0, f64::max);
        let strsim = time(|| by_strsim("code-reveiw", &names).len()).ms();
        let nucleo = time(|| by_nucleo("code-reveiw", &names).len()).ms();
        println!(
            "over {count:>7} names  {ours:>8.2} {worst:>8.2} {target:>7} {strsim:>7.2} {nucleo:>7.2}"
        );
    }
    Ok(())
}

/// How often the name that is meant comes first.
fn quality(catalog: &Catalog) {
    let names: Vec<String> = catalog
        .iter()
        .map(|entry| entry.name().to_owned())
        .collect();
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    println!(
        "\nfirst place of {} names, %    ours  target  strsim  nucleo",
        names.len()
    );
    let typed = names::typed(&names, 1);
    for (kind, target) in [
        ("one edit", 99),
        ("two edits", 97),
        ("order", 99),
        ("prefix", 95),
        ("initials", 95),
    ] {
        let all = &typed[kind];
        let percent = |first: &dyn Fn(&str) -> String| {
            let right = all
                .iter()
                .filter(|(typed, name): &&Typed| first(typed) == *name);
            100.0 * right.count() as f64 / all.len() as f64
        };
        let ours = percent(&|typed| first(catalog, typed));
        let strsim = percent(&|typed| by_strsim(typed, &list));
        let nucleo = percent(&|typed| by_nucleo(typed, &list));
        println!(
            "{kind:<10} of {:>5} {ours:>15.1} {target:>7} {strsim:>7.1} {nucleo:>7.1}",
            all.len()
        );
    }
}

fn first(catalog: &Catalog, typed: &str) -> String {
    let resolution = catalog.resolve(&format!("${typed}"), Surface::User, &Policy::DEFAULT);
    match resolution
        .mentions
        .into_iter()
        .next()
        .map(|mention| mention.outcome)
    {
        Some(Outcome::Suggestion { suggestion, .. }) => suggestion,
        Some(Outcome::Ambiguous { candidates, .. }) => {
            candidates.first().cloned().unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn by_strsim(typed: &str, names: &[&str]) -> String {
    let nearest = names
        .iter()
        .min_by_key(|name| strsim::osa_distance(typed, name));
    nearest.map(|name| (*name).to_owned()).unwrap_or_default()
}

fn by_nucleo(typed: &str, names: &[&str]) -> String {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(
        typed,
        CaseMatching::Ignore,
        Normalization::Smart,
        AtomKind::Fuzzy,
    );
    let mut buffer = Vec::new();
    let mut best = (0, "");
    for name in names {
        let score = pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher);
        if let Some(score) = score.filter(|score| *score > best.0) {
            best = (score, name);
        }
    }
    best.1.to_owned()
}

/// A catalog of one folder with so many skills.
fn catalog(count: usize) -> Result<Catalog, Box<dyn Error>> {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() {
        memory.to_owned()
    } else {
        env::temp_dir()
    };
    let folder = Temporary(folder.join(format!("skills-benches-{}-{count}", std::process::id())));
    for name in names::names(count) {
        let dir = folder.0.join(&name);
        fs::create_dir_all(&dir)?;
        fs::write(
            dir.join("SKILL.md"),
            format!("---\nname: {name}\ndescription: Does {name}.\n---\n"),
        )?;
    }
    let mut limits = Limits::DEFAULT;
    limits.folders = 10 * count;
    limits.skills = 10 * count;
    let loaded = Catalog::builder()
        .limits(limits)
        .directory("user", &folder.0)
        .load();
    match loaded.catalog.iter().count() {
        found if found == count => Ok(loaded.catalog),
        found => Err(format!("{found} skills of {count}").into()),
    }
}

/// Gone at the end.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PROSE: &str = "The parser keeps its place in the text, and when a boundary is met it says so: the \
    reader sees what was expected, what came, and where. Nothing else is printed, and nothing is \
    guessed. A change of the input changes one line of the output.\n\n";

/// A page of a manual.
const CODE: &str = "## Building\n\nRun `cargo build` with `RUSTFLAGS` set, or `$HOME/bin/build` where \
    **that** is there; see [the guide](docs/build.md) and `$CARGO_HOME`. Then $nope checks it:\n\n\
    ```sh\nexport PATH=\"$HOME/bin:$PATH\"\nfor f in *.rs; do rustfmt \"$f\"; done\n```\n\n\
    - first `a`, then `b`\n- *never* `c`\n\n    let x = price(\"$5\");\n    emit(x);\n\n";

fn repeated(text: &str, length: usize) -> String {
    text.repeat(length / text.len())
}

/// Prose with a `$` each hundred bytes: sums, variables, and a few mentions.
fn dollars(length: usize) -> String {
    let dollars = ["$20", "$HOME", "$5.50", "$nope", "$x", "$100k", "$PATH"];
    let mut text = String::new();
    let words = repeated(PROSE, length);
    for (piece, dollar) in words.as_bytes().chunks(96).zip(dollars.iter().cycle()) {
        text += &String::from_utf8_lossy(piece);
        text.truncate(text.trim_end().len());
        text.extend([" ", dollar, " "]);
    }
    text
}
