use super::*;
use crate::fixture::{Fixture, Sources, skills};
use skills_render::Budget;

fn bullets() -> ListText<'static> {
    ListText {
        budget: Budget::Unlimited,
        skill: "- {name}: {description}",
        is_xml: false,
        ..ListText::default()
    }
}

fn text(fixture: &Fixture, form: &ListText<'_>) -> String {
    fixture.catalog.list(form).text
}

#[test]
fn skills_have_locations() {
    let fixture = skills(&[
        ("alpha", "description: A <b> & \"c\".", ""),
        ("beta", "", ""),
    ]);
    assert_eq!(
        text(&fixture, &ListText::default()),
        "<available_skills>\n\
         <skill>\n<name>alpha</name>\n<description>A &lt;b&gt; &amp; \"c\".</description>\n\
         <location>~/user/alpha/SKILL.md</location>\n</skill>\n\
         <skill>\n<name>beta</name>\n<description>Does beta.</description>\n\
         <location>~/user/beta/SKILL.md</location>\n</skill>\n\
         </available_skills>"
    );
    assert_eq!(
        text(&fixture, &bullets()),
        "- alpha: A <b> & \"c\".\n- beta: Does beta."
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
        text(&fixture, &bullets()),
        "- shared: Does shared.\n- silent: Does silent."
    );
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    // Windows does not allow these names.
    #[cfg(unix)]
    #[test]
    fn no_path_changes_the_structure(
        folder in "([a-z\"'&;,{}\\[\\]:\\\\]|<|>|</location>|</skill>|-->|\n- x: y|\u{2028}|\r|\u{85}|\u{fffe}|\u{ffff}|\u{1}|\u{7f}|é|日| ){1,12}",
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("user");
        let path = root.join(&folder);
        std::fs::create_dir_all(&path).unwrap();
        let skill = "---\nname: alpha\ndescription: Does alpha.\n---\n\nBody.\n";
        std::fs::write(path.join("SKILL.md"), skill).unwrap();
        let catalog = Catalog::builder().directory("user", root).load();
        proptest::prop_assume!(catalog.get("alpha").is_some());
        let text = catalog.list(&ListText::default()).text;
        let document = roxmltree::Document::parse(&text).unwrap();
        let skills = document.root_element().children().filter(roxmltree::Node::is_element);
        proptest::prop_assert_eq!(skills.count(), 1, "{}", text);
        let ends = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        proptest::prop_assert_eq!(text.split(ends).count(), 7, "{:?}", text);
    }
}
