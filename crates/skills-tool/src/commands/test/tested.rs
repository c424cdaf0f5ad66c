use crate::catalog::clients::ClientOptions;
use crate::commands::check::read::open;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_format::Diagnostic;
use skills_repository::repository::Settings;
use skills_repository::triggers::{Loaded, Text, Texts};
use std::path::Path;

/// Skills that are loaded together, and the messages that test the skills.
#[derive(Debug)]
pub(super) struct Tested {
    /// The printed path of the folder.
    pub(super) folder: String,
    pub(super) loaded: Loaded,
    /// The list of the skills as a client shows it, if the options name a client.
    pub(super) list: Option<String>,
    pub(super) texts: Vec<Text>,
}

/// Reads the skills and the trigger files of a path. Also returns the faults of the trigger files.
pub(super) fn collect(
    path: &Path,
    client: &ClientOptions,
    env: &Environment,
) -> Result<(Vec<Tested>, Vec<Diagnostic>), Failure> {
    let repository = open(path, &Settings::default(), env)?;
    let mut faults = Vec::new();
    let bundles = repository
        .bundles
        .iter()
        .map(|bundle| {
            let mut loaded = Loaded::read(&repository, bundle);
            let texts = Texts::read(&repository, bundle, &loaded);
            faults.extend(texts.faults);
            let list = client
                .client
                .map(|named| loaded.cut(named, client.context).text());
            Tested {
                folder: bundle.path.clone(),
                loaded,
                list,
                texts: texts.all,
            }
        })
        .collect();
    Ok((bundles, faults))
}
