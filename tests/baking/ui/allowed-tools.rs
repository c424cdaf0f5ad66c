use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/allowed-tools");

fn main() {
    assert!(SKILLS.get("commit").is_some());
}
