//! Claude Code: slash commands and the tool `Skill`, with every position filled.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::policy::Policy;
use crate::options::template::{Template, TemplateContent};
use crate::options::tool_shape::ToolShape;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::catalog::Plugins;
use skills_runtime::prompt::{Budget, Format};

impl Profile {
    /// Claude Code, as its documentation says and as version 2.1.330 sent it. `docs/guide/profiles.md` names each difference.
    pub(crate) const CLAUDE_CODE: Self = Self {
        name: Text::Borrowed("claude-code"),
        reference: Text::Borrowed("https://code.claude.com/docs/en/skills"),
        // The program has skills of its own in their place.
        folders: Layout::new(FOLDERS, Bundled::WhenAsked),
        mentions: Policy {
            mentions: false,
            answers: false,
            plugins: Plugins::Namespaces,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Own),
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Approves,
        repeat: Repeat::Body,
        delivery: Delivery::ToolResult,
        task: TaskPlace::InSkill,
        envelope: Envelope::Template(Template {
            tag: Text::Borrowed(""),
            before: Text::Borrowed("Base directory for this skill: {directory}\n\n"),
            content: TemplateContent::Body,
            arguments: Text::Borrowed("\n\nARGUMENTS: {arguments}"),
            after: Text::Borrowed(""),
            resource: Text::Borrowed(""),
        }),
        preamble: Text::Borrowed(
            "<command-message>{name}</command-message>\n\
             <command-name>/{name}</command-name>\n\
             <command-args>{arguments}</command-args>",
        ),
        placeholders: Placeholders::Everywhere,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::FirstMessage,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed(
                "The following skills are available for use with the Skill tool:",
            ),
        },
        tool: Some(ToolShape::new("Skill", "skill", false, Some("args"))),
    };
}

/// A person's skill wins over a project's with the same name.
const FOLDERS: &[Place] = &[
    Place::skills("user", Base::Home, ".claude/skills"),
    Place::untrusted("project", Base::Project, ".claude/skills"),
];
