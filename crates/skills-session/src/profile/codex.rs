//! Codex: `$name` in a message, and a model that reads the skills' files.

use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::envelope::Envelope;
use crate::options::layout::{Base, Bundled, InstalledSkills, Layout, Place, PlaceKind};
use crate::options::policy::Notices;
use crate::options::policy::{Arguments, Compose, Policy};
use crate::options::template::{Template, TemplateContent};
use crate::profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat, TaskPlace};
use skills_format::Text;
use skills_permit::ToolNames;
use skills_runtime::activation::Placeholders;
use skills_runtime::prompt::{Budget, Format};
use std::borrow::Cow;

impl Profile {
    /// Codex, as its documentation says and as version 0.169.0 sent it. `docs/guide/profiles.md` names each difference.
    pub(crate) const CODEX: Self = Self {
        name: Text::Borrowed("codex"),
        reference: Text::Borrowed("https://developers.openai.com/codex/skills"),
        // The program has skills of its own in their place.
        folders: Layout::new(FOLDERS, Bundled::WhenAsked),
        mentions: Policy {
            answers: false,
            compose: Compose::All,
            notices: Notices::SilentUnknown,
            arguments: Arguments::None,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::None),
        lifetime: Lifetime::Conversation,
        // The program does not read the field: `skills-clients` has the sources.
        allowed_tools: AllowedTools::Ignored,
        repeat: Repeat::Body,
        delivery: Delivery::UserMessage,
        task: TaskPlace::TypedFirst,
        envelope: Envelope::Template(Template {
            tag: Text::Borrowed("skill"),
            before: Text::Borrowed("<{tag}>\n<name>{name}</name>\n<path>{file}</path>\n"),
            content: TemplateContent::File,
            arguments: Text::Borrowed(""),
            after: Text::Borrowed("\n</{tag}>"),
            resource: Text::Borrowed(""),
        }),
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::None,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::FirstMessage,
            format: Format::Files,
            budget: Budget::Tokens(5_440),
            heading: Text::Borrowed("## Skills"),
            intro: Text::Borrowed(
                "A skill is a set of local instructions to follow that is stored in a `SKILL.md` file. \
                 Below is the list of skills that can be used. Each entry includes a name, description, \
                 and the path of its file.\n\
                 ### Available skills",
            ),
        },
        tool: None,
    };
}

/// The folder of Codex's own skills is not read.
const OWN: &[Text] = &[Text::Borrowed(".system")];

const FOLDERS: &[Place] = &[
    Place::untrusted("project", Base::Project, ".agents/skills"),
    Place::untrusted("project", Base::Project, ".codex/skills"),
    Place::skills("user", Base::Home, ".agents/skills"),
    Place {
        base: Base::Home,
        path: Text::Borrowed(".codex/skills"),
        kind: PlaceKind::Skills(Text::Borrowed("user")),
        skip: Cow::Borrowed(OWN),
        installed: InstalledSkills::Recorded,
    },
];
