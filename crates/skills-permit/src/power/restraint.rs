//! Which restraints hold at least what another restraint held.

use crate::pattern::fits;
use skills_format::ToolRule;

/// Stands after a restraint whose key or value not every client reads, before what is written.
pub const NOT_AS_READ: &str = ", written as ";
/// Stands after a guard, before the rule of the calls for which alone it runs.
pub const ONLY_IF: &str = ", only if ";
/// Stands after a guard, before the short time after which a client no longer waits for it.
pub const ENDED: &str = ", ended after ";
/// Stands before the globs of files for which a skill is open to the model.
pub const PATHS: &str = "started by the model for files only: ";
/// Stands between the event of a hook and the tool whose calls the hook can refuse.
pub const OF_TOOL: &str = " of ";
/// Stands for the tools of a hook without a matcher. No tool has a space in its name.
pub const EVERY_TOOL: &str = "every tool";
/// Stands before a rule of `disallowed-tools`.
pub const WITHOUT: &str = "without ";
/// The most pairs of globs that are compared.
const MOST_GLOBS: usize = 1_000;

/// The marks after which a restraint holds less than the text before them says.
const WEAKER: [&str; 3] = [NOT_AS_READ, ONLY_IF, ENDED];

/// Returns whether one restraint holds at least what another held. In doubt it does not, so that the other counts as lost.
pub(super) fn holds(held: &str, lost: &str) -> bool {
    let ends = WEAKER.iter().flat_map(|mark| lost.match_indices(mark));
    let ends = ends.map(|(at, _)| at).chain([lost.len()]);
    let mut stronger = ends.filter_map(|end| lost.get(..end));
    if WEAKER.iter().any(|mark| held.contains(mark)) {
        return stronger.any(|lost| held == lost);
    }
    stronger.any(|lost| {
        held == lost
            || guard_holds(held, lost)
            || takes_away(held, lost)
            || is_for_fewer_files(held, lost)
    })
}

/// Returns whether a hook holds what a hook with the same command held for fewer tools.
fn guard_holds(held: &str, lost: &str) -> bool {
    let (Some([event, wide, what]), Some([lost_event, narrow, lost_what])) =
        (guard(held), guard(lost))
    else {
        return false;
    };
    event == lost_event && what == lost_what && (wide == EVERY_TOOL || names_all(wide, narrow))
}

/// Returns the event of a guard, its tool, and what the guard runs.
fn guard(restraint: &str) -> Option<[&str; 3]> {
    let (event, rest) = restraint.split_once(OF_TOOL)?;
    let (tool, what) = rest.split_once(": ")?;
    Some([event, tool, what])
}

/// Returns whether a name of tools covers another name. A `*` stands for any letters at an end: `mcp__git__*`.
fn names_all(wide: &str, narrow: &str) -> bool {
    let parts = |name: &str| {
        let open = [name.starts_with('*'), name.ends_with('*')];
        let core = name.trim_matches('*').to_owned();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        core.chars().all(is_name).then_some((open, core))
    };
    let (Some(([before, after], core)), Some((open, inner))) = (parts(wide), parts(narrow)) else {
        return wide == narrow;
    };
    match ([before, after], open) {
        ([true, true], _) => inner.contains(&core),
        ([false, true], [false, _]) => inner.starts_with(&core),
        ([true, false], [_, false]) => inner.ends_with(&core),
        _ => wide == narrow,
    }
}

/// Returns whether the rule that is held takes away every call that the lost rule took away.
fn takes_away(held: &str, lost: &str) -> bool {
    let rule = |text: &str| ToolRule::parse(text.strip_prefix(WITHOUT)?);
    let (Some(wide), Some(narrow)) = (rule(held), rule(lost)) else {
        return false;
    };
    if wide.tool != narrow.tool {
        return false;
    }
    match (wide.pattern, narrow.pattern) {
        (None, _) => true,
        // `git *` takes away every command that begins with these words, whatever follows.
        (Some(wide), Some(narrow)) => {
            let wide = wide.trim();
            let words = wide.strip_suffix(":*").or_else(|| wide.strip_suffix(" *"));
            let rest = words.and_then(|words| narrow.trim().strip_prefix(words));
            words.is_some_and(|words| !words.is_empty() && !words.contains('*'))
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
        }
        (Some(_), None) => false,
    }
}

