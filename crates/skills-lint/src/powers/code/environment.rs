//! The environment as a value, `process.env.NAME`, and paths that are joined to the home folder.

use crate::powers::code::script::Script;
use crate::powers::code::skeleton::{MARK, Text};
use crate::powers::outside::outside;
use crate::powers::reader::Reader;
use crate::powers::word::is_environment;
use skills_format::PowerKind;
use skills_format::power::cover::EVERY_VARIABLE;

/// The environment of a script, by the names of languages and runtimes.
const ENVIRONMENTS: [&str; 5] = [
    "process.env",
    "import.meta.env",
    "Bun.env",
    "os.environ",
    "Deno.env",
];
/// The home folder of the user.
const HOMES: [&str; 8] = [
    "Path.home()",
    "homedir()",
    "expanduser(",
    "process.env.HOME",
    "Dir.home",
    "dirs.home",
    "home_dir()",
    "UserHomeDir()",
];
/// The maximum number of bytes of a line that are read around a place. A script in one line has a place every few bytes:
/// without a maximum, it would take quadratic time.
const MAX_ROW: usize = 1000;

impl Script<'_> {
    /// Adds the variables that are read from the environment as a value.
    pub(super) fn environment(&self, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        for environment in ENVIRONMENTS {
            for (at, _) in code.match_indices(environment) {
                self.environment_at(at, at + environment.len(), reader);
            }
        }
        for used in self.names.uses(code) {
            let end = used.at + used.name.len();
            let member = match used.meaning {
                "os.environ" | "process.env" => "",
                "os" => ".environ",
                "process" => ".env",
                _ => continue,
            };
            if code.get(end..).is_some_and(|rest| rest.starts_with(member)) {
                self.environment_at(used.at, end + member.len(), reader);
            }
        }
        self.homes(reader);
    }

    /// Adds what is read of the environment that stands between two offsets.
    fn environment_at(&self, at: usize, end: usize, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        let before = code.get(..at).unwrap_or_default();
        let is_part =
            |c: char| c.is_alphanumeric() || c == '_' || c == '.' && !before.ends_with("...");
        if before.ends_with(is_part) {
            return;
        }
        let rest = code.get(end..).unwrap_or_default();
        let line = self.skeleton.line(at);
        if let Some(member) = rest.strip_prefix('.').or_else(|| rest.strip_prefix("?.")) {
            member_of(member, line, reader);
        } else if !rest.starts_with(['[', '_'])
            && !rest.starts_with(|c: char| c.is_alphanumeric())
            && !is_import(before)
        {
            self.whole_environment(before, rest, line, reader);
        }
    }

    /// Adds the variables of `"NAME" in os.environ` and `const { NAME } = process.env`, otherwise all variables.
    fn whole_environment(&self, before: &str, rest: &str, line: usize, reader: &mut Reader<'_>) {
        let before = before.trim_end();
        let is_test = before.ends_with(" in") || before.ends_with("not in");
        let rest = rest.trim_start();
        match is_test.then(|| self.text_before(before)).flatten() {
            Some(text) => {
                if is_environment(&text.value) {
                    reader.add(PowerKind::Variables, text.value.clone(), line);
                }
            }
            None if rest.starts_with('=') && !rest.starts_with("==") => {}
            None if before.ends_with("} =") || before.ends_with("}=") => {
                let names = row_before(before).rsplit_once('{');
                let Some((_, names)) = names else {
                    return reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
                };
                let names = names.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                for name in names.filter(|name| is_environment(name)) {
                    reader.add(PowerKind::Variables, name, line);
                }
            }
            None => reader.add(PowerKind::Variables, EVERY_VARIABLE, line),
        }
    }

    /// Returns the text before `in` and `not in`.
    fn text_before(&self, code: &str) -> Option<&Text> {
        let code = code.strip_suffix("in")?.trim_end();
        let code = code.strip_suffix("not").unwrap_or(code).trim_end();
        let end = code.strip_suffix(MARK)?;
        let start = end.rfind(MARK)?;
        let (text, _) = self.skeleton.text_at(code.get(start..)?)?;
        Some(text)
    }

    /// Adds the paths that are joined to the home folder: `Path.home() / ".ssh"`, `join(homedir(), ".aws")`.
    fn homes(&self, reader: &mut Reader<'_>) {
        let code = self.skeleton.code.as_str();
        for home in HOMES {
            for (at, _) in code.match_indices(home) {
                let rest = code.get(at + home.len()..).unwrap_or_default();
                let path = self.joined(row_after(rest));
                // `expanduser("~")` alone is how a program finds its own files.
                let path = outside(&path).filter(|path| path != "~" || home != "expanduser(");
                if let Some(path) = path {
                    reader.add(PowerKind::Files, path, self.skeleton.line(at));
                }
            }
        }
    }

    /// Returns the path of the home folder with the texts of a row.
    fn joined(&self, mut row: &str) -> String {
        let mut path = "~".to_owned();
        while let Some(mark) = row.find(MARK) {
            let between = row.get(..mark).unwrap_or_default();
            if between.chars().any(char::is_alphanumeric) && !between.contains("join") {
                break;
            }
            let Some((text, length)) = self.skeleton.text_at(row.get(mark..).unwrap_or_default())
            else {
                break;
            };
            let part = text.value.trim_start_matches(['~', '/']);
            if !part.is_empty() {
                path.push('/');
                path.push_str(part);
            }
            row = row.get(mark + length..).unwrap_or_default();
        }
        path
    }
}

/// Adds the variable that a member of the environment is, and not a method.
fn member_of(member: &str, line: usize, reader: &mut Reader<'_>) {
    let end = member.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = member
        .get(..end.unwrap_or(member.len()))
        .unwrap_or_default();
    match name {
        "get" | "pop" | "setdefault" | "has" | "set" | "update" | "delete" => {}
        "copy" | "items" | "toObject" | "values" | "keys" => {
            reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
        }
        _ if is_environment(name) => reader.add(PowerKind::Variables, name, line),
        _ => {}
    }
}

/// Returns whether the row of a place is an import. A row that is longer than an import is not.
fn is_import(before: &str) -> bool {
    let row = row_before(before);
    let row = match row.rsplit_once('\n') {
        Some((_, row)) => row,
        None if row.len() == before.len() => row,
        None => return false,
    };
    row.trim_start().starts_with("import") || row.trim_start().starts_with("from")
}

/// Returns the end of the code before a place.
fn row_before(code: &str) -> &str {
    let mut starts = code.len().saturating_sub(MAX_ROW)..=code.len();
    let start = starts.find(|start| code.is_char_boundary(*start));
    code.get(start.unwrap_or_default()..).unwrap_or_default()
}

/// Returns the rest of a row.
fn row_after(code: &str) -> &str {
    let mut ends = (0..=code.len().min(MAX_ROW)).rev();
    let end = ends.find(|end| code.is_char_boundary(*end));
    let code = code.get(..end.unwrap_or_default()).unwrap_or_default();
    code.split(['\n', ';']).next().unwrap_or_default()
}
