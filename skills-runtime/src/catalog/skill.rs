//! One skill, of a bundle, a folder or a server.

use crate::bundle::{Baked, Bundle};
use crate::catalog::Catalog;
use crate::catalog::index::Spot;
use crate::catalog::places::{Places, is_unwritable};
use crate::source::trust::{SkillTrust, SourceTrust};
use crate::source::{Content, SkillContent, Source, SourceKind};
use skills_format::mention::Id;
use skills_format::text::path::PathText as _;
use skills_format::{Fields, Requires, SKILL_FILE};
use skills_render::Folders;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// A skill of a catalog or of a bundle: a view that borrows, and is `Copy`.
///
/// A skill that a [`Bundle`] returns belongs to no catalog: it is enabled and trusted, its id is its name, and its source
/// is named `bundled`.
///
/// ```
/// use skills_runtime::{Bundle, Catalog, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).disabled(["deploy-safely"]).load();
/// for skill in catalog.iter().filter(|skill| skill.is_enabled()) {
///     println!("{}: {}", skill.id(), skill.description());
///     assert_eq!(skill.source(), "bundled");
/// }
/// let body = SKILLS.get("code-review").expect("a skill").body()?;
/// assert!(body.starts_with("Read the change"));
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Skill<'c> {
    /// `None`: the skill of a bundle that is in no catalog.
    pub(crate) catalog: Option<&'c Catalog>,
    /// The index of the source.
    pub(crate) source: usize,
    /// The index within the source.
    pub(crate) index: usize,
    pub(crate) content: SkillContent<'c>,
}

impl<'c> Skill<'c> {
    /// Returns the skill at a place of a catalog.
    pub(crate) fn of(catalog: &'c Catalog, spot: Spot) -> Self {
        Self {
            catalog: Some(catalog),
            source: spot.source,
            index: spot.skill,
            content: catalog.sources()[spot.source].skill(spot.skill),
        }
    }

    /// Returns a skill of a bundle that is in no catalog. The number is less than the bundle's length.
    pub(crate) const fn of_bundle(bundle: &'static Bundle, number: u32) -> Self {
        Self {
            catalog: None,
            source: 0,
            index: number as usize,
            content: SkillContent::Bundled(Baked::new(bundle, number)),
        }
    }

