use crate::catalog::Catalog;

#[cfg(feature = "macros")]
#[test]
fn two_bundles_of_one_name_are_an_error_that_names_both() {
    use crate::fixture::BUNDLE;
    static OTHER: crate::Bundle = crate::include_skills!("tests/bundled");
    let load = |second: &str| {
        let builder = Catalog::builder().bundle("bundled", &BUNDLE);
        builder.bundle(second, &OTHER).load()
    };
    let loaded = load("bundled");
    let errors: Vec<String> = loaded
        .diagnostics()
        .iter()
        .filter(|diagnostic| diagnostic.severity == skills_format::Severity::Error)
        .map(|diagnostic| diagnostic.message.to_string())
        .collect();
    let first: Vec<&str> = BUNDLE.iter().take(3).map(|skill| skill.name()).collect();
    assert_eq!(
        errors,
        [format!(
            "two bundles are named `bundled`: the bundle of {}, …, and the bundle of code-review, \
             deploy-safely; the second is named `bundled-2` now: give each `.bundle(…)` a name of its own",
            first.join(", ")
        )]
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
