//! The default profile: the specification of agentskills.io, and the common choices of its clients.

use crate::activation::envelope::Envelope;
use crate::activation::exchange::ToolShape;
use crate::activation::options::PREAMBLE;
use crate::activation::tool_names::ToolNames;
use crate::command::policy::CommandPolicy;
use crate::mention::policy::Policy;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Narrowing, Profile, Repeat};
use crate::prompt::format::Format;
use crate::prompt::options::Budget;
use crate::source::layout::Layout;
use skills_format::Text;

impl Profile {
    /// The default profile: the specification of agentskills.io, and the common choices of its clients.
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
    };
}
