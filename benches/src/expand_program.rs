//! What `instructions` builds to count `include_skills!`, in a crate of its own: with the compiler in
//! their build, the benches would measure other features of the libraries than an agent program has.

use std::env;
use std::error::Error;
use std::hint::black_box;

/// Expands `include_skills!("skills")` in the folder `CARGO_MANIFEST_DIR`. `check` also checks that the
/// skills are valid. `nothing` expands nothing: all threads of a process are counted, and this is what
/// the process needs without the expansion.
fn main() -> Result<(), Box<dyn Error>> {
    let mode = env::args().nth(1).unwrap_or_default();
    if mode == "nothing" {
        return Ok(());
    }
    let tokens = black_box(skills_compiler::include_skills(r#""skills""#.parse()?));
    if mode == "check" {
        let is_valid = !tokens.to_string().contains("compile_error");
        assert!(is_valid, "the skills are invalid");
    }
    Ok(())
}