    /// Returns the catalog of the skill. `None`: the skill was taken from a [`Bundle`].
    pub fn catalog(&self) -> Option<&'c Catalog> {
        self.catalog
    }

    /// Returns the name. The name finds the skill unless another skill answers to it: see [`Skill::id`].
    pub const fn name(&self) -> &'c str {
        match self.content {
            SkillContent::Bundled(skill) => skill.name(),
            SkillContent::Folder(skill) => &skill.name,
        }
    }

    /// Returns the name of the skill's source, such as `bundled`, `user`, `project` or the name of a plugin. The name is
    /// unique in the catalog.
    pub fn source(&self) -> &'c str {
        &self.layer().name
    }

    pub(crate) fn layer(&self) -> &'c Source {
        static ALONE: LazyLock<Source> = LazyLock::new(|| Source {
            name: "bundled".to_owned(),
            kind: SourceKind::Bundle,
            rank: 0,
            trust: SourceTrust::Always,
            content: Content::Folders(Arc::default()),
            namespaced: false,
        });
        match self.catalog {
            // The index is valid: a skill is made only for a source of its catalog.
            Some(catalog) => &catalog.sources()[self.source],
            None => &ALONE,
        }
    }

    /// Returns the description: what the skill does and when to use it.
    pub fn description(&self) -> &'c str {
        match self.content {
            SkillContent::Bundled(skill) => skill.description(),
            SkillContent::Folder(skill) => &skill.description,
        }
    }

    /// Returns the typed fields of the front matter, beside name and description.
    pub fn fields(&self) -> &'c Fields {
        match self.content {
            SkillContent::Bundled(skill) => skill.fields(),
            SkillContent::Folder(skill) => skill.fields(),
        }
    }

    /// Returns the whole front matter as JSON, with the keys in the written order, and with the values of YAML 1.2's core
    /// schema: `1.50` is the number 1.5, `007` is 7. Dates are texts.
    ///
    /// # Cost
    ///
    /// Allocates one string. Reads no file.
    pub fn front_matter(&self) -> String {
        match self.content {
            SkillContent::Bundled(skill) => skill.front_matter(),
            SkillContent::Folder(skill) => skill.front_matter(),
        }
    }

    /// Returns the skill's folder on disk. Returns `None` if the skill is part of the program, or consists of files that
    /// the host handed over.
    pub fn folder(&self) -> Option<&'c Path> {
        match self.content {
            SkillContent::Folder(skill) if !skill.is_address() => Some(&skill.dir),
            _ => None,
        }
    }

    /// Returns the path of the skill's folder relative to the folder of the bundle, or to the root where a source found
    /// it: `release/deploy` for a skill below a folder `release`.
    pub fn dir(&self) -> Cow<'c, str> {
        match self.content {
            SkillContent::Bundled(skill) => skill.dir().into(),
            SkillContent::Folder(skill) => {
                let root = self.root_folder().map_or(Path::new(""), |root| &root.path);
                skill.dir.strip_prefix(root).unwrap_or(&skill.dir).shown()
            }
        }
    }

    /// Returns the name of the `SKILL.md`, which can differ in case.
    pub(crate) fn file_name(&self) -> &'c str {
        match self.content {
            SkillContent::Bundled(_) => SKILL_FILE,
            SkillContent::Folder(skill) => &skill.file_name,
        }
    }

    /// Returns the bundled skill. Returns `None` if the skill is not bundled.
    pub(crate) fn bundled(&self) -> Option<Baked> {
        match self.content {
            SkillContent::Bundled(skill) => Some(skill),
            SkillContent::Folder(_) => None,
        }
    }

    /// Returns whether the skill is part of the program as it was built.
    pub fn is_bundled(&self) -> bool {
        self.bundled().is_some()
    }

    /// Returns whether the skill is enabled. If it [is
    /// unknown](crate::CatalogBuilder::undecided) what is disabled, only bundled skills can be enabled.
    pub fn is_enabled(&self) -> bool {
        let Some(disabled) = self.catalog.map(Catalog::disabled) else {
            return true;
        };
        let is_known = disabled.unknown.is_none() || self.is_bundled();
        is_known && !disabled.has(self.source(), self.name())
    }

    /// Returns whether the skill may be started: the host trusts its source, or a person trusted this
    /// version of the skill.
    pub fn is_trusted(&self) -> bool {
        self.trust().is_trusted()
    }

    /// Returns whether a person trusted the skill, and it has changed since.
    pub(crate) fn has_changed(&self) -> bool {
        self.trust() == SkillTrust::Changed
    }

    /// Returns whether a person answers for the skill: it is part of the program, lies in a folder of the person, or was
    /// trusted by the digests of its files.
    pub(crate) fn is_of_person(&self) -> bool {
        match (self.layer().kind, self.trust()) {
            // Text that was read from the folder of a bundle is not the text that was built.
            (SourceKind::Bundle, _) => self.is_bundled(),
            (SourceKind::Folder | SourceKind::Plugin, SkillTrust::Trusted) => true,
            // A folder that no link may leave is a project's, also if the host trusts all projects.
            (SourceKind::Folder, SkillTrust::Always) => {
                self.root_folder().is_some_and(|root| root.base.is_none())
            }
            // A plugin, files that the host handed over, as those of a server, and what the host trusts as a whole: no
            // person has looked.
            _ => false,
        }
    }

    /// Returns the trust state of the skill.
    pub(crate) fn trust(&self) -> SkillTrust {
        self.layer().trust.of(self.index)
    }

    /// Returns the needs of the skill that the host does not meet, as text. Empty if the host gave no
    /// [facts](crate::CatalogBuilder::facts).
    pub fn missing(&self) -> Vec<String> {
        let requires = &self.fields().requires;
        match self.catalog.and_then(Catalog::facts) {
            Some(facts) if *requires != Requires::NONE => facts.missing(requires),
            _ => Vec::new(),
        }
    }

    /// Returns the place of the skill's `SKILL.md` for a model: a path, in which `~` is the home folder, or the address
    /// `skill://SOURCE/NAME/SKILL.md`. The name of the file can differ in case.
    pub fn place(&self) -> String {
        [&self.folder_place(), "/", self.file_name()].concat()
    }

    /// Returns the place of the skill's folder for a model.
    pub(crate) fn folder_place(&self) -> String {
        let places = self.places();
        if let Some(folder) = self.folder() {
            return places.path(folder);
        }
        if let Some((folder, name)) = self.extracted() {
            return places.path(&folder.join(name));
        }
        ["skill://", self.source(), "/", self.name()].concat()
    }

    /// Returns the folders that the variables of the skill's text stand for, as whole paths.
    pub(crate) fn folders(&self) -> Folders {
        // On one line: a folder's name can hold a line end. No `~`, which a shell does not expand between quotes.
        let written = |path: &Path| path.shown().replace(is_unwritable, "\u{fffd}");
        let root = self
            .root_folder()
            .filter(|_| self.layer().kind == SourceKind::Plugin);
        Folders {
            skill: match (self.folder(), self.extracted()) {
                (Some(folder), _) => written(folder),
                (None, Some((folder, name))) => written(&folder.join(name)),
                (None, None) => self.folder_place(),
            },
            plugin: root.and_then(|root| root.path.parent()).map(written),
        }
    }

    /// Returns the folder on disk of a bundle that was extracted, and the path of the skill in it.
    pub(crate) fn extracted(&self) -> Option<(&'c Path, &'static str)> {
        let skill = self.bundled()?;
        let places = self.catalog?.places();
        Some((places.folder_of(self.source())?, skill.name()))
    }

    fn places(&self) -> &'c Places {
        static DEFAULT: LazyLock<Places> = LazyLock::new(Places::default);
        self.catalog.map_or(&*DEFAULT, Catalog::places)
    }
}

