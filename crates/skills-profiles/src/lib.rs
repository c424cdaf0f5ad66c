//! Agent Skills as existing programs find, name, show and start them.
//!
//! A [`Profile`] is a [`Dialect`] as data: the choices of a host about mentions, commands, the texts for its model and the
//! folders of its skills. Five profiles follow the documents of systems for skills, and four follow what well-known
//! clients send:
//!
//! | profile | skills start by | what is its own |
//! |---|---|---|
//! | `codewhale` | `$name`, and the tool `load_skill` | one skill leads a turn; `allowed-tools` limits |
//! | `caliban` | the tool `Skill` | one tool, which lists the skills in its description |
//! | `openclaw` | `/name` | the model reads the skills' files; commands call tools without a model |
//! | `ouro` | `$name` | rules in the system prompt; what follows a mention is its arguments |
//! | `agenvoy` | `/name`, and the tool `run_skill` | both give the same call and result |
//! | `claude-code`, `codex`, `gemini-cli`, `opencode` | as the programs do | the bytes that they send |
//!
//! # A host as one of them
//!
//! The profile is the only difference between two hosts:
//!
//! ```
//! use skills_profiles::{Bases, Profile};
//! use skills_runtime::Surface;
//! use skills_session::{Dialect as _, Session};
//!
//! let profile = Profile::named("ouro").expect("a profile");
//! # let folder = tempfile::tempdir()?;
//! # std::fs::create_dir_all(folder.path().join(".ouro/skills/lint"))?;
//! # std::fs::write(folder.path().join(".ouro/skills/lint/SKILL.md"), "---\nname: lint\ndescription: Lints.\n---\nLint it.\n")?;
//! // In a program: `Bases::of_process()`.
//! let bases = Bases { home: Some(folder.path().to_owned()), ..Bases::default() };
//! let catalog = profile.catalog(&bases).load().catalog;
//! assert!(profile.list(&catalog).text.starts_with("## Skills"));
//!
//! let mut session = Session::new(profile.clone());
//! let turn = session.turn(&catalog, "$lint src/", Surface::User);
//! assert_eq!(turn.started, ["lint"]);
//! assert!(turn.messages[0].text().contains("ARGUMENTS: src/"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clients;
mod commands;
mod layout;
mod systems;
mod template;

pub use layout::{Base, Bases, Layout, Place, PlaceKind};
pub use template::{Content, Template};

use serde::Serialize;
use skills_runtime::resolve::Outcome;
use skills_runtime::{Catalog, CatalogBuilder, Error, Surface};
use skills_session::activation::{Starting, Written, tagged};
use skills_session::commands::CommandSpec;
use skills_session::options::Options;
use skills_session::resolve::resolve;
use skills_session::session::{ToolSpec, tools};
use skills_session::{Dialect, Resolution};
use std::sync::LazyLock;

/// The choices of a host about finding, naming, showing and keeping skills. A host starts from a profile and
/// changes fields.
///
/// ```
/// use skills_profiles::{Layout, Profile};
///
/// let mut profile = Profile { name: "my-agent", folders: Layout::for_client("my-agent"), ..Profile::default() };
/// profile.options.lasts_one_turn = true;
/// profile.options.reserved = vec!["help".into(), "quit".into()];
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Profile {
    /// The profile's name.
    pub name: &'static str,
    /// The document that the profile follows.
    pub reference: &'static str,
    /// The folders that are searched for skills.
    pub folders: Layout,
    /// The choices of a session.
    #[serde(flatten)]
    pub options: Options,
    /// `true` if a person chooses one of several skills that a text names, found or nearly named, and none of them starts.
    ///
    /// There is one exception. When the text names two skills and exactly one of them declares
    /// `allowed-tools`, both are activated: one skill guides, the other limits the tools.
    pub one_skill: bool,
    /// `true` if commands have names of at most 32 of the characters `[a-z0-9_]`, as chat services require.
    pub sanitised: bool,
    /// `true` if a host shows the slash commands for `/skill`. `false`: every skill with its state.
    pub lists_commands: bool,
    /// `true` if the model has no other tool for skills beside the tool that starts them, unless the list of the skills is
    /// cut, or bundled skills have files.
    pub one_tool: bool,
    /// The text around a skill's instructions. `None`: the tagged text of [`Options`].
    pub template: Option<Template>,
}

