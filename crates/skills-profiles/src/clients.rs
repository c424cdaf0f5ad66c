//! Four well-known clients, as their documentation says and as they sent it. `docs/guide/profiles.md` names each difference.

use crate::layout::{Base, Layout, Place, Plugins};
use crate::profile::Profile;
use crate::systems::{plain, tool};
use crate::template::{Content, Template};
use skills_session::options::{
    AllowedTools, Arguments, Budget, CatalogPlace, CatalogText, Delivery, Format, Options,
    Placeholders, TaskPlace,
};

/// Slash commands and the tool `Skill`, with every position filled. Version 2.1.330.
pub(crate) fn claude_code() -> Profile {
    Profile {
        name: "claude-code",
        reference: "https://code.claude.com/docs/en/skills",
        // A person's skill wins over a project's with the same name.
        folders: of_client(&[
            Place::skills("user", Base::Home, ".claude/skills"),
            Place::untrusted("project", Base::Project, ".claude/skills"),
        ]),
        plugins: Plugins::Namespaces,
        options: Options {
            mentions: false,
            allowed_tools: AllowedTools::Approves,
            task: TaskPlace::InSkill,
            preamble: "<command-message>{name}</command-message>\n\
                       <command-name>/{name}</command-name>\n\
                       <command-args>{arguments}</command-args>"
                .into(),
            placeholders: Placeholders::Everywhere,
            catalog: CatalogText {
                place: CatalogPlace::FirstMessage,
                intro: "The following skills are available for use with the Skill tool:".into(),
                ..CatalogText::new(Format::Bullets)
            },
            tool: Some(tool("Skill", "skill", false, Some("args"))),
            ..plain()
        },
        template: Some(Template {
            before: "Base directory for this skill: {directory}\n\n",
            arguments: "\n\nARGUMENTS: {arguments}",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// `$name` in a message, and a model that reads the skills' files. Version 0.169.0.
pub(crate) fn codex() -> Profile {
    Profile {
        name: "codex",
        reference: "https://developers.openai.com/codex/skills",
        folders: of_client(&[
            Place::untrusted("project", Base::Project, ".agents/skills"),
            Place::untrusted("project", Base::Project, ".codex/skills"),
            Place::skills("user", Base::Home, ".agents/skills"),
            // The folder of Codex's own skills is not read.
            Place::skills("user", Base::Home, ".codex/skills").without(&[".system"]),
        ]),
        options: Options {
            quiet: true,
            arguments: Arguments::None,
            commands: false,
            task: TaskPlace::TypedFirst,
            placeholders: Placeholders::None,
            catalog: CatalogText {
                place: CatalogPlace::FirstMessage,
                budget: Budget::Tokens(5_440),
                heading: "## Skills".into(),
                intro: "A skill is a set of local instructions to follow that is stored in a `SKILL.md` file. \
                        Below is the list of skills that can be used. Each entry includes a name, description, \
                        and the path of its file.\n\
                        ### Available skills"
                    .into(),
                ..CatalogText::new(Format::Files)
            },
            tool: None,
            ..plain()
        },
        template: Some(Template {
            tag: "skill",
            before: "<{tag}>\n<name>{name}</name>\n<path>{file}</path>\n",
            content: Content::File,
            after: "\n</{tag}>",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// The tool `activate_skill`, which a slash command calls too. Version 0.61.0.
pub(crate) fn gemini_cli() -> Profile {
    Profile {
        name: "gemini-cli",
        reference: "https://geminicli.com/docs/cli/skills",
        folders: of_client(&[
            Place::untrusted("project", Base::Project, ".agents/skills"),
            Place::untrusted("project", Base::Project, ".gemini/skills"),
            Place::skills("user", Base::Home, ".agents/skills"),
            Place::skills("user", Base::Home, ".gemini/skills"),
        ]),
        options: Options {
            mentions: false,
            arguments: Arguments::None,
            delivery: Delivery::ToolCall,
            placeholders: Placeholders::None,
            catalog: CatalogText {
                budget: Budget::Unlimited,
                heading: "# Available Agent Skills".into(),
                intro: "You have access to the following specialized skills. To activate a skill and receive its \
                        detailed instructions, you can call the `activate_skill` tool with the skill's name."
                    .into(),
                ..CatalogText::new(Format::Xml)
            },
            tool: Some(tool("activate_skill", "name", true, None)),
            ..plain()
        },
        template: Some(Template {
            tag: "activated_skill",
            before: "<{tag} name=\"{name}\">\n  <instructions>\n    ",
            after: "\n  </instructions>\n\n  <available_resources>\n    {file}\n{resources}  \
                    </available_resources>\n</{tag}>",
            resource: "    {directory}/{path}\n",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// Slash commands and the tool `skill`, with positions that count from one. Version 1.18.33.
pub(crate) fn opencode() -> Profile {
    Profile {
        name: "opencode",
        reference: "https://opencode.ai/docs/skills",
        folders: of_client(&[
            Place::skills("project", Base::Project, ".opencode/skills"),
            Place::skills("project", Base::Project, ".agents/skills"),
            Place::skills("project", Base::Project, ".claude/skills"),
            Place::skills("user", Base::Home, ".opencode/skills"),
            Place::skills("user", Base::Config, "opencode/skills"),
            Place::skills("user", Base::Home, ".agents/skills"),
            Place::skills("user", Base::Home, ".claude/skills"),
        ]),
        options: Options {
            mentions: false,
            task: TaskPlace::InSkill,
            placeholders: Placeholders::Numbered,
            catalog: CatalogText {
                budget: Budget::Unlimited,
                heading:
                    "Skills provide specialized instructions and workflows for specific tasks."
                        .into(),
                intro: "Use the skill tool to load a skill when a task matches its description."
                    .into(),
                ..CatalogText::new(Format::Xml)
            },
            tool: Some(tool("skill", "name", false, None)),
            ..plain()
        },
        template: Some(Template {
            tag: "skill_content",
            before: "<{tag} name=\"{name}\">\n# Skill: {name}\n\n",
            arguments: "\n\n{arguments}",
            after: "\n\nBase directory for this skill: {directory}\n\
                    Relative paths in this skill (e.g., scripts/, reference/) are relative to this base \
                    directory.\nNote: file list is sampled.\n\n\
                    <skill_files>\n<file>{file}</file>\n{resources}</skill_files>\n</{tag}>",
            resource: "<file>{directory}/{path}</file>\n",
            ..Template::BODY
        }),
        ..Profile::default()
    }
}

/// The programs have skills of their own in place of the bundled ones.
fn of_client(places: &[Place]) -> Layout {
    Layout {
        bundled: false,
        ..Layout::new(places)
    }
}
