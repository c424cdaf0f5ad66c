//! Gemini CLI: the tool `activate_skill`, which a slash command calls too.

use crate::options::activation::Envelope;
use crate::options::allowed_tools::AllowedTools;
use crate::options::commands::{CommandNames, CommandPolicy};
use crate::options::layout::{Base, Bundled, Layout, Place};
use crate::options::placeholders::Placeholders;
use crate::options::policy::{Answers, Policy};
use crate::options::prompt::{Budget, Format};
use crate::options::template::{Template, TemplateContent};
use crate::options::tool_names::ToolNames;
use crate::options::tool_shape::{ToolArguments, ToolIds, ToolShape};
use crate::profile::{
    CatalogPlace, CatalogText, Delivery, Lifetime, Narrowing, Profile, Repeat, TaskPlace,
};
use skills_format::Text;

impl Profile {
    /// Gemini CLI, as its source says and as version 0.61.0 sent it.
    ///
    /// A command `/name text` is a call of the tool, and the text is the message.
    ///
    /// Where this profile differs from the program:
    ///
    /// - Skills of the project are untrusted, each until a person trusts it. Gemini CLI asks once for the whole folder,
    ///   and again before each call of the tool. The skills of extensions are not read.
    /// - Descriptions are escaped and on one line. `skills prompt --client gemini-cli` writes the program's list byte for
    ///   byte.
    /// - The files of a skill are a list of paths, not a tree, and every line of the body begins where it did.
    /// - The message stands before the call. Gemini CLI sends it after the result, and writes `Use the skill NAME` for a
    ///   command without text.
    /// - If the body holds the closing tag, the tag gets a number.
    pub const GEMINI_CLI: Self = Self {
        name: Text::Borrowed("gemini-cli"),
        reference: Text::Borrowed("https://geminicli.com/docs/cli/skills"),
        folders: Layout::new(FOLDERS, Bundled::Included),
        mentions: Policy {
            mentions: false,
            answers: Answers::Unscanned,
            ..Policy::DEFAULT
        },
        commands: CommandPolicy::new(CommandNames::Own),
        lifetime: Lifetime::Conversation,
        allowed_tools: AllowedTools::Approves,
        narrowing: Narrowing::Turn,
        repeat: Repeat::Body,
        delivery: Delivery::ToolCall,
        task: TaskPlace::After,
        envelope: Envelope::Template(Template {
            tag: Text::Borrowed("activated_skill"),
            before: Text::Borrowed("<{tag} name=\"{name}\">\n  <instructions>\n    "),
            content: TemplateContent::Body,
            arguments: Text::Borrowed(""),
            after: Text::Borrowed(
                "\n  </instructions>\n\n  <available_resources>\n    {file}\n{resources}  \
                 </available_resources>\n</{tag}>",
            ),
            resource: Text::Borrowed("    {directory}/{path}\n"),
        }),
        preamble: Text::Borrowed(""),
        placeholders: Placeholders::None,
        rules: Text::Borrowed(""),
        tool_names: ToolNames::NONE,
        catalog: CatalogText {
            place: CatalogPlace::SystemPrompt,
            format: Format::Xml,
            budget: Budget::Unlimited,
            heading: Text::Borrowed("# Available Agent Skills"),
            intro: Text::Borrowed(
                "You have access to the following specialized skills. To activate a skill and receive its \
                 detailed instructions, you can call the `activate_skill` tool with the skill's name.",
            ),
        },
        tool: Some(ToolShape::new(
            "activate_skill",
            "name",
            ToolIds::Listed,
            ToolArguments::None,
        )),
    };
}

const FOLDERS: &[Place] = &[
    Place::untrusted("project", Base::Project, ".agents/skills"),
    Place::untrusted("project", Base::Project, ".gemini/skills"),
    Place::skills("user", Base::Home, ".agents/skills"),
    Place::skills("user", Base::Home, ".gemini/skills"),
];
