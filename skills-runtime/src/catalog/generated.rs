//! What generated code calls to make a bundle and the constants of its skills.

use crate::bundle::tables::Parts;
use crate::bundle::{Baked, Bundle};
use crate::catalog::skill::Skill;

/// Makes the bundle of its tables.
pub const fn bundle(parts: Parts) -> Bundle {
    Bundle { parts, site: None }
}

/// Notes the folder that a bundle is compiled from.
#[must_use]
pub const fn of(mut bundle: Bundle, manifest: &'static str, path: &'static str) -> Bundle {
    bundle.site = Some((manifest, path));
    bundle
}

/// Makes a bundle without skills. The macro expands to this call beside its compile errors, so
/// that rustc reports no further error about a missing value.
pub const fn empty() -> Bundle {
    bundle(Parts {
        map: phf::Map::new(),
        skills: &[],
        text: "",
        entries: &[],
        fields: &[],
        schemas: &[],
        digests: &[],
        digest: [0; 32],
    })
}

/// Returns a skill by its index in the bundle.
pub const fn constant(bundle: &'static Bundle, index: u32) -> Skill<'static> {
    Skill::of_bundle(bundle, index)
}

/// Returns the instructions of a skill of a bundle.
pub fn body(skill: Skill<'static>) -> &'static str {
    skill.bundled().map_or("", Baked::body)
}
