//! Builds a catalog: its sources, and the options of loading them.

use crate::bundle::Bundle;
use crate::catalog::disabled::Disabled;
use crate::catalog::eligibility::Host;
use crate::catalog::places::Places;
use crate::source::folder::Root;
use crate::source::options::{How, Limits};
use crate::source::trust::record::TrustRecord;
use skills_format::LenientOptions;
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

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
/// assert!(loaded.get("code-review").is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CatalogBuilder {
    pub(crate) plans: Vec<Plan>,
    pub(crate) disabled: Disabled,
    pub(crate) host: Option<Host>,
    pub(crate) places: Places,
    pub(crate) options: Options,
    pub(crate) attached: Vec<Attached>,
}

/// The options of reading folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Tests lower them.
    pub(crate) limits: Limits,
    /// Whether the version of each file is recorded, at the cost of one system call for each file.
    pub(crate) stamps: bool,
    /// Whether the host asked for stamps: a reload takes them anyway.
    pub(crate) reloadable: bool,
    pub(crate) lenient: LenientOptions,
    pub(crate) trusted: Vec<Arc<TrustRecord>>,
}

/// A source that the host asked for, or a folder of plugins.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Whether a person trusts each skill before it can start.
    pub(crate) asks: bool,
    pub(crate) namespaced: bool,
}

pub(crate) type Value = Box<dyn Any + Send + Sync>;

/// How a catalog makes the value of a type.
#[derive(Clone)]
pub(crate) struct Attached {
    pub(crate) id: TypeId,
    pub(crate) make: Arc<dyn Fn(CatalogBuilder) -> Value + Send + Sync>,
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

/// The place of a plan's skills.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Bundle(&'static Bundle),
    /// Folders. Either all of them have a base or none has.
    Roots(Vec<Root>),
    Plugins(PathBuf),
    /// Paths and bytes that the host hands over.
    Files(Arc<[(String, Vec<u8>)]>),
}

impl CatalogBuilder {
    /// Adds the skills of a bundle, ranked below all sources that were added before.
    #[must_use]
    pub fn bundle(self, name: impl Into<String>, bundle: &'static Bundle) -> Self {
        self.add(name, Origin::Bundle(bundle), false)
    }

    /// Adds a folder of skills, ranked below all sources that were added before. If the name is
    /// repeated, the folder becomes another root of that source; the root that was added first is the
    /// nearest.
    #[must_use]
    pub fn directory(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        self.root(name, Root::new(root.into(), None), false)
    }

    /// Adds a folder whose skills are listed, and cannot be started until a person trusts them. Links
    /// that lead out of the folder are not followed.
    #[must_use]
    pub fn untrusted(self, name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let base = root.parent().map(ToOwned::to_owned);
        self.root(name, Root::new(root, base), true)
    }

    /// Lets no link of a skill lead out of `base`, a folder around the folder that was added last. The links of an
    /// [untrusted](Self::untrusted) folder may lead to its parent otherwise, and those of a [directory](Self::directory)
    /// anywhere.
    #[must_use]
    pub fn confined(self, base: impl Into<PathBuf>) -> Self {
        self.with_last_root(|root| root.base = Some(base.into()))
    }

    /// Does not read these names directly in the folder that was added last.
    #[must_use]
    pub fn skipping<S: Into<String>>(self, names: impl IntoIterator<Item = S>) -> Self {
        self.with_last_root(|root| root.skip.extend(names.into_iter().map(Into::into)))
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
        self.add("", Origin::Plugins(dir.into()), false)
    }

