//! Where a host looks for skills: data that names bases, which the host resolves.

use skills_format::Text;
use std::borrow::Cow;
#[cfg(feature = "discover")]
use std::path::Path;
use std::path::PathBuf;

/// Where a host looks for skills, the highest rank first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Layout {
    /// The folders. Places of one source stand together, the nearer first.
    pub places: Cow<'static, [Place]>,
    /// Whether the skills in the program are added below them.
    pub bundled: Bundled,
}

/// Whether the skills in the program are part of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum Bundled {
    /// They are, unless a person leaves them out.
    Included,
    /// Only when a person asks for them.
    WhenAsked,
}

/// One folder of a layout, relative to a base.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// What it is relative to.
    pub base: Base,
    /// The path from there, with `/`.
    pub path: Text,
    /// What it holds.
    pub kind: PlaceKind,
    /// Folders directly below it that are left alone.
    pub skip: Cow<'static, [Text]>,
}

/// What a folder of a layout holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum PlaceKind {
    /// Skills of the source of this name.
    Skills(Text),
    /// Skills of the source of this name, which are not started until a person trusts them.
    Untrusted(Text),
    /// Plugins, each with its skills in `skills`.
    Plugins,
}

/// What a path of a layout is relative to.
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
    /// The root of the repository; the working folder, outside of one.
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

/// The bases on this machine, as far as the host knows them.
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
    /// `.agents/skills` of the project, not trusted, and of the person; `~/.agents/plugins`; the
    /// skills in the program.
    pub const DEFAULT: Self = Self::new(DEFAULT, Bundled::Included);

    /// A layout of these places.
    pub const fn new(places: &'static [Place], bundled: Bundled) -> Self {
        Self {
            places: Cow::Borrowed(places),
            bundled,
        }
    }

    /// The default layout and, nearer than each of its folders, the client's own:
    /// `.<client>/skills` of the project, `<client>/skills` of the settings, `<client>/plugins` of
    /// the data.
    pub fn for_client(client: &str) -> Self {
        let own = |place: Place, path: String| Place {
            path: path.into(),
            ..place
        };
        let project = Place::untrusted("project", Base::Project, "");
        let user = Place::skills("user", Base::Config, "");
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
        }
    }
}

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
    /// A folder of skills.
    pub const fn skills(source: &'static str, base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Skills(Cow::Borrowed(source)), base, path)
    }

    /// A folder of skills that are not started until a person trusts them.
    pub const fn untrusted(source: &'static str, base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Untrusted(Cow::Borrowed(source)), base, path)
    }

    /// A folder of plugins.
    pub const fn plugins(base: Base, path: &'static str) -> Self {
        Self::new(PlaceKind::Plugins, base, path)
    }

    const fn new(kind: PlaceKind, base: Base, path: &'static str) -> Self {
        Self {
            base,
            path: Cow::Borrowed(path),
            kind,
            skip: Cow::Borrowed(&[]),
        }
    }

    /// The same place without some of the folders directly below it.
    #[must_use]
    pub fn without(mut self, skip: impl Into<Cow<'static, [Text]>>) -> Self {
        self.skip = skip.into();
        self
    }
}

#[cfg(feature = "discover")]
impl crate::CatalogBuilder {
    /// Adds the folders of a layout below all that was added before. A base that the host does not
    /// know is left out, and so is a project's folder that is the person's own.
    #[must_use]
    pub fn layout(mut self, layout: &Layout, bases: &Bases) -> Self {
        self = self.home(bases.home.as_ref());
        let same_source = |a: &Place, b: &Place| a.base == b.base && a.kind == b.kind;
        let personal: Vec<PathBuf> = layout
            .places
            .iter()
            .filter(|place| !place.base.is_project())
            .flat_map(|place| place.base.folders(bases).map(|base| place.in_base(base)))
            .collect();
        for group in layout.places.chunk_by(same_source) {
            let Some(Place { base, .. }) = group.first() else {
                continue;
            };
            for folder in base.folders(bases) {
                for place in group {
                    let path = place.in_base(folder);
                    if !(base.is_project() && personal.contains(&path)) {
                        self = self.place(place, folder, path);
                    }
                }
            }
        }
        self
    }

    fn place(self, place: &Place, base: &Path, path: PathBuf) -> Self {
        use crate::source::discover::Links;
        let skip = place.skip.iter().map(ToString::to_string).collect();
        match &place.kind {
            PlaceKind::Plugins => self.plugins(path),
            PlaceKind::Skills(source) => {
                self.root(source.to_string(), path, None, skip, Links::Followed)
            }
            PlaceKind::Untrusted(source) => {
                let base = Some(base.to_owned());
                self.root(source.to_string(), path, base, skip, Links::Confined)
            }
        }
    }
}

#[cfg(feature = "discover")]
impl Place {
    fn in_base(&self, base: &Path) -> PathBuf {
        let mut path = base.to_owned();
        path.extend(self.path.split('/').filter(|part| !part.is_empty()));
        path
    }
}

#[cfg(feature = "discover")]
impl Base {
    fn is_project(self) -> bool {
        matches!(self, Self::Project | Self::Root)
    }

    fn folders(self, bases: &Bases) -> impl Iterator<Item = &Path> {
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

#[cfg(all(test, feature = "discover"))]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::source::Source;

    fn bases() -> Bases {
        Bases {
            project: vec!["/home/p/work/deep".into(), "/home/p/work".into()],
            home: Some("/home/p".into()),
            config: Some("/home/p/.config".into()),
            data: None,
        }
    }

    fn roots(layout: &Layout, bases: &Bases) -> Vec<(String, Vec<String>)> {
        let catalog = Catalog::builder().layout(layout, bases).load().catalog;
        let roots = |source: &Source| {
            source
                .roots()
                .map(|root| root.display().to_string())
                .collect()
        };
        catalog
            .sources()
            .iter()
            .map(|source| (source.name().to_owned(), roots(source)))
            .collect()
    }

    #[test]
    fn the_nearest_folder_first() {
        let list = |roots: &[&str]| roots.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            roots(&Layout::for_client("acme"), &bases()),
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
    fn the_home_folder_is_no_project() {
        let mut bases = bases();
        bases.project = vec!["/home/p".into()];
        let roots = roots(&Layout::DEFAULT, &bases);
        assert_eq!(roots.len(), 1);
        assert_eq!(roots.first().map(|(name, _)| name.as_str()), Some("user"));
    }
}
