use super::*;
use crate::fixture::{Fixture, Sources, skills};
use skills_runtime::catalog::{BundledPlace, Places};
use std::path::PathBuf;

pub(super) const FORMATS: [Format; 3] = [Format::Xml, Format::Bullets, Format::Section];

pub(super) fn options(format: Format) -> ListText<'static> {
    ListText {
        format,
        heading: "",
        intro: "",
        budget: Budget::Unlimited,
    }
}

pub(super) fn text(fixture: &Fixture, format: Format) -> String {
    render(&fixture.catalog, &options(format), Plugins::Merged).text
}

#[test]
fn formats() {
    let fixture = skills(&[
        ("alpha", "description: A <b> & \"c\".", ""),
        ("beta", "", ""),
    ]);
    assert_eq!(
        text(&fixture, Format::Xml),
        "<available_skills>\n\
         <skill>\n<name>alpha</name>\n<description>A &lt;b&gt; &amp; \"c\".</description>\n\
         <location>~/user/alpha/SKILL.md</location>\n</skill>\n\
         <skill>\n<name>beta</name>\n<description>Does beta.</description>\n\
         <location>~/user/beta/SKILL.md</location>\n</skill>\n\
         </available_skills>"
    );
    assert_eq!(
        text(&fixture, Format::Bullets),
        "- alpha: A <b> & \"c\".\n- beta: Does beta."
    );
    assert_eq!(
        text(&fixture, Format::Section),
        "- alpha: A <b> & \"c\".\n  path: ~/user/alpha/SKILL.md\n\
         - beta: Does beta.\n  path: ~/user/beta/SKILL.md"
    );
}

#[test]
fn heading_and_intro() {
    let fixture = skills(&[("alpha", "", "")]);
    let text = render(
        &fixture.catalog,
        &ListText::new(Format::Section),
        Plugins::Merged,
    )
    .text;
    assert!(
        text.starts_with("## Skills\n\nHow to use skills:\n- "),
        "{text}"
    );
    assert!(
        text.contains("\n\n- alpha: Does alpha.\n  path: ~/"),
        "{text}"
    );
}

#[test]
fn only_what_the_model_may_start() {
    let fixture = Sources::new()
        .untrusted("project", &[("secret", "", ""), ("shared", "", "")])
        .source(
            "user",
            &[
                ("off", "", ""),
                ("hidden", "disable-model-invocation: true", ""),
                ("shared", "", ""),
                ("silent", "user-invocable: false", ""),
            ],
        )
        .source("low", &[("shared", "", ""), ("off", "", "")])
        .disabled(&["user:off"])
        .load();
    assert_eq!(
        text(&fixture, Format::Bullets),
        "- shared: Does shared.\n- silent: Does silent."
    );
}

#[test]
fn no_skill_is_no_text() {
    let fixture = skills(&[("hidden", "disable-model-invocation: true", "")]);
    for format in FORMATS {
        assert_eq!(
            render(&fixture.catalog, &ListText::new(format), Plugins::Merged),
            Rendered::default()
        );
    }
}

#[test]
fn shortens_all_alike_then_leaves_out_from_below() {
    let long = "description: Reviews a change for faults, for style and for what it leaves undone, in that order.";
    let fixture = Sources::new()
        .source(
            "high",
            &[
                ("a", long, ""),
                ("b", "description: Short.", ""),
                ("c", long, ""),
            ],
        )
        .source("low", &[("d", long, "")])
        .load();
    let with = |characters| {
        let mut options = options(Format::Bullets);
        options.budget = Budget::Characters(characters);
        render(&fixture.catalog, &options, Plugins::Merged)
    };
    let whole = with(10_000);
    assert_eq!((whole.shortened.len(), whole.omitted.len()), (0, 0));
    let shorter = with(200);
    assert_eq!(
        shorter.text,
        "- a: Reviews a change for faults, for style and for what it…\n- b: Short.\n\
         - c: Reviews a change for faults, for style and for what it…\n\
         - d: Reviews a change for faults, for style and for what it…"
    );
    assert_eq!(shorter.shortened, ["a", "c", "d"]);
    let fewer = with(100);
    assert_eq!(
        fewer.text,
        "- a: Reviews a change for faults,…\n- b: Short.\n\n\
         2 more skills are not shown; list_skills shows them."
    );
    assert_eq!(
        (fewer.shortened, fewer.omitted),
        (vec!["a".to_owned()], vec!["c".to_owned(), "d".to_owned()])
    );
    let none = with(20);
    assert_eq!((none.text.as_str(), none.tokens), ("", 0));
    assert_eq!(none.omitted, ["a", "b", "c", "d"]);
}

#[test]
fn without_a_path() {
    let rendered = |extracted: Vec<(String, PathBuf)>| {
        let places = Places {
            extracted,
            bundled: BundledPlace::Nowhere,
            ..Places::default()
        };
        let fixture = Sources::new()
            .source("user", &[("mine", "", "")])
            .with(|builder| builder.bundle("bundled", &crate::fixture::BUNDLE))
            .with(|builder| builder.places(places))
            .load();
        render(&fixture.catalog, &options(Format::Section), Plugins::Merged)
    };
    let text = rendered(Vec::new());
    assert!(
        text.text.ends_with("list_skills shows them."),
        "{}",
        text.text
    );
    assert_eq!(text.without_path, text.omitted);
    assert_eq!(text.omitted.len(), crate::fixture::BUNDLE.len());
    let text = rendered(vec![("bundled".to_owned(), "/data/skills".into())]);
    assert!(
        text.text
            .contains("\n  path: /data/skills/code-review/SKILL.md")
    );
    assert!(text.omitted.is_empty());
}
