//! Ouro: a section with rules in the system prompt, and activations in the user's turn.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::policy::{Compose, Policy};
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::Format;
use skills_runtime::prompt::{Budget, SECTION_HEADING, SECTION_RULES};

impl Profile {
    /// Ouro's RFC 008, "Skills System MVP".
    pub(crate) const OURO: Self = Self {
        name: Text::Borrowed("ouro"),
        reference: Text::Borrowed("ouro RFC 008, Skills System MVP"),
        folders: Layout::new(FOLDERS, Bundled::Included).reporting_each_fault(),
        mentions: Policy {
            answers: false,
            compose: Compose::All,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Turn,
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::UserMessage,
        task: TaskPlace::After,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::Guarded,
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

const FOLDERS: &[Place] = &[Place::skills("user", Base::Home, ".ouro/skills").of_installed()];
