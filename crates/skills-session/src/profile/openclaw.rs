//! Openclaw: the model reads the skills' files, and commands can call tools directly.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy, Listing};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::policy::Notices;
use crate::options::policy::{Arguments, Compose, Policy};
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::Budget;
use skills_runtime::prompt::Format;

impl Profile {
    /// Openclaw's "Skill Execution".
    pub(crate) const OPENCLAW: Self = Self {
        name: Text::Borrowed("openclaw"),
        reference: Text::Borrowed("openclaw, Skill Execution"),
        folders: Layout::new(FOLDERS, Bundled::Included),
        mentions: Policy {
            answers: false,
            compose: Compose::All,
            notices: Notices::SilentUnknown,
            arguments: Arguments::None,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Sanitised).listing(Listing::Commands),
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::SkillFile,
        task: TaskPlace::After,
        envelope: Envelope::Pointer,
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::None,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Xml,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed(""),
        },
        tool: None,
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Root, "skills"),
    Place::skills("user", Base::Home, ".openclaw/skills"),
];
