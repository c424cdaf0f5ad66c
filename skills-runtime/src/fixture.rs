//! Builds catalogs for tests, from skills in a temporary folder.

use skills_runtime::Catalog;
use skills_runtime::CatalogBuilder;
use std::fs;
use tempfile::TempDir;

/// A bundle of small skills. The skills lie in this package, so that the tests also pass from the
/// published package.
pub(crate) static BUNDLE: skills_runtime::Bundle = skills_runtime::include_skills!("tests/skills");

/// A catalog and the folder that holds its skills.
pub(crate) struct Fixture {
    /// The folder, for as long as the catalog.
    pub(crate) _dir: TempDir,
    pub(crate) catalog: Catalog,
}

/// Makes a catalog of one trusted source `user`. A skill is (name, more front matter, body).
pub(crate) fn skills(skills: &[(&str, &str, &str)]) -> Fixture {
    Sources::new().source("user", skills).load()
}

/// Folders of skills, the highest rank first. The temporary folder is the home folder.
pub(crate) struct Sources {
    dir: TempDir,
    builder: CatalogBuilder,
}

impl Sources {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            builder: Catalog::builder(),
        }
    }

    pub(crate) fn source(mut self, name: &str, skills: &[(&str, &str, &str)]) -> Self {
        self.write(name, skills);
        self.builder = self.builder.directory(name, self.dir.path().join(name));
        self
    }

    pub(crate) fn untrusted(mut self, name: &str, skills: &[(&str, &str, &str)]) -> Self {
        self.write(name, skills);
        self.builder = self.builder.untrusted(name, self.dir.path().join(name));
        self
    }

    pub(crate) fn with(mut self, more: impl FnOnce(CatalogBuilder) -> CatalogBuilder) -> Self {
        self.builder = more(self.builder);
        self
    }

    pub(crate) fn disabled(self, ids: &[&str]) -> Self {
        self.with(|builder| builder.disabled(ids))
    }

    pub(crate) fn load(self) -> Fixture {
        Fixture {
            catalog: self.builder.home(self.dir.path()).load(),
            _dir: self.dir,
        }
    }

    fn write(&self, source: &str, skills: &[(&str, &str, &str)]) {
        for (name, more, body) in skills {
            let dir = self.dir.path().join(source).join(name);
            fs::create_dir_all(&dir).unwrap();
            let description = if more.contains("description:") {
                String::new()
            } else {
                format!("description: Does {name}.\n")
            };
            let more = if more.is_empty() || more.ends_with('\n') {
                (*more).to_owned()
            } else {
                format!("{more}\n")
            };
            let text = format!("---\nname: {name}\n{description}{more}---\n\n{body}\n");
            fs::write(dir.join("SKILL.md"), text).unwrap();
        }
    }
}
