//! A new folder under `skills/` is noticed. The pages of the repository are not in the package.

fn main() {
    println!("cargo::rerun-if-changed=skills");
    println!("cargo::rustc-check-cfg=cfg(repository)");
    if std::path::Path::new("../docs/guide").is_dir() {
        println!("cargo::rustc-cfg=repository");
    }
}
