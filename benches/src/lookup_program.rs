//! What `lookup` and `instructions` build and run: no part of the benches' own crate.

mod counted;

use counted::counted;
use skills_runtime::{Bundle, Catalog};
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

static SKILLS: Bundle = skills_runtime::include_skills!("skills");

const RUNS: usize = 21;

/// Without arguments measures all times. With the name of one piece of work and a number of times
/// runs the work under callgrind.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    drop(load());
    let start = Instant::now();
    let bundle = load();
    let load_time = start.elapsed().as_nanos();
    let both = Catalog::builder()
        .directory("user", "user")
        .bundle("bundled", &SKILLS)
        .load();
    let map: HashMap<&str, usize> = SKILLS
        .iter()
        .enumerate()
        .map(|(index, skill)| (skill.name(), index))
        .collect();
    // An order in which the processor cannot guess the next.
    let mut names: Vec<String> = map.keys().map(|name| (*name).to_owned()).collect();
    names.sort_by_key(|name| {
        name.bytes().fold(7_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    });
    let missing: Vec<String> = names.iter().map(|name| format!("{name}-x")).collect();
    let alone = |name: &str| SKILLS.get(name).is_some();
    let in_bundle = |name: &str| bundle.get(name).is_some();
    let in_both = |name: &str| both.get(name).is_some();
    let in_map = |name: &str| map.contains_key(name);
    if let [work, times] = arguments.as_slice() {
        let times = times.parse()?;
        assert_eq!(count(&names, in_both), SKILLS.iter().count(), "names that are there");
        assert_eq!(count(&missing, in_both), 0, "names that are not");
        match work.as_str() {
            "lookup/hit, bundle alone" => counted(times, || count(&names, alone)),
            "lookup/hit, catalog over the bundle" => counted(times, || count(&names, in_bundle)),
            "lookup/hit, 20 user skills above" => counted(times, || count(&names, in_both)),
            "lookup/miss, bundle alone" => counted(times, || count(&missing, alone)),
            "lookup/miss, catalog over the bundle" => counted(times, || count(&missing, in_bundle)),
            "lookup/miss, 20 user skills above" => counted(times, || count(&missing, in_both)),
            "lookup/load of the catalog" => counted(times, load),
            _ => return Err(format!("no work has the name '{work}'").into()),
        }
        return Ok(());
    }
    for (what, names) in [
        ("names that are there", &names),
        ("names that are not", &missing),
    ] {
        let alone = time(names, alone);
        let in_bundle = time(names, in_bundle);
        let in_both = time(names, in_both);
        let in_map = time(names, in_map);
        println!(
            "{:>6}  {what:<22}  {alone:>8.1}  {in_bundle:>10.1}  {in_both:>13.1}  {in_map:>10.1}  {load_time:>7}",
            SKILLS.iter().count()
        );
    }
    Ok(())
}

fn load() -> Catalog {
    Catalog::builder().bundle("bundled", &SKILLS).load()
}

/// Nanoseconds a lookup: the median of some runs over all names.
fn time(names: &[String], find: impl Fn(&str) -> bool) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(count(names, &find));
            start.elapsed().as_secs_f64() * 1e9 / names.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

/// How many of the names are found.
fn count(names: &[String], find: impl Fn(&str) -> bool) -> usize {
    names.iter().filter(|name| find(black_box(name))).count()
}
