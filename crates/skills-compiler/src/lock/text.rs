//! Renders the text of a lock.

use crate::lock::{Lock, LockKind, Locked, Provenance, VERSION};
use std::fmt;
use toml_writer::{ToTomlValue as _, TomlStringBuilder};

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, kind) = match self.kind {
            LockKind::Bundle => (
                "The skills as they were reviewed. `skills lock` writes this file",
                "bundle",
            ),
            LockKind::Installed => (
                "The skills that were installed. `skills install` writes this file",
                "installed",
            ),
        };
        writeln!(f, "# {what}; comments are not kept.")?;
        writeln!(f, "version = {VERSION}\nkind = \"{kind}\"")?;
        writeln!(f, "digest = \"{}\"", self.digest)?;
        for (name, locked) in &self.skills {
            let Locked { digest, size, .. } = locked;
            writeln!(
                f,
                "\n[[skill]]\nname = \"{name}\"\ndigest = \"{digest}\"\nsize = {size}"
            )?;
            if let Some(provenance) = &locked.provenance {
                provenance.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl Provenance {
    /// Writes the provenance lines of an entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            ("source", Some(&self.source)),
            ("path", self.path.as_ref()),
            ("requested", self.requested.as_ref()),
            ("commit", self.commit.as_ref()),
        ];
        for (key, value) in fields {
            if let Some(value) = value {
                let value = TomlStringBuilder::new(value).as_default();
                writeln!(f, "{key} = {}", value.to_toml_value())?;
            }
        }
        Ok(())
    }
}
