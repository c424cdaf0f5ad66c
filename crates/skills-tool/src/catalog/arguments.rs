//! Arguments shared by the commands that print data of a catalog.

use crate::catalog::options::CatalogOptions;
use crate::outcome::Failure;
use crate::output::{Ctx, FormatOption};
use clap::Args;
use skills_runtime::Catalog;
use skills_session::Profile;

/// `--format`, and the options that choose the catalog.
#[derive(Args, Debug)]
pub(crate) struct CatalogArguments {
    #[command(flatten)]
    pub(crate) format: FormatOption,
    #[command(flatten)]
    pub(crate) options: CatalogOptions,
}

/// A loaded catalog, with its profile and the format of the output.
pub(crate) struct OpenCatalog {
    pub(crate) catalog: Catalog,
    pub(crate) profile: &'static Profile,
}

impl CatalogArguments {
    /// Loads the catalog, and reports its diagnostics on standard error. `named` are the ids in the command's
    /// arguments: the diagnostics of these skills are reported in full.
    pub(crate) fn open(&self, named: &[&str], cx: &mut Ctx) -> Result<OpenCatalog, Failure> {
        Ok(OpenCatalog {
            catalog: self.options.catalog(named, cx)?,
            profile: self.options.profile(),
        })
    }
}
