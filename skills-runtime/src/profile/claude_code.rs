//! Claude Code: slash commands and the tool `Skill`, with every position filled.

use crate::options::activation::Envelope;
use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::placeholders::Placeholders;
use crate::options::plugins::Plugins;
use crate::options::policy::{Answers, Policy};
use crate::options::prompt::{Budget, Format};
use crate::options::template::{Template, TemplateContent};
use crate::options::tool_names::ToolNames;
use crate::options::tool_shape::{ToolIds, ToolShape};
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Lifetime, Narrowing, Profile, Repeat, TaskPlace,
};
use skills_format::Text;

impl Profile {
    /// Claude Code, as its documentation says and as version 2.1.330 sent it.
    ///
    /// Where this profile differs from the program:
    ///
    /// - Skills of the project are untrusted, each until a person trusts it. Claude Code asks once for the whole
    ///   folder. The folders of an enterprise and the cache of plugins are not read.
    /// - A command in the body (`` !`cmd` ``) is listed and never run.
    /// - The list of skills is cut by the budget of this crate, without Claude Code's own skills.
    ///   `skills prompt --client claude-code` writes the program's list byte for byte.
    /// - The tool's result is the text of the skill. Claude Code answers `Launching skill: NAME`, and adds the text as a
    ///   message.
    /// - White space at the ends of the body is removed.
    /// - `/a /b text` starts `/a` with `/b text` as its arguments, as version 2.1.330 does in print mode. The
    ///   documentation speaks of up to six skills in one message.
    /// - `context: fork`, `agent`, `model`, `hooks` and `paths` have no effect.
    pub const CLAUDE_CODE: Self = Self {
        name: Text::Borrowed("claude-code"),
        reference: Text::Borrowed("https://code.claude.com/docs/en/skills"),
        folders: Layout::new(FOLDERS, Bundled::Included),
        mentions: Policy {
            mentions: false,
            answers: Answers::Unscanned,
            plugins: Plugins::Namespaces,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Own),
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Approves,
        narrowing: Narrowing::Turn,
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
        tool: Some(ToolShape::taking("Skill", "skill", ToolIds::Open, "args")),
    };
}

/// A person's skill wins over a project's with the same name.
const FOLDERS: &[Place] = &[
    Place::skills("user", Base::Home, ".claude/skills"),
    Place::untrusted("project", Base::Project, ".claude/skills"),
];
