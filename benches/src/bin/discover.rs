//! `discover [N…]`: how long it takes to load N skills of `synth` to a ready catalog, beside the
//! floor (open, read 4 KB, close, parse) and a reload with nothing changed.
//!
//! `discover load N` loads once and prints the memory: run it under `strace -f -c` to count calls.
//! The data lies below `target/discover`.

use skills_benches::api::{Catalog, yaml};
use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const RUNS: usize = 31;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, count] = arguments.as_slice()
        && matches!(mode.as_str(), "load" | "reload")
    {
        return once(mode, count.parse()?);
    }
    let mut counts: Vec<usize> = arguments
        .iter()
        .map(|count| count.parse())
        .collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![1_000, 10_000];
    }
    println!("skills  load ms  floor ms  load with stamps ms  reload ms");
    for count in counts {
        let folder = data(count)?;
        let mut times: [Vec<Duration>; 4] = Default::default();
        for _ in 0..RUNS {
            let [load, floor, stamps, reload] = &mut times;
            time(load, || load_all(&folder));
            time(floor, || read_all(&folder));
            let catalog = time(stamps, || load_stamped(&folder));
            time(reload, || catalog.reload());
        }
        let [load, floor, stamps, reload] = times.map(median);
        println!("{count:>6}  {load:>7.2}  {floor:>8.2}  {stamps:>19.2}  {reload:>9.2}");
    }
    Ok(())
}

fn once(mode: &str, count: usize) -> Result<()> {
    let folder = data(count)?;
    let before = resident()?;
    let (catalog, skills) = if mode == "load" {
        let catalog = load_all(&folder);
        let skills = catalog.iter().count();
        (catalog, skills)
    } else {
        let catalog = load_stamped(&folder);
        // A line that is easy to find among system calls.
        println!("reload");
        let skills = catalog.reload().iter().count();
        (catalog, skills)
    };
    println!("{skills} skills, {:.1} MB", resident()? - before);
    drop(catalog);
    Ok(())
}

fn load_all(folder: &Path) -> Catalog {
    Catalog::builder().directory("user", folder).load()
}

fn load_stamped(folder: &Path) -> Catalog {
    Catalog::builder()
        .directory("user", folder)
        .reloadable()
        .load()
}

/// What no loader can do without.
fn read_all(folder: &Path) -> usize {
    let mut parsed = 0;
    let mut buffer = vec![0; 4096];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(mut file) = File::open(entry.path().join("SKILL.md")) else {
            continue;
        };
        let length = file.read(&mut buffer).unwrap_or(0);
        let text = String::from_utf8_lossy(&buffer[..length]);
        let yaml = text
            .split_once("---\n")
            .and_then(|(_, rest)| rest.split_once("\n---"));
        let node = yaml.map(|(yaml, _)| yaml::parse(yaml));
        parsed += usize::from(black_box(node).is_some());
    }
    parsed
}

fn data(count: usize) -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/discover/{count}"));
    if !folder.exists() {
        skills_benches::synth(&folder, count)?;
    }
    Ok(folder)
}

fn time<T>(times: &mut Vec<Duration>, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(run());
    times.push(start.elapsed());
    result
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times
        .get(times.len() / 2)
        .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

/// Megabytes in memory.
fn resident() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("no VmRSS")?
        .parse()?;
    Ok(kilobytes / 1024.0)
}
