//! The one list of files that lie in the folder of a skill and are never shipped with it.
//!
//! Bundles, installs, exports and the digests of a lock leave these files out, so running a skill's own script makes
//! no lock stale, and a checkout on another machine gives the same bundle. The trust digest and a review cover them.

/// The file in which a skill, or a folder of skills, lists the texts for which a skill should be chosen.
pub const TRIGGERS_FILE: &str = "triggers.yaml";

const EDITOR: &str = "an editor or a desktop left it behind";
const SECRET: &str = "it contains the settings of one machine, often with secrets";
const MADE: &str = "a program made it";

/// Returns the file or folder because of which a file is not shipped with its skill, and why; `None` if the file is
/// shipped. `path` is relative to the folder of the skill. `has` tells whether the folder has a file: `target` is left
/// out only with its `CACHEDIR.TAG`, and `.venv` only with its `pyvenv.cfg`.
///
/// ```
/// use skills_format::left_out;
///
/// let has = |path: &str| path == "target/CACHEDIR.TAG";
/// assert_eq!(left_out("a/.env", &has).map(|(part, _)| part), Some("a/.env"));
/// assert_eq!(left_out("target/debug/tool", &has).map(|(part, _)| part), Some("target"));
/// assert!(left_out("a/.env.example", &has).is_none() && left_out("docs/target/tool", &has).is_none());
/// ```
pub fn left_out<'p>(path: &'p str, has: &dyn Fn(&str) -> bool) -> Option<(&'p str, &'static str)> {
    if path == TRIGGERS_FILE {
        return Some((
            path,
            "it tests when the skill is chosen, and is not part of it",
        ));
    }
    let mut end = 0;
    path.split('/').find_map(|name| {
        let part = path.get(..end + name.len())?;
        end += name.len() + 1;
        let marked = |mark: &str| has(&format!("{part}/{mark}"));
        let why = by_name(name).or_else(|| match name {
            "target" if marked("CACHEDIR.TAG") => Some(MADE),
            ".venv" if marked("pyvenv.cfg") => Some(MADE),
            _ => None,
        })?;
        Some((part, why))
    })
}

/// Returns whether a file is not shipped, by its path alone: see [`left_out`].
pub fn is_no_part(path: &str) -> bool {
    left_out(path, &|_| false).is_some()
}

/// Returns why a file or folder of this name is not shipped, wherever it lies.
fn by_name(name: &str) -> Option<&'static str> {
    if is_litter(name) {
        return Some(EDITOR);
    }
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        ".env.example" | ".env.sample" | ".env.template" => None,
        ".env" => Some(SECRET),
        "__pycache__" | "node_modules" | ".pytest_cache" | ".mypy_cache" | ".ruff_cache"
        | ".ipynb_checkpoints" => Some(MADE),
        lower if lower.starts_with(".env.") => Some(SECRET),
        lower if matches!(lower.rsplit_once('.'), Some((_, "pyc" | "pyo"))) => Some(MADE),
        _ => None,
    }
}

/// Returns whether editors and desktops leave files of this name behind: `*~`, `.*.swp`, `.#*` and `#*#` (Emacs: the link
/// that locks a file, and its unsaved text), `._*` (macOS, on other disks), `.DS_Store`, `.localized`, `Thumbs.db`,
/// `desktop.ini`.
pub fn is_litter(name: &str) -> bool {
    const NAMES: [&str; 4] = ["desktop.ini", ".ds_store", ".localized", "thumbs.db"];
    NAMES.iter().any(|it| name.eq_ignore_ascii_case(it))
        || name.ends_with('~')
        || name.starts_with('.') && name.get(name.len().saturating_sub(4)..) == Some(".swp")
        || name.starts_with(".#")
        || name.starts_with("._")
        || name.len() > 1 && name.starts_with('#') && name.ends_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_and_what_is_not() {
        let has = |path: &str| matches!(path, "target/CACHEDIR.TAG" | "a/.venv/pyvenv.cfg");
        for path in [
            "triggers.yaml",
            ".env",
            "a/.env.local",
            ".ENV",
            ".env/bin/python",
            "scripts/__pycache__/x.cpython-312.pyc",
            "x.pyc",
            "a/node_modules/b/index.js",
            "target/release/x",
            "a/.venv/bin/python",
            "desktop.ini",
            "Desktop.ini",
            ".DS_Store",
            "._SKILL.md",
            "a/x.md~",
            ".x.md.swp",
            ".#x",
            "#x#",
        ] {
            assert!(left_out(path, &has).is_some(), "{path}");
        }
        for path in [
            "SKILL.md",
            "a/triggers.yaml",
            ".env.example",
            ".env.sample",
            "a/.env.template",
            "env",
            ".environment",
            ".envrc",
            "x.py",
            "a/target/x",
            ".venv/bin/python",
            "venv/x",
            "cache/x",
            "#",
            "a.swp",
        ] {
            assert_eq!(left_out(path, &has), None, "{path}");
        }
    }
}
