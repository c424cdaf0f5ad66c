//! The skills that ship.

use bundled_skills::SKILLS;
use std::path::Path;

#[test]
fn baked_as_they_would_be_discovered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bundled-skills/skills");
    skills_baking::assert_same(&SKILLS, &root);
}