    /// Adds skills whose files the host read itself, from a store or over a network, ranked below all sources that were
    /// added before. Each path is relative, with `/`: `review/SKILL.md`. A path that leads elsewhere, or that two files
    /// have, is an error among the diagnostics, and its file is left out.
    ///
    /// The model sees addresses, `skill://SOURCE/NAME`, unless the host names a folder with
    /// [`extracted`](Self::extracted). These skills approve no tool.
    ///
    /// ```
    /// use skills_runtime::Catalog;
    ///
    /// let file = ("greet/SKILL.md", "---\nname: greet\ndescription: Greets.\n---\nSay hello.\n");
    /// let catalog = Catalog::builder().files("tenant", [file]).load();
    /// assert_eq!(catalog.get("greet").expect("a skill").body()?, "Say hello.");
    /// # Ok::<(), skills_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn files<P: Into<String>, B: Into<Vec<u8>>>(
        self,
        name: impl Into<String>,
        files: impl IntoIterator<Item = (P, B)>,
    ) -> Self {
        let files = files.into_iter();
        let files = files.map(|(path, bytes)| (path.into(), bytes.into()));
        self.add(name, Origin::Files(files.collect()), false)
    }

    /// Gives the skills of the source, or of the plugins, that was added last only qualified ids, `source:name`: they take
    /// no bare name from another skill. A source that is not a plugin is then of another machine: no alias and no command
    /// of its own counts, and its skills cannot be started until a person trusts them.
    #[must_use]
    pub fn namespaced(mut self) -> Self {
        if let Some(last) = self.plans.last_mut() {
            last.namespaced = true;
            last.asks |= !matches!(last.origin, Origin::Plugins(_));
        }
        self
    }

    /// Sets the ids of the disabled skills: a name disables the skill in every source, `source:name` in one.
    ///
    /// ```
    /// use skills_runtime::Catalog;
    ///
    /// let builder = Catalog::builder().directory("user", "skills");
    /// let catalog = builder.disabled(["lint", "user:deploy"]).load();
    /// assert!(catalog.get("lint").is_none_or(|skill| !skill.is_enabled()));
    /// ```
    #[must_use]
    pub fn disabled<S: AsRef<str>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        self.disabled = Disabled::from_iter(ids);
        self
    }

    /// Disables every skill that is not part of the program, because the stored ids cannot be read. A skill that is part of
    /// the program is disabled by its id only. The notice of a skill that is disabled this way gives the reason, which
    /// names what cannot be read, and the next step. [`disabled`](Self::disabled) ends it.
    #[must_use]
    pub fn undecided(mut self, why: impl Into<String>) -> Self {
        self.disabled.unknown = Some(why.into());
        self
    }

    /// Sets what this host has, for [`metadata.openclaw.requires`](crate::catalog#state). A skill that needs more is
    /// listed with the reason, and cannot be started. Without facts, every skill counts as eligible.
    ///
    /// `os` is the system as [`std::env::consts::OS`] names it. A load asks once for each program and each environment
    /// variable that a skill needs.
    ///
    /// ```
    /// use skills_runtime::Catalog;
    ///
    /// let is_set = |name: &str| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
    /// let can_start = |_program: &str| false; // looks in `PATH`
    /// let builder = Catalog::builder().directory("user", "skills");
    /// let catalog = builder.facts(std::env::consts::OS, can_start, is_set).load();
    /// ```
    #[must_use]
    pub fn facts(
        mut self,
        os: impl Into<String>,
        has_program: impl Fn(&str) -> bool + Send + Sync + 'static,
        has_variable: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.host = Some(Host {
            os: os.into(),
            has_program: Arc::new(has_program),
            has_variable: Arc::new(has_variable),
        });
        self
    }

    /// Sets the person's home folder: the model is shown paths below it with `~`, in catalog texts, in descriptions
    /// of tools and in activations. A linked mention with such a path names the skill.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.places.home = Some(home.into());
        self
    }

    /// Shows the model paths in a folder for the skills of the source with this name: the folder that
    /// [`Bundle::extract`] wrote, or the folder where the model finds [`files`](Self::files). Other bundled skills have
    /// addresses, `skill://SOURCE/NAME`, which `read_skill_resource` reads.
    #[must_use]
    pub fn extracted(mut self, source: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        let extracted = (source.into(), folder.into());
        self.places.extracted.push(extracted);
        self
    }

    /// Sets how a folder's skill is read whose `SKILL.md` is not as the specification wants it. Without this, what can be
    /// recovered is read, and a missing name is taken from the folder.
    #[must_use]
    pub fn lenient(mut self, options: LenientOptions) -> Self {
        self.options.lenient = options;
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
    #[must_use]
    pub fn distrusted(mut self, record: &TrustRecord) -> Self {
        self.options
            .trusted
            .retain(|old| old.place() != record.place());
        self
    }

    /// Records the length and the time of every file. Then the first
    /// [`Catalog::reload`](crate::Catalog::reload) already reads only changed files, and reports changed
    /// bodies. With the feature `hot`, a debug build reads the folders of its bundles.
    ///
    /// # Cost
    ///
    /// One more system call for each skill.
    #[must_use]
    pub fn reloadable(mut self) -> Self {
        (self.options.stamps, self.options.reloadable) = (true, true);
        self
    }

    /// Attaches a value of another package, which [`Catalog::attached`](crate::Catalog::attached) returns. Each catalog makes
    /// it once, when it is first asked for, from a builder without sources that has the same disabled skills and the same
    /// home folder.
    #[must_use]
    pub fn attach<T: Any + Send + Sync>(
        mut self,
        make: impl Fn(Self) -> T + Send + Sync + 'static,
    ) -> Self {
        self.attached.push(Attached {
            id: TypeId::of::<T>(),
            make: Arc::new(move |builder| Box::new(make(builder))),
        });
        self
    }

    fn add(mut self, name: impl Into<String>, origin: Origin, asks: bool) -> Self {
        self.plans.push(Plan {
            name: name.into(),
            origin,
            asks,
            namespaced: false,
        });
        self
    }

    fn root(self, name: impl Into<String>, root: Root, asks: bool) -> Self {
        self.add(name, Origin::Roots(vec![root]), asks)
    }

    fn with_last_root(mut self, change: impl FnOnce(&mut Root)) -> Self {
        if let Some(Origin::Roots(roots)) = self.plans.last_mut().map(|plan| &mut plan.origin)
            && let Some(root) = roots.last_mut()
        {
            change(root);
        }
        self
    }

    /// Returns the plans of the sources: folders of one name, trust and kind of links are one source.
    pub(crate) fn sources_planned(&self) -> Vec<Cow<'_, Plan>> {
        let mut planned: Vec<Cow<'_, Plan>> = Vec::with_capacity(self.plans.len());
        for plan in &self.plans {
            let same = planned.iter_mut().find(|other| other.takes(plan));
            match (same, &plan.origin) {
                (Some(same), Origin::Roots(more)) => {
                    if let Origin::Roots(roots) = &mut same.to_mut().origin {
                        roots.extend(more.iter().cloned());
                    }
                }
                _ => planned.push(Cow::Borrowed(plan)),
            }
        }
        planned
    }
}

impl Plan {
    /// Returns whether the folders of another plan are of the same source.
    fn takes(&self, other: &Self) -> bool {
        let (Origin::Roots(roots), Origin::Roots(others)) = (&self.origin, &other.origin) else {
            return false;
        };
        (&self.name, self.asks, self.namespaced) == (&other.name, other.asks, other.namespaced)
            && roots[0].base.is_some() == others[0].base.is_some()
    }
}

impl Options {
    pub(crate) fn how(&self, namespaced: bool) -> How {
        How {
            lenient: self.lenient,
            namespaced,
        }
    }
}

#[cfg(test)]
mod tests;
