//! Makes cargo notice a new folder in `skills/`. The published package does not hold the pages of the
//! repository.

fn main() {
    println!("cargo::rerun-if-changed=skills");
    println!("cargo::rustc-check-cfg=cfg(repository)");
    if std::path::Path::new("../docs/guide").is_dir() {
        println!("cargo::rustc-cfg=repository");
    }
}
