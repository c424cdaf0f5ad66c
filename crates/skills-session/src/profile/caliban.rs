//! Caliban: a tool `Skill` with the catalog text in its description.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::policy::Policy;
use crate::options::tool_shape::ToolShape;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::Budget;
use skills_runtime::prompt::Format;

impl Profile {
    /// Caliban's ADR 0019, "Skills loading".
    pub(crate) const CALIBAN: Self = Self {
        name: Text::Borrowed("caliban"),
        reference: Text::Borrowed("caliban ADR 0019, Skills loading"),
        folders: Layout::new(FOLDERS, Bundled::WhenAsked).reporting_each_fault(),
        mentions: Policy {
            mentions: false,
            answers: false,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::ToolResult,
        task: TaskPlace::After,
        envelope: Envelope::Body,
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::None,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::ToolDescription,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed(""),
        },
        tool: Some(ToolShape::new("Skill", "name", false, None)),
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Root, ".caliban/skills"),
    Place::skills("user", Base::Config, "caliban/skills"),
    Place::plugins(Base::Data, "caliban/plugins"),
];
