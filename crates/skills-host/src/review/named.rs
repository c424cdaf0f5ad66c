//! The files that a text names: what a hook runs, what a skill leads to, what instructions import.

use crate::files::relative_path::folded;
use crate::review::step;
use skills_format::join;
use std::borrow::Cow;
use std::collections::BTreeSet;
use unicode_normalization::char::is_combining_mark as is_mark;

/// The most bytes of a path: no system has longer ones.
const MOST_PATH: usize = 4096;

/// Returns the paths that a text writes: its words, and what stands between spaces or quotation marks, also as a JSON text means
/// them. An import keeps its `@`.
/// `is_wanted` tells which words without any sign of a path count too.
pub(super) fn words(text: &str, is_wanted: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_-./\\${}@+".contains(c) || is_mark(c);
    let mut found = BTreeSet::new();
    for text in [text, &*unescaped(text)] {
        let quoted = text.split(['"', '\'', '`', '\n']);
        let words = text.split(|c| !is_part(c)).chain(quoted);
        let spaced = text.split_whitespace();
        let spaced = spaced.filter(|word| word.contains(['/', '@']));
        for word in words.chain(spaced) {
            step(1);
            let word = word
                .trim_end_matches(['.', ' ', '}'])
                .trim_start_matches(' ');
            let is_path = word.contains(['/', '.', '\\', '@']);
            if word.len() <= MOST_PATH && (is_path || is_wanted(word)) {
                found.insert(word.replace('\\', "/"));
            }
        }
    }
    found
}

/// Returns the files that a file names by the wanted words: relative to the folder of the file, to a folder `origin` above it, and
/// to the root. `file` returns the file at a path, behind all links.
pub(super) fn named(
    [path, origin]: [&str; 2],
    bytes: &[u8],
    is_wanted: &dyn Fn(&str) -> bool,
    file: &dyn Fn(&str) -> Option<String>,
) -> BTreeSet<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = BTreeSet::new();
    let words = words(&String::from_utf8_lossy(bytes), is_wanted);
    for word in words.iter().filter(|word| is_wanted(word)) {
        // `$CLAUDE_PROJECT_DIR/x`, `${extensionPath}/x`: the variable holds one of the folders.
        let below = word.split_once('/');
        let below = below.filter(|(first, _)| first.contains(['$', '{']));
        // `"$CLAUDE_PROJECT_DIR"/x`: the quotation mark ends the word before.
        let word = below.map_or(&**word, |(_, below)| below).trim_matches('/');
        for base in BTreeSet::from([folder, origin, ""]) {
            for word in BTreeSet::from([word, word.trim_start_matches('@')]) {
                step(1);
                found.extend(file(&join(base, word)));
            }
        }
    }
    found
}

/// Returns the last two parts of a path up to a space, as a system folds them that ignores case.
pub(super) fn ending(path: &str) -> String {
    let path = folded(path);
    let parts = path.rsplit('/').filter(|part| !matches!(*part, "" | "."));
    match parts.take(2).collect::<Vec<_>>()[..] {
        [name, folder] => {
            let folder = folder.rsplit(' ').next().unwrap_or_default();
            let name = name.split(' ').next().unwrap_or_default();
            format!("{folder}/{name}")
        }
        [name] => name.to_owned(),
        _ => String::new(),
    }
}

/// Returns the text that a JSON text with escapes, or a link, means.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '%']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("%20", " ");
    let mut out = String::new();
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let code = after.strip_prefix('u').and_then(|it| it.get(..4));
        let code = code.and_then(|it| char::from_u32(u32::from_str_radix(it, 16).ok()?));
        rest = match (code, after.chars().next()) {
            (Some(c), _) => {
                out.push(c);
                &after[5..]
            }
            (None, Some(c)) => {
                out.push(if matches!(c, 'n' | 't' | 'r') {
                    '\n'
                } else {
                    c
                });
                &after[c.len_utf8()..]
            }
            (None, None) => after,
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::outside::end_of;

    #[test]
    fn files_that_a_plugin_names() {
        let files = [
            "plugins/a/bin/run",
            "plugins/a/scripts/x.js",
            "tools/y.sh",
            "b.json",
        ];
        let file = |path: &str| {
            let path = end_of("", path, &|_, name| Some((name.to_owned(), None)))?;
            files.contains(&&*path).then_some(path)
        };
        let of = |path: &str, text: &str| {
            let found = named([path, "plugins/a"], text.as_bytes(), &|_| true, &file);
            found.into_iter().collect::<Vec<_>>()
        };
        let text = r#"{"command": "node ${CLAUDE_PLUGIN_ROOT}/scripts/x.js && ./bin/run", "x": "../../../etc"}"#;
        let all = ["plugins/a/bin/run", "plugins/a/scripts/x.js"];
        assert_eq!(of("plugins/a/hooks/hooks.json", text), all);
        assert_eq!(of("plugins/a/.mcp.json", text), all);
        let text = r#"{"command": "\"$CLAUDE_PROJECT_DIR\"/tools/y.sh"}"#;
        assert_eq!(of(".claude/settings.json", text), ["tools/y.sh"]);
        let text = r#"{"command": "$CLAUDE_PROJECT_DIR/tools/y.sh @b.json."}"#;
        assert_eq!(of(".claude/settings.json", text), ["b.json", "tools/y.sh"]);
    }
}
