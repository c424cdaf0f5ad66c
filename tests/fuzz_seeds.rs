//! What the fuzz targets hold, over the inputs that are kept of their runs: `fuzz/seeds/TARGET/`.

#[path = "../fuzz/properties/mention_scanner.rs"]
mod mention_scanner;
#[path = "../fuzz/properties/resolver.rs"]
mod resolver;
#[path = "../fuzz/properties/skill_file.rs"]
mod skill_file;

use std::fs;
use std::path::Path;

#[test]
fn mention_scanner() {
    replay("mention_scanner", |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            mention_scanner::hold(text);
        }
    });
}

#[test]
fn resolver() {
    replay("resolver", |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            resolver::hold(text);
        }
    });
}

#[test]
fn skill_file() {
    replay("skill_file", skill_file::hold);
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
