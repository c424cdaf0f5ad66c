//! Builds a catalog: its sources, and the options of loading them.

use crate::bundle::Bundle;
use crate::catalog::eligibility::Facts;
use crate::catalog::places::{BundledPlace, Places};
use crate::catalog::state::State;
use crate::settings::Settings;
use std::fmt;
use std::path::PathBuf;
use {
    crate::source::folder::Root,
    crate::source::options::{Care, Limits, Links},
    crate::source::stamp::Stamps,
    crate::source::trust::record::TrustRecord,
    skills_format::{MissingName, ToolRule, Tree},
    std::collections::BTreeMap,
    std::sync::Arc,
};

/// The builder of a catalog. Sources are added from the highest rank to the lowest.
///
/// ```
/// use skills_runtime::{Bundle, Catalog, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let loaded = Catalog::builder()
///     .untrusted("project", ".agents/skills") // the highest rank
///     .directory("user", "/home/sam/.agents/skills")
///     .bundle("bundled", &SKILLS)             // the lowest rank
///     .load();
/// assert!(loaded.catalog.get("code-review").is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CatalogBuilder {
    pub(crate) plans: Vec<Plan>,
    pub(crate) state: State,
    pub(crate) facts: Option<Facts>,
    pub(crate) places: Places,
    /// The folder of scheduled skills.
    pub(crate) scheduled: Option<PathBuf>,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
}

/// A folder of skills: [`CatalogBuilder::folder`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillFolder {
    /// The name of its source. Folders of one name, trust and kind of links are one source.
    pub source: String,
    /// The folder.
    pub path: PathBuf,
    /// The folder that no link of a skill leads out of. `None`: links are followed.
    pub base: Option<PathBuf>,
    /// Names directly in the folder that are not read.
    pub skip: Vec<String>,
    /// False: a person trusts each skill before it can start.
    pub is_trusted: bool,
}

/// Which rules a lock holds, by the folders of skills.
#[derive(Clone, Default)]
pub(crate) struct Held(pub(crate) BTreeMap<PathBuf, Arc<Holds>>);

pub(crate) type Holds = dyn Fn(&ToolRule) -> bool + Send + Sync;

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The options of reading folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) limits: Limits,
    pub(crate) stamps: Stamps,
    pub(crate) care: Care,
    pub(crate) missing_name: MissingName,
    pub(crate) trusted: Vec<Arc<TrustRecord>>,
    pub(crate) held: Held,
    pub(crate) gate: Gate,
}

/// The gate of a source: whether its skills need the trust of a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Gate {
    #[default]
    Closed,
    Open,
}

/// A source that the host asked for, or a folder of plugins.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

/// The place of a plan's skills.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Bundle(&'static Bundle),
    Roots {
        roots: Vec<Root>,
        links: Links,
        gate: Gate,
    },
    Plugins(PathBuf),
    /// Files that the host hands over, and the folder that it names for them.
    Memory {
        root: PathBuf,
        tree: Arc<Tree>,
    },
    #[cfg(feature = "remote")]
    Server(Box<crate::source::RemoteServer>),
}

impl CatalogBuilder {
    /// Adds the skills of a bundle, ranked below all sources that were added before.
    #[must_use]
    pub fn bundle(self, name: impl Into<String>, bundle: &'static Bundle) -> Self {
        self.add(name.into(), Origin::Bundle(bundle))
    }

    /// Adds the skills of an MCP server, ranked below all sources that were added before. The source is
    /// named `mcp:LABEL`. Its skills have only qualified ids, such as `mcp:acme:review`: a bare name
    /// never means a server's skill, also if no other skill has the name. A skill starts only after a
    /// person [approved](crate::source::RemoteServer::approve) it.
    #[cfg(feature = "remote")]
    #[must_use]
    pub fn remote(self, server: crate::source::RemoteServer) -> Self {
        self.add(server.source(), Origin::Server(Box::new(server)))
    }

