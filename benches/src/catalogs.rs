use crate::api::{Budget, Bundle, Catalog, Format, Limits, include_skills};
use crate::names;
use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;

/// The skills of `bundled-skills`.
pub static BUNDLED: Bundle = include_skills!("../bundled-skills/skills");

/// The formats of the catalog text.
pub const FORMATS: [Format; 3] = [Format::Xml, Format::Bullets, Format::Section];

/// The budgets of the catalog text, with their names.
pub const BUDGETS: [(&str, Budget); 3] = [
    ("whole", Budget::Unlimited),
    ("8,000 characters", Budget::Characters(8_000)),
    ("20,000 tokens", Budget::Tokens(20_000)),
];

/// Writes small skills with names as people give them. The same count gives the same names.
pub fn write_names(folder: &Path, count: usize) -> io::Result<()> {
    for name in names::names(count) {
        let dir = folder.join(&name);
        fs::create_dir_all(&dir)?;
        fs::write(
            dir.join("SKILL.md"),
            format!("---\nname: {name}\ndescription: Does {name}.\n---\n"),
        )?;
    }
    Ok(())
}

/// Loads the skills that [`write_names`] wrote.
///
/// # Errors
///
/// When the catalog has not all of the skills.
pub fn load_names(folder: &Path, count: usize) -> Result<Catalog, Box<dyn Error>> {
    let mut limits = Limits::default();
    limits.folders = 10 * count;
    limits.skills = 10 * count;
    let catalog = Catalog::builder()
        .limits(limits)
        .directory("user", folder)
        .load();
    match catalog.iter().count() {
        found if found == count => Ok(catalog),
        found => Err(format!("{found} skills of {count}").into()),
    }
}
