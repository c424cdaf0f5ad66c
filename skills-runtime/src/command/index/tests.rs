use super::*;
use crate::catalog::state::State;
use crate::fixture::skills;

#[test]
fn one_index_a_catalog() {
    let fixture = skills(&[("lint", "", ""), ("review", "", "")]);
    let policy = CommandPolicy::DEFAULT;
    let first = CommandIndex::of(&fixture.catalog, &policy);
    let clone = fixture.catalog.clone();
    assert!(Arc::ptr_eq(&first, &CommandIndex::of(&clone, &policy)));

    let sanitised = CommandPolicy::new(CommandNames::Sanitised);
    let other = CommandIndex::of(&fixture.catalog, &sanitised);
    assert_eq!(other.policy, sanitised);
    assert!(Arc::ptr_eq(
        &first,
        &CommandIndex::of(&fixture.catalog, &policy)
    ));

    let off: State = ["lint"].into_iter().collect();
    let switched = CommandIndex::of(&fixture.catalog.with_state(off), &policy);
    assert!(first.named("lint").is_some());
    assert!(switched.named("lint").is_none());
}
