use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/link-left-out");

fn main() {
    assert!(SKILLS.get("deploy").is_some());
}
