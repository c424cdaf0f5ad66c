//! Makes cargo notice a new folder under `skills/`.

fn main() {
    println!("cargo::rerun-if-changed=skills");
}
