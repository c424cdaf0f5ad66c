//! The files that a checkout has with other bytes than a commit, by `.gitattributes`.

use crate::git::patterns::Patterns;

/// The patterns of one `.gitattributes` whose lines rewrite files: `filter`, `ident`, `export-subst` and
/// `working-tree-encoding`.
///
/// What is taken back by a later line counts all the same, and letter case does not: git ignores it on some systems.
#[derive(Clone, Debug, Default)]
pub struct Rewrites {
    patterns: Patterns,
    /// A line that is not read here can name any file.
    all: bool,
}

impl Rewrites {
    /// Reads a `.gitattributes`. Pointers of Git LFS are not rewritten: the pointer is compared, and is a named power.
    pub fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let mut all = false;
        let mut lines = Vec::new();
        // As git reads it: without a byte order mark, and a line up to a NUL.
        let lines_of = text.trim_start_matches('\u{feff}').lines();
        for line in lines_of.map(|line| line.split('\0').next().unwrap_or_default().trim_start()) {
            // Nothing need stand between a quoted pattern and its attributes.
            let mut words = line
                .split([' ', '\t', '\r', '"'])
                .filter(|word| !word.is_empty());
            let pattern = words.next().unwrap_or_default();
            if line.starts_with('#') || !words.any(rewrites) {
                continue;
            }
            // A quoted pattern, a macro, a pattern that git rejects, and a class of characters.
            all |= line.starts_with(['"', '[', '!']) || pattern.contains("[[:");
            lines.push((0, pattern));
        }
        let (patterns, skipped) = Patterns::parse(&[], lines);
        all |= !skipped.is_empty();
        Self { patterns, all }
    }

    /// Returns whether a file is rewritten, by its path in the folder of the `.gitattributes`.
    pub fn holds(&self, path: &str) -> bool {
        self.all || self.patterns.names(&path.to_ascii_lowercase(), false) == Some(true)
    }
}

fn rewrites(attribute: &str) -> bool {
    // An archive of the commit is what some installs read.
    matches!(attribute, "ident" | "export-subst")
        || attribute.starts_with("working-tree-encoding=")
        || attribute.starts_with("filter=") && attribute != "filter=lfs"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_checkout_rewrites() {
        let holds = |text: &str, path: &str| Rewrites::of(text.as_bytes()).holds(path);
        assert!(holds("*.md ident", "a/b.md"));
        assert!(holds("\u{feff}*.md ident", "a/b.md"));
        assert!(holds("*.[[:alpha:]]d ident", "a/b.md"));
        assert!(holds("*.md ident\0", "a/b.md"));
        assert!(holds("# x\n/A/*.MD\tfilter=x -text", "a/b.md"));
        assert!(holds("a/** working-tree-encoding=UTF-16LE", "a/b/c.md"));
        assert!(holds("\"a b\" filter=x", "c.md"));
        assert!(holds("\"*.md\"ident", "c.md"));
        assert!(holds("[attr]mine filter=x\n*.md mine", "c.md"));
        assert!(!holds("a/*.md ident", "b.md"));
        assert!(!holds("*.txt ident", "b.md"));
        assert!(!holds("*.md -text eol=lf diff=x -ident", "b.md"));
        assert!(!holds("*.png filter=lfs diff=lfs merge=lfs -text", "b.png"));
    }
}
