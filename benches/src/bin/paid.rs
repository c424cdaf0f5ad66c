//! `paid`: what a program pays for the runtime: bytes of its release build, stripped, and CPU seconds of
//! its debug build from nothing; and the bytes of `skills` itself, with and without the MCP server.
//!
//! Needs `/usr/bin/time`. Everything is written below `target/packages`.

use skills_benches::{Package, skills_size, synth};
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

/// The program of README.md.
const MAIN: &str = r#"
use skills_runtime::options::Policy;
use skills_runtime::{Bundle, Catalog, Surface, include_skills};

static SKILLS: Bundle = include_skills!("skills", allow = ["stale-bundle"]);

fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let loaded = Catalog::builder()$FOLDER.bundle("bundled", &SKILLS).load();
    for diagnostic in &loaded.diagnostics {
        eprintln!("{diagnostic}");
    }
    let meant = loaded.catalog.mentions(&text, Surface::User, &Policy::DEFAULT);
    println!("{} {:?}", meant.task, meant.activated());
}
"#;
const FOLDER: &str = r#".directory("user", "/home/someone/.agents/skills")"#;

fn main() -> Result<()> {
    let with_folder = MAIN.replace("$FOLDER", FOLDER);
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
    let seconds = clean_build(&write("paid-default", "", &with_folder)?)?;
    println!("debug build from nothing, default features: {seconds:.0} CPU seconds");
    Ok(())
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
fn clean_build(package: &Package) -> Result<f64> {
    let target = Package::target().join("clean");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let log = package.folder.join("time.log");
    let status = Command::new("/usr/bin/time")
        .args(["-f", "%U %S", "-o"])
        .arg(&log)
        .args(["cargo", "build", "--quiet", "--offline"])
        .current_dir(&package.folder)
        .env("CARGO_TARGET_DIR", target)
        .status()?;
    if !status.success() {
        return Err("the program does not build".into());
    }
    let text = fs::read_to_string(log)?;
    Ok(text.split_whitespace().flat_map(str::parse::<f64>).sum())
}
