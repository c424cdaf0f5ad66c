//! Any text over the bundled skills: nothing near is activated, nothing is lost.

use bundled_skills::SKILLS;
use skills_format::neutralize;
use skills_runtime::{Catalog, Outcome, Surface};
use std::sync::LazyLock;
use std::{env, fs, process};

/// Twins of equal rank, a shadowed skill, aliases, a disabled one, one in another script.
const SKILLS_OF: &[(&str, &[(&str, &str)])] = &[
    (
        "user",
        &[
            ("systematic-debugging", ""),
            ("test-driven-development", "tdd red-green"),
            ("code-review", ""),
            ("aleph", ""),
            ("コード", ""),
            ("3d-modeling", ""),
        ],
    ),
    (
        "plugins/superpowers/skills",
        &[("systematic-debugging", ""), ("twin", "both")],
    ),
    (
        "plugins/github/skills",
        &[("gh-fix-ci", ""), ("twin", "both")],
    ),
];

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let root = env::temp_dir().join(format!("skills-resolver-{}", process::id()));
    for (folder, skills) in SKILLS_OF {
        for (name, aliases) in *skills {
            let skill = root.join(folder).join(name);
            let text = format!(
                "---\nname: {name}\ndescription: Does {name}.\nmetadata:\n  aliases: \"{aliases}\"\n---\nDo it.\n"
            );
            let written =
                fs::create_dir_all(&skill).and_then(|()| fs::write(skill.join("SKILL.md"), text));
            assert!(written.is_ok(), "{written:?}");
        }
    }
    let catalog = Catalog::builder()
        .directory("user", root.join("user"))
        .plugins(root.join("plugins"))
        .bundle("bundled", &SKILLS)
        .disabled(["aleph"])
        .load();
    // A mention is resolved without its file.
    assert!(fs::remove_dir_all(&root).is_ok());
    catalog
});

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    const LIMIT: usize = 8;
    for surface in [Surface::User, Surface::Model] {
        let resolution = CATALOG.mentions(text, surface, LIMIT);
        for mention in &resolution.mentions {
            assert!(text.get(mention.span.range()).is_some());
        }
        for skill in &resolution.skills {
            let id = skill.id();
            let found = |outcome: &Outcome| matches!(outcome, Outcome::Found { skill: found, .. } if *found == *id);
            assert!(
                resolution
                    .mentions
                    .iter()
                    .any(|mention| found(&mention.outcome))
            );
        }
        assert!(resolution.skills.len() <= LIMIT);
        assert!(
            text.ends_with(&resolution.task),
            "the task is the end of the text"
        );
        assert!(
            CATALOG
                .mentions(&neutralize(text), surface, LIMIT)
                .skills
                .is_empty()
        );
    }
}
