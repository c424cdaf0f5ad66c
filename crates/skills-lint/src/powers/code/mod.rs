//! Reads scripts that are not of a shell, by their texts and by the functions that they call.
//!
//! The time is linear in the script: each part goes over the code once, and what a place reads around itself is bounded.

mod arguments;
mod assigned;
mod calls;
mod environment;
mod names;
mod reach;
mod run;
mod script;
mod skeleton;

use crate::powers::code::arguments::word;
use crate::powers::code::assigned::Assigned;
use crate::powers::code::names::Names;
use crate::powers::code::script::Script;
use crate::powers::code::skeleton::{Skeleton, Text};
use crate::powers::command;
use crate::powers::host::hosts;
use crate::powers::outside::outside;
use crate::powers::package;
use crate::powers::reader::Reader;
use crate::powers::script::language;
use skills_format::PowerKind;

/// The maximum number of bytes of a text that can be a path, or a command with paths.
const MAX_PATH: usize = 400;
/// The maximum number of lines in which a script declares its dependencies.
const MAX_HEAD: usize = 200;

/// Reads a script whose first line has a number.
pub(super) fn read(language: &str, source: &str, line: usize, reader: &mut Reader<'_>) {
    let skeleton = Skeleton::new(language, source, line);
    let script = Script {
        language,
        names: Names::of(&skeleton),
        assigned: Assigned::of(&skeleton),
        skeleton: &skeleton,
    };
    script.texts(reader);
    script.lists(reader);
    script.markup(reader);
    script.calls(reader);
    script.environment(reader);
    dependencies(source, line, reader);
    if matches!(language, "ruby" | "perl" | "php") {
        script.backquotes(reader);
    }
}

impl Script<'_> {
    /// Adds the hosts and the paths in the texts of a script, and reads the scripts in them.
    fn texts(&self, reader: &mut Reader<'_>) {
        for text in self.skeleton.texts.iter().filter(|text| !text.is_comment) {
            for (at, host) in hosts(&text.value) {
                let before = text.value.get(..at).unwrap_or_default();
                let line = text.line + before.matches('\n').count();
                reader.add(PowerKind::Hosts, host, line);
            }
            self.path(text, reader);
            let trimmed = text.value.trim();
            let is_header = trimmed.starts_with("#!") && trimmed.contains('\n');
            if let Some((inner, _)) = language("", trimmed).filter(|_| is_header) {
                command::inner(inner, &word(text), reader);
            }
        }
    }

    /// Adds the path that a text is, or the paths in a text that is a command.
    fn path(&self, text: &Text, reader: &mut Reader<'_>) {
        let path = text.value.trim();
        // No program of JavaScript puts the home folder in: `~/utils` is a module there, and `~/.ssh` is a shell's.
        let is_alias =
            self.language == "javascript" && path.starts_with("~/") && !path.starts_with("~/.");
        let is_short = path.len() < MAX_PATH && path != "/" && path != "~";
        if !is_short || path.contains("://") || is_alias {
            return;
        }
        let found = outside(path).filter(|found| found != "/" && !path.contains([' ', '\n']));
        if let Some(found) = found {
            reader.add(PowerKind::Files, found, text.line);
        } else if path.contains(' ') && path.contains(['/', '~']) {
            command::paths(path, text.line, reader);
        }
    }

    /// Addresses in HTML stand in texts with quotation marks too; addresses without are not read.
    fn markup(&self, reader: &mut Reader<'_>) {
        for (at, host) in hosts(&self.skeleton.code) {
            reader.add(PowerKind::Hosts, host, self.skeleton.line(at));
        }
    }
}

/// Reads the dependencies that a Python script declares in its head: PEP 723.
fn dependencies(source: &str, line: usize, reader: &mut Reader<'_>) {
    let mut is_inside = false;
    for (at, row) in source.lines().enumerate().take(MAX_HEAD) {
        let Some(row) = row.strip_prefix('#').map(str::trim) else {
            continue;
        };
        if row.starts_with("dependencies") && row.contains('[') {
            is_inside = true;
        }
        if is_inside {
            for package in row.split(['"', '\'']).skip(1).step_by(2) {
                package::add("pip", package, line + at, reader);
            }
            is_inside = !row.contains(']') || row.contains('[') && !row.ends_with(']');
        }
    }
}
