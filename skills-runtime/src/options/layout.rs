//! The folders that a host searches for skills, relative to bases that the host resolves.

use skills_format::{MissingName, Text};
use std::borrow::Cow;
use std::path::Path;
use std::path::PathBuf;

/// The folders that a host searches for skills, the highest rank first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Layout {
    /// The folders, the highest rank first. Folders of one source stand next to each other, the nearest
    /// first.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub places: Cow<'static, [Place]>,
    /// The default for bundled skills, whose rank is below that of every folder.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub bundled: Bundled,
    /// The source of a skill's name if the front matter has no name.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub missing_name: MissingName,
    /// The folder of scheduled skills, which are not part of the catalog.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub scheduled: Place,
    /// The form in which a host reports faulty skill files.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub faults: Faults,
}

/// The form in which a host reports faulty skill files to a person who did not ask for a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Faults {
    /// One line with the number of faulty files.
    #[default]
    Counted,
    /// One line for each faulty file.
    Each,
}

/// The default for bundled skills in a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Bundled {
    /// Bundled skills are part of the catalog, unless a person excludes them.
    Included,
    /// Bundled skills are part of the catalog only if a person asks for them.
    WhenAsked,
}

/// One folder of a layout, relative to a base.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// The base of the path.
    pub base: Base,
    /// The path from the base, with `/`.
    pub path: Text,
    /// The kind of the folder's content.
    pub kind: PlaceKind,
    /// Names of folders directly below this folder that are not read.
    pub skip: Cow<'static, [Text]>,
    /// The skills of the folder that count as installed.
    pub installed: InstalledSkills,
}

/// The skills of a folder that count as installed, so that a menu can uninstall them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum InstalledSkills {
    /// The skills that the host recorded when it installed them.
    #[default]
    Recorded,
    /// All skills, including skills that a person copied into the folder.
    All,
}

/// The kind of content of a layout's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum PlaceKind {
    /// Skills of the source with this name.
    Skills(Text),
    /// Skills of the source with this name that cannot be started until a person trusts them.
    Untrusted(Text),
    /// Plugins, each with its skills in `skills`.
    Plugins,
}

/// The base of a path of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Base {
    /// The working folder and every folder above it, up to the root of the repository.
    Project,
    /// The root of the repository, or the working folder outside of a repository.
    Root,
    /// The person's home folder.
    Home,
    /// The folder of the person's settings: `~/.config`, `~/Library/Application Support`,
    /// `%APPDATA%`.
    Config,
    /// The folder of the person's data: `~/.local/share`, `~/Library/Application Support`,
    /// `%APPDATA%`.
    Data,
}

/// The folders of each [`Base`] on this machine. A base that the host does not know has no folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bases {
    /// The working folder, then the folders above it up to the root of the repository.
    pub project: Vec<PathBuf>,
    /// See [`Base::Home`].
    pub home: Option<PathBuf>,
    /// See [`Base::Config`].
    pub config: Option<PathBuf>,
    /// See [`Base::Data`].
    pub data: Option<PathBuf>,
}

impl Layout {
    /// The default layout: `.agents/skills` in the project, which is untrusted, and in the home folder;
    /// `~/.agents/plugins`; the bundled skills.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub const DEFAULT: Self = Self::new(DEFAULT, Bundled::Included);

