use skills_runtime::{Bundle, include_skills};

static EMPTY: Bundle = include_skills!("");
static HERE: Bundle = include_skills!(".");

fn main() {
    assert!(EMPTY.is_empty() && HERE.is_empty());
}
