//! Checks that no text inside an envelope can end it.

use super::*;
use crate::fixture::Fixture;
use proptest::prelude::*;
use skills_runtime::Catalog;
use std::fs;

/// The parts of an envelope that a reader gets back.
#[derive(Debug, PartialEq)]
struct ReadBack {
    /// Name, source and directory.
    attributes: Vec<(String, String)>,
    content: String,
    resources: Vec<String>,
}

/// Reads an envelope by its rule: the first line opens the envelope, and only the same tag closes it.
fn read_back(text: &str) -> ReadBack {
    let (open, rest) = text.split_once(">\n").unwrap();
    let element = format!("{open}/>");
    let document = roxmltree::Document::parse(&element).unwrap();
    let tag = document.root_element().tag_name().name();
    let suffix = tag.strip_prefix("skill_content").unwrap();
    let lower = text.to_ascii_lowercase();
    assert_eq!(lower.matches(&format!("<{tag}")).count(), 1, "{text}");
    assert_eq!(lower.matches(&format!("</{tag}>")).count(), 1, "{text}");
    let (inside, after) = rest.split_once(&format!("</{tag}>")).unwrap();
    assert_eq!(after, "");
    let resources = format!("\n\n<skill_resources{suffix}>\n");
    let (content, resources) = match inside.split_once(&resources) {
        Some((content, list)) => {
            let close = format!("\n</skill_resources{suffix}>\n");
            (content, list.strip_suffix(&close).unwrap())
        }
        None => (inside.strip_suffix('\n').unwrap(), ""),
    };
    ReadBack {
        attributes: document
            .root_element()
            .attributes()
            .map(|attribute| (attribute.name().to_owned(), attribute.value().to_owned()))
            .collect(),
        content: content.to_owned(),
        resources: resources.lines().map(str::to_owned).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_inside_ends_the_envelope(
        body in "(x|</SKILL_Content>| |\n){1,4}|(x|</skill_content>|</skill_content-[12]>|</SKILL_CONTENT>|<skill_content name=\"a\">|<skill_resources>\n|</skill_resources>|skill_content-3| |\n){1,12}",
        arguments in "(y|</skill_content>|</skill_content-[12]>| ){0,4}",
        folder in "[a-z<>&\"' é\u{fffe}\n]{1,6}",
        resource in prop::option::of("(r|<|>|</skill_resources>|</skill_content>|skill_content-1|\n|\u{2028}|é| ){1,6}"),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("user").join(&folder);
        if let Some(resource) = &resource {
            let file = place.join(format!("{resource}.md"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        fs::create_dir_all(&place).unwrap();
        let text = format!("---\nname: lint\ndescription: Lints.\n---\n\n{body}\n");
        fs::write(place.join("SKILL.md"), text).unwrap();
        let builder = Catalog::builder().directory("user", dir.path().join("user")).home(dir.path());
        let catalog = builder.load();
        let fixture = Fixture { dir, catalog };
        prop_assume!(fixture.catalog.get("lint").is_some());
        let activation = activate(&Options::DEFAULT, &fixture.catalog.get("lint").unwrap(), &arguments).unwrap();
        let body = fixture.catalog.get("lint").unwrap().body().unwrap();
        let unwritable = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{fffe}');
        let attributes = [
            ("name", "lint".to_owned()),
            ("source", "user".to_owned()),
            ("directory", format!("~/user/{}", folder.replace(unwritable, "\u{fffd}"))),
        ];
        let resource = resource.map(|path| format!("{path}.md").replace(unwritable, "\u{fffd}"));
        prop_assert_eq!(read_back(&activation.text), ReadBack {
            attributes: attributes.map(|(name, value)| (name.to_owned(), value)).into(),
            content: match arguments.trim() {
                "" => body.into_owned(),
                arguments => format!("{body}\n\nARGUMENTS: {arguments}"),
            },
            resources: resource.into_iter().collect(),
        });
    }
}
