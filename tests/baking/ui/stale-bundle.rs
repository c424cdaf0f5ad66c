use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/stale-bundle");
// It is said once.
static AGAIN: Bundle = include_skills!("ui/stale-bundle");

fn main() {
    assert_eq!(SKILLS.len(), AGAIN.len());
}
