use crate::catalog::Catalog;

#[cfg(feature = "macros")]
#[test]
fn of_two_bundles_with_one_name_no_skill_is_lost() {
    use crate::fixture::BUNDLE;
    static OTHER: crate::Bundle = crate::include_skills!("tests/bundled");
    let load = |second: &str| {
        let builder = Catalog::builder().bundle("bundled", &BUNDLE);
        builder.bundle(second, &OTHER).load()
    };
    let loaded = load("bundled");
    let findings: Vec<String> = loaded
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        findings[..1],
        [
            "bundled: warning[source-name]: `bundled` is the name of another source; the source is named `bundled-2`"
        ]
    );
    assert_eq!(
        loaded.iter().count(),
        BUNDLE.len() + OTHER.len(),
        "no skill is lost"
    );
    let named = load("team").diagnostics().to_vec();
    assert!(
        named
            .iter()
            .all(|diagnostic| diagnostic.rule.as_str() != "source-name"),
        "{named:?}"
    );
}
