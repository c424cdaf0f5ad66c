use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/lock-stale", locked = true);

fn main() {
    assert!(SKILLS.is_empty());
}
