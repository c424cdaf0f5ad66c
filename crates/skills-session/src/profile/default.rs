//! The default profile: the specification of agentskills.io, and the common choices of its clients.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::CommandPolicy;
use crate::options::envelope::Envelope;
use crate::options::envelope::PREAMBLE;
use crate::options::layout::Layout;
use crate::options::policy::Policy;
use crate::options::tool_shape::ToolShape;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::Budget;
use skills_runtime::prompt::Format;

impl Profile {
    /// The default profile: the specification of agentskills.io, and the common choices of its clients.
    ///
    /// A skill stays active for the conversation ([`Lifetime::Conversation`]), and narrows the tools
    /// only in the turn that starts the skill. Starting the skill again gives a
    /// reminder ([`Repeat::Reminder`]). A person's activation is a user message before the task
    /// ([`Delivery::ToolResult`]). The catalog text goes into the system prompt, as XML of at most 8,000
    /// characters. The model starts skills with the tool `skill`.
    ///
    /// The preamble before each activation refers to the user's message. A host that starts skills from
    /// other texts, such as a model's plan, can set [`Profile::preamble`] to an empty text.
    pub const DEFAULT: Self = Self {
        name: Text::Borrowed("default"),
        reference: Text::Borrowed("https://agentskills.io"),
        folders: Layout::DEFAULT,
        mentions: Policy::DEFAULT,
        commands: CommandPolicy::DEFAULT,
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Approves,
        repeat: Repeat::Reminder,
        delivery: Delivery::ToolResult,
        task: TaskPlace::After,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(PREAMBLE),
        placeholders: Placeholders::Guarded,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Xml,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed(""),
        },
        tool: Some(ToolShape::SKILL),
    };
}
