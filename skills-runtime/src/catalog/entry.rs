//! One skill of the catalog, from any source.

use crate::bundle::SkillRef;
use crate::catalog::Catalog;
use crate::catalog::index::Spot;
use crate::catalog::places::{BundledPlace, Places};
use crate::source::trust::SkillTrust;
use crate::source::{SkillContent, Source};
use skills_format::{Fields, Requires};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// A skill of a catalog: a view that borrows from the catalog and is `Copy`.
///
/// ```
/// use skills_runtime::catalog::Disabled;
/// use skills_runtime::{Bundle, Catalog, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let disabled = Disabled::from_iter(["deploy-safely"]);
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).disabled(disabled).load();
/// for entry in catalog.iter().filter(|entry| entry.is_enabled()) {
///     println!("{}: {}", entry.id(), entry.description());
///     assert_eq!(entry.source().name(), "bundled");
/// }
/// let body = catalog.get("code-review").expect("a skill").body()?;
/// assert!(body.starts_with("Read the change"));
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Skill<'c> {
    pub(crate) catalog: &'c Catalog,
    /// The index of the source.
    pub(crate) source: usize,
    /// The index within the source.
    pub(crate) index: usize,
    pub(crate) content: SkillContent<'c>,
}

/// The location of a skill's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location<'c> {
    /// The program itself.
    Bundled,
    /// This folder.
    Folder(&'c Path),
    /// Files that the host handed over, without a folder.
    Files,
}

impl<'c> Skill<'c> {
    /// Returns the skill at a place of a catalog.
    pub fn of(catalog: &'c Catalog, spot: Spot) -> Option<Self> {
        Some(Self {
            catalog,
            source: spot.source,
            index: spot.skill,
            content: catalog.sources().get(spot.source)?.skill(spot.skill)?,
        })
    }

    /// Returns the catalog of the skill.
    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// Returns the place of the skill in its catalog.
    pub fn spot(&self) -> Spot {
        Spot {
            source: self.source,
            skill: self.index,
        }
    }

    pub(crate) fn bundled_in(catalog: &'c Catalog, source: usize, skill: SkillRef) -> Self {
        Self {
            catalog,
            source,
            index: skill.index(),
            content: SkillContent::Bundled(skill),
        }
    }

    /// Returns the name. The name finds the skill unless another skill answers to it: see [`Skill::id`].
    pub fn name(&self) -> &'c str {
        self.content.name()
    }

    /// Returns the source of the skill.
    pub fn source(&self) -> &'c Source {
        // The index is valid: an entry is made only for a source of its catalog.
        &self.catalog.sources()[self.source]
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

    /// Returns the whole front matter as JSON, with the keys in the written order. Numbers and dates are
    /// strings with the written text.
    ///
    /// # Cost
    ///
    /// Allocates one string. Reads no file.
    pub fn front_matter(&self) -> Cow<'c, str> {
        match self.content {
            SkillContent::Bundled(skill) => skill.front_matter().into(),
            SkillContent::Folder(skill) => skill.front_matter().into(),
        }
    }

    /// Returns the whole front matter as JSON, with the values of YAML 1.2's core schema: `1.50` is the
    /// number 1.5, `007` is 7. Dates are texts.
    ///
    /// # Cost
    ///
    /// The cost of [`Skill::front_matter`].
    pub fn front_matter_values(&self) -> Cow<'c, str> {
        match self.content {
            SkillContent::Bundled(skill) => skill.front_matter_values().into(),
            SkillContent::Folder(skill) => skill.front_matter_values().into(),
        }
    }

    /// Returns the skill's folder on disk. Returns `None` if the skill is in no folder.
    pub fn folder(&self) -> Option<&'c Path> {
        match self.location() {
            Location::Folder(folder) => Some(folder),
            Location::Bundled | Location::Files => None,
        }
    }

    /// Returns the location of the skill's files.
    pub fn location(&self) -> Location<'c> {
        match self.content {
            SkillContent::Bundled(_) => Location::Bundled,
            SkillContent::Folder(skill) if skill.is_address() => Location::Files,
            SkillContent::Folder(skill) => Location::Folder(&skill.dir),
        }
    }

    /// Returns the name of the `SKILL.md`, which can differ in case. Returns `None` if the skill is
    /// bundled.
    pub fn file_name(&self) -> Option<&'c str> {
        match self.content {
            SkillContent::Bundled(_) => None,
            SkillContent::Folder(skill) => Some(&skill.file_name),
        }
    }

    /// Returns the bundled skill. Returns `None` if the skill is not bundled.
    pub fn bundled(&self) -> Option<SkillRef> {
        match self.content {
            SkillContent::Bundled(skill) => Some(skill),
            SkillContent::Folder(_) => None,
        }
    }

    /// Returns whether the skill is part of the program as it was built.
    pub fn is_built_in(&self) -> bool {
        self.bundled().is_some()
    }

    /// Returns whether the skill is enabled. If it [is
    /// unknown](crate::catalog::Disabled::unknown) what is disabled, only bundled skills can be enabled.
    pub fn is_enabled(&self) -> bool {
        let disabled = self.catalog.disabled();
        let is_known = disabled.unknown.is_none() || self.is_built_in();
        is_known && !disabled.has(self.source().name(), self.name())
    }

    /// Returns whether the skill may be started: the host trusts its source, or a person trusted this
    /// version of the skill.
    pub fn is_trusted(&self) -> bool {
        self.trust().is_trusted()
    }

    /// Returns whether a person trusted the skill, and it has changed since.
    pub fn has_changed(&self) -> bool {
        self.trust() == SkillTrust::Changed
    }

    /// Returns the root below which the skill was found. Returns `None` if the skill is not in a folder.
    pub fn root(&self) -> Option<&'c Path> {
        match self.content {
            SkillContent::Bundled(_) => None,
            SkillContent::Folder(skill) => self.source().roots().nth(skill.root),
        }
    }

    /// Returns the trust state of the skill.
    pub fn trust(&self) -> SkillTrust {
        self.source().trust.of(self.index)
    }

    /// Returns the needs of the skill that the host does not meet, as text. Empty if the host has no
    /// [`Facts`](crate::catalog::Facts).
    pub fn missing(&self) -> Vec<String> {
        let facts = self.catalog.loader().facts.as_ref();
        facts.map_or_else(Vec::new, |facts| facts.missing(&self.fields().requires))
    }

    /// Returns whether the host meets all needs of the skill.
    pub fn is_eligible(&self) -> bool {
        self.fields().requires == Requires::NONE || self.missing().is_empty()
    }

    /// Returns whether the skill is sealed: no skill of a folder may shadow it.
    pub fn is_sealed(&self) -> bool {
        self.bundled().is_some_and(SkillRef::sealed)
    }

    /// Returns whether a person may start the skill.
    pub fn is_user_invocable(&self) -> bool {
        self.fields().user_invocable
    }

    /// Returns whether the model may start the skill: no spelling of [`Fields::closed_by`] closes it to the model. The
    /// spellings are those of the specification's readers, of Codex (`agents/openai.yaml`) and of `OpenCode`.
    ///
    /// [`Fields::closed_by`]: crate::bundle::Fields::closed_by
    pub fn is_model_invocable(&self) -> bool {
        !self.fields().disable_model_invocation
    }
}

