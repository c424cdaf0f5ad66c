//! Bakes the bundled skills again by a build script, which also writes a page about them.

use skills_compiler::{Build, Folder};
use skills_repository::page::{Page, write_page};
use std::error::Error;
use std::path::PathBuf;

const SKILLS: &str = "../../bundled-skills/skills";

fn main() -> Result<(), Box<dyn Error>> {
    // `tests/baking/typed.rs` bakes this folder by the macro.
    println!("cargo::rerun-if-changed=typed");
    Build::new(SKILLS).compile()?;
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::read(&package, SKILLS);
    let page = Page::of_folder(&folder, &folder.compile());
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    write_page(&PathBuf::from(out).join("skills.html"), &page.html())?;
    Ok(())
}
