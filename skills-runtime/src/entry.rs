//! One skill of the catalog, whichever source it is from.

use crate::bundle::SkillRef;
use crate::catalog::Catalog;
use crate::folder::FolderSkill;
use crate::source::{Content, Source};
use skills_format::Fields;
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
    pub(crate) fn of(catalog: &'c Catalog, source: usize, skill: usize) -> Option<Self> {
        let content = match &catalog.sources().get(source)?.content {
            Content::Bundle(bundle) => EntryContent::Bundled(bundle.iter().nth(skill)?),
            Content::Folders(skills) => EntryContent::Folder(skills.get(skill)?),
        };
        Some(Self {
            catalog,
            source,
            skill,
            content,
        })
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

    /// `source:name`: finds this skill whatever else has the name.
    pub fn qualified_id(&self) -> String {
        format!("{}:{}", self.source().name(), self.name())
    }

    /// The name; the qualified id when the bare name would find another skill or more than one.
    pub fn id(&self) -> Cow<'c, str> {
        if self.catalog.get(self.name()) == Some(*self) {
            self.name().into()
        } else {
            self.qualified_id().into()
        }
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
            EntryContent::Folder(skill) => &skill.fields,
        }
    }

    /// The whole front matter as JSON.
    pub fn front_matter(&self) -> Cow<'c, str> {
        match self.content {
            EntryContent::Bundled(skill) => skill.front_matter().into(),
            EntryContent::Folder(skill) => skill.front_matter.as_str().into(),
        }
    }

    /// Where its files are.
    pub fn location(&self) -> Location<'c> {
        match self.content {
            EntryContent::Bundled(_) => Location::Bundled,
            EntryContent::Folder(skill) => Location::Folder(skill.dir()),
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

    /// The skill that answers to the name in its place.
    pub fn shadowed_by(&self) -> Option<Entry<'c>> {
        let mut same = self.catalog.named(self.name());
        let first = same.next()?;
        (first != *self
            && (first.source().rank() < self.source().rank()
                || first.source == self.source
                || first.is_sealed()))
        .then_some(first)
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
