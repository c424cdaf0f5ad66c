//! Caliban: a tool `Skill` with the catalog text in its description.

use crate::activation::envelope::Envelope;
use crate::activation::exchange::{ToolArguments, ToolIds, ToolShape};
use crate::activation::tool_names::ToolNames;
use crate::command::policy::{CommandNames, CommandPolicy};
use crate::mention::policy::{Answers, Policy};
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Improvement, Lifetime, Narrowing, Profile, Repeat,
};
use crate::prompt::format::Format;
use crate::prompt::options::Budget;
use crate::source::layout::{Base, Bundled, Layout, Place};
use skills_format::Text;

impl Profile {
    /// Caliban's ADR 0019, "Skills loading".
    pub const CALIBAN: Self = Self {
        name: Text::Borrowed("caliban"),
        reference: Text::Borrowed("caliban ADR 0019, Skills loading"),
        folders: Layout::new(FOLDERS, Bundled::WhenAsked).reporting_each_fault(),
        mentions: Policy {
            mentions: false,
            answers: Answers::Unscanned,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Conversation,
        narrowing: Narrowing::Turn,
        repeat: Repeat::Body,
        delivery: Delivery::ToolResult,
        envelope: Envelope::Body,
        preamble: Text::Borrowed(""),
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::ToolDescription,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed(""),
        },
        tool: Some(ToolShape::new(
            "Skill",
            "name",
            ToolIds::Open,
            ToolArguments::None,
        )),
        improvement: Improvement::Propose,
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Root, ".caliban/skills"),
    Place::skills("user", Base::Config, "caliban/skills"),
    Place::plugins(Base::Data, "caliban/plugins"),
];
