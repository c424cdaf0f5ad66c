use crate::catalog::Catalog;
use crate::options::layout::{Bases, Layout};
use crate::source::Source;
use skills_format::text::path::PathText as _;

fn bases() -> Bases {
    Bases {
        project: vec!["/home/p/work/deep".into(), "/home/p/work".into()],
        home: Some("/home/p".into()),
        config: Some("/home/p/.config".into()),
        data: None,
    }
}

fn roots(layout: &Layout, bases: &Bases) -> Vec<(String, Vec<String>)> {
    let catalog = Catalog::builder().layout(layout, bases).load().catalog;
    let roots = |source: &Source| {
        source
            .roots()
            .map(|root| root.shown().into_owned())
            .collect()
    };
    catalog
        .sources()
        .iter()
        .map(|source| (source.name().to_owned(), roots(source)))
        .collect()
}

#[test]
fn the_nearest_folder_first() {
    let list = |roots: &[&str]| roots.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        roots(&Layout::for_client("acme"), &bases()),
        [
            (
                "project".to_owned(),
                list(&[
                    "/home/p/work/deep/.acme/skills",
                    "/home/p/work/deep/.agents/skills",
                    "/home/p/work/.acme/skills",
                    "/home/p/work/.agents/skills",
                ])
            ),
            (
                "user".to_owned(),
                list(&["/home/p/.config/acme/skills", "/home/p/.agents/skills"])
            ),
        ]
    );
}

#[test]
fn the_home_folder_is_not_a_project() {
    let mut bases = bases();
    bases.project = vec!["/home/p".into()];
    let roots = roots(&Layout::DEFAULT, &bases);
    assert_eq!(roots.len(), 1);
    assert_eq!(roots.first().map(|(name, _)| name.as_str()), Some("user"));
}

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
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == skills_format::Severity::Error)
        .map(|diagnostic| diagnostic.message.to_string())
        .collect();
    let first: Vec<&str> = BUNDLE.iter().take(3).map(crate::SkillRef::name).collect();
    assert_eq!(
        errors,
        [format!(
            "two bundles are named `bundled`: the bundle of {}, …, and the bundle of code-review, \
             deploy-safely; the second is named `bundled-2` now: give each `.bundle(…)` a name of its own",
            first.join(", ")
        )]
    );
    assert_eq!(
        loaded.catalog.len(),
        BUNDLE.len() + OTHER.len(),
        "no skill is lost"
    );
    let named = load("team").diagnostics;
    assert!(
        named
            .iter()
            .all(|diagnostic| diagnostic.rule.as_str() != "source-name"),
        "{named:?}"
    );
}
