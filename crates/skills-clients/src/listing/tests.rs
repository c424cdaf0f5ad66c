use super::*;
use crate::client::listings;
use proptest::prelude::*;

fn client(name: &str) -> &'static Listing {
    listings().find(|listing| listing.name == name).expect(name)
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("s-{i:04}")).collect()
}

fn listed<'a>(names: &'a [String], description: &'a str) -> Vec<Listed<'a>> {
    let skill = |name: &'a String| Listed {
        name,
        description,
        location: name,
        ..Listed::default()
    };
    names.iter().map(skill).collect()
}

fn counts(cut: &Cut) -> [usize; 4] {
    [Shown::Whole, Shown::Shortened, Shown::Bare, Shown::Gone]
        .map(|shown| cut.skills.iter().filter(|kept| kept.shown == shown).count())
}

#[test]
fn budgets() {
    let budgets = [
        ("claude-code", None, 8_000, Unit::Columns),
        ("claude-code", Some(200_000), 8_000, Unit::Columns),
        ("claude-code", Some(1_000_000), 30_000, Unit::Columns),
        ("codex", None, 5_440, Unit::Tokens),
        ("codex", Some(272_000), 5_440, Unit::Tokens),
        ("codex", Some(0), 1, Unit::Tokens),
        ("zed", Some(10), 51_200, Unit::Bytes),
        ("codewhale", None, 25_600, Unit::Characters),
        ("codewhale", Some(8_000), 2_400, Unit::Characters),
        ("codewhale", Some(u64::MAX), 40_000, Unit::Characters),
        ("caliban", None, 8_192, Unit::Bytes),
        ("openclaw", None, 18_000, Unit::Utf16),
    ];
    for (name, context, budget, unit) in budgets {
        assert_eq!(
            client(name).budget(context),
            (budget, unit),
            "{name} {context:?}"
        );
    }
}

#[test]
fn what_goes_first() {
    let all = names(250);
    let description = "word ".repeat(50);
    let all = listed(&all, &description);
    // The columns: whole, shortened, by name alone, left out.
    for (name, expected) in [
        ("default", [0, 0, 85, 165]),
        ("claude-code", [0, 0, 250, 0]),
        ("codex", [0, 250, 0, 0]),
        ("zed", [200, 0, 0, 50]),
        ("codewhale", [0, 250, 0, 0]),
        ("caliban", [30, 0, 0, 220]),
        ("openclaw", [0, 150, 0, 100]),
    ] {
        let cut = client(name).cut(None, &all);
        assert!(
            // Claude Code leaves out no name, and its own descriptions stay.
            cut.used <= cut.budget || name == "claude-code",
            "{name}: {} of {}",
            cut.used,
            cut.budget
        );
        assert_eq!(counts(&cut), expected, "{name}");
    }
}

#[test]
fn one_entry() {
    let long = "é".repeat(2_000);
    let names = names(1);
    for (name, length) in [
        ("claude-code", 1_536),
        ("codex", 1_024),
        ("zed", 2_000),
        ("codewhale", 400),
        ("openclaw", 2_000),
    ] {
        let cut = client(name).cut(None, &listed(&names, &long));
        assert_eq!(cut.skills[0].description.chars().count(), length, "{name}");
    }
    let cut = client("caliban").cut(None, &listed(&names, "First line.\nSecond line."));
    assert_eq!(cut.skills[0].description, "First line.");
    assert_eq!(cut.skills[0].shown, Shown::Shortened);
}

#[test]
fn when_to_use_is_kept() {
    let skill = Listed {
        name: "moon",
        description: "Long words.",
        when_to_use: "When the moon is full.",
        location: "moon",
        ..Listed::default()
    };
    let cut = client("claude-code").cut(None, &[skill]);
    assert!(
        cut.skills[0]
            .description
            .ends_with("words. - When the moon is full.")
    );
}

proptest! {
    /// Every list keeps to its budget. The exception is a client that never leaves out a name, when the names alone
    /// are too long.
    #[test]
    fn within_the_budget(
        skills in proptest::collection::vec(("[a-z]{1,9}", ".{0,90}( Use when .{0,40})?", "[a-z/]{0,9}"), 0..60),
        context in proptest::option::of(0..30_000_u64),
        number in 0..listings().count(),
    ) {
        let client = listings().nth(number).expect("a listing");
        let skills: Vec<Listed<'_>> = skills
            .iter()
            .map(|(name, description, location)| Listed { name, description, location, ..Listed::default() })
            .collect();
        let cut = client.cut(context, &skills);
        prop_assert_eq!(cut.skills.len(), skills.len());
        let is_bare = cut.skills.iter().all(|kept| kept.description.is_empty());
        let is_gone = cut.skills.iter().all(|kept| kept.shown == Shown::Gone);
        let keeps_names = client.name == "claude-code" && is_bare;
        prop_assert!(cut.used <= cut.budget || is_gone || keeps_names, "{} of {}", cut.used, cut.budget);
        if cut.whole <= cut.budget {
            prop_assert!(cut.skills.iter().all(|kept| matches!(kept.shown, Shown::Whole | Shown::Shortened)), "{:?}", cut);
        }
    }
}
