use crate::api::{Budget, Bundle, Catalog, Format, include_skills};
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

/// The maximum number of skills of one source.
const SOURCE: usize = 10_000;

/// Writes small skills with names as people give them. The same count gives the same names.
pub fn write_names(folder: &Path, count: usize) -> io::Result<()> {
    for (at, name) in names::names(count).into_iter().enumerate() {
        let dir = folder.join((at / SOURCE).to_string()).join(&name);
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
    let mut builder = Catalog::builder();
    for part in 0..count.div_ceil(SOURCE) {
        builder = builder.directory(format!("user-{part}"), folder.join(part.to_string()));
    }
    let catalog = builder.load();
    match catalog.iter().count() {
        found if found == count => Ok(catalog),
        found => Err(format!("{found} skills of {count}").into()),
    }
}
