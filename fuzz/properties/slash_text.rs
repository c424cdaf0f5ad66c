//! Any text as the text of a slash command: it starts what it names, with what follows the name.

use bundled_skills::SKILLS;
use skills_runtime::Catalog;
use skills_runtime::options::CommandPolicy;
use skills_runtime::resolve::Invocation;
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::builder().bundle("bundled", &SKILLS).load().catalog);

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    let policy = CommandPolicy::DEFAULT;
    for text in [
        text.to_owned(),
        format!("/{text}"),
        format!("/skill {text}"),
    ] {
        if let Some(Invocation::Skill(command)) = CATALOG.command(&text, &policy) {
            assert!(text.trim_start().starts_with('/'), "{text:?}");
            assert!(CATALOG.get(&command.skill).is_some(), "{text:?}");
            assert!(text.contains(&command.arguments), "{text:?}");
        }
    }
}
