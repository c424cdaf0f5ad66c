//! One skill of the catalog, whichever source it is from.

use crate::bundle::SkillRef;
use crate::catalog::Catalog;
use crate::catalog::merge::Spot;
use crate::source::folder::FolderSkill;
use crate::source::{Content, FolderTrust, Source, SourceKind};
use crate::turn::resolution::Plugins;
use skills_format::{Fields, Requires};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// A skill of a catalog: a view, `Copy`, that borrows from it.
#[derive(Clone, Copy)]
pub struct Entry<'c> {
    pub(crate) catalog: &'c Catalog,
    /// Index of the source.
    pub(crate) source: usize,
    /// Index within the source.
    pub(crate) skill: usize,
    pub(crate) content: EntryContent<'c>,
}

#[derive(Clone, Copy)]
pub(crate) enum EntryContent<'c> {
    Bundled(SkillRef),
    Folder(&'c FolderSkill),
}

/// Where a skill's files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location<'c> {
    /// In the program.
    Bundled,
    /// In this folder.
    Folder(&'c Path),
}

impl<'c> Entry<'c> {
    pub(crate) fn of(catalog: &'c Catalog, spot: Spot) -> Option<Self> {
        let content = match &catalog.sources().get(spot.source)?.content {
            Content::Bundle(bundle) => EntryContent::Bundled(bundle.at(spot.skill)?),
            Content::Folders(folders) => EntryContent::Folder(folders.skills.get(spot.skill)?),
        };
        Some(Self {
            catalog,
            source: spot.source,
            skill: spot.skill,
            content,
        })
    }

    pub(crate) fn bundled_in(catalog: &'c Catalog, source: usize, skill: SkillRef) -> Self {
        Self {
            catalog,
            source,
            skill: skill.index(),
            content: EntryContent::Bundled(skill),
        }
    }

