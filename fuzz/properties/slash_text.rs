//! Any text as the text of a slash command: it starts what it names, with what follows the name.

use bundled_skills::SKILLS;
use skills_runtime::{Catalog, Surface};
use skills_session::Dialect as _;
use skills_session::options::Options;
use skills_session::resolve::Effect;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::builder().bundle("bundled", &SKILLS).load());

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    for text in [
        text.to_owned(),
        format!("/{text}"),
        format!("/skill {text}"),
    ] {
        let resolution = Options::DEFAULT.resolve(&CATALOG, &text, Surface::User);
        if resolution.effect == Effect::Command {
            let [skill] = resolution.activated()[..] else {
                panic!("{text:?}: {resolution:?}");
            };
            assert!(text.trim_start().starts_with('/'), "{text:?}");
            assert!(CATALOG.get(skill).is_some(), "{text:?}");
            assert!(text.contains(resolution.arguments(skill)), "{text:?}");
        }
    }
}
