//! Which powers are part of another power of the same kind.

use crate::power::kind::PowerKind;
use crate::skill::allowed_tools::ToolRule;

/// The power over every variable of the environment.
pub const EVERY_VARIABLE: &str = "(all)";
/// Stands after a package whose version is not fixed.
pub const ANY_VERSION: &str = " (any version)";

/// Returns whether a power covers another power of its kind. In doubt it does not, so that the other power counts as
/// gained.
pub fn covers(kind: PowerKind, wide: &str, narrow: &str) -> bool {
    wide == narrow
        || match kind {
            PowerKind::Tools => tool_covers(wide, narrow),
            PowerKind::Variables => wide == EVERY_VARIABLE,
            PowerKind::Files => narrow
                .strip_prefix(wide)
                .is_some_and(|rest| wide.ends_with('/') || rest.starts_with('/')),
            PowerKind::Packages => package_covers(wide, narrow),
            _ => false,
        }
}

fn tool_covers(wide: &str, narrow: &str) -> bool {
    let (Some(wide), Some(narrow)) = (ToolRule::parse(wide), ToolRule::parse(narrow)) else {
        return false;
    };
    let is_tool = wide.tool == narrow.tool
        || wide
            .tool
            .strip_suffix('*')
            .is_some_and(|beginning| narrow.tool.starts_with(beginning));
    if !is_tool {
        return false;
    }
    let Some(wide) = wide.pattern.as_deref().map(spaced) else {
        return true;
    };
    let Some(narrow) = narrow.pattern.as_deref().map(spaced) else {
        return wide == "*";
    };
    // `git *` also stands for `git` alone, as `git:*` does.
    let beginning = wide.strip_suffix('*').filter(|it| !it.contains(['*', '?']));
    wide == narrow || beginning.is_some_and(|it| narrow.starts_with(it) || narrow == it.trim_end())
}

/// Returns a pattern with its end in the form with a space: `git:*` is `git *`.
fn spaced(pattern: &str) -> String {
    let pattern = pattern.trim();
    match pattern.strip_suffix(":*") {
        Some("") => "*".to_owned(),
        Some(words) => format!("{words} *"),
        None => pattern.to_owned(),
    }
}

/// A package of any version covers each version of it.
fn package_covers(wide: &str, narrow: &str) -> bool {
    let Some(name) = wide.strip_suffix(ANY_VERSION) else {
        return false;
    };
    narrow
        .strip_prefix(name)
        .is_some_and(|rest| rest.starts_with(['@', '=', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools() {
        for (wide, narrow, expected) in [
            ("Bash", "Bash(rm:*)", true),
            ("Bash(*)", "Bash(rm:*)", true),
            ("Bash(*)", "Bash", true),
            ("Bash(git:*)", "Bash(git *)", true),
            ("Bash(git *)", "Bash(git push:*)", true),
            ("Bash(git *)", "Bash(git)", true),
            ("Bash(git *)", "Bash(gitk)", false),
            ("Bash(git push:*)", "Bash(git *)", false),
            ("Bash(git:*)", "Bash(*)", false),
            ("Bash(git:*)", "Bash", false),
            ("Bash(git*)", "Bash(git *)", true),
            ("Bash(git *)", "Bash(git*)", false),
            ("mcp__git__*", "mcp__git__log", true),
            ("Read", "Write", false),
            ("Bash(a * b)", "Bash(a x b)", false),
        ] {
            assert_eq!(
                covers(PowerKind::Tools, wide, narrow),
                expected,
                "{wide} {narrow}"
            );
        }
    }

    #[test]
    fn others() {
        for (kind, wide, narrow, expected) in [
            (PowerKind::Files, "~/.ssh", "~/.ssh/id", true),
            (PowerKind::Files, "~/.ssh", "~/.sshx", false),
            (PowerKind::Files, "/", "/etc", true),
            (PowerKind::Files, "~/.ssh/id", "~/.ssh", false),
            (PowerKind::Variables, "(all)", "TOKEN", true),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@1.0",
                true,
            ),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm ab@1.0",
                false,
            ),
            (
                PowerKind::Packages,
                "npm a@1.0",
                "npm a (any version)",
                false,
            ),
            (PowerKind::Commands, "git", "git push", false),
            (PowerKind::Hosts, "b.org", "a.b.org", false),
        ] {
            assert_eq!(covers(kind, wide, narrow), expected, "{wide} {narrow}");
        }
    }
}
