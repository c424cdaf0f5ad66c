//! A profile: a dialect as data.

use crate::commands;
use crate::layout::{Bases, Layout, Plugins};
use crate::template::{self, Template};
use serde::Serialize;
use skills_format::mention::NearKind;
use skills_runtime::{Catalog, CatalogBuilder, Error, Outcome, Surface};
use skills_session::activation::{Starting, Written, tagged};
use skills_session::commands::{CommandSpec, for_model, for_user};
use skills_session::options::Options;
use skills_session::resolve::resolve;
use skills_session::session::{ToolSpec, tools};
use skills_session::{Dialect, Notice, Resolution};

/// The choices of a host about finding, naming, showing and keeping skills. A host starts from a profile and
/// changes fields.
///
/// ```
/// use skills_profiles::{Base, Layout, Place, Profile};
///
/// let folders = Layout::new(&[Place::skills("user", Base::Config, "my-agent/skills")]);
/// let mut profile = Profile { name: "my-agent", folders, ..Profile::default() };
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
    /// The ids that a plugin's skills answer to.
    pub plugins: Plugins,
    /// The choices of a session.
    #[serde(flatten)]
    pub options: Options,
    /// `true` if a person chooses one of several skills that a text names, found or nearly named, and none of them starts.
    ///
    /// There is one exception. When the text names two skills and exactly one of them declares
    /// `allowed-tools`, both are activated: one skill guides, the other limits the tools.
    pub one_skill: bool,
    /// `true` if two letters of a skill's name are enough to suggest the skill. `false`: three.
    pub two_letters: bool,
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
    /// Returns a catalog of the folders of this program. A host adds its bundle with [`CatalogBuilder::bundle`], and trust
    /// records with [`CatalogBuilder::trusted`].
    pub fn catalog(&self, bases: &Bases) -> CatalogBuilder {
        self.folders.add_to(Catalog::builder(), bases, self.plugins)
    }
}

/// The specification of agentskills.io, and the common choices of its clients.
impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "default",
            reference: "https://agentskills.io",
            folders: Layout::default(),
            plugins: Plugins::Merged,
            options: Options::DEFAULT,
            one_skill: false,
            two_letters: false,
            sanitised: false,
            lists_commands: false,
            one_tool: false,
            template: None,
        }
    }
}

impl Profile {
    /// Suggests the skills whose names begin with an unknown id of two letters.
    fn suggest(catalog: &Catalog, text: &str, resolution: &mut Resolution) {
        for mention in &mut resolution.mentions {
            let id = text[mention.span.range()]
                .trim_start_matches('$')
                .to_lowercase();
            if mention.outcome != Outcome::Unknown || id.chars().count() != 2 {
                continue;
            }
            let mut near: Vec<String> = Vec::new();
            for skill in for_user(catalog) {
                if skill.name().starts_with(&id) {
                    near.push(skill.id().into_owned());
                }
            }
            let Some(first) = near.first() else {
                continue;
            };
            let outcome = Outcome::Ambiguous {
                use_id: first.clone(),
                candidates: near.into(),
                kind: Some(NearKind::Prefix),
            };
            for notice in &mut resolution.notices {
                if let Notice::Outcome(unknown) = notice
                    && unknown.outcome == Outcome::Unknown
                    && unknown.id.to_lowercase() == id
                {
                    unknown.outcome = outcome.clone();
                }
            }
            mention.outcome = outcome;
        }
    }

    /// Returns the skills between which a person chooses: the found ones, and those that a mention nearly names.
    fn choice(catalog: &Catalog, resolution: &Resolution) -> Option<Vec<String>> {
        let mut skills: Vec<String> = Vec::new();
        let mut is_exact = true;
        for mention in &resolution.mentions {
            let skill = match &mention.outcome {
                Outcome::Found { skill, .. } => skill,
                Outcome::Ambiguous {
                    candidates,
                    kind: Some(_),
                    use_id,
                } if candidates.len() == 1 => {
                    is_exact = false;
                    use_id
                }
                _ => continue,
            };
            if !skills.contains(skill) {
                skills.push(skill.clone());
            }
        }
        let limits = |id: &String| {
            let skill = catalog.find(id, resolution.surface);
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
        let mut resolution = resolve(self, catalog, text, surface);
        if self.two_letters {
            Self::suggest(catalog, text, &mut resolution);
        }
        if !self.one_skill {
            return resolution;
        }
        match Self::choice(catalog, &resolution) {
            Some(skills) => resolution.choose_one(text, &skills),
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
            let has_files = for_model(catalog).any(|skill| {
                let files = skill.is_bundled().then(|| skill.files());
                files.is_some_and(|files| files.is_ok_and(|files| files.len() > 1))
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
