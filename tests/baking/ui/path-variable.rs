use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("$CARGO_MANIFEST_DIR/skills");

fn main() {
    assert!(SKILLS.iter().next().is_none());
}