    /// Sets the disabled skills.
    #[must_use]
    pub fn state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    /// Sets the facts of this host. A skill that needs more is listed with the reason, and cannot be
    /// started. Without facts, every skill counts as eligible.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = Some(facts);
        self
    }

    /// Sets the person's home folder: the model is shown paths below it with `~`, in catalog texts, in descriptions
    /// of tools and in activations. A linked mention with such a path names the skill.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.places.home = Some(home.into());
        self
    }

    /// Shows the model paths in a folder that [`Bundle::extract`] wrote, for the skills of the bundle with this
    /// name. Other bundled skills have addresses, `skill://SOURCE/NAME`, which `read_skill_resource` reads. A bundle that
    /// is read from its own folder while the program runs (feature `hot`) has the paths of that folder.
    #[must_use]
    pub fn extracted(mut self, bundle: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        let extracted = (bundle.into(), folder.into());
        self.places.extracted.push(extracted);
        self
    }

    /// Leaves bundled skills that were not [extracted](CatalogBuilder::extracted) out of catalog texts, and
    /// reports them: for a model that reads files only by path.
    #[must_use]
    pub fn paths_only(mut self) -> Self {
        self.places.bundled = BundledPlace::Nowhere;
        self
    }

    /// Sets the form in which this host writes the places of skills. The home folder of a
    /// layout is kept if `places` has none.
    #[must_use]
    pub fn places(mut self, places: Places) -> Self {
        let known = std::mem::replace(&mut self.places, places);
        self.or_home(known.home.as_ref())
    }

    /// Sets the home folder, unless it is already set.
    #[must_use]
    pub fn or_home(mut self, home: Option<&PathBuf>) -> Self {
        if self.places.home.is_none() {
            self.places.home = home.cloned();
        }
        self
    }

    fn add(mut self, name: String, origin: Origin) -> Self {
        self.plans.push(Plan { name, origin });
        self
    }
}

impl CatalogBuilder {
    /// Adds a folder of skills, ranked below all sources that were added before. If the name is
    /// repeated, the folder becomes another root of that source; the root that was added first is the
    /// nearest.
    #[must_use]
    pub fn directory(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        self.root(name.into(), Root::new(root.into(), None), Gate::Open)
    }

    /// Adds a folder whose skills are listed, and cannot be started until a person trusts them. Links
    /// that lead out of the folder are not followed.
    #[must_use]
    pub fn untrusted(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let base = root.parent().map(ToOwned::to_owned);
        self.root(name.into(), Root::new(root, base), Gate::Closed)
    }

    /// Adds the skills of every plugin: `<dir>/<plugin>/skills`. Each plugin is a source of its own, and
    /// all have the same rank. A plugin is named after its folder.
    ///
    /// The `plugin.json` of an [Agent Plugin](https://agent-plugins.org/specification) names the plugin instead. Then
    /// only the folders directly in `skills` are skills, and no link leads out of the plugin. A plugin whose manifest
    /// is wrong is not loaded, with an error. The specification has clients skip a skill that is wrong; here it is read
    /// as every skill is: what can be recovered is, and is reported. Names that are taken or invalid are replaced, with
    /// a warning.
    #[must_use]
    pub fn plugins(self, dir: impl Into<PathBuf>) -> Self {
        self.add(String::new(), Origin::Plugins(dir.into()))
    }

    /// Adds skills whose files the host hands over, ranked below all sources that were added before: for a host without a
    /// disk, such as a web page. The paths of the tree are relative to `root`, where nothing is read: the paths that a
    /// model sees begin with it. A file without bytes cannot be read.
    #[must_use]
    pub fn memory(
        self,
        name: impl Into<String>,
        root: impl Into<PathBuf>,
        files: Arc<Tree>,
    ) -> Self {
        let (root, tree) = (root.into(), files);
        self.add(name.into(), Origin::Memory { root, tree })
    }

    /// Adds a folder, with all that a host can say about it, ranked below all sources that were added before.
    #[must_use]
    pub fn folder(self, folder: SkillFolder) -> Self {
        let mut root = Root::new(folder.path, folder.base);
        root.skip = folder.skip;
        let gate = if folder.is_trusted {
            Gate::Open
        } else {
            Gate::Closed
        };
        self.root(folder.source, root, gate)
    }