impl Places {
    /// Returns the folder on disk of a bundle that was extracted, and the path of a skill in it.
    pub fn extracted<'p>(&'p self, entry: &Skill<'_>) -> Option<(&'p Path, &'static str)> {
        let skill = entry.bundled()?;
        Some((self.folder_of(entry.source().name())?, skill.name()))
    }

    /// Returns the folder that stands for a source without one.
    pub(crate) fn folder_of(&self, source: &str) -> Option<&Path> {
        let (_, folder) = self.extracted.iter().find(|(name, _)| name == source)?;
        Some(folder)
    }

    /// Returns the place of the skill's folder: a path, or `skill://SOURCE/NAME`. Returns `None` for a
    /// bundled skill that was not extracted, if [`bundled`](Self::bundled) is [`BundledPlace::Nowhere`].
    pub fn directory(&self, entry: &Skill<'_>) -> Option<String> {
        if let Location::Folder(folder) = entry.location() {
            return Some(self.path(folder));
        }
        if let Some((folder, dir)) = self.extracted(entry) {
            return Some(self.path(&folder.join(dir)));
        }
        if entry.location() == Location::Bundled && self.bundled == BundledPlace::Nowhere {
            return None;
        }
        Some(["skill://", entry.source().name(), "/", entry.name()].concat())
    }

    /// Returns the place of the skill's `SKILL.md`: the place of its folder and the file name.
    pub fn file(&self, entry: &Skill<'_>) -> Option<String> {
        let mut place = self.directory(entry)?;
        place.push('/');
        place.push_str(entry.file_name().unwrap_or("SKILL.md"));
        Some(place)
    }
}

impl PartialEq for Skill<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.index == other.index
            && std::ptr::eq(self.catalog.sources(), other.catalog.sources())
    }
}

impl Eq for Skill<'_> {}

impl fmt::Debug for Skill<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skill").field(&self.qualified_id()).finish()
    }
}

/// The skill in the form of a listing: ids, source, state and description.
#[cfg(feature = "serde")]
impl serde::Serialize for Skill<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        use skills_format::text::path::PathText as _;
        let mut entry = serializer.serialize_struct("Skill", 10)?;
        entry.serialize_field("name", self.name())?;
        entry.serialize_field("id", &self.id())?;
        entry.serialize_field("source", self.source().name())?;
        entry.serialize_field("description", self.description())?;
        let path = match self.location() {
            Location::Folder(path) => Some(path.shown()),
            Location::Bundled | Location::Files => None,
        };
        entry.serialize_field("path", &path)?;
        entry.serialize_field("enabled", &self.is_enabled())?;
        entry.serialize_field("trust", &self.trust())?;
        entry.serialize_field("user_invocable", &self.is_user_invocable())?;
        entry.serialize_field("model_invocable", &self.is_model_invocable())?;
        entry.serialize_field("missing", &self.missing())?;
        entry.end()
    }
}
