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
    /// The names, sorted.
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
            let name = if own == written {
                name.into_string()
            } else {
                written.to_owned()
            };
            if let Some(place) = self.place(&name) {
                self.taken.insert(place, name);
                return written.to_owned();
            }
            (name, "is the name of another source")
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
        while !self.take(&given) {
            number += 1;
            given = format!("{base}-{number}");
        }
        given
    }

    /// Takes a name. Returns `false` if the name is already taken.
    fn take(&mut self, name: &str) -> bool {
        let place = self.place(name);
        if let Some(place) = place {
            self.taken.insert(place, name.to_owned());
        }
        place.is_some()
    }

    /// Returns where a name belongs among the taken names. Returns `None` if the name is taken.
    fn place(&self, name: &str) -> Option<usize> {
        let found = self
            .taken
            .binary_search_by(|taken| taken.as_str().cmp(name));
        found.err()
    }
}
