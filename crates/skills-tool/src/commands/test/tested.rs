use crate::catalog::clients::ClientOptions;
use crate::commands::check::read::open;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_format::Diagnostic;
use skills_repository::repository::Settings;
use skills_repository::triggers::{Loaded, Text, Texts};
use std::path::Path;

/// Skills that are loaded together, and the texts for them.
#[derive(Debug)]
pub(super) struct Tested {
    /// Their folder, as it is shown.
    pub(super) folder: String,
    pub(super) loaded: Loaded,
    /// The list of the skills as a client shows it, if one is named.
    pub(super) list: Option<String>,
    pub(super) texts: Vec<Text>,
}

/// Reads the skills and the files of triggers of a path. Returns what could not be read of these files too.
pub(super) fn collect(
    path: &Path,
    client: &ClientOptions,
    environment: &Environment,
) -> Result<(Vec<Tested>, Vec<Diagnostic>), Failure> {
    let repository = open(path, &Settings::default(), environment)?;
    let mut faults = Vec::new();
    let bundles = repository.bundles.iter().map(|bundle| {
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
    });
    let bundles = bundles.collect();
    Ok((bundles, faults))
}
