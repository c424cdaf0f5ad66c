//! Which powers are part of another power of the same kind.

use crate::power::kind::PowerKind;
use crate::power::restraint;

/// The power over every variable of the environment.
pub const EVERY_VARIABLE: &str = "(all)";
/// Stands after a package whose version is not fixed.
pub const ANY_VERSION: &str = " (any version)";

/// Options with which a command changes nothing. They are a part of the command, so that their loss is a gain.
pub const PROTECTIVE: [&str; 7] = [
    " --dry-run",
    " --dryrun",
    " --check",
    " --what-if",
    " --noop",
    " --simulate",
    " --read-only",
];

/// Returns whether powers of a kind can cover others than themselves.
pub(super) const fn can_cover(kind: PowerKind) -> bool {
    matches!(
        kind,
        PowerKind::Commands
            | PowerKind::Variables
            | PowerKind::Files
            | PowerKind::Packages
            | PowerKind::Restraints
    )
}

/// Returns whether a power covers another power of its kind. In doubt it does not, so that the other power counts as
/// gained. A rule of `allowed-tools` covers itself alone: what a rule approves depends on the kind of the host's tool, and a
/// narrower pattern can approve an option that the wider pattern does not.
pub fn covers(kind: PowerKind, wide: &str, narrow: &str) -> bool {
    let rest = narrow.strip_prefix(wide);
    wide == narrow
        || match kind {
            PowerKind::Commands => rest.is_some_and(|rest| PROTECTIVE.contains(&rest)),
            PowerKind::Variables => wide == EVERY_VARIABLE,
            PowerKind::Files => {
                rest.is_some_and(|rest| wide.ends_with('/') || rest.starts_with('/'))
            }
            PowerKind::Packages => package_covers(wide, narrow),
            PowerKind::Restraints => restraint::holds(wide, narrow),
            _ => false,
        }
}

/// A package of any version covers each version of it. What stands for a version can name another package
/// (`npm foo@npm:evil`), or an address.
fn package_covers(wide: &str, narrow: &str) -> bool {
    let Some(name) = wide.strip_suffix(ANY_VERSION) else {
        return false;
    };
    let version = narrow
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(['@', '=', ':']))
        .map(|rest| rest.trim_start_matches(['=', '^', '~', 'v', '<', '>']));
    version.is_some_and(|version| {
        version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains([':', '/'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_covers_itself_alone() {
        for (wide, narrow, expected) in [
            ("Bash(git *)", "Bash(git *)", true),
            ("Bash", "Bash(rm -rf *)", false),
            ("Bash(git *)", "Bash(git -c core.pager=x *)", false),
            ("Write(src/**)", "Write(src/.env)", false),
        ] {
            let is_covered = covers(PowerKind::Tools, wide, narrow);
            assert_eq!(is_covered, expected, "{wide} {narrow}");
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
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@npm:b",
                false,
            ),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@1.0:x",
                false,
            ),
            (PowerKind::Commands, "git", "git push", false),
            (PowerKind::Commands, "git push", "git push --dry-run", true),
            (PowerKind::Commands, "git push --dry-run", "git push", false),
            (PowerKind::Hosts, "b.org", "a.b.org", false),
        ] {
            assert_eq!(covers(kind, wide, narrow), expected, "{wide} {narrow}");
        }
    }
}