    /// Makes a layout of these folders. Scheduled skills are in `skills/scheduler` below the folder of
    /// settings.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub const fn new(places: &'static [Place], bundled: Bundled) -> Self {
        Self {
            places: Cow::Borrowed(places),
            bundled,
            missing_name: MissingName::Folder,
            scheduled: Place::skills(SCHEDULER, Base::Config, "skills/scheduler"),
            faults: Faults::Counted,
        }
    }

    /// Reports each faulty file on a line of its own: see [`Faults::Each`].
    #[cfg(feature = "profiles")]
    pub(crate) const fn reporting_each_fault(mut self) -> Self {
        self.faults = Faults::Each;
        self
    }

    /// Takes a missing name from the first heading of a skill's body: see [`MissingName::Heading`].
    #[cfg(feature = "profiles")]
    pub(crate) const fn named_by_heading(mut self) -> Self {
        self.missing_name = MissingName::Heading;
        self
    }

    /// Makes a layout for one client, the highest rank first:
    ///
    /// 1. of the project, untrusted: `.<client>/skills`, then `.agents/skills`;
    /// 2. of the person: `<client>/skills` of the settings, then `~/.agents/skills`;
    /// 3. the plugins in `<client>/plugins` of the data;
    /// 4. the bundled skills.
    ///
    /// Scheduled skills are in `<client>/skills/scheduler` of the settings.
    pub fn for_client(client: &str) -> Self {
        let own = |place: Place, path: String| Place {
            path: path.into(),
            ..place
        };
        let project = Place::untrusted("project", Base::Project, "");
        let user = Place::skills("user", Base::Config, "").without(vec![SCHEDULER.into()]);
        let scheduled = Place::skills(SCHEDULER, Base::Config, "");
        let plugins = Place::plugins(Base::Data, "");
        Self {
            places: Cow::Owned(vec![
                own(project, format!(".{client}/skills")),
                Place::untrusted("project", Base::Project, ".agents/skills"),
                own(user, format!("{client}/skills")),
                Place::skills("user", Base::Home, ".agents/skills"),
                own(plugins, format!("{client}/plugins")),
            ]),
            bundled: Bundled::Included,
            missing_name: MissingName::Folder,
            scheduled: own(scheduled, format!("{client}/skills/scheduler")),
            faults: Faults::Counted,
        }
    }
}

/// The source and the folder of scheduled skills.
const SCHEDULER: &str = "scheduler";

const DEFAULT: &[Place] = &[
    Place::untrusted("project", Base::Project, ".agents/skills"),
    Place::skills("user", Base::Home, ".agents/skills"),
    Place::plugins(Base::Home, ".agents/plugins"),
];

impl Default for Layout {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Place {
    /// Makes a folder of skills.
    pub const fn skills(source: &'static str, base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Skills(Cow::Borrowed(source)), base, path)
    }

    /// Makes a folder of skills that cannot be started until a person trusts them.
    pub const fn untrusted(source: &'static str, base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Untrusted(Cow::Borrowed(source)), base, path)
    }

    /// Makes a folder of plugins.
    pub const fn plugins(base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Plugins, base, path)
    }

    const fn new(kind: PlaceKind, base: Base, path: &'static str) -> Self {
        Self {
            base,
            path: Cow::Borrowed(path),
            kind,
            skip: Cow::Borrowed(&[]),
            installed: InstalledSkills::Recorded,
        }
    }

    /// Counts all skills of the folder as installed: see [`InstalledSkills::All`].
    #[must_use]
    pub const fn of_installed(mut self) -> Self {
        self.installed = InstalledSkills::All;
        self
    }

    /// Returns the path on this machine, below the nearest folder of the base. Returns `None` if the
    /// host does not know the base.
    pub fn folder(&self, bases: &Bases) -> Option<PathBuf> {
        let base = self.base.folders(bases).next()?;
        Some(self.in_base(base))
    }

    /// Skips folders with these names directly below this folder.
    #[must_use]
    pub fn without(mut self, skip: impl Into<Cow<'static, [Text]>>) -> Self {
        self.skip = skip.into();
        self
    }
}

impl Layout {
    /// Returns the folders of the person, on this machine. Their skills need no trust.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn folders_of_person(&self, bases: &Bases) -> Vec<PathBuf> {
        let places = self.places.iter();
        let of_person = places.filter(|place| !place.base.is_project());
        of_person
            .flat_map(|place| place.base.folders(bases).map(|base| place.in_base(base)))
            .collect()
    }
}

impl Place {
    /// Returns the path of this place below one folder of its base.
    pub(crate) fn in_base(&self, base: &Path) -> PathBuf {
        let mut path = base.to_owned();
        path.extend(self.path.split('/').filter(|part| !part.is_empty()));
        path
    }
}

impl Base {
    /// Returns whether folders of this base belong to the project and not to the person.
    pub(crate) fn is_project(self) -> bool {
        matches!(self, Self::Project | Self::Root)
    }

    /// Returns the folders of the base on this machine, the nearest first.
    pub(crate) fn folders(self, bases: &Bases) -> impl Iterator<Item = &Path> {
        let (several, one) = match self {
            Self::Project => (bases.project.as_slice(), None),
            Self::Root => (&[][..], bases.project.last()),
            Self::Home => (&[][..], bases.home.as_ref()),
            Self::Config => (&[][..], bases.config.as_ref()),
            Self::Data => (&[][..], bases.data.as_ref()),
        };
        several.iter().chain(one).map(PathBuf::as_path)
    }
}
