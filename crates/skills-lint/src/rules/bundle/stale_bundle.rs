use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::StaleBundle,
    level: Level::Warn,
    group: Group::Bundle,
    summary: "the crate that bakes the skills has a build script, which makes cargo notice a new skill",
    why: "Cargo knows the files that were baked, and no others. Without a build script a new skill \
          is not noticed: the crate is not compiled again, and the bundle stays as it is. So it is with a script whose \
          `cargo::rerun-if-changed` lines name other paths alone, which nobody reports: what a script printed is cargo's own. \
          A script that prints no such line makes cargo watch the whole package. Only `include_skills!` reports this. \
          `allow = [\"stale-bundle\"]` in `skills.toml` silences it.",
    bad: Example::Files(&[("release-notes/SKILL.md", Content::Text(with_fields!("")))]),
    marks: "",
    good: Example::Files(&[
        ("../build.rs", Content::Text(BUILD)),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};

const BUILD: &str = "\
fn main() {
    println!(\"cargo::rerun-if-changed=skills\");
}
";