/// Returns whether every file of the globs is one of the globs that were lost.
fn is_for_fewer_files(held: &str, lost: &str) -> bool {
    let globs = |text: &'_ str| -> Option<Vec<Vec<String>>> {
        let globs = text.strip_prefix(PATHS)?.split(", ");
        globs.map(parts).collect()
    };
    let (Some(held), Some(lost)) = (globs(held), globs(lost)) else {
        return false;
    };
    held.len().saturating_mul(lost.len()) <= MOST_GLOBS
        && held
            .iter()
            .all(|glob| lost.iter().any(|above| is_below(glob, above)))
}

/// Returns the parts of a glob, as Claude Code reads it: without a last `/**`, then as a line of `.gitignore`. `None` for
/// a glob that is not plain.
fn parts(glob: &str) -> Option<Vec<String>> {
    const MOST: usize = 32;
    let glob = glob.strip_suffix("/**").unwrap_or(glob);
    let rooted = glob.strip_prefix('/').unwrap_or(glob);
    let mut parts: Vec<String> = rooted.split('/').map(ToOwned::to_owned).collect();
    // A name alone is found in every folder.
    if !glob.contains('/') {
        parts.insert(0, "**".to_owned());
    }
    parts.dedup_by(|next, part| next == "**" && part == "**");
    let is_plain = |part: &String| {
        !part.is_empty()
            && !matches!(part.as_str(), "." | "..")
            && !part.contains("***")
            && !part.contains(['!', '{', '\\', '[', '#'])
            && !part.contains(char::is_whitespace)
    };
    (parts.len() <= MOST && parts.iter().all(is_plain)).then_some(parts)
}

/// Returns whether a glob matches only what another glob matches, or what is in its folders.
fn is_below(glob: &[String], above: &[String]) -> bool {
    let is_every = |part: &&String| *part == "**";
    let is_one = |one: &&String, above: &&String| !is_every(one) && is_part(one, above);
    let every = ["**".to_owned()];
    let is_in = |above: &[String]| fits(glob.iter(), above.iter(), is_every, is_one);
    match above.strip_suffix(&every) {
        // What is in a folder, and not the folder itself.
        Some(folder) => is_in(above) && !is_in(folder),
        None => is_in(&[above, &every].concat()),
    }
}

