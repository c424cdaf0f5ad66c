//! The default profile: the specification of agentskills.io, and the common choices of its clients.

use crate::activation::envelope::Envelope;
use crate::activation::exchange::ToolShape;
use crate::activation::options::PREAMBLE;
use crate::activation::tool_names::ToolNames;
use crate::command::policy::CommandPolicy;
use crate::mention::policy::Policy;
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Improvement, Lifetime, Narrowing, Profile, Repeat,
};
use crate::prompt::format::Format;
use crate::prompt::options::Budget;
use crate::source::layout::Layout;
use skills_format::Text;

impl Profile {
    /// The default profile: the specification of agentskills.io, and the common choices of its clients.
    ///
    /// A skill stays active for the conversation ([`Lifetime::Conversation`]), and narrows the tools only in
    /// the turn that starts it ([`Narrowing::Turn`]). Starting it again gives a reminder
    /// ([`Repeat::Reminder`]). A person's activation is a user message before the task
    /// ([`Delivery::ToolResult`]). The catalog text goes into the system prompt, as XML of at most 8,000
    /// characters. The model starts skills with the tool `skill`.
    ///
    /// The preamble before each activation names the user's message. A host that starts skills from other
    /// texts, such as a model's plan, can set [`Profile::preamble`] to an empty text.
    pub const DEFAULT: Self = Self {
        name: Text::Borrowed("default"),
        reference: Text::Borrowed("https://agentskills.io"),
        folders: Layout::DEFAULT,
        mentions: Policy::DEFAULT,
        commands: CommandPolicy::DEFAULT,
        lifetime: Lifetime::Conversation,
        narrowing: Narrowing::Turn,
        repeat: Repeat::Reminder,
        delivery: Delivery::ToolResult,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(PREAMBLE),
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
        improvement: Improvement::Propose,
    };
}
