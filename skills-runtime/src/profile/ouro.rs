//! Ouro: a section with rules in the system prompt, `$name` into the user's turn.

use crate::activation::envelope::Envelope;
use crate::activation::tool_names::ToolNames;
use crate::command::{CommandNames, CommandPolicy};
use crate::profile::{CatalogPlace, CatalogText, Delivery, Profile};
use crate::prompt::format::Format;
use crate::prompt::{Budget, SECTION_HEADING, SECTION_RULES};
use crate::session::{Lifetime, Repeat};
use crate::source::layout::{Base, Bundled, Layout, Place};
use crate::turn::resolution::{Compose, Policy};
use skills_format::Text;

impl Profile {
    /// Ouro's RFC 008, "Skills System MVP".
    pub const OURO: Self = Self {
        name: Text::Borrowed("ouro"),
        reference: Text::Borrowed("ouro RFC 008, Skills System MVP"),
        folders: Layout::new(FOLDERS, Bundled::Included),
        mentions: Policy {
            compose: Compose::All,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Turn,
        repeat: Repeat::Body,
        delivery: Delivery::UserTurn,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(""),
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Section,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(SECTION_HEADING),
            intro: Text::Borrowed(SECTION_RULES),
        },
        tool: None,
    };
}

const FOLDERS: &[Place] = &[Place::skills("user", Base::Home, ".ouro/skills")];
