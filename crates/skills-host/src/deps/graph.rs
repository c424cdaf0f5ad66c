//! The dependencies of a cargo workspace.

use crate::deps::cargo::Cargo;
use crate::git::observer::Observer;
use crate::install::crate_source::named;
use semver::Version;
use serde::Deserialize;
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A cargo workspace, at the versions of its `Cargo.lock`.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The root folder.
    pub root: PathBuf,
    /// The dependencies, direct and transitive, by name and version. A member counts if another member depends on it.
    pub dependencies: Vec<Dependency>,
}

/// A dependency of a workspace.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The name of the package.
    pub name: String,
    /// The version.
    pub version: Version,
    /// True if a member of the workspace names the package as a dependency.
    pub is_direct: bool,
    /// The folder of the package.
    pub root: PathBuf,
    /// The value of `path` in `[package.metadata.skills]`.
    pub(crate) path: Option<serde_json::Value>,
}

/// The used fields of the answer of `cargo metadata`. The other fields, most of the bytes, are not kept.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
    workspace_members: BTreeSet<String>,
    resolve: Option<Resolve>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: Version,
    manifest_path: PathBuf,
    #[serde(default)]
    metadata: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

impl Workspace {
    /// Asks cargo for the dependencies of the workspace that a folder is in.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with cargo's message: the folder is not in a workspace, `Cargo.lock` is missing or out of
    /// date, or a source is not downloaded. [`ErrorKind::Cancelled`].
    ///
    /// # Cost
    ///
    /// Starts cargo, which takes some 0.1 s.
    pub fn read(folder: &Path, cargo: &Cargo, observer: &dyn Observer) -> Result<Self, Error> {
        observer.progress("cargo metadata");
        Self::parse(&cargo.metadata(folder, observer)?)
    }

    fn parse(answer: &[u8]) -> Result<Self, Error> {
        let unread = |what: String| {
            let message = prose!("the answer of `cargo metadata` cannot be read: {what}");
            Error::new(ErrorKind::Program, message).help("see what `cargo --version` says")
        };
        let metadata: Metadata =
            serde_json::from_slice(answer).map_err(|error| unread(error.to_string()))?;
        let Some(resolve) = metadata.resolve else {
            return Err(unread("it has no graph of dependencies".to_owned()));
        };
        let members = &metadata.workspace_members;
        let mut needed: BTreeMap<&str, bool> = BTreeMap::new();
        for node in &resolve.nodes {
            let is_member = members.contains(&node.id);
            for id in &node.dependencies {
                *needed.entry(id).or_default() |= is_member;
            }
        }
        let mut dependencies = Vec::new();
        for package in metadata.packages {
            let Some(is_direct) = needed.get(package.id.as_str()).copied() else {
                continue;
            };
            let root = package.manifest_path.parent();
            dependencies.push(Dependency {
                is_direct,
                root: root.unwrap_or(Path::new("")).to_owned(),
                path: package.metadata.as_ref().and_then(path_of),
                name: package.name,
                version: package.version,
            });
        }
        // The root too: two registries can have one name and one version.
        dependencies
            .sort_by(|a, b| (&a.name, &a.version, &a.root).cmp(&(&b.name, &b.version, &b.root)));
        Ok(Self {
            root: metadata.workspace_root,
            dependencies,
        })
    }
}

/// Returns `path` of `[package.metadata.skills]`.
fn path_of(metadata: &serde_json::Value) -> Option<serde_json::Value> {
    metadata.get("skills")?.get("path").cloned()
}

impl Dependency {
    /// Returns the folder of skills in the package, without the signs that change nothing: `./skills/` is `skills`. A value that
    /// is not a string is no folder.
    pub(crate) fn folder(&self) -> &str {
        let path = match &self.path {
            None => "skills",
            Some(path) => path.as_str().unwrap_or_default(),
        };
        path.trim_start_matches("./").trim_end_matches('/')
    }

    /// Formats the crate: `crate NAME VERSION`.
    pub(crate) fn source(&self) -> String {
        named(&self.name, &self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_no_member_needs_are_no_dependencies() {
        let package = |name: &str, more: &str| {
            format!(
                r#"{{"id":"{name}","name":"{name}","version":"1.0.0","manifest_path":"/w/{name}/Cargo.toml"{more}}}"#
            )
        };
        let packages = [
            package("app", r#","metadata":null"#),
            package("tool", ""),
            package("near", r#","metadata":{"skills":{"path":"x"}}"#),
            package("far", r#","metadata":{"skills":3}"#),
        ];
        let answer = format!(
            r#"{{"packages":[{}],"workspace_root":"/w","workspace_members":["app","near","tool"],"resolve":{{"nodes":[
            {{"id":"app","dependencies":["near"]}},{{"id":"near","dependencies":["far"]}},
            {{"id":"tool","dependencies":[]}},{{"id":"far","dependencies":["far2"]}}]}}}}"#,
            packages.join(",")
        );
        let workspace = Workspace::parse(answer.as_bytes()).unwrap();
        let found: Vec<_> = workspace
            .dependencies
            .iter()
            .map(|found| (found.name.as_str(), found.is_direct, found.path.is_some()))
            .collect();
        // `near` is a member too, so that what it needs is direct.
        assert_eq!(found, [("far", true, false), ("near", true, true)]);
        assert_eq!(workspace.dependencies[0].root, Path::new("/w/far"));
        assert_eq!(workspace.dependencies[0].source(), "crate far 1.0.0");
    }

    #[test]
    fn other_answers_are_errors() {
        for answer in [
            "",
            "{}",
            "[1]",
            "\u{0}",
            r#"{"packages":[],"workspace_root":"/","workspace_members":[]}"#,
        ] {
            let error = Workspace::parse(answer.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Program, "{answer}");
        }
    }
}
