//! Tells which files are scripts, and in which language.

use crate::powers::tables::has;
use crate::powers::tables::languages::{EXTENSIONS, INTERPRETERS};

/// Returns the extension of a path in lower case; empty without an extension.
pub(super) fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(String::new(), |(_, end)| end.to_ascii_lowercase())
}

/// Returns the language of a script and its interpreter, by the first line, the extension or the name.
pub(super) fn language(path: &str, text: &str) -> Option<(&'static str, String)> {
    if let Some(line) = text.strip_prefix("#!").and_then(|rest| rest.lines().next()) {
        let words = line
            .split(['/', ' ', '\t'])
            .filter(|word| !word.is_empty() && !word.starts_with('-'));
        let name = words
            .filter(|word| !matches!(*word, "usr" | "bin" | "env" | "local" | "run"))
            .find(|word| INTERPRETERS.iter().any(|(known, _)| known == word));
        let language = name.and_then(|name| INTERPRETERS.iter().find(|(known, _)| *known == name));
        return Some(language.map_or_else(
            || ("other", line.trim().to_owned()),
            |(name, language)| (*language, (*name).to_owned()),
        ));
    }
    let end = extension(path);
    if let Some((_, language, interpreter)) = EXTENSIONS.iter().find(|(known, _, _)| *known == end)
    {
        return Some((language, (*interpreter).to_owned()));
    }
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let is_make = has("makefile gnumakefile justfile", &name) || end == "mk";
    let is_docker = name.starts_with("dockerfile") || end == "dockerfile";
    if is_make || is_docker {
        return Some(("shell", if is_make { "make" } else { "docker" }.to_owned()));
    }
    None
}

/// Returns whether a path ends as a script does.
pub(super) fn is_script_path(path: &str) -> bool {
    let end = extension(path);
    EXTENSIONS.iter().any(|(known, _, _)| *known == end)
}

/// Returns the commands of a file: of a Dockerfile what stands after `RUN`, of a Makefile the recipes without `@`.
pub(super) fn commands(path: &str, text: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if name.contains("dockerfile") {
        let lines = text.lines().map(|line| {
            let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line, ""));
            match word.to_ascii_uppercase().as_str() {
                "RUN" | "CMD" | "ENTRYPOINT" => rest.to_owned(),
                "FROM" => format!("docker pull {rest}"),
                "ADD" => format!("curl {rest}"),
                "ENV" | "ARG" | "COPY" | "LABEL" | "WORKDIR" | "EXPOSE" | "USER" => String::new(),
                _ => line.to_owned(),
            }
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    if name.contains("makefile") || extension(path) == "mk" {
        return text.lines().map(make_line).collect::<Vec<_>>().join("\n");
    }
    if name == "justfile" {
        let lines = text.lines().map(|line| {
            let recipe = line.starts_with(['\t', ' ']);
            let body = line.trim_start().trim_start_matches(['@', '-', '+']);
            if recipe {
                body.to_owned()
            } else {
                String::new()
            }
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    text.to_owned()
}

/// Writes a line of a Makefile as a shell reads it: a recipe, the value of a variable, or the commands of another line.
fn make_line(line: &str) -> String {
    if line.starts_with(['\t', ' ']) {
        return in_shell(line.trim_start().trim_start_matches(['@', '-', '+']));
    }
    let assigned = line.split_once('=').map(|(name, value)| {
        let name = name.trim_end_matches([':', '?', '+', '!', ' ']);
        let name = name
            .trim_start_matches("export ")
            .trim_start_matches("override ");
        (name.trim(), in_shell(value.trim()))
    });
    match assigned {
        Some((name, value))
            if !name.is_empty() && name.chars().all(is_of_name) && !value.contains('"') =>
        {
            format!("{name}=\"{value}\"")
        }
        _ if line.contains("$(shell") => format!(": {}", in_shell(line)),
        _ => String::new(),
    }
}

/// Writes the references of make as a shell does: `$(NAME)` as `${NAME}`, `$(shell x)` as `$(x)`, `$$` as `$`. The
/// arguments of other functions stay, after a command that does nothing: they can hold `$(shell x)`.
fn in_shell(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        out.push('$');
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            rest = after;
        } else if let Some(inside) = rest.strip_prefix('(') {
            let end = inside
                .find(|c: char| !is_of_name(c))
                .unwrap_or(inside.len());
            let (name, after) = inside.split_at(end);
            if let Some(after) = after.strip_prefix(')') {
                out.extend(["{", name, "}"]);
                rest = after;
            } else if name == "shell" {
                out.push('(');
                rest = after;
            } else {
                out.push_str("(: ");
                rest = inside;
            }
        }
    }
    out + rest
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
