//! The skills offered to a model in one list.

use crate::catalog::clients::Offered;
use crate::commands::check::read::open;
use crate::outcome::Failure;
use crate::output::{Ctx, counted};
use skills_format::{command, prose};
use skills_repository::repository::Settings;
use skills_repository::triggers::Loaded;
use std::path::Path;

/// Skills that a model reads in one list.
pub(crate) struct OfferedList {
    /// The folder of the bundle. `None` for the catalog.
    pub(crate) folder: Option<String>,
    pub(crate) skills: Vec<Offered>,
}

/// Returns the skills of each bundle of a folder, as offered to a model. Reports the skills that are left
/// out.
pub(crate) fn offered(path: &Path, cx: &mut Ctx) -> Result<Vec<OfferedList>, Failure> {
    let repository = open(path, &Settings::default(), cx.env)?;
    let mut lists = Vec::new();
    for bundle in repository.bundles.iter().filter(|bundle| bundle.skills > 0) {
        let loaded = Loaded::read(&repository, bundle);
        let folder = &bundle.path;
        if loaded.unread > 0 {
            let skills = counted(loaded.unread, "skill");
            cx.warning(prose!(
                "{skills} of {folder} cannot be read, and took no part: see {}",
                command("check").word(folder)
            ));
        }
        let (skills, others): (Vec<_>, Vec<_>) = loaded
            .skills
            .into_iter()
            .partition(|skill| skill.is_for_model);
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|skill| &*skill.name).collect();
            cx.note(format!("not offered to models: {}", names.join(", ")));
        }
        lists.push(OfferedList {
            folder: Some(folder.clone()),
            skills: skills.into_iter().map(Offered::from).collect(),
        });
    }
    if lists.is_empty() {
        return Err(Failure::not_so(
            prose!("no skill is below {}", path),
            prose!(
                "name a folder that holds folders with a SKILL.md; `skills overlap --catalog` compares the skills that `skills list` lists"
            ),
        ));
    }
    Ok(lists)
}
