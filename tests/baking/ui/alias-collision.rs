use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/alias-collision");

fn main() {
    assert!(SKILLS.iter().next().is_none());
}
