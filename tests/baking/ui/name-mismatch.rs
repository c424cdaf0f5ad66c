use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/name-mismatch");

fn main() {
    assert!(SKILLS.get("code-review").is_some());
}
