//! Says whether a bundle is read from its folder, and if not, why.

use crate::bundle::{Bundle, Origin};
use crate::source::hot::Reading;
use crate::source::hot::allowed::{Environment, Switch};
use crate::source::hot::findings::SWITCH;
use skills_format::text::path::PathText as _;
use std::path::Path;

/// Returns what follows the name of a bundle's source. `read` is the last reading of its folder.
pub(crate) fn state(bundle: &'static Bundle, read: Option<&Reading>) -> String {
    if let Origin::Folder(folder) = bundle.origin() {
        let folder = folder.shown();
        return match read {
            Some(read) if read.is_faulty() => {
                format!("as it was before in {folder}, which has errors now")
            }
            Some(read) if read.look.is_none() => {
                format!(
                    "as it was before in {folder}, which is not read now, as the finding hot-bundle says"
                )
            }
            _ => format!("read from {folder}"),
        };
    }
    format!(
        "as it was compiled: {}",
        why(bundle, read, &Environment::read())
    )
}

fn why(bundle: &'static Bundle, read: Option<&Reading>, environment: &Environment) -> String {
    let Some(site) = bundle.site() else {
        return "it notes no folder".to_owned();
    };
    let is_off = environment.switch.as_ref().is_some_and(|it| it == "0");
    match environment.switch(Path::new(site.manifest)).0 {
        Switch::On => match read {
            Some(read) if read.look.is_some() => format!("{} has errors", read.folder.shown()),
            Some(read) => {
                let folder = read.folder.shown();
                format!("{folder} is not read, as the finding hot-bundle says")
            }
            None => "the catalog is not reloadable".to_owned(),
        },
        Switch::Off if is_off => format!("{SWITCH} is 0"),
        Switch::Off => format!(
            "cargo did not start this program in its workspace; {SWITCH}=1 reads the folder"
        ),
    }
}
