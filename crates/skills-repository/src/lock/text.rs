//! Renders the text of a lock.

use crate::lock::{Lock, Locked, Provenance};
use skills_compiler::{LOCK_VERSION, LockKind};
use skills_format::text::control::shown;
use skills_permit::{PowerKind, Powers};
use std::fmt;
use std::fmt::Write as _;

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
        writeln!(f, "version = {LOCK_VERSION}\nkind = \"{kind}\"")?;
        for (name, locked) in &self.skills {
            let Locked { digest, size, .. } = locked;
            // Each line names its skill: git compares lines, and would mix those of two entries that are the same in both.
            let mark = format!(" # {name}");
            writeln!(
                f,
                "\n[[skill]]{mark}\nname = \"{name}\"\ndigest = \"{digest}\"{mark}"
            )?;
            // Directly after the digest: git keeps lines together that change together, and an entry has the source of its files.
            if let Some(provenance) = &locked.provenance {
                provenance.fmt(&mark, f)?;
            }
            writeln!(f, "size = {size}{mark}")?;
            if let Some(triggers) = locked.triggers {
                writeln!(f, "triggers = \"{triggers}\"{mark}")?;
            }
            if let Some(powers) = &locked.powers {
                write_powers(powers, &mark, f)?;
            }
        }
        Ok(())
    }
}

/// Writes one line for each kind, so that a difference of the lock shows a gained power.
fn write_powers(powers: &Powers, mark: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if powers.is_empty() {
        return writeln!(f, "powers = {{}}{mark}");
    }
    for kind in PowerKind::ALL {
        let texts: Vec<String> = powers.texts(kind).map(quoted).collect();
        if !texts.is_empty() {
            writeln!(f, "powers.{} = [{}]{mark}", kind.as_str(), texts.join(", "))?;
        }
    }
    Ok(())
}

/// Quotes a text for TOML. What ends a line for some readers, or turns the direction of text, is escaped too: a lock is
/// reviewed as a difference.
fn quoted(text: &str) -> String {
    let is_odd = |c: char| matches!(c, '\u{2028}' | '\u{2029}') || shown(c) != c;
    if text.contains(['"', '\\']) && !text.contains('\'') && !text.contains(is_odd) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if is_odd(c) => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

impl Provenance {
    /// Writes the provenance lines of an entry.
    fn fmt(&self, mark: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            ("commit", self.commit.as_ref()),
            ("requested", self.requested.as_ref()),
            ("source", Some(&self.source)),
            ("path", self.path.as_ref()),
        ];
        for (key, value) in fields {
            if let Some(value) = value {
                writeln!(f, "{key} = {}{mark}", quoted(value))?;
            }
        }
        Ok(())
    }
}
