use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/lock-missing");

fn main() {
    assert!(SKILLS.get("greet").is_some());
}
