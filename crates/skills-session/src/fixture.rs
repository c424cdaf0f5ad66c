//! Builds catalogs for tests, from skills in a temporary folder.

use crate::activation::{Starting, Written};
use crate::dialect::resolution::Resolution;
use crate::dialect::{CommandSpec, Dialect, ToolSpec};
use crate::options::{
    AllowedTools, Arguments, CatalogPlace, CatalogText, Delivery, Format, Options, Placeholders,
    ToolNames, ToolShape,
};
use skills_runtime::{Catalog, CatalogBuilder, Error, Surface};
use std::fs;
use tempfile::TempDir;

/// A bundle of small skills. The skills lie in this package, so that the tests also pass from the
/// published package.
pub(crate) static BUNDLE: skills_runtime::Bundle = skills_runtime::include_skills!("tests/skills");

/// A catalog and the folder that holds its skills.
pub(crate) struct Fixture {
    pub(crate) dir: TempDir,
    pub(crate) catalog: Catalog,
}

/// Makes a catalog of one trusted source `user`. A skill is (name, more front matter, body).
pub(crate) fn skills(skills: &[(&str, &str, &str)]) -> Fixture {
    Sources::new().source("user", skills).load()
}

/// Skills whose commands differ: one is disabled, dispatched, reserved, closed to a person or has a hint.
pub(crate) fn command_skills() -> Fixture {
    let long = "description: Plays music, makes lists of it and tells what is playing now, on any device that is in the house or in the car.";
    Sources::new()
        .source(
            "user",
            &[
                ("aleph", "", ""),
                ("exec", "command-dispatch: tool\ncommand-tool: shell", ""),
                ("help", "", ""),
                ("model-only", "user-invocable: false", ""),
                ("spotify", &format!("{long}\nargument-hint: play SONG"), ""),
                ("web-search", "", ""),
            ],
        )
        .disabled(&["aleph"])
        .load()
}

/// The options of a host with the command `/help`.
pub(crate) fn command_options(commands: bool) -> Options {
    Options {
        commands,
        reserved: vec!["help".into()],
        ..Options::DEFAULT
    }
}

/// Folders of skills, the highest rank first. The temporary folder is the home folder.
pub(crate) struct Sources {
    dir: TempDir,
    builder: CatalogBuilder,
}

impl Sources {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            builder: Catalog::builder(),
        }
    }

    pub(crate) fn source(mut self, name: &str, skills: &[(&str, &str, &str)]) -> Self {
        self.write(name, skills);
        self.builder = self.builder.directory(name, self.dir.path().join(name));
        self
    }

    pub(crate) fn untrusted(mut self, name: &str, skills: &[(&str, &str, &str)]) -> Self {
        self.write(name, skills);
        self.builder = self.builder.untrusted(name, self.dir.path().join(name));
        self
    }

    pub(crate) fn with(mut self, more: impl FnOnce(CatalogBuilder) -> CatalogBuilder) -> Self {
        self.builder = more(self.builder);
        self
    }

    pub(crate) fn disabled(self, ids: &[&str]) -> Self {
        self.with(|builder| builder.disabled(ids))
    }

    pub(crate) fn load(self) -> Fixture {
        Fixture {
            catalog: self.builder.home(self.dir.path()).load(),
            dir: self.dir,
        }
    }

    fn write(&self, source: &str, skills: &[(&str, &str, &str)]) {
        for (name, more, body) in skills {
            let dir = self.dir.path().join(source).join(name);
            fs::create_dir_all(&dir).unwrap();
            let description = if more.contains("description:") {
                String::new()
            } else {
                format!("description: Does {name}.\n")
            };
            let more = if more.is_empty() || more.ends_with('\n') {
                (*more).to_owned()
            } else {
                format!("{more}\n")
            };
            let text = format!("---\nname: {name}\n{description}{more}---\n\n{body}\n");
            fs::write(dir.join("SKILL.md"), text).unwrap();
        }
    }
}

fn tool(name: &'static str, parameter: &'static str, lists_ids: bool) -> ToolShape {
    ToolShape {
        name: name.into(),
        parameter: parameter.into(),
        lists_ids,
        arguments: None,
    }
}

/// A skill is guidance for one turn, and limits the tools.
pub(crate) fn guidance() -> Options {
    Options {
        everywhere: true,
        arguments: Arguments::None,
        commands: false,
        lasts_one_turn: true,
        allowed_tools: AllowedTools::Narrows,
        delivery: Delivery::SystemMessage,
        preamble: "".into(),
        tool: Some(tool("load_skill", "name", true)),
        ..Options::DEFAULT
    }
}

/// A skill is the result of a call of the model, also if a person starts it.
pub(crate) fn calls() -> Options {
    Options {
        mentions: false,
        answers: false,
        allowed_tools: AllowedTools::Ignored,
        reminders: false,
        delivery: Delivery::ToolCall,
        preamble: "".into(),
        rules: "The rules.".into(),
        tool_names: ToolNames::new([("AskUserQuestion", "ask_user")]).unwrap(),
        tool_table: false,
        tool: Some(ToolShape {
            arguments: Some("arguments".into()),
            ..tool("run_skill", "skill", true)
        }),
        ..Options::DEFAULT
    }
}

/// A skill enters whole in each turn that names it, and the model has no tool for it.
pub(crate) fn one_turn() -> Options {
    Options {
        answers: false,
        arguments: Arguments::UpToNext,
        commands: false,
        lasts_one_turn: true,
        allowed_tools: AllowedTools::Ignored,
        reminders: false,
        preamble: "".into(),
        tool: None,
        ..Options::DEFAULT
    }
}

/// The list of the skills stands in the description of the tool.
pub(crate) fn described() -> Options {
    Options {
        mentions: false,
        commands: false,
        placeholders: Placeholders::None,
        catalog: CatalogText {
            place: CatalogPlace::ToolDescription,
            ..CatalogText::new(Format::Bullets)
        },
        tool: Some(tool("Skill", "name", false)),
        ..calls()
    }
}

/// The schema of the tool lists the ids.
pub(crate) fn listing_ids() -> Options {
    Options {
        mentions: false,
        arguments: Arguments::None,
        tool: Some(tool("activate_skill", "name", true)),
        ..calls()
    }
}

/// The model has no tool that starts skills.
pub(crate) fn without_tool() -> Options {
    Options {
        tool: None,
        ..Options::DEFAULT
    }
}

pub(crate) fn dialects() -> [Options; 6] {
    [
        Options::DEFAULT,
        guidance(),
        calls(),
        one_turn(),
        described(),
        listing_ids(),
    ]
}

/// The body alone, for tests of what stands in it.
#[derive(Clone, Debug)]
pub(crate) struct Bare(pub(crate) Options);

impl Dialect for Bare {
    fn options(&self) -> &Options {
        &self.0
    }

    fn text(&self, skill: &Starting<'_>) -> Result<Written, Error> {
        let mut text = String::new();
        skill.push_instructions(&mut text)?;
        Ok(Written {
            text,
            arguments: 0..0,
        })
    }

    fn resolve(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
        self.0.resolve(catalog, text, surface)
    }

    fn tools(&self, catalog: &Catalog) -> Vec<ToolSpec> {
        self.0.tools(catalog)
    }

    fn commands(&self, catalog: &Catalog) -> Vec<CommandSpec> {
        self.0.commands(catalog)
    }

    fn command(&self, catalog: &Catalog, name: &str) -> Option<String> {
        self.0.command(catalog, name)
    }
}