impl Profile {
    /// Returns every profile: the default first, then the others by name.
    pub fn all() -> &'static [Self; 10] {
        static ALL: LazyLock<[Profile; 10]> = LazyLock::new(|| {
            [
                Profile::default(),
                systems::agenvoy(),
                systems::caliban(),
                clients::claude_code(),
                systems::codewhale(),
                clients::codex(),
                clients::gemini_cli(),
                systems::openclaw(),
                clients::opencode(),
                systems::ouro(),
            ]
        });
        &ALL
    }

    /// Finds a profile by its name: `default`; `claude-code`, `codex`, `gemini-cli` and `opencode`, as these programs send
    /// it; `agenvoy`, `caliban`, `codewhale`, `openclaw` and `ouro`. [`Profile::reference`] names the document that a
    /// profile follows.
    ///
    /// ```
    /// use skills_profiles::Profile;
    ///
    /// let profile = Profile::named("codex").expect("a profile");
    /// assert_eq!(profile.name, "codex");
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|profile| profile.name == name)
    }

    /// Returns a catalog of the folders of this program. A host adds its bundle with [`CatalogBuilder::bundle`], and trust
    /// records with [`CatalogBuilder::trusted`].
    pub fn catalog(&self, bases: &Bases) -> CatalogBuilder {
        self.folders.add_to(Catalog::builder(), bases)
    }
}

/// The specification of agentskills.io, and the common choices of its clients.
impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "default",
            reference: "https://agentskills.io",
            folders: Layout::default(),
            options: Options::DEFAULT,
            one_skill: false,
            sanitised: false,
            lists_commands: false,
            one_tool: false,
            template: None,
        }
    }
}

impl Profile {
    /// Returns the skills between which a person chooses: the found ones, and those that a mention nearly names.
    fn choice(&self, catalog: &Catalog, resolution: &Resolution) -> Option<Vec<String>> {
        let mut skills: Vec<String> = Vec::new();
        let mut is_exact = true;
        for mention in &resolution.mentions {
            let skill = match &mention.outcome {
                Outcome::Found { skill, .. } => skill,
                Outcome::Suggestion { suggestion, .. } => {
                    is_exact = false;
                    suggestion
                }
                _ => continue,
            };
            if !skills.contains(skill) {
                skills.push(skill.clone());
            }
        }
        let limits = |id: &String| {
            let skill = catalog.find(id, resolution.surface, self.options.plugins);
            skill.is_ok_and(|skill| !skill.fields().allowed_tools.is_empty())
        };
        match skills.as_slice() {
            [] | [_] => None,
            [a, b] if is_exact && limits(a) != limits(b) => None,
            _ => Some(skills),
        }
    }
}

impl Dialect for Profile {
    fn options(&self) -> &Options {
        &self.options
    }

    fn resolve(&self, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
        let resolution = resolve(self, catalog, text, surface);
        if !self.one_skill {
            return resolution;
        }
        match self.choice(catalog, &resolution) {
            Some(skills) => resolution.choose_one(text, skills),
            None => resolution,
        }
    }

    fn text(&self, skill: &Starting<'_>) -> Result<Written, Error> {
        match &self.template {
            Some(template) => template.text(skill),
            None => tagged(skill),
        }
    }

    fn preamble(&self, skill: &Starting<'_>) -> String {
        template::preamble(&self.options.preamble, skill)
    }

    fn tools(&self, catalog: &Catalog) -> Vec<ToolSpec> {
        let mut tools = tools(self, catalog);
        if self.one_tool {
            let is_cut = !self.list(catalog).omitted.is_empty();
            // The model reads files of folders with a tool of the host.
            let has_files = catalog.for_model(self.options.plugins).any(|(_, skill)| {
                skill
                    .bundled()
                    .is_some_and(|skill| skill.files().nth(1).is_some())
            });
            tools.retain(|tool| match &*tool.name {
                "list_skills" => is_cut,
                "read_skill_resource" => has_files,
                _ => true,
            });
        }
        tools
    }

    fn commands(&self, catalog: &Catalog) -> Vec<CommandSpec> {
        if self.sanitised {
            commands::commands(&self.options, catalog)
        } else {
            skills_session::commands::commands(&self.options, catalog)
        }
    }

    fn command(&self, catalog: &Catalog, name: &str) -> Option<String> {
        if self.sanitised {
            commands::command(&self.options, catalog, name)
        } else {
            skills_session::commands::command(&self.options, catalog, name)
        }
    }
}
