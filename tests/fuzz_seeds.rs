//! Checks the properties of the fuzz targets over the inputs kept from their runs: `fuzz/seeds/TARGET/`.

#[path = "../fuzz/properties/argument_schema.rs"]
mod argument_schema;
#[path = "../fuzz/properties/catalog_text.rs"]
mod catalog_text;
#[path = "../fuzz/properties/config.rs"]
mod config;
#[path = "../fuzz/properties/front_matter.rs"]
mod front_matter;
#[path = "../fuzz/properties/ignore_files.rs"]
mod ignore_files;
#[path = "../fuzz/properties/lock.rs"]
mod lock;
#[path = "../fuzz/properties/lsp.rs"]
mod lsp;
#[path = "../fuzz/properties/mention_scanner.rs"]
mod mention_scanner;
#[path = "../fuzz/properties/resolver.rs"]
mod resolver;
#[path = "../fuzz/properties/rules.rs"]
mod rules;
#[path = "../fuzz/properties/skill_file.rs"]
mod skill_file;
#[path = "../fuzz/properties/slash_text.rs"]
mod slash_text;
#[path = "../fuzz/properties/state.rs"]
mod state;
#[path = "../fuzz/properties/tool_rules.rs"]
mod tool_rules;
#[path = "../fuzz/properties/trust.rs"]
mod trust;

use std::fs;
use std::path::Path;

#[test]
fn catalog_text() {
    replay_text("catalog_text", catalog_text::hold);
}

#[test]
fn config() {
    replay_text("config", config::hold);
}

#[test]
fn front_matter() {
    replay_text("front_matter", front_matter::hold);
}

#[test]
fn lock() {
    replay_text("lock", lock::hold);
}

#[test]
fn lsp() {
    replay_text("lsp", lsp::hold);
}

#[test]
fn mention_scanner() {
    replay_text("mention_scanner", mention_scanner::hold);
}

#[test]
fn resolver() {
    replay_text("resolver", resolver::hold);
}

#[test]
fn rules() {
    replay_text("rules", rules::hold);
}

#[test]
fn slash_text() {
    replay_text("slash_text", slash_text::hold);
}

#[test]
fn tool_rules() {
    replay_text("tool_rules", tool_rules::hold);
}

#[test]
fn argument_schema() {
    replay("argument_schema", argument_schema::hold);
}

#[test]
fn ignore_files() {
    replay("ignore_files", ignore_files::hold);
}

#[test]
fn skill_file() {
    replay("skill_file", skill_file::hold);
}

#[test]
fn state() {
    replay("state", state::hold);
}

#[test]
fn trust() {
    replay("trust", trust::hold);
}

fn replay_text(target: &str, hold: impl Fn(&str)) {
    replay(target, |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            hold(text);
        }
    });
}

fn replay(target: &str, hold: impl Fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let mut count = 0;
    for seed in fs::read_dir(seeds.join(target)).expect("seeds are kept") {
        let path = seed.expect("a seed").path();
        hold(&fs::read(&path).expect("a file"));
        count += 1;
    }
    assert!(count > 0, "no seed is kept for {target}");
}