    /// Sets what the host chooses for the whole catalog.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Names a skill without a `name` after its first heading, not after its folder.
    #[must_use]
    pub fn name_from_heading(mut self) -> Self {
        self.options.missing_name = MissingName::Heading;
        self
    }

    /// Sets the folder of scheduled skills, which are not part of the catalog:
    /// [`Catalog::scheduled`](crate::Catalog::scheduled) returns them, and a policy gives them commands.
    /// A layout sets the folder too.
    #[must_use]
    pub fn scheduled(mut self, folder: impl Into<PathBuf>) -> Self {
        self.scheduled = Some(folder.into());
        self
    }

    /// Adds the records of trusted skills. A skill of an untrusted source is trusted if its folder
    /// matches its record.
    #[must_use]
    pub fn trusted(mut self, records: impl IntoIterator<Item = TrustRecord>) -> Self {
        self.options
            .trusted
            .extend(records.into_iter().map(Arc::new));
        self
    }

    /// Removes the records of the skill of a record.
    pub(crate) fn without_trust_in(mut self, record: &TrustRecord) -> Self {
        let is_it = |old: &TrustRecord| old.root == record.root && old.folder == record.folder;
        self.options.trusted.retain(|old| !is_it(old));
        self
    }

    /// Holds skills to the rules of a lock. Each skill is given by the folder of the lock, joined with the name that the
    /// lock has for the skill, and a function that returns whether the lock holds a rule: `skills_permit::Powers::hold_rule`. The
    /// skill is found by its name and by the name of its folder, also in a group folder below. A folder of skills stands
    /// for all skills in it that are not given. A rule of `allowed-tools` that the lock does not hold approves nothing: a
    /// file that changed after the install is not approved by the consent to an older one. A skill that is not among
    /// them approves what its file says.
    ///
    /// Locks are for the person's own folders. A skill that a person trusted by digest needs none, because any change
    /// ends the trust.
    #[must_use]
    pub fn held<F>(mut self, skills: impl IntoIterator<Item = (PathBuf, F)>) -> Self
    where
        F: Fn(&ToolRule) -> bool + Send + Sync + 'static,
    {
        for (folder, holds) in skills {
            self.options.held.0.insert(folder, Arc::new(holds));
        }
        self
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Trusts every source, for hosts that ask a person elsewhere. The links of untrusted folders stay
    /// confined.
    #[must_use]
    pub fn trust_all(mut self) -> Self {
        self.options.gate = Gate::Open;
        self
    }

    /// Records the length and the time of every file. Then the first
    /// [`Catalog::reload`](crate::Catalog::reload) already reads only changed files, and reports changed
    /// bodies.
    ///
    /// # Cost
    ///
    /// One more system call for each skill.
    #[must_use]
    pub fn reloadable(mut self) -> Self {
        self.options.stamps = Stamps::Take;
        self
    }

    /// Also reports nested skills, to explain a missing skill, and files that are too large to start.
    /// For listings that a person reads.
    ///
    /// # Cost
    ///
    /// For each skill, reads one folder and the length of its `SKILL.md`.
    #[must_use]
    pub fn thorough(mut self) -> Self {
        self.options.care = Care::Thorough;
        self
    }

    /// Returns the folders of plugins.
    #[cfg(feature = "watch")]
    pub(crate) fn plugin_folders(&self) -> impl Iterator<Item = &std::path::Path> {
        self.plans.iter().filter_map(|plan| match &plan.origin {
            Origin::Plugins(dir) => Some(dir.as_path()),
            _ => None,
        })
    }

    fn root(mut self, name: String, root: Root, gate: Gate) -> Self {
        let links = match root.base {
            Some(_) => Links::Confined,
            None => Links::Followed,
        };
        let same = self
            .plans
            .iter_mut()
            .find_map(|plan| match &mut plan.origin {
                Origin::Roots {
                    roots,
                    links: as_is,
                    gate: other,
                } if plan.name == name && *as_is == links && *other == gate => Some(roots),
                _ => None,
            });
        if let Some(roots) = same {
            roots.push(root);
        } else {
            let roots = vec![root];
            self = self.add(name, Origin::Roots { roots, links, gate });
        }
        self
    }
}

#[cfg(test)]
mod tests;
