//! Codewhale: skills are started by `$name`.

use crate::activation::envelope::Envelope;
use crate::activation::exchange::{ToolArguments, ToolIds, ToolShape};
use crate::activation::tool_names::ToolNames;
use crate::catalog::names::Plugins;
use crate::command::policy::{CommandNames, CommandPolicy};
use crate::mention::policy::{Arguments, Notices, Policy};
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Improvement, Lifetime, Narrowing, Profile, Repeat,
};
use crate::prompt::format::Format;
use crate::prompt::options::Budget;
use crate::source::layout::{Base, Bundled, Layout, Place};
use skills_format::Text;

impl Profile {
    /// Codewhale's `docs/SKILL_INVOCATION_DESIGN.md`.
    pub const CODEWHALE: Self = Self {
        name: Text::Borrowed("codewhale"),
        reference: Text::Borrowed("codewhale/docs/SKILL_INVOCATION_DESIGN.md"),
        folders: LAYOUT,
        mentions: Policy {
            notices: Notices::Always,
            plugins: Plugins::Namespaces,
            arguments: Arguments::None,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Turn,
        narrowing: Narrowing::Turn,
        repeat: Repeat::Reminder,
        delivery: Delivery::Guidance,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(""),
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed("To use a skill, write `$name` or call `load_skill`."),
        },
        tool: Some(ToolShape::new(
            "load_skill",
            "name",
            ToolIds::Listed,
            ToolArguments::None,
        )),
        improvement: Improvement::Propose,
    };
}

const LAYOUT: Layout = Layout::new(FOLDERS, Bundled::Included).named_by_heading();

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Project, ".codewhale/skills"),
    Place::skills("user", Base::Home, ".codewhale/skills"),
    Place::plugins(Base::Home, ".codewhale/plugins"),
];
