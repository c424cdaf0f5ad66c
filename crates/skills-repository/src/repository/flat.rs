//! Markdown files with the front matter of a skill that lie beside the folders of skills.

use skills_format::disk::{Folder, Item, Kind, read_regular};
use skills_format::{Document, MAX_SKILL_FILE, yaml};
use std::path::Path;

/// Returns whether an item of a folder `skills` is a Markdown file with a name and a description. A page of
/// documentation can have a description alone. A file that cannot be read is not a skill.
pub(crate) fn is_flat_skill(folder: &Folder, item: &Item) -> bool {
    let extension = Path::new(&item.name).extension();
    let is_markdown = extension.is_some_and(|it| it.eq_ignore_ascii_case("md"));
    if item.kind != Kind::File || !is_markdown {
        return false;
    }
    let file = folder.child_file(&item.name).ok();
    let bytes = file.and_then(|file| read_regular(&file, MAX_SKILL_FILE).ok());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| {
        let document = Document::split(&text).ok();
        let front = document.and_then(|it| yaml::parse(it.yaml.of(&text)).ok()?);
        front.is_some_and(|front| front.get("name").is_some() && front.get("description").is_some())
    })
}