    /// What it answers to, where nothing shadows it.
    pub fn name(&self) -> &'c str {
        match self.content {
            EntryContent::Bundled(skill) => skill.name(),
            EntryContent::Folder(skill) => &skill.name,
        }
    }

    /// Where it comes from.
    pub fn source(&self) -> &'c Source {
        &self.catalog.sources()[self.source]
    }

    /// `source:name`: finds this skill whatever else has the name, but for a nearer one of the same
    /// source.
    pub fn qualified_id(&self) -> String {
        format!("{}:{}", self.source().name(), self.name())
    }

    /// The name; the qualified id when the bare name would find another skill or more than one; the
    /// path of its `SKILL.md` when a nearer skill of its source has the name.
    pub fn id(&self) -> Cow<'c, str> {
        let answers = match self.catalog.get(self.name()) {
            Some(entry) => entry == *self && (self.is_enabled() || !self.has_twin()),
            // The bare name leads to a skill that is not trusted where no other has it.
            None => !self.is_trusted() && self.catalog.named(self.name()).next() == Some(*self),
        };
        if answers {
            self.name().into()
        } else {
            self.id_in_source().into()
        }
    }

    /// Whether another source of the same rank has the name: of twins that are all off the name
    /// leads to the first, and means no one of them.
    fn has_twin(&self) -> bool {
        let (source, rank) = (self.source, self.source().rank());
        let is_twin = |other: Entry<'_>| {
            other.source != source && other.source().rank() == rank && other.is_trusted()
        };
        self.is_trusted() && self.catalog.named(self.name()).any(is_twin)
    }

    /// [`Entry::id`] under a profile: where plugins are namespaces, their skills have qualified ids
    /// only, and take no name from another.
    pub fn id_under(&self, plugins: Plugins) -> Cow<'c, str> {
        if plugins == Plugins::Merged {
            return self.id();
        }
        let mut named = self.catalog.named(self.name());
        if named.find(|other| other.answers_to_bare_names(plugins)) == Some(*self) {
            self.name().into()
        } else {
            self.id_in_source().into()
        }
    }

    pub(crate) fn answers_to_bare_names(&self, plugins: Plugins) -> bool {
        plugins == Plugins::Merged || self.source().kind() != SourceKind::Plugin
    }

    /// The qualified id where it finds this skill, else the path of its `SKILL.md`.
    pub(crate) fn id_in_source(&self) -> String {
        if let EntryContent::Folder(skill) = self.content
            && self.catalog.in_source(self.source().name(), self.name()) != Some(*self)
        {
            return skill
                .dir
                .join(&*skill.file_name)
                .to_string_lossy()
                .into_owned();
        }
        self.qualified_id()
    }

    /// What it does and when to use it.
    pub fn description(&self) -> &'c str {
        match self.content {
            EntryContent::Bundled(skill) => skill.description(),
            EntryContent::Folder(skill) => &skill.description,
        }
    }

    /// What its front matter says beyond name and description, typed.
    pub fn fields(&self) -> &'c Fields {
        match self.content {
            EntryContent::Bundled(skill) => skill.fields(),
            EntryContent::Folder(skill) => skill.fields(),
        }
    }

    /// The whole front matter as JSON.
    pub fn front_matter(&self) -> Cow<'c, str> {
        match self.content {
            EntryContent::Bundled(skill) => skill.front_matter().into(),
            EntryContent::Folder(skill) => skill.front_matter(),
        }
    }

    /// Where its files are.
    pub fn location(&self) -> Location<'c> {
        match self.content {
            EntryContent::Bundled(_) => Location::Bundled,
            EntryContent::Folder(skill) => Location::Folder(&skill.dir),
        }
    }

    /// The name of its `SKILL.md` in its folder, which can be in another case. `None`: it is bundled.
    pub fn file_name(&self) -> Option<&'c str> {
        match self.content {
            EntryContent::Bundled(_) => None,
            EntryContent::Folder(skill) => Some(&skill.file_name),
        }
    }

    /// The bundled skill behind it, where it is one.
    pub fn bundled(&self) -> Option<SkillRef> {
        match self.content {
            EntryContent::Bundled(skill) => Some(skill),
            EntryContent::Folder(_) => None,
        }
    }

    /// Whether it is switched on.
    pub fn is_enabled(&self) -> bool {
        self.catalog
            .state()
            .is_enabled(self.source().name(), self.name())
    }

    /// Whether its source is trusted.
    pub fn is_trusted(&self) -> bool {
        self.source().is_trusted()
    }

    /// The folder of its source that it was found in. `None`: it is bundled.
    pub fn root(&self) -> Option<&'c Path> {
        match self.content {
            EntryContent::Bundled(_) => None,
            EntryContent::Folder(skill) => self.source().roots().nth(skill.root),
        }
    }

    /// On whose word that folder's skills are started, or why they are not. Where it says that they
    /// are, another folder of the source can still wait for a person's word: see
    /// [`Entry::is_trusted`].
    pub fn trust(&self) -> FolderTrust {
        match self.content {
            EntryContent::Bundled(_) => FolderTrust::Always,
            EntryContent::Folder(skill) => self.source().trust_in(skill.root),
        }
    }

    /// What it needs and the host lacks, in words. Empty where the host has not said what it offers.
    pub fn missing(&self) -> Vec<String> {
        let facts = self.catalog.facts();
        facts.map_or_else(Vec::new, |facts| facts.missing(&self.fields().requires))
    }

    /// Whether the host has all that it needs.
    pub fn is_eligible(&self) -> bool {
        self.fields().requires == Requires::NONE || self.missing().is_empty()
    }

    /// Whether no folder's skill may shadow it.
    pub fn is_sealed(&self) -> bool {
        self.bundled().is_some_and(SkillRef::sealed)
    }

    /// Whether a person may start it.
    pub fn is_user_invocable(&self) -> bool {
        self.fields().user_invocable
    }

    /// Whether the model may start it.
    pub fn is_model_invocable(&self) -> bool {
        !self.fields().disable_model_invocation
    }

    /// The skill that answers to the name in its place: a nearer one of its source, one of a higher
    /// rank, or a sealed one.
    pub fn shadowed_by(&self) -> Option<Entry<'c>> {
        self.shadowed_under(Plugins::Merged)
    }

    /// [`Entry::shadowed_by`] under a profile: where plugins are namespaces, a plugin's skill is
    /// shadowed by a nearer one of the plugin only, and shadows none outside of it.
    pub fn shadowed_under(&self, plugins: Plugins) -> Option<Entry<'c>> {
        let bare = self.answers_to_bare_names(plugins);
        let before = self.catalog.named(self.name()).take_while(|e| e != self);
        let mut before = before.filter(|other| {
            let above = other.source().rank() < self.source().rank() || other.is_sealed();
            other.source == self.source || above && bare && other.answers_to_bare_names(plugins)
        });
        before.next()
    }
}

impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.skill == other.skill
            && std::ptr::eq(self.catalog.sources(), other.catalog.sources())
    }
}

impl Eq for Entry<'_> {}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.qualified_id()).finish()
    }
}
