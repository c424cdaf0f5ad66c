//! Gemini CLI: the tool `activate_skill`, which a slash command calls too.

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
    /// Gemini CLI, as its source says and as version 0.61.0 sent it. `docs/guide/profiles.md` names each difference.
    pub(crate) const GEMINI_CLI: Self = Self {
        name: Text::Borrowed("gemini-cli"),
        reference: Text::Borrowed("https://geminicli.com/docs/cli/skills"),
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
        delivery: Delivery::ToolCall,
        task: TaskPlace::After,
        envelope: Envelope::Template(Template {
            tag: Text::Borrowed("activated_skill"),
            before: Text::Borrowed("<{tag} name=\"{name}\">\n  <instructions>\n    "),
            content: TemplateContent::Body,
            arguments: Text::Borrowed(""),
            after: Text::Borrowed(
                "\n  </instructions>\n\n  <available_resources>\n    {file}\n{resources}  \
                 </available_resources>\n</{tag}>",
            ),
            resource: Text::Borrowed("    {directory}/{path}\n"),
        }),
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::None,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Xml,
            budget: Budget::Unlimited,
            heading: Text::Borrowed("# Available Agent Skills"),
            intro: Text::Borrowed(
                "You have access to the following specialized skills. To activate a skill and receive its \
                 detailed instructions, you can call the `activate_skill` tool with the skill's name.",
            ),
        },
        tool: Some(ToolShape::new("activate_skill", "name", true, None)),
    };
}

const FOLDERS: &[Place] = &[
    Place::untrusted("project", Base::Project, ".agents/skills"),
    Place::untrusted("project", Base::Project, ".gemini/skills"),
    Place::skills("user", Base::Home, ".agents/skills"),
    Place::skills("user", Base::Home, ".gemini/skills"),
];
