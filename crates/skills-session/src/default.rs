//! The default dialect: the choices of [`Options`], and nothing beside them.

use crate::commands::{command, commands};
use crate::dialect::resolution::Resolution;
use crate::dialect::{CommandSpec, Dialect, ToolSpec};
use crate::options::Options;
use crate::resolve::resolve;
use crate::session::tool::tools;
use skills_runtime::{Catalog, Surface};

impl Dialect for Options {
    fn options(&self) -> &Options {
        self
    }

    fn resolve(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
        resolve(self, catalog, text, surface)
    }

    fn tools(&self, catalog: &Catalog) -> Vec<ToolSpec> {
        tools(self, catalog)
    }

    fn commands(&self, catalog: &Catalog) -> Vec<CommandSpec> {
        commands(self, catalog)
    }

    fn command(&self, catalog: &Catalog, name: &str) -> Option<String> {
        command(self, catalog, name)
    }
}
