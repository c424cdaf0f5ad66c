use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PowersWidened,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "with `locked = true` in `skills.toml`, no skill has a power that `skills.lock` does not hold",
    why: "A lock of version 3 holds what each skill may do: the programs that it runs, the hosts that it reaches, the \
          variables and files that it reads. A changed skill that may do more is reported at the line that says so, \
          apart from the changed bytes. Powers are read from the text: a reading, not a proof. `skills diff` shows \
          what changed, and `skills lock` writes the lock again after a review.",
    bad: Example::Configured {
        config: CONFIG,
        files: &[
            (
                "release-notes/SKILL.md",
                Content::Text(with_body!("Run `git push origin main`.\n")),
            ),
            ("skills.lock", Content::Text(LOCK)),
        ],
    },
    marks: "",
    good: Example::Configured {
        config: CONFIG,
        files: &[
            ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
            ("skills.lock", Content::Text(LOCK)),
        ],
    },
    fix: FixKind::No,
    check: Check::Elsewhere,
};

const CONFIG: &str = "locked = true\n";

/// The lock of the good example's skill.
const LOCK: &str = "\
version = 3
digest = \"sha256:3b1aadd8261fe741bed509062a29322a5a025381115535c7af79bc593014ab2a\"

[[skill]]
name = \"release-notes\"
digest = \"sha256:9fe34801e909db675e325fa9fa0a4ac8aa9d666c6adab4ca97038287b0cf9caf\"
size = 135
powers = {}
";
