//! `paid`: what a program pays for the runtime: bytes of its release build, stripped; CPU seconds of its builds from
//! nothing, beside the same program as people write it by hand; and the bytes of `skills` itself, with and without the
//! MCP server.
//!
//! `paid first [TURNS]` measures the builds alone. Needs `/usr/bin/time`. Everything is written below `target/packages`.

use skills_benches::{Package, skills_size, synth};
use std::env;
use std::error::Error;
use std::fs;
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Prints, as every program does: what std needs for that is not counted as the runtime's.
const EMPTY: &str = r#"
fn main() {
    let words: Vec<String> = std::env::args().collect();
    println!("{}", words.join(" "));
}
"#;

/// A program with bundled skills.
const MAIN: &str = r#"
use skills_runtime::{Bundle, Catalog, Surface, include_skills};

static SKILLS: Bundle = include_skills!("skills");

fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let catalog = Catalog::builder()$FOLDER.bundle("bundled", &SKILLS).load();
    for diagnostic in catalog.diagnostics() {
        eprintln!("{diagnostic}");
    }
    let meant = catalog.mentions(&text, Surface::User, 8);
    println!("{} {:?}", meant.task, meant.skills);
}
"#;
const FOLDER: &str = r#".directory("user", "/home/someone/.agents/skills")"#;

/// The features that the program uses: it holds no session.
const USED_FEATURES: &str = r#", default-features = false, features = ["macros"]"#;

/// The same by hand: a build script that checks the front matter and makes the map, the files in the program, and the
/// skills of a person's folder.
const PLAIN: &str = r#"
use include_dir::{Dir, include_dir};
use serde::Deserialize;

include!(concat!(env!("OUT_DIR"), "/skills.rs"));
static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/skills");

#[derive(Deserialize)]
struct Front {
    name: String,
    description: String,
}

fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let folder = std::fs::read_dir("/home/someone/.agents/skills");
    for entry in folder.into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path().join("SKILL.md")).unwrap_or_default();
        let parts = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n"));
        let Some((front, _)) = parts else { continue };
        match serde_norway::from_str::<Front>(front) {
            Ok(front) => println!("{}: {}", front.name, front.description),
            Err(error) => eprintln!("{error}"),
        }
    }
    for name in text.split_whitespace().filter_map(|word| word.strip_prefix('$')) {
        if let Some((description, path)) = SKILLS.get(name) {
            let file = FILES.get_file(path).and_then(|file| file.contents_utf8());
            println!("{description}\n{}", file.unwrap_or_default());
        }
    }
}
"#;
const PLAIN_BUILD: &str = r#"
use serde::Deserialize;
use std::{env, fs, path::Path};

#[derive(Deserialize)]
struct Front {
    name: String,
    description: String,
}

