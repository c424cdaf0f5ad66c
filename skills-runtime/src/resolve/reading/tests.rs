//! Checks that the work is linear: each id is looked up once, and near matches are searched for few ids.

use super::*;
use crate::counted::{LOOK_UPS, SEARCHES};
use crate::fixture::{Fixture, Sources};
use crate::resolve::outcome::Surface;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

fn fixture() -> Fixture {
    Sources::new()
        .source(
            "user",
            &[
                ("review", "metadata:\n  aliases: look\n", ""),
                ("3d-model", "", ""),
            ],
        )
        .load()
}

/// Counts the look-ups and the searches for near matches, and returns the ids of the text.
fn steps(fixture: &Fixture, text: &str) -> (usize, usize, BTreeSet<String>) {
    let resolver = Resolver {
        catalog: &fixture.catalog,
        surface: Surface::User,
    };
    let ids = RefCell::new(BTreeSet::new());
    let candidates = scan(text, &|id| {
        ids.borrow_mut().insert(id.to_owned());
        resolver.exact(id).is_some()
    });
    let bare = candidates
        .iter()
        .filter(|candidate| candidate.masked.is_none() && candidate.kind == CandidateKind::Bare);
    ids.borrow_mut()
        .extend(bare.map(|candidate| candidate.key().into_owned()));
    LOOK_UPS.set(0);
    SEARCHES.set(0);
    fixture.catalog.mentions(text, Surface::User, 8);
    (LOOK_UPS.get(), SEARCHES.get(), ids.into_inner())
}

#[test]
fn an_id_is_looked_up_once() {
    let fixture = fixture();
    let text =
        "$review $look $nope $e\u{301} $\u{e9} $3d-model $5x `$code` \\$escaped ".repeat(100);
    let (look_ups, searches, ids) = steps(&fixture, &text);
    assert_eq!((look_ups, searches), (6, 2));
    assert_eq!(ids.len(), 6);
    let different: Vec<String> = (0..1_000).map(|i| format!("$a{i}")).collect();
    let different = different.join(" ");
    let (look_ups, searches, _) = steps(&fixture, &different);
    assert_eq!((look_ups, searches), (1_000, 8));
}

proptest! {
    #[test]
    fn ids_are_looked_up_once_each(text in "(\\$(review|look|nope|[a-c3é检]{1,2})|`|:|>|\\\\|\n| ){0,40}") {
        thread_local!(static FIXTURE: Fixture = fixture());
        FIXTURE.with(|fixture| {
            let (look_ups, searches, ids) = steps(fixture, &text);
            assert_eq!(look_ups, ids.len());
            assert!(searches <= 8.min(look_ups));
        });
    }
}
