//! Which restraints hold at least what another restraint held.

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

/// The marks after which a restraint holds less than the text before them says.
const WEAKER: [&str; 3] = [NOT_AS_READ, ONLY_IF, ENDED];

/// Returns whether one restraint holds at least what another held: it is the same, or the same without such a mark. Another
/// glob, tool or hook counts as lost, also if it restrains more.
pub(super) fn holds(held: &str, lost: &str) -> bool {
    let mut ends = WEAKER.iter().flat_map(|mark| lost.match_indices(mark));
    held == lost || ends.any(|(at, _)| held == &lost[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restraint_holds_itself_and_its_weaker_forms() {
        let guard = "PreToolUse of Bash: ./g.sh";
        let limited = format!("{guard}{ONLY_IF}A");
        let written = format!("{limited}{NOT_AS_READ}x");
        for (held, lost, expected) in [
            (guard, guard, true),
            (guard, &limited, true),
            (guard, &written, true),
            (&limited, &written, true),
            (&limited, guard, false),
            (&written, &limited, false),
            ("without Bash", "without Bash(git *)", false),
            ("PreToolUse of every tool: ./g.sh", guard, false),
        ] {
            assert_eq!(holds(held, lost), expected, "{held} | {lost}");
        }
    }
}
