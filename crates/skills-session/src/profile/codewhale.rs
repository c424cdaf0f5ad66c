//! Codewhale: skills are started by `$name`.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::policy::Notices;
use crate::options::policy::{Arguments, Compose, Policy};
use crate::options::tool_shape::ToolShape;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::catalog::Plugins;
use skills_runtime::prompt::Budget;
use skills_runtime::prompt::Format;

impl Profile {
    /// Codewhale's `docs/SKILL_INVOCATION_DESIGN.md`.
    pub(crate) const CODEWHALE: Self = Self {
        name: Text::Borrowed("codewhale"),
        reference: Text::Borrowed("codewhale/docs/SKILL_INVOCATION_DESIGN.md"),
        folders: LAYOUT,
        mentions: Policy {
            compose: Compose::ChooseOne,
            notices: Notices::Always,
            plugins: Plugins::Namespaces,
            arguments: Arguments::None,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Turn,
        allowed_tools: AllowedTools::Narrows,
        repeat: Repeat::Reminder,
        delivery: Delivery::SystemMessage,
        task: TaskPlace::After,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::Guarded,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(""),
            intro: Text::Borrowed("To use a skill, write `$name` or call `load_skill`."),
        },
        tool: Some(ToolShape::new("load_skill", "name", true, None)),
    };
}

const LAYOUT: Layout = Layout::new(FOLDERS, Bundled::Included).named_by_heading();

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Project, ".codewhale/skills"),
    Place::skills("user", Base::Home, ".codewhale/skills"),
    Place::plugins(Base::Home, ".codewhale/plugins"),
];
