//! Openclaw: the model reads the skills' files, and commands can call tools directly.

use crate::activation::envelope::Envelope;
use crate::activation::tool_names::ToolNames;
use crate::command::policy::{CommandNames, CommandPolicy, Listing};
use crate::mention::policy::{Answers, Arguments, Compose, Notices, Policy};
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Improvement, Lifetime, Narrowing, Profile, Repeat,
};
use crate::prompt::format::Format;
use crate::prompt::options::Budget;
use crate::source::layout::{Base, Bundled, Layout, Place};
use skills_format::Text;

impl Profile {
    /// Openclaw's "Skill Execution".
    pub const OPENCLAW: Self = Self {
        name: Text::Borrowed("openclaw"),
        reference: Text::Borrowed("openclaw, Skill Execution"),
        folders: Layout::new(FOLDERS, Bundled::Included),
        mentions: Policy {
            answers: Answers::Unscanned,
            compose: Compose::All,
            notices: Notices::SilentUnknown,
            arguments: Arguments::None,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Sanitised).listing(Listing::Commands),
        lifetime: Lifetime::Conversation,
        narrowing: Narrowing::Turn,
        repeat: Repeat::Body,
        delivery: Delivery::File,
        envelope: Envelope::Pointer,
        preamble: Text::Borrowed(""),
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
        improvement: Improvement::Propose,
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Root, "skills"),
    Place::skills("user", Base::Home, ".openclaw/skills"),
];
