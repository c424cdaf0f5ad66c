use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!(OUT_DIR, "ui/bundle-empty", deny = ["link-broken"]);

fn main() {
    assert!(SKILLS.is_empty());
}
