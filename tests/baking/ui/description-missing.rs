use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/description-missing");

fn main() {
    assert!(SKILLS.get("code-review").is_some());
}
