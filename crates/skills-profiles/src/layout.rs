//! The folders that a host searches for skills, relative to bases that the host resolves.

use serde::Serialize;
use skills_format::{LenientOptions, MissingName};
use skills_runtime::CatalogBuilder;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The folders that a host searches for skills, the highest rank first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// The folders, the highest rank first. Folders of one source stand next to each other, the nearest
    /// first.
    pub places: Vec<Place>,
    /// `true` if bundled skills, whose rank is below that of every folder, are part of the catalog unless a person
    /// excludes them. `false`: only if a person asks for them.
    pub bundled: bool,
    /// `true` if the first heading of a skill's body is its name if the front matter has none. `false`: its folder's name.
    pub named_by_heading: bool,
    /// The folder of scheduled skills, which are not part of the catalog.
    pub scheduled: Place,
    /// `true` if a malformed file, or a file without a name or a description, is skipped, and a host reports each faulty file
    /// on a line. `false`: what can be recovered is read, and the faulty files are counted on one line.
    pub strict: bool,
}

/// One folder of a layout, relative to a base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The base of the path.
    pub base: Base,
    /// The path from the base, with `/`.
    pub path: Cow<'static, str>,
    /// The kind of the folder's content.
    pub kind: PlaceKind,
    /// Names of folders directly below this folder that are not read.
    pub skip: &'static [&'static str],
    /// `true` if all skills of the folder count as installed, so that a menu can uninstall them. `false`: those that the
    /// host recorded when it installed them.
    pub all_installed: bool,
}

/// The kind of content of a layout's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceKind {
    /// Skills of the source with this name.
    Skills(Cow<'static, str>),
    /// Skills of the source with this name that cannot be started until a person trusts them.
    Untrusted(Cow<'static, str>),
    /// Plugins, each with its skills in `skills`.
    Plugins,
}

/// The ids that a plugin's skills answer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plugins {
    /// Bare names and qualified ids, like the skills of every other source.
    #[default]
    Merged,
    /// Only qualified ids, `plugin:name`. A plugin's skill takes no bare name from another skill.
    Namespaces,
}

/// The base of a path of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
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

impl Bases {
    /// Asks the system for the folders of this process: the working folder, and those of the person.
    pub fn of_process() -> Self {
        let variable = |name: &str| {
            let folder = std::env::var_os(name).map(PathBuf::from);
            folder.filter(|folder| folder.is_absolute())
        };
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let below = |path: &str| Some(home.as_ref()?.join(path));
        let (config, data) = match std::env::consts::OS {
            "windows" => (variable("APPDATA"), variable("APPDATA")),
            "macos" => (
                below("Library/Application Support"),
                below("Library/Application Support"),
            ),
            _ => (
                variable("XDG_CONFIG_HOME").or_else(|| below(".config")),
                variable("XDG_DATA_HOME").or_else(|| below(".local/share")),
            ),
        };
        Self {
            project: std::env::current_dir()
                .map_or_else(|_| Vec::new(), |folder| Self::project_of(&folder)),
            home,
            config,
            data,
        }
    }

    /// Returns a working folder and the folders above it up to the root of its repository. Outside of a repository the
    /// project is the working folder alone.
    pub fn project_of(working_folder: &Path) -> Vec<PathBuf> {
        let mut folders = working_folder.ancestors();
        let root = folders.find(|folder| folder.join(".git").exists());
        let root = root.unwrap_or(working_folder);
        let inside = working_folder.ancestors();
        let inside = inside.take_while(|folder| folder.starts_with(root));
        inside.map(ToOwned::to_owned).collect()
    }
}

impl Layout {
    /// Makes a layout of these folders. Scheduled skills are in `skills/scheduler` below the folder of
    /// settings.
    pub fn new(places: &[Place]) -> Self {
        Self {
            places: places.to_vec(),
            bundled: true,
            named_by_heading: false,
            scheduled: Place::skills(SCHEDULER, Base::Config, "skills/scheduler"),
            strict: false,
        }
    }
}

/// The source and the folder of scheduled skills.
const SCHEDULER: &str = "scheduler";

/// `.agents/skills` in the project, which is untrusted, and in the home folder; `~/.agents/plugins`; the bundled skills.
impl Default for Layout {
    fn default() -> Self {
        Self::new(&[
            Place::untrusted("project", Base::Project, ".agents/skills"),
            Place::skills("user", Base::Home, ".agents/skills"),
            Place::plugins(Base::Home, ".agents/plugins"),
        ])
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
            skip: &[],
            all_installed: false,
        }
    }

    /// Returns the path on this machine, below the nearest folder of the base. Returns `None` if the
    /// host does not know the base.
    pub fn folder(&self, bases: &Bases) -> Option<PathBuf> {
        let base = self.base.folders(bases).next()?;
        Some(self.in_base(base))
    }

    /// Skips folders with these names directly below this folder.
    #[must_use]
    pub fn without(mut self, skip: &'static [&'static str]) -> Self {
        self.skip = skip;
        self
    }
}

