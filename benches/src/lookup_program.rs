//! What `lookup` builds and runs: no part of the benches' own crate.

use skills_runtime::{Bundle, Catalog};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

static SKILLS: Bundle = skills_runtime::include_skills!("skills");

const RUNS: usize = 21;

fn main() {
    drop(Catalog::builder().bundle("bundled", &SKILLS).load());
    let start = Instant::now();
    let bundle = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
    let load = start.elapsed().as_nanos();
    let both = Catalog::builder()
        .directory("user", "user")
        .bundle("bundled", &SKILLS)
        .load()
        .catalog;
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
    for (what, names) in [
        ("names that are there", &names),
        ("names that are not", &missing),
    ] {
        let alone = time(names, |name| SKILLS.get(name).is_some());
        let in_bundle = time(names, |name| bundle.get(name).is_some());
        let in_both = time(names, |name| both.get(name).is_some());
        let in_map = time(names, |name| map.contains_key(name));
        println!(
            "{:>6}  {what:<22}  {alone:>8.1}  {in_bundle:>10.1}  {in_both:>13.1}  {in_map:>10.1}  {load:>7}",
            SKILLS.len()
        );
    }
}

/// Nanoseconds a lookup: the median of some runs over all names.
fn time(names: &[String], find: impl Fn(&str) -> bool) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            let found = names.iter().filter(|name| find(black_box(name))).count();
            black_box(found);
            start.elapsed().as_secs_f64() * 1e9 / names.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}
