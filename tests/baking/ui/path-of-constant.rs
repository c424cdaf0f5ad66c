use skills_runtime::{Bundle, include_skills};

const FOLDER: &str = "ui/yaml-syntax";

static SKILLS: Bundle = include_skills!(FOLDER);
static JOINED: Bundle = include_skills!(concat!("ui/", "yaml-syntax"));
static NUMBER: Bundle = include_skills!(1);
static BUILT: Bundle = include_skills!(OUT_DIR, FOLDER);

include_skills! { mod skill in FOLDER }

fn main() {
    let bundles = [&SKILLS, &JOINED, &NUMBER, &BUILT];
    assert!(bundles.iter().all(|bundle| bundle.iter().next().is_none()));
}