impl Layout {
    /// Returns the folders of the person, on this machine. Their skills need no trust.
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

impl Layout {
    /// Adds the folders of the layout to a catalog, ranked below all sources that were added before. Two kinds of folders
    /// are left out: folders of a base that the host does not know, and folders of the project that are also folders of
    /// the person.
    #[must_use]
    pub fn add_to(
        &self,
        builder: CatalogBuilder,
        bases: &Bases,
        plugins: Plugins,
    ) -> CatalogBuilder {
        let mut builder = match &bases.home {
            Some(home) => builder.home(home),
            None => builder,
        };
        builder = builder.lenient(LenientOptions {
            missing_name: if self.named_by_heading {
                MissingName::Heading
            } else {
                MissingName::Folder
            },
            skips_malformed: self.strict,
        });
        if let Some(folder) = self.scheduled.folder(bases) {
            builder = skills_session::scheduled::with_folder(builder, folder);
        }
        let same_source = |a: &Place, b: &Place| a.base == b.base && a.kind == b.kind;
        let personal = self.folders_of_person(bases);
        for group in self.places.chunk_by(same_source) {
            for base in group[0].base.folders(bases) {
                for place in group {
                    let path = place.in_base(base);
                    // If the project is the home folder, `.agents/skills` is both: as a folder of the
                    // project, the person's own skills would need trust.
                    if !(place.base.is_project() && personal.contains(&path)) {
                        builder = place.add_to(builder, base, path, plugins);
                    }
                }
            }
        }
        builder
    }
}

impl Place {
    /// No link leads out of a project's folder, also if the host trusts its skills: the person who runs the agent did not
    /// write the links.
    fn add_to(
        &self,
        builder: CatalogBuilder,
        base: &Path,
        path: PathBuf,
        plugins: Plugins,
    ) -> CatalogBuilder {
        let (source, is_trusted) = match &self.kind {
            PlaceKind::Plugins => {
                let builder = builder.plugins(path);
                return match plugins {
                    Plugins::Merged => builder,
                    Plugins::Namespaces => builder.namespaced(),
                };
            }
            PlaceKind::Skills(source) => (source, true),
            PlaceKind::Untrusted(source) => (source, false),
        };
        let is_confined = !is_trusted || self.base.is_project();
        let source = source.to_string();
        let mut builder = if is_trusted {
            builder.directory(source, path)
        } else {
            builder.untrusted(source, path)
        };
        if is_confined {
            builder = builder.confined(base);
        }
        builder.skipping(self.skip.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::text::path::PathText as _;
    use skills_runtime::Catalog;

    fn bases() -> Bases {
        Bases {
            project: vec!["/home/p/work/deep".into(), "/home/p/work".into()],
            home: Some("/home/p".into()),
            config: Some("/home/p/.config".into()),
            data: None,
        }
    }

    fn roots(layout: &Layout, bases: &Bases) -> Vec<(String, Vec<String>)> {
        let catalog = layout
            .add_to(Catalog::builder(), bases, Plugins::Merged)
            .load();
        let mut sources: Vec<(String, Vec<String>)> = Vec::new();
        // Folders of plugins have no source.
        for (source, root) in catalog.folders().filter(|(source, _)| !source.is_empty()) {
            let root = root.shown().into_owned();
            match sources.last_mut().filter(|(name, _)| name == source) {
                Some((_, roots)) => roots.push(root),
                None => sources.push((source.to_owned(), vec![root])),
            }
        }
        sources
    }

    #[test]
    fn the_nearest_folder_first() {
        let list = |roots: &[&str]| roots.iter().map(ToString::to_string).collect::<Vec<_>>();
        let layout = Layout::new(&[
            Place::untrusted("project", Base::Project, ".acme/skills"),
            Place::untrusted("project", Base::Project, ".agents/skills"),
            Place::skills("user", Base::Config, "acme/skills"),
            Place::skills("user", Base::Home, ".agents/skills"),
        ]);
        assert_eq!(
            roots(&layout, &bases()),
            [
                (
                    "project".to_owned(),
                    list(&[
                        "/home/p/work/deep/.acme/skills",
                        "/home/p/work/deep/.agents/skills",
                        "/home/p/work/.acme/skills",
                        "/home/p/work/.agents/skills",
                    ])
                ),
                (
                    "user".to_owned(),
                    list(&["/home/p/.config/acme/skills", "/home/p/.agents/skills"])
                ),
            ]
        );
    }

    #[test]
    fn the_home_folder_is_not_a_project() {
        let mut bases = bases();
        bases.project = vec!["/home/p".into()];
        let roots = roots(&Layout::default(), &bases);
        assert_eq!(roots.len(), 1);
        assert_eq!(roots.first().map(|(name, _)| name.as_str()), Some("user"));
    }
}
