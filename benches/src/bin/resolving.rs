//! `resolving [texts | hostile [TEXT…] | near | first]`: how fast texts are resolved and near matches are found, and how good these are,
//! beside published crates.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use pulldown_cmark::Parser;
use regex::Regex;
use skills_benches::api::{Catalog, Outcome, Surface, scan};
use skills_benches::names::{self, Typed};
use skills_benches::texts::{BROAD, HOSTILE, MB, NEAR, USUAL};
use skills_benches::{Temporary, Time, load_names, time, write_names};
use std::env;
use std::error::Error;

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
    for ((what, text), target) in USUAL.into_iter().zip([20.0, 1.0, 0.12]) {
        let text = text(MB);
        let resolve = time(|| catalog.mentions(&text, Surface::User, 8));
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
    for (what, text) in HOSTILE {
        if !only.is_empty() && !only.iter().any(|only| *only == what) {
            continue;
        }
        let (small, large) = (text(MB), text(4 * MB));
        let resolve = |text: &str| catalog.mentions(text, Surface::User, 8).mentions.len();
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
        let resolve = |typed: &str| {
            let text = format!("${typed} x");
            time(|| catalog.mentions(&text, Surface::User, 8)).ms()
        };
        let ours = NEAR.iter().map(|typed| resolve(typed)).sum::<f64>() / NEAR.len() as f64;
        // Every name with an `e` in it.
        let worst = BROAD.iter().map(|typed| resolve(typed)).fold(0.0, f64::max);
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
    let resolution = catalog.mentions(&format!("${typed}"), Surface::User, 8);
    match resolution
        .mentions
        .into_iter()
        .next()
        .map(|mention| mention.outcome)
    {
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
    let folder = Temporary::new("names")?;
    write_names(folder.path(), count)?;
    load_names(folder.path(), count)
}
