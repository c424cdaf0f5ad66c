//! The same values give the same bytes, whichever way a skill is started.

use proptest::prelude::*;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Surface};
use skills_session::activation::activate;
use skills_session::options::Arguments;
use skills_session::session::{Answer, call_tool};
use skills_session::{Activation, Dialect as _};
use std::fs;

/// The text, the preamble and the lists: everything that a model can see of a start.
fn shown(activation: &Activation) -> String {
    serde_json::to_string(activation).unwrap()
}

fn typed(profile: &Profile, catalog: &Catalog, text: &str) -> Activation {
    let resolution = profile.resolve(catalog, text, Surface::User);
    let (resolution, mut started) = resolution.start_all(text, catalog, profile);
    assert_eq!(started.len(), 1, "{}: {text}: {resolution:?}", profile.name);
    started.remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_same_bytes_by_every_way(
        body in "([a-zé]{1,6}|\\$ARGUMENTS|\\$1|\\\\|</skill_content>|</skill>|\n| ){1,8}",
        more in "(allowed-tools: Read Bash\\(git:\\*\\)\n)?(argument-hint: x\n)?",
        resources in prop::collection::btree_set("[a-z]{1,4}\\.(md|txt)", 0..3),
        arguments in "([a-zé]{1,8}|\"|\\\\|\\$ARGUMENTS|</skill_content>|\n| ){0,8}",
    ) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("lint");
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: lint\ndescription: Lints.\n{more}---\n{body}\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
        for resource in &resources {
            fs::write(folder.join(resource), "x").unwrap();
        }
        let catalog = Catalog::builder().directory("user", dir.path()).home(dir.path()).load();
        let arguments = arguments.trim();
        for profile in Profile::all() {
            let mut profile = profile.clone();
            (profile.options.mentions, profile.options.commands) = (true, true);
            let entry = catalog.get("lint").unwrap();
            let direct = shown(&activate(&profile, &entry, arguments).unwrap());
            let command = &profile.commands(&catalog)[0].name;
            let slash = typed(&profile, &catalog, &format!("/{command} {arguments}"));
            prop_assert_eq!(&shown(&slash), &direct, "{}", profile.name);
            let mention = typed(&profile, &catalog, &format!("$lint {arguments}"));
            if profile.options.arguments != Arguments::None {
                prop_assert_eq!(&mention.arguments, arguments);
            }
            prop_assert_eq!(&shown(&mention), &direct, "{}", profile.name);
            // The call that the model would have made gives the same.
            if let Some(exchange) = slash.exchange() {
                prop_assert_eq!(&exchange.result, &slash.text);
                let answer = call_tool(&profile, &catalog, &exchange.tool, &exchange.arguments);
                let Ok(Answer::Start(called)) = answer else { panic!("{answer:?}") };
                prop_assert_eq!(&shown(&called), &direct, "{}", profile.name);
            }
        }
    }
}
