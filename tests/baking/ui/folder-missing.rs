use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/skils");

fn main() {
    assert!(SKILLS.iter().next().is_none());
}