/// Returns whether each name of a pattern is one of another pattern. A `*` of the first is a letter that only a `*` of the
/// second matches.
fn is_part(pattern: &str, above: &str) -> bool {
    let is_one =
        |one: &u8, above: &u8| *one != b'*' && (one == above || *above == b'?' && one.is_ascii());
    fits(pattern.bytes(), above.bytes(), |it| *it == b'*', is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cases: &[(&str, &str, bool)], text: impl Fn(&str) -> String) {
        for (held, lost, expected) in cases {
            let (held, lost) = (text(held), text(lost));
            assert_eq!(holds(&held, &lost), *expected, "{held} | {lost}");
            assert!(holds(&held, &held), "{held}");
        }
    }

    #[test]
    fn globs() {
        let cases = [
            ("docs/*.md", "**/*.md", true),
            ("**/*.md", "docs/*.md", false),
            ("**/*.md", "*.md", true),
            ("*.md", "**/*.md", true),
            ("src/a/**", "src/**", true),
            ("src/**", "src/a/**", false),
            ("src/a/**, src/*.rs", "src/**", true),
            ("src/**, docs/**", "src/**", false),
            ("src/**", "src/**, docs/**", true),
            ("src/a*.rs", "src/*.rs", true),
            ("src/*.rs", "src/a*.rs", false),
            ("src/a?.rs", "src/a*.rs", true),
            ("src/a*.rs", "src/a?.rs", false),
            ("src/ab.rs", "src/a?.rs", true),
            ("src/b.rs", "src/c.rs", false),
            ("src/a\u{e4}.rs", "src/a?.rs", false),
            ("src/a/b.rs", "src/*/b.rs", true),
            ("src/**/b.rs", "src/*/b.rs", false),
            ("src/*/b.rs", "src/**/b.rs", true),
            ("src/b.rs", "src/**/b.rs", true),
            ("a/src/x", "src/**", true),
            // `src/**` is `src`, which is found in every folder.
            ("src/**", "/src/**", false),
            ("/src/**", "src/**", true),
            ("a", "a/**/**", false),
            ("a/b", "a/**/**", true),
            ("docs/!a", "docs/*", false),
            ("docs/{a,b}", "docs/*", false),
            ("docs/../a", "docs/**", false),
            ("docs/", "docs/**", false),
            ("**", "src/**", false),
            ("src/**", "**", true),
            ("*.{md,txt}", "*.{md,txt}", true),
        ];
        check(&cases, |globs| format!("{PATHS}{globs}"));
    }

    #[test]
    fn tools_that_are_taken_away() {
        let cases = [
            ("Bash", "Bash(git *)", true),
            ("Bash(git *)", "Bash", false),
            ("Bash(git *)", "Bash(git push *)", true),
            ("Bash(git:*)", "Bash(git push)", true),
            ("Bash(git:*)", "Bash(git --exec-path=x *)", true),
            ("Bash(git push *)", "Bash(git *)", false),
            ("Bash(git *)", "Bash(gitk)", false),
            ("Bash(git *)", "Bash(*)", false),
            ("Bash(git* *)", "Bash(git* x)", false),
            ("Bash(:*)", "Bash(:x)", false),
            ("Bash(*)", "Bash", false),
            ("Bash( *)", "Bash(git)", false),
            ("Write", "Bash", false),
            ("Bash", "Bash(git *), written as a loose front matter", true),
            (
                "Bash, written as a loose front matter",
                "Bash(git *)",
                false,
            ),
        ];
        check(&cases, |rule| format!("{WITHOUT}{rule}"));
    }

    #[test]
    fn guards() {
        let cases = [
            ("every tool: ./g.sh", "Bash: ./g.sh", true),
            ("Bash: ./g.sh", "every tool: ./g.sh", false),
            ("every tool: ./h.sh", "Bash: ./g.sh", false),
            ("*Edit*: ./g.sh", "MultiEdit: ./g.sh", true),
            ("MultiEdit: ./g.sh", "*Edit*: ./g.sh", false),
            ("mcp__*: ./g.sh", "mcp__git__*: ./g.sh", true),
            ("mcp__*: ./g.sh", "*mcp__git: ./g.sh", false),
            ("*Edit: ./g.sh", "MultiEdit: ./g.sh", true),
            ("*Edit: ./g.sh", "Edit*: ./g.sh", false),
            ("Bash: ./g.sh", "Bash: ./g.sh, only if Bash(git *)", true),
            ("Bash: ./g.sh, only if Bash(git *)", "Bash: ./g.sh", false),
            ("every tool: ./g.sh", "Bash: ./g.sh, written as x", true),
            (
                "Bash: ./g.sh, only if A",
                "Bash: ./g.sh, only if A, written as x",
                true,
            ),
            ("Bash: ./g.sh, only if A", "Bash: ./g.sh, only if B", false),
        ];
        check(&cases, |guard| format!("PreToolUse{OF_TOOL}{guard}"));
        assert!(!holds(
            "PermissionRequest of every tool: ./g.sh",
            "PreToolUse of Bash: ./g.sh"
        ));
    }
}