impl PartialEq for Skill<'_> {
    fn eq(&self, other: &Self) -> bool {
        let is_same_place = self.source == other.source && self.index == other.index;
        is_same_place
            && match (self.catalog, other.catalog) {
                (Some(one), Some(other)) => std::ptr::eq(one.sources(), other.sources()),
                (None, None) => self.bundled() == other.bundled(),
                _ => false,
            }
    }
}

impl Eq for Skill<'_> {}

/// Writes `source:name`. This id finds the skill unless a nearer skill of its source has the name.
impl fmt::Display for Skill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Id::of(self.source(), self.name()).fmt(f)
    }
}

impl fmt::Debug for Skill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skill").field(&self.to_string()).finish()
    }
}

/// The skill in the form of a listing: ids, source, state and description.
#[cfg(feature = "serde")]
impl serde::Serialize for Skill<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut skill = serializer.serialize_struct("Skill", 10)?;
        skill.serialize_field("name", self.name())?;
        skill.serialize_field("id", &self.id())?;
        skill.serialize_field("source", self.source())?;
        skill.serialize_field("description", self.description())?;
        skill.serialize_field("path", &self.folder().map(|path| path.shown()))?;
        skill.serialize_field("enabled", &self.is_enabled())?;
        skill.serialize_field("trust", &self.trust())?;
        skill.serialize_field("user_invocable", &self.fields().user_invocable)?;
        skill.serialize_field("model_invocable", &!self.fields().disable_model_invocation)?;
        skill.serialize_field("missing", &self.missing())?;
        skill.end()
    }
}
