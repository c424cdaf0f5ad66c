//! Tests the bundled skills in every form. Clippy checks this file with strict lints, and must find nothing in the
//! generated code.

#![warn(clippy::pedantic, clippy::must_use_candidate, unused_qualifications)]

use bundled_skills::SKILLS;
use skills_runtime::{Bundle, include_skills};
use std::path::Path;

static VALUE: Bundle = include_skills!("../../bundled-skills/skills");
static BUILT: Bundle = include_skills!(OUT_DIR, "../../bundled-skills/skills");

include_skills! {
    /// The skills that ship.
    pub mod skill in "../../bundled-skills/skills"
}

#[test]
fn baked_as_they_would_be_discovered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bundled-skills/skills");
    for bundle in [&SKILLS, &VALUE, &BUILT, skill::bundle()] {
        skills_baking::assert_same(bundle, &root);
    }
}
