//! Any text over the bundled skills: nothing near is activated, nothing is lost.
#![no_main]

use bundled_skills::SKILLS;
use libfuzzer_sys::fuzz_target;
use skills_runtime::{Catalog, Compose, Outcome, Policy, Surface, neutralize};
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::builder().bundle("bundled", &SKILLS).load().catalog);

fuzz_target!(|text: &str| {
    for compose in [Compose::ChooseOne, Compose::All] {
        let mut policy = Policy::DEFAULT;
        policy.compose = compose;
        for surface in [Surface::User, Surface::Palette, Surface::Model] {
            let resolution = CATALOG.resolve(text, surface, &policy);
            for mention in &resolution.mentions {
                assert_eq!(text.get(mention.span.range()), Some(mention.raw.as_str()));
            }
            for skill in &resolution.activated {
                let found = |outcome: &Outcome| matches!(outcome, Outcome::Found { skill: found, .. } if found == skill);
                assert!(resolution.mentions.iter().any(|mention| found(&mention.outcome)));
            }
            assert!(resolution.activated.len() <= policy.limit);
            assert!(text.ends_with(&resolution.task), "the task is the end of the text");
            assert!(CATALOG.resolve(&neutralize(text), surface, &policy).activated.is_empty());
        }
    }
});
