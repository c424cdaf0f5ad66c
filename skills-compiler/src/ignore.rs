//! The patterns of `.gitignore`, and of `include` and `exclude` in a manifest.

/// The patterns of one file or list, in order. The last pattern that matches decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns(Vec<Pattern>);

#[derive(Clone, Debug)]
struct Pattern {
    /// Whether the pattern is `!pattern`.
    negated: bool,
    /// Whether the pattern is `pattern/`.
    folders_only: bool,
    /// The parts between `/`. An unanchored pattern begins with `**`.
    parts: Vec<String>,
}

impl Patterns {
    /// Parses lines. Empty lines and comments are skipped.
    pub(crate) fn parse<'l>(lines: impl IntoIterator<Item = &'l str>) -> Self {
        Self(lines.into_iter().filter_map(Pattern::parse).collect())
    }

    /// Whether the last pattern that matches a path names it. `None` when no pattern matches.
    pub(crate) fn names(&self, path: &str, is_folder: bool) -> Option<bool> {
        let parts: Vec<&str> = path.split('/').collect();
        self.0
            .iter()
            .rev()
            .find(|pattern| pattern.matches(&parts, is_folder))
            .map(|pattern| !pattern.negated)
    }

    /// Whether the patterns name a file or, if they do not mention it, its nearest folder.
    pub(crate) fn names_file(&self, path: &str) -> bool {
        let folders = path.rmatch_indices('/').map(|(at, _)| (&path[..at], true));
        std::iter::once((path, false))
            .chain(folders)
            .find_map(|(path, is_folder)| self.names(path, is_folder))
            .unwrap_or(false)
    }
}

impl Pattern {
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end_matches(['\r', '\n']);
        let line = match line.strip_suffix("\\ ") {
            Some(_) => line,
            None => line.trim_end_matches(' '),
        };
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (negated, line) = match line.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (folders_only, line) = match line.strip_suffix('/') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let anchored = line.contains('/');
        let mut parts: Vec<String> = Vec::new();
        if !anchored {
            parts.push("**".to_owned());
        }
        let line = line.strip_prefix('/').unwrap_or(line);
        parts.extend(line.split('/').map(str::to_owned));
        Some(Self {
            negated,
            folders_only,
            parts,
        })
    }

    fn matches(&self, path: &[&str], is_folder: bool) -> bool {
        (is_folder || !self.folders_only) && matches_parts(&self.parts, path)
    }
}

fn matches_parts(pattern: &[String], path: &[&str]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((first, rest)) if first == "**" => {
            // At the end it matches what is in a folder, not the folder itself.
            let least = usize::from(rest.is_empty());
            (least..=path.len()).any(|skipped| {
                path.get(skipped..)
                    .is_some_and(|path| matches_parts(rest, path))
            })
        }
        Some((first, rest)) => path.split_first().is_some_and(|(name, path)| {
            let (first, name): (Vec<char>, Vec<char>) =
                (first.chars().collect(), name.chars().collect());
            matches_name(&first, &name) && matches_parts(rest, path)
        }),
    }
}

fn matches_name(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        (['*', rest @ ..], _) => {
            matches_name(rest, name)
                || name
                    .split_first()
                    .is_some_and(|(_, name)| matches_name(pattern, name))
        }
        (['?', rest @ ..], [_, name @ ..]) => matches_name(rest, name),
        (['[', rest @ ..], [c, name @ ..]) => match class(rest, *c) {
            Some((true, rest)) => matches_name(rest, name),
            Some((false, _)) => false,
            None => *c == '[' && matches_name(rest, name),
        },
        (['\\', escaped, rest @ ..], [c, name @ ..]) => escaped == c && matches_name(rest, name),
        ([literal, rest @ ..], [c, name @ ..]) => literal == c && matches_name(rest, name),
        _ => false,
    }
}

/// Whether a character is in the class `a-z]`, and the text after the class. `None` when the class is
/// not closed.
fn class(pattern: &[char], c: char) -> Option<(bool, &[char])> {
    let (negated, mut rest) = match pattern {
        ['!' | '^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut found = false;
    let mut first = true;
    loop {
        rest = match rest {
            [']', rest @ ..] if !first => return Some((found != negated, rest)),
            [from, '-', to, rest @ ..] if *to != ']' => {
                found |= (*from..=*to).contains(&c);
                rest
            }
            [literal, rest @ ..] => {
                found |= *literal == c;
                rest
            }
            [] => return None,
        };
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    fn names(lines: &[&str], path: &str) -> bool {
        Patterns::parse(lines.iter().copied()).names_file(path)
    }

    #[test]
    fn as_git_has_them() {
        for (pattern, path) in [
            ("*.log", "a/b/x.log"),
            ("/skills/*", "skills/a/SKILL.md"),
            ("skills/**/assets", "skills/assets/x"),
            ("skills/**/assets/", "skills/a/b/assets/x"),
            ("src/**/*.rs", "src/lib.rs"),
            ("**/x", "x"),
            ("a/**", "a/b"),
            ("b?[a-c].m[!x]", "bxb.md"),
            ("\\#x", "#x"),
            ("x ", "x"),
            ("[", "["),
        ] {
            assert!(names(&[pattern], path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("/x", "a/x"),
            ("a/b", "c/a/b"),
            ("x/", "a/x"),
            ("*.rs", "x.rss"),
            ("a/*", "b/a/x"),
            ("a/**", "a"),
            ("#x", "#x"),
            ("", "x"),
            ("[a-", "a"),
        ] {
            assert!(!names(&[pattern], path), "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_one_decides() {
        assert!(!names(&["*.md", "!SKILL.md"], "a/SKILL.md"));
        assert!(names(&["!SKILL.md", "*.md"], "a/SKILL.md"));
    }
}
