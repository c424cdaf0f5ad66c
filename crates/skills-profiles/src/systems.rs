//! The five systems, as their documents describe them.

use crate::layout::{Base, Layout, Place, Plugins};
use crate::profile::Profile;
use crate::template::{Content, Template};
use skills_format::Text;
use skills_session::options::{
    AllowedTools, Arguments, CatalogPlace, CatalogText, Delivery, Format, Options, Placeholders,
    SECTION_HEADING, SECTION_RULES, ToolNames, ToolShape,
};

/// What most programs do: they read no answers and no `allowed-tools`, and give a skill whole each time.
pub(crate) fn plain() -> Options {
    Options {
        answers: false,
        scheduled: "".into(),
        allowed_tools: AllowedTools::Ignored,
        reminders: false,
        preamble: "".into(),
        ..Options::DEFAULT
    }
}

pub(crate) const fn tool(
    name: &'static str,
    parameter: &'static str,
    lists_ids: bool,
    arguments: Option<&'static str>,
) -> ToolShape {
    ToolShape {
        name: Text::Borrowed(name),
        parameter: Text::Borrowed(parameter),
        lists_ids,
        arguments: match arguments {
            Some(arguments) => Some(Text::Borrowed(arguments)),
            None => None,
        },
    }
}

/// Skills are started by `$name`.
pub(crate) fn codewhale() -> Profile {
    Profile {
        name: "codewhale",
        reference: "codewhale/docs/SKILL_INVOCATION_DESIGN.md",
        folders: Layout {
            named_by_heading: true,
            ..Layout::new(&[
                Place::skills("project", Base::Project, ".codewhale/skills"),
                Place::skills("user", Base::Home, ".codewhale/skills"),
                Place::plugins(Base::Home, ".codewhale/plugins"),
            ])
        },
        plugins: Plugins::Namespaces,
        options: Options {
            everywhere: true,
            arguments: Arguments::None,
            commands: false,
            scheduled: "".into(),
            lasts_one_turn: true,
            allowed_tools: AllowedTools::Narrows,
            delivery: Delivery::SystemMessage,
            preamble: "".into(),
            placeholders: Placeholders::None,
            catalog: CatalogText {
                intro: "To use a skill, write `$name` or call `load_skill`.".into(),
                ..CatalogText::new(Format::Bullets)
            },
            tool: Some(tool("load_skill", "name", true, None)),
            ..Options::DEFAULT
        },
        one_skill: true,
        two_letters: true,
        ..Profile::default()
    }
}

/// A tool `Skill` with the catalog text in its description.
pub(crate) fn caliban() -> Profile {
    Profile {
        name: "caliban",
        reference: "caliban ADR 0019, Skills loading",
        folders: Layout {
            bundled: false,
            strict: true,
            ..Layout::new(&[
                Place::skills("project", Base::Root, ".caliban/skills"),
                Place::skills("user", Base::Config, "caliban/skills"),
                Place::plugins(Base::Data, "caliban/plugins"),
            ])
        },
        options: Options {
            mentions: false,
            commands: false,
            placeholders: Placeholders::None,
            catalog: CatalogText {
                place: CatalogPlace::ToolDescription,
                ..CatalogText::new(Format::Bullets)
            },
            tool: Some(tool("Skill", "name", false, None)),
            ..plain()
        },
        one_tool: true,
        template: Some(Template {
            arguments: "\n\nARGUMENTS: {arguments}",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// The model reads the skills' files, and commands can call tools directly.
pub(crate) fn openclaw() -> Profile {
    Profile {
        name: "openclaw",
        reference: "openclaw, Skill Execution",
        folders: Layout::new(&[
            Place::skills("project", Base::Root, "skills"),
            Place::skills("user", Base::Home, ".openclaw/skills"),
        ]),
        options: Options {
            mentions: false,
            placeholders: Placeholders::None,
            tool: None,
            ..plain()
        },
        sanitised: true,
        lists_commands: true,
        template: Some(Template {
            before: "Use the skill {id}: read {listed_file} and follow it.",
            content: Content::Nothing,
            arguments: "\n\nARGUMENTS: {arguments}",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// A section with rules in the system prompt, and activations in the user's turn.
pub(crate) fn ouro() -> Profile {
    Profile {
        name: "ouro",
        reference: "ouro RFC 008, Skills System MVP",
        folders: Layout {
            strict: true,
            ..Layout::new(&[Place {
                all_installed: true,
                ..Place::skills("user", Base::Home, ".ouro/skills")
            }])
        },
        options: Options {
            arguments: Arguments::UpToNext,
            commands: false,
            lasts_one_turn: true,
            catalog: CatalogText {
                heading: SECTION_HEADING.into(),
                intro: SECTION_RULES.into(),
                ..CatalogText::new(Format::Section)
            },
            tool: None,
            ..plain()
        },
        ..Profile::default()
    }
}

/// The tool `run_skill`, and slash commands that give the same text as a call of the tool.
pub(crate) fn agenvoy() -> Profile {
    let mut rules = RULES.to_owned();
    NAMES.push_table(&mut rules);
    Profile {
        name: "agenvoy",
        reference: "agenvoy, Skill System",
        folders: Layout {
            scheduled: Place::skills("scheduler", Base::Config, "agenvoy/skills/scheduler"),
            ..Layout::new(&[
                Place::skills("project", Base::Root, "extensions/skills"),
                Place {
                    // Scheduled skills are a source of their own: without this, the catalog would hold them a second time.
                    skip: &["scheduler"],
                    ..Place::skills("user", Base::Config, "agenvoy/skills")
                },
            ])
        },
        options: Options {
            mentions: false,
            scheduled: Options::DEFAULT.scheduled,
            delivery: Delivery::ToolCall,
            rules: rules.into(),
            tool_names: NAMES,
            tool_table: false,
            catalog: CatalogText {
                heading: SECTION_HEADING.into(),
                ..CatalogText::new(Format::Bullets)
            },
            tool: Some(tool("run_skill", "skill", true, Some("arguments"))),
            ..plain()
        },
        ..Profile::default()
    }
}

const NAMES: ToolNames = ToolNames::of_constant(&[
    (
        Text::Borrowed("AskUserQuestion"),
        Text::Borrowed("ask_user"),
    ),
    (Text::Borrowed("Bash"), Text::Borrowed("run_command")),
    (Text::Borrowed("Read"), Text::Borrowed("read_file")),
    (Text::Borrowed("Write"), Text::Borrowed("write_file")),
]);

const RULES: &str = "\
While a skill is active:
- Its instructions say what to do by default. The message that started it is binding: what it says \
sets parameters, and overrides the instructions where they differ.
- Of several active skills, a later one adds to the earlier ones and overrides them.
- Give the result that the skill asks for, in the form that it asks for, and nothing around it.
- Where the skill names a tool of this table, call the tool beside it.";
