//! Names of sources: each name is a valid skill name and occurs once.

use crate::source::diagnostics;
use skills_format::{Diagnostic, SkillName};
use std::path::Path;

/// Names that no plugin gets, even if the catalog has no source with the name. An id such as
/// `user:deploy` would otherwise mean a plugin's skill on some machines.
const KINDS: [&str; 5] = ["bundled", "plugin", "project", "scheduler", "user"];

/// The names that are in use.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: Vec<String>,
}

impl Names {
    /// Names a source as the host wrote the name. An invalid or taken name is replaced, with a
    /// diagnostic. `path` is the folder of the skills.
    pub(crate) fn give(
        &mut self,
        written: &str,
        path: &Path,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> String {
        // A source of an MCP server: `mcp:LABEL`.
        let own = written.strip_prefix("mcp:").unwrap_or(written);
        let (base, why) = if let Ok(name) = SkillName::new(own) {
            // The name is kept as it is: a copy would be 3 % of the load of one bundle.
            let name = match name.into_string() {
                name if name == written => name,
                _ => written.to_owned(),
            };
            if self.take(name) {
                return written.to_owned();
            }
            (written.to_owned(), "is the name of another source")
        } else {
            let made = SkillName::make(written).map(SkillName::into_string);
            let base = made.unwrap_or_else(|| "source".to_owned());
            (base, "is not a valid name")
        };
        let given = self.unique(&base);
        diagnostics.push(diagnostics::source_name(path, written, &given, why));
        given
    }

    /// Names a plugin's source after the plugin's folder.
    pub(crate) fn give_plugin(
        &mut self,
        folder: &str,
        path: &Path,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> String {
        let reserved = SkillName::make(folder).filter(|name| KINDS.contains(&name.as_str()));
        if let Some(name) = reserved {
            let given = self.unique(&format!("plugin-{name}"));
            let why = "is the name of another kind of source";
            diagnostics.push(diagnostics::source_name(path, folder, &given, why));
            return given;
        }
        self.give(folder, path, diagnostics)
    }

    fn unique(&mut self, base: &str) -> String {
        let mut given = base.to_owned();
        let mut number = 1;
        while !self.take(given.clone()) {
            number += 1;
            given = format!("{base}-{number}");
        }
        given
    }

    /// Takes a name. Returns `false` if the name is already taken.
    fn take(&mut self, name: String) -> bool {
        let place = self.taken.binary_search(&name);
        if let Err(place) = place {
            self.taken.insert(place, name);
        }
        place.is_err()
    }
}
