//! The same bytes by every way, and an envelope that nothing inside can end.

use super::*;
#[cfg(feature = "tool")]
use crate::activation::exchange::ToolArguments;
use crate::command::CommandNames;
use crate::command::invocation::{Invocation, Meta};
use crate::fixture::{Fixture, skills};
use crate::profile::Profile;
use proptest::prelude::*;
use std::fs;

/// What a reader of an envelope gets back.
#[derive(Debug, PartialEq)]
struct ReadBack {
    /// Name, source and directory.
    attributes: Vec<(String, String)>,
    content: String,
    resources: Vec<String>,
}

/// Reads by the rule of the envelope: the first line opens it, and only the same tag closes it.
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
        let catalog = Catalog::builder().directory("user", dir.path().join("user")).load().catalog;
        let fixture = Fixture { dir, catalog };
        prop_assume!(fixture.catalog.get("lint").is_some());
        let mut options = ActivationOptions::default();
        options.places.home = Some(fixture.dir.path().to_owned());
        let activation = fixture.catalog.get("lint").unwrap().activate(&arguments, &options).unwrap();
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

    #[test]
    fn the_same_bytes_whichever_way(
        name in "[a-z]{2,8}(-[a-z]{1,8})?",
        more in "(arguments: FILE\n)?(allowed-tools: Read Bash\\(git:\\*\\)\n)?(argument-hint: x\n)?",
        body in "([a-zé]{1,6}|\\$ARGUMENTS|\\$FILE|\\$1|\\\\|</skill_content>|\n| ){1,8}",
        resources in prop::collection::btree_set("[a-z]{1,4}\\.(md|txt)", 0..3),
        arguments in "([a-zé]{1,8}|\"|\\\\|\\$ARGUMENTS|\\$FILE|\\$[0-9]|</skill_content>|\n| ){0,8}",
    ) {
        prop_assume!(!matches!(&*name, "skill" | "skills"));
        let fixture = skills(&[(&name, &more, &body)]);
        for resource in &resources {
            fs::write(fixture.dir.path().join("user").join(&name).join(resource), "x").unwrap();
        }
        for profile in Profile::ALL {
            let mut options = profile.activation();
            options.variables = [("FILE".to_owned(), "a.rs $ARGUMENTS".to_owned())].into();
            let ways = Ways { catalog: &fixture.catalog, profile, options, name: &name };
            let scheduled = ways.direct(&arguments);
            let arguments = arguments.trim();
            prop_assert_eq!(&ways.slash(arguments), &scheduled);
            prop_assert_eq!(&ways.skill_command(arguments), &scheduled);
            let (mention, passed) = ways.mention(arguments);
            prop_assert_eq!(&mention, &ways.direct(&passed));
            if profile.mentions.arguments == crate::turn::resolution::Arguments::Task {
                prop_assert_eq!(passed, arguments);
            }
            #[cfg(feature = "tool")]
            if profile.tool.is_some() {
                let (call, passed) = ways.call(arguments);
                prop_assert_eq!(&call, &ways.direct(&passed));
                prop_assert!(passed == arguments || profile.tool.as_ref().unwrap().arguments == ToolArguments::None);
            }
        }
    }
}

/// The ways to start one skill under one profile, whichever of them the profile opens.
struct Ways<'f> {
    catalog: &'f Catalog,
    profile: &'f Profile,
    options: ActivationOptions,
    name: &'f str,
}

impl Ways<'_> {
    /// What a scheduler does, and whoever else has the skill at hand.
    fn direct(&self, arguments: &str) -> Activation {
        let entry = self.catalog.get(self.name).unwrap();
        entry.activate(arguments, &self.options).unwrap()
    }

    fn turn(&self, text: &str, profile: &Profile) -> (Activation, Resolution) {
        let resolution = self.catalog.turn(text, Surface::User, profile);
        let mut activations = resolution.activate(self.catalog, &self.options);
        assert_eq!(activations.len(), 1, "{text}: {resolution:?}");
        (activations.remove(0).unwrap(), resolution)
    }

    fn slash(&self, arguments: &str) -> Activation {
        let mut profile = self.profile.clone();
        if profile.commands.names == CommandNames::None {
            profile.commands.names = CommandNames::Own;
        }
        let command = &self.catalog.commands(&profile.command_policy())[0].name;
        self.turn(&format!("/{command} {arguments}"), &profile).0
    }

    fn skill_command(&self, arguments: &str) -> Activation {
        let text = format!("/skill {} {arguments}", self.name);
        match self.catalog.command(&text, &self.profile.command_policy()) {
            Some(Invocation::Meta(Meta::Run { id, arguments })) => {
                let entry = self.catalog.get(&id).unwrap();
                entry.activate(&arguments, &self.options).unwrap()
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    /// And the arguments that the policy gives to a mention.
    fn mention(&self, arguments: &str) -> (Activation, String) {
        let mut profile = self.profile.clone();
        profile.mentions.mentions = true;
        let (activation, resolution) = self.turn(&format!("${} {arguments}", self.name), &profile);
        (activation, resolution.arguments(self.name).to_owned())
    }

    /// The call that an exchange shows, made by the model, and the arguments that it passes.
    #[cfg(feature = "tool")]
    fn call(&self, arguments: &str) -> (Activation, String) {
        let exchanged = self.direct(arguments).exchange();
        let (exchange, passed) = match exchanged {
            Some(exchange) => (exchange, arguments),
            None => (self.direct("").exchange().unwrap(), ""),
        };
        let mut tool = crate::tool::skill::SkillTool::new(self.catalog, self.profile).unwrap();
        *tool.options_mut() = self.options.clone();
        let activation = tool.activate(&exchange.arguments).unwrap();
        assert_eq!(exchange.result, activation.text);
        assert_eq!(activation.exchange().as_ref(), Some(&exchange));
        (activation, passed.to_owned())
    }
}
