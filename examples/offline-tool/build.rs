//! A new folder under `skills/` is noticed.

fn main() {
    println!("cargo::rerun-if-changed=skills");
}