fn main() {
    println!("cargo::rerun-if-changed=skills");
    let mut map = phf_codegen::Map::new();
    for entry in fs::read_dir("skills").expect("skills") {
        let path = entry.expect("an entry").path().join("SKILL.md");
        let text = fs::read_to_string(&path).expect("SKILL.md");
        let parts = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n"));
        let (front, _) = parts.expect("front matter");
        let front: Front = serde_norway::from_str(front).expect("valid front matter");
        let value = format!("({:?}, \"{}/SKILL.md\")", front.description, front.name);
        map.entry(front.name, value);
    }
    let map = map.build();
    let out = format!("static SKILLS: phf::Map<&str, (&str, &str)> = {map};");
    let folder = env::var_os("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&folder).join("skills.rs"), out).expect("written");
}
"#;
const PLAIN_DEPENDENCIES: &str = r#"[dependencies]
include_dir = { version = "0.7", default-features = false }
phf = { version = "0.14", default-features = false }
serde = { version = "1", features = ["derive"] }
serde_norway = "0.9"
[build-dependencies]
phf_codegen = "0.14"
serde = { version = "1", features = ["derive"] }
serde_norway = "0.9"
"#;

fn main() -> Result<()> {
    let with_folder = MAIN.replace("$FOLDER", FOLDER);
    let mut arguments = env::args().skip(1);
    if arguments.next().as_deref() == Some("first") {
        let turns = arguments.next().map_or(Ok(3), |turns| turns.parse())?;
        return first_builds(&with_folder, turns);
    }
    let bundle_only = MAIN.replace("$FOLDER", "");
    let only_macros = r#", default-features = false, features = ["macros"]"#;
    let empty = stripped("paid-empty", "", EMPTY)?;
    println!("features          stripped, MB above an empty program");
    for (name, shown, keys, main) in [
        ("paid-default", "default", "", &with_folder),
        ("paid-macros", "macros alone", only_macros, &bundle_only),
    ] {
        let size = stripped(name, keys, main)? - empty;
        println!("{shown:<16}  {:.2}", size / 1e6);
    }
    let (with, without) = (skills_size(&["mcp"])?, skills_size(&[])?);
    println!(
        "skills, stripped, MB: {:.2} with mcp, {:.2} without",
        with as f64 / 1e6,
        without as f64 / 1e6
    );
    first_builds(&with_folder, 3)
}

/// Prints the medians of builds from nothing: our program with the default features, with the features that it uses, and
/// the plain program, in turns, since the machine's speed changes from minute to minute.
fn first_builds(main: &str, turns: usize) -> Result<()> {
    let plain = Package::of_others("paid-plain", PLAIN_DEPENDENCIES, PLAIN, "strip = true")?;
    fs::write(plain.folder.join("build.rs"), PLAIN_BUILD)?;
    if !plain.folder.join("skills").exists() {
        synth(&plain.folder.join("skills"), 1)?;
    }
    let packages = [
        plain,
        write("paid-default", "", main)?,
        write("paid-used", USED_FEATURES, main)?,
    ];
    println!("build from nothing, CPU seconds   plain  default  times  as used  times");
    for (shown, profile) in [("debug", "dev"), ("release, thin LTO", "release")] {
        let mut seconds = packages.each_ref().map(|_| Vec::new());
        for _ in 0..turns {
            for (package, seconds) in packages.iter().zip(&mut seconds) {
                seconds.push(clean_build(package, profile)?);
            }
        }
        let [plain, default, used] = seconds.map(median);
        let (times, times_used) = (default / plain, used / plain);
        println!(
            "{shown:<32}  {plain:>5.1}  {default:>7.1}  {times:>5.2}  {used:>7.1}  {times_used:>5.2}"
        );
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn write(name: &str, keys: &str, main: &str) -> Result<Package> {
    let package = Package::with_features(name, "skills-runtime", keys, main, "strip = true")?;
    let skills = package.folder.join("skills");
    if !skills.exists() {
        synth(&skills, 1)?;
    }
    Ok(package)
}

/// Bytes of the program.
fn stripped(name: &str, keys: &str, main: &str) -> Result<f64> {
    let program = write(name, keys, main)?.build()?;
    Ok(fs::metadata(program)?.len() as f64)
}

/// User and system time of cargo and all that it starts.
///
/// As packages of a registry are built: not incrementally, and with lints capped. The profiles are those of cargo,
/// whatever the configuration of this machine says.
fn clean_build(package: &Package, profile: &str) -> Result<f64> {
    let target = Package::target().join("clean");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let log = package.folder.join("time.log");
    let status = Command::new("/usr/bin/time")
        .args(["-f", "%U %S", "-o"])
        .arg(&log)
        .args([
            "cargo",
            "build",
            "--quiet",
            "--offline",
            "--profile",
            profile,
        ])
        .current_dir(&package.folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "true")
        .env("CARGO_PROFILE_RELEASE_LTO", "thin")
        .env("RUSTFLAGS", "--cap-lints allow")
        .status()?;
    if !status.success() {
        return Err("the program does not build".into());
    }
    let text = fs::read_to_string(log)?;
    Ok(text.split_whitespace().flat_map(str::parse::<f64>).sum())
}
