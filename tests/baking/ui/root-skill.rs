use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/root-skill");

fn main() {
    assert!(SKILLS.get("greet").is_some());
}
