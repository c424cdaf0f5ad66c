//! Writes a bundle as an Agent Plugin: `plugin.json`, and each skill in a folder of its name in `skills`.

use crate::outcome::Failure;
use serde::Serialize;
use skills_compiler::{BundleModel, FileModel};
use skills_format::disk::Folder;
use skills_format::{PLUGIN_FILE, PLUGIN_SCHEMA, is_plugin_name, prose};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::Path;

/// The manifest. A client rejects a plugin with a wrong value, so it has only what is known.
#[derive(Serialize)]
struct Manifest<'m> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'m str,
}

/// Writes the plugin into a new folder, whole or not at all. The name of the folder is the name of the plugin.
pub(super) fn write(model: &BundleModel<'_>, into: &Path) -> Result<(), Failure> {
    let name = into.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if !is_plugin_name(name) {
        return Err(Failure::not_so(
            prose!(
                "`{name}` is not the name of an Agent Plugin, and the folder's name is the plugin's"
            ),
            "name a folder with 1 to 64 of a-z, 0-9, - and ., with a letter or digit at both ends",
        ));
    }
    let unwritten = |error: &io::Error| {
        let help = "name a folder that does not exist yet, in a folder that you can write to";
        Failure::unwritten(into, error, help)
    };
    let above = into.parent().unwrap_or(Path::new("."));
    let above = Folder::open(above).map_err(|error| unwritten(&error))?;
    // A folder that exists is never changed: its files would become part of the plugin.
    let name = OsStr::new(name);
    above
        .create_folder(name)
        .map_err(|error| unwritten(&error))?;
    fill(model, &above, name).map_err(|error| {
        // The first error is the cause.
        let _ = above.remove_all(name);
        unwritten(&error)
    })
}

fn fill(model: &BundleModel<'_>, above: &Folder, name: &OsStr) -> io::Result<()> {
    let plugin = above.child(name)?;
    let manifest = Manifest {
        schema: PLUGIN_SCHEMA,
        name: name.to_str().unwrap_or_default(),
    };
    let mut json = serde_json::to_string_pretty(&manifest)?;
    json.push('\n');
    create(&plugin, PLUGIN_FILE, json.as_bytes())?;
    let skills = plugin.make_child(OsStr::new("skills"))?;
    for skill in &model.skills {
        let folder = skills.make_child(OsStr::new(skill.skill.name.as_str()))?;
        for FileModel { path, bytes, .. } in &skill.files {
            let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
            let mut at = folder.again()?;
            for part in folders.split('/').filter(|part| !part.is_empty()) {
                at = at.make_child(OsStr::new(part))?;
            }
            create(&at, file, bytes)?;
        }
    }
    Ok(())
}

fn create(folder: &Folder, name: &str, bytes: &[u8]) -> io::Result<()> {
    folder.create_new(OsStr::new(name))?.write_all(bytes)
}
