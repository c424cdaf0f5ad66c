//! `OpenCode`: slash commands and the tool `skill`, with positions that count from one.

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
use skills_runtime::prompt::{Budget, Format};

impl Profile {
    /// `OpenCode`, as its documentation says and as version 1.18.33 sent it. `docs/guide/profiles.md` names each difference.
    pub(crate) const OPENCODE: Self = Self {
        name: Text::Borrowed("opencode"),
        reference: Text::Borrowed("https://opencode.ai/docs/skills"),
        // The program has skills of its own in their place.
        folders: Layout::new(FOLDERS, Bundled::WhenAsked),
        mentions: Policy {
            mentions: false,
            answers: false,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Own),
        lifetime: Lifetime::Conversation,
        // The program does not read the field: `skills-clients` has the sources.
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::ToolResult,
        task: TaskPlace::InSkill,
        envelope: Envelope::Template(Template {
            tag: Text::Borrowed("skill_content"),
            before: Text::Borrowed("<{tag} name=\"{name}\">\n# Skill: {name}\n\n"),
            content: TemplateContent::Body,
            arguments: Text::Borrowed("\n\n{arguments}"),
            after: Text::Borrowed(
                "\n\nBase directory for this skill: {directory}\n\
                 Relative paths in this skill (e.g., scripts/, reference/) are relative to this base \
                 directory.\nNote: file list is sampled.\n\n\
                 <skill_files>\n<file>{file}</file>\n{resources}</skill_files>\n</{tag}>",
            ),
            resource: Text::Borrowed("<file>{directory}/{path}</file>\n"),
        }),
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::Numbered,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Xml,
            budget: Budget::Unlimited,
            heading: Text::Borrowed(
                "Skills provide specialized instructions and workflows for specific tasks.",
            ),
            intro: Text::Borrowed(
                "Use the skill tool to load a skill when a task matches its description.",
            ),
        },
        tool: Some(ToolShape::new("skill", "name", false, None)),
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Project, ".opencode/skills"),
    Place::skills("project", Base::Project, ".agents/skills"),
    Place::skills("project", Base::Project, ".claude/skills"),
    Place::skills("user", Base::Home, ".opencode/skills"),
    Place::skills("user", Base::Config, "opencode/skills"),
    Place::skills("user", Base::Home, ".agents/skills"),
    Place::skills("user", Base::Home, ".claude/skills"),
];
