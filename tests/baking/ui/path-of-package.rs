use skills_runtime::{Bundle, include_skills};

static EMPTY: Bundle = include_skills!("");
static HERE: Bundle = include_skills!(".");

fn main() {
    assert!(EMPTY.iter().chain(&HERE).next().is_none());
}
