//! Checks the manifests of plugins and marketplaces: their form, the paths that they name, and their names.

pub(crate) mod agent;
mod claude;
mod component;
mod form;
mod hooks;
mod mcp;
mod others;
pub(crate) mod paths;
pub(crate) mod read;
#[cfg(test)]
mod tests;

use crate::repository::manifest::form::{Fault, Harm, is_object, text};
use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::{MAX_FINDINGS, Manifest, Program, Report, is_full};
use skills_format::yaml::{Node, json};
use skills_format::{Diagnostic, RuleId, Severity};
use std::collections::BTreeSet;

/// Replaces the findings beyond the maximum by one that says so.
fn cut(manifest: &Manifest, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if is_full(&found) {
        found.truncate(MAX_FINDINGS);
        let message = "there are more faults, which are not shown".to_owned();
        let finding = manifest.finding(RuleId::ManifestForm, message);
        found.push(finding.help("correct the faults that are shown first"));
    }
    found
}

/// Checks a plugin's manifest. `folder` is the plugin's folder.
pub(crate) fn plugin(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !manifest.value.is_object() {
        let message = "it is not a JSON object".to_owned();
        found.push(manifest.finding(RuleId::ManifestForm, message));
    } else if !agent::check(manifest, paths, folder, &mut found)
        && let Some(file) = places(manifest, &mut found)
    {
        let program = manifest.program();
        let mut report = Report::new(manifest, &mut found);
        match program {
            Program::ClaudeCode => claude::plugin(&file, &mut report, paths, folder),
            Program::Codex => others::codex(&file, &mut report),
            Program::GeminiCli => others::gemini(&file, &mut report, paths, folder),
            Program::Other => {}
        }
        if program == Program::ClaudeCode {
            hooks::files(manifest, &file, paths, folder, &mut found);
        } else {
            skills(&file, &mut report, paths, folder, program);
        }
    }
    cut(manifest, found)
}

/// Checks a marketplace. `folder` is the folder that its sources are relative to.
pub(crate) fn marketplace(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if manifest
        .value
        .get("plugins")
        .is_none_or(|it| !it.is_array())
    {
        let message = "it has no list `plugins`".to_owned();
        found.push(manifest.finding(RuleId::ManifestForm, message));
    }
    if !manifest.value.is_object() {
        return found;
    }
    let Some(file) = places(manifest, &mut found) else {
        return found;
    };
    let program = manifest.program();
    let mut report = Report::new(manifest, &mut found);
    if program == Program::ClaudeCode {
        claude::marketplace(&file, &mut report);
    }
    let metadata = file.get("metadata");
    let root = metadata.and_then(|metadata| metadata.get("pluginRoot"));
    let root = Root {
        paths,
        folder,
        plugins: root.and_then(text).unwrap_or_default(),
        program,
    };
    let mut names = BTreeSet::new();
    for entry in file
        .get("plugins")
        .and_then(Node::items)
        .unwrap_or_default()
    {
        if is_full(report.found) {
            break;
        }
        let name = entry.get("name");
        match name.and_then(|name| Some((text(name)?, name))) {
            None | Some(("", _)) => {
                let message = "an entry of `plugins` has no text `name`";
                let fault = Fault::new(entry.span, message, "give the plugin a name");
                report.fault(RuleId::ManifestForm, fault, Harm::Entry);
            }
            Some((name, value)) if !names.insert(name) => {
                let message = format!("two plugins are named `{name}`");
                let help = "give each plugin a name of its own".to_owned();
                let rule = RuleId::ManifestName;
                report.at(rule, value.span, message, help, Severity::Error);
            }
            Some(_) => {}
        }
        if is_object(entry) {
            root.entry(entry, &mut report);
        }
    }
    cut(manifest, found)
}

/// The folder that the sources of a marketplace are relative to.
struct Root<'r> {
    paths: &'r Paths<'r>,
    folder: &'r str,
    /// `metadata.pluginRoot`
    plugins: &'r str,
    program: Program,
}

