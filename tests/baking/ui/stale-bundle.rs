use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/stale-bundle");
// Each invocation reports it, so that the tokens of one do not depend on the other.
static AGAIN: Bundle = include_skills!("ui/stale-bundle");

fn main() {
    assert_eq!(SKILLS.len(), AGAIN.len());
}
