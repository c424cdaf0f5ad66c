//! Agenvoy: the tool `run_skill`, and slash commands that give the same text as a call of the tool.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy, Listing};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, Faults, InstalledSkills, Layout, Place, PlaceKind};
use crate::options::policy::{Compose, Policy};
use crate::options::tool_shape::ToolShape;
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::{MissingName, Text};
use skills_permit::{TablePlace, ToolNames};
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::Format;
use skills_runtime::prompt::{Budget, SECTION_HEADING};
use std::borrow::Cow;

impl Profile {
    /// Agenvoy's "Skill System".
    pub(crate) const AGENVOY: Self = Self {
        name: Text::Borrowed("agenvoy"),
        reference: Text::Borrowed("agenvoy, Skill System"),
        folders: Layout {
            places: Cow::Borrowed(FOLDERS),
            bundled: Bundled::Included,
            missing_name: MissingName::Folder,
            scheduled: Place::skills("scheduler", Base::Config, "agenvoy/skills/scheduler"),
            faults: Faults::Counted,
        },
        mentions: Policy {
            mentions: false,
            answers: false,
            compose: Compose::All,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy {
            names: CommandNames::Own,
            reserved: Cow::Borrowed(&[]),
            scheduled: Text::Borrowed("sched-"),
            listing: Listing::Skills,
        },
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::ToolCall,
        task: TaskPlace::After,
        envelope: Envelope::Tagged,
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::Guarded,
        rules: Text::Borrowed(RULES),
        tool_names: ToolNames::of_constant(NAMES, TablePlace::Rules),
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Bullets,
            budget: Budget::Characters(8_000),
            heading: Text::Borrowed(SECTION_HEADING),
            intro: Text::Borrowed(""),
        },
        tool: Some(ToolShape::new(
            "run_skill",
            "skill",
            true,
            Some("arguments"),
        )),
    };
}

const FOLDERS: &[Place] = &[
    Place::skills("project", Base::Root, "extensions/skills"),
    Place {
        base: Base::Config,
        path: Text::Borrowed("agenvoy/skills"),
        kind: PlaceKind::Skills(Text::Borrowed("user")),
        skip: Cow::Borrowed(SCHEDULED),
        installed: InstalledSkills::Recorded,
    },
];

/// Scheduled skills are a source of their own: without this, the catalog would hold them a second time.
const SCHEDULED: &[Text] = &[Text::Borrowed("scheduler")];

const NAMES: &[(Text, Text)] = &[
    (
        Text::Borrowed("AskUserQuestion"),
        Text::Borrowed("ask_user"),
    ),
    (Text::Borrowed("Bash"), Text::Borrowed("run_command")),
    (Text::Borrowed("Read"), Text::Borrowed("read_file")),
    (Text::Borrowed("Write"), Text::Borrowed("write_file")),
];

const RULES: &str = "\
While a skill is active:
- Its instructions say what to do by default. The message that started it is binding: what it says \
sets parameters, and overrides the instructions where they differ.
- Of several active skills, a later one adds to the earlier ones and overrides them.
- Give the result that the skill asks for, in the form that it asks for, and nothing around it.
- Where the skill names a tool of this table, call the tool beside it.";