impl Root<'_> {
    fn is_claude(&self) -> bool {
        self.program == Program::ClaudeCode
    }

    fn entry(&self, entry: &Node, report: &mut Report<'_, '_>) {
        let source = entry.get("source");
        let path = source.and_then(|source| Some((text(source)?, source)));
        let mut place = None;
        match path {
            Some((path, value)) => match self.place(path) {
                Ok(found) => place = Some(found),
                Err((what, help)) => {
                    let message = format!("`source` names `{path}`, which {what}");
                    let fault = Fault::new(value.span, message, help);
                    report.fault(RuleId::ManifestPath, fault, Harm::Entry);
                }
            },
            None if self.is_claude() => claude::source(entry, report),
            // A source that is an object is fetched from elsewhere.
            None => {}
        }
        if self.is_claude() {
            claude::entry(entry, report, self.paths, place.as_deref());
        } else if let Some(place) = place {
            skills(entry, report, self.paths, &place, self.program);
        }
    }

    /// Returns the folder of a source that is a path, or what is wrong with the path, and what to write instead.
    ///
    /// Claude Code adds the root only to a name alone, and other paths must begin with `./`. Of the other programs this
    /// is not known, so either place is right.
    fn place(&self, source: &str) -> Result<String, (&'static str, &'static str)> {
        let out = (
            "leads out of the plugin",
            "write a path below the folder, without `..`",
        );
        let missing = (
            "does not exist",
            "write a path that exists, or remove it; clients cannot install the plugin",
        );
        let inside = |root: &str| self.paths.inside(root, source);
        let is_here = source.starts_with("./") || source == ".";
        let below_root = || {
            let root = self.paths.inside(self.folder, self.plugins)?;
            inside(&root)
        };
        let is_name =
            !self.plugins.is_empty() && !source.is_empty() && !source.contains(['/', '\\', ' ']);
        let candidates = if !self.is_claude() {
            [below_root(), is_here.then(|| inside(self.folder)).flatten()]
        } else if is_here {
            [inside(self.folder), None]
        } else if is_name {
            [below_root(), None]
        } else {
            let place = inside(self.folder).ok_or(out)?;
            let is_folder = !source.is_empty() && self.paths.is_folder(&place);
            return Err(if is_folder {
                (
                    "does not begin with `./`",
                    "write `./` before the path; a name alone needs `metadata.pluginRoot`",
                )
            } else {
                missing
            });
        };
        let mut known = candidates.into_iter().flatten().peekable();
        if known.peek().is_none() {
            return Err(out);
        }
        known
            .find(|place| self.paths.is_folder(place))
            .ok_or(missing)
    }
}

/// Reads the places of a manifest's values. A manifest without them is told, and not checked further.
fn places(manifest: &Manifest, found: &mut Vec<Diagnostic>) -> Option<Node> {
    match json::parse(&manifest.text) {
        Ok(file) => Some(file),
        Err(error) => {
            let message = format!("it is not checked further: {}", error.message);
            let mut finding = manifest.finding(RuleId::ManifestForm, message);
            finding.severity = Severity::Warning;
            found.push(finding.help("write fewer lists and objects in each other"));
            None
        }
    }
}

/// Checks the paths in `skills` of a program of which no more is known: one path, or a list.
fn skills(
    entry: &Node,
    report: &mut Report<'_, '_>,
    paths: &Paths<'_>,
    folder: &str,
    program: Program,
) {
    let Some(listed) = entry.get("skills") else {
        return;
    };
    for value in listed.items().unwrap_or(std::slice::from_ref(listed)) {
        if is_full(report.found) {
            return;
        }
        let Some(path) = text(value) else {
            let message = "`skills` is not a path or a list of paths".to_owned();
            let help = "write a path that begins with `./`, or a list of paths".to_owned();
            let rule = RuleId::ManifestForm;
            report.at(rule, value.span, message, help, Severity::Error);
            continue;
        };
        let (what, help, severity) = match paths.inside(folder, path) {
            None => (
                "leads out of the plugin",
                "write a path below the folder, without `..`",
                Severity::Error,
            ),
            Some(place) if paths.exists(&place) => continue,
            // `codex plugin add` says that the plugin is added, and `codex plugin list` that it is enabled.
            Some(_) if program == Program::Codex => (
                "does not exist",
                "write a path that exists, or remove it; Codex installs the plugin without these skills",
                Severity::Warning,
            ),
            Some(_) => (
                "does not exist",
                "write a path that exists, or remove it; clients cannot install the plugin",
                Severity::Error,
            ),
        };
        let message = format!("`skills` names `{path}`, which {what}");
        let rule = RuleId::ManifestPath;
        report.at(rule, value.span, message, help.to_owned(), severity);
    }
}
