//! Loads a catalog: reads its sources and merges them.

// An error among the diagnostics of a load means a loss: a skill is skipped, or a state file is not
// used. The program prints it as an error and continues.

use crate::bundle::Bundle;
use crate::catalog::Catalog;
use crate::catalog::builder::{CatalogBuilder, Options, Origin, Plan};
use crate::catalog::generated::empty;
use crate::catalog::index::{Merged, Spot};
use crate::catalog::skill::Skill;
use crate::source::diagnostics::warning;
use crate::source::folder::{FolderSkills, Root};
use crate::source::names::Names;
use crate::source::options::Reading;
use crate::source::trust::SourceTrust;
use crate::source::trust::verify::verify;
use crate::source::{Content, Source, SourceKind, discover, files, plugins};
use skills_format::text::shorten::one_line;
use skills_format::{Diagnostic, RuleId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl CatalogBuilder {
    /// Reads every source. Never fails: an unreadable file becomes a [diagnostic](Catalog::diagnostics).
    ///
    /// ```
    /// use skills_runtime::Catalog;
    ///
    /// let catalog = Catalog::builder().directory("user", "skills").load();
    /// for problem in catalog.diagnostics() {
    ///     eprintln!("{problem}");
    /// }
    /// ```
    ///
    /// # Cost
    ///
    /// A bundle of any size costs less than a microsecond. A skill of a folder costs one `open`, `stat`, `read` and `close`,
    /// about 13 µs including parsing.
    pub fn load(self) -> Catalog {
        self.read(&[])
    }

    /// Reads and merges every source. Files of a source in `before` are read again only if they changed.
    pub(crate) fn read(self, before: &[Source]) -> Catalog {
        let mut diagnostics = Vec::new();
        let sources = self.sources(before, &mut diagnostics);
        let mut catalog = Catalog::new(self, Arc::new(Merged::of(sources)), Arc::default());
        let names = catalog.index_names(&mut diagnostics);
        // After the names, which hold the order of the skills of one source.
        let aliases = catalog.index_aliases(&names);
        // No other catalog shares them yet.
        if let Some(inner) = Arc::get_mut(&mut catalog.inner)
            && let Some(merged) = Arc::get_mut(&mut inner.merged)
        {
            (merged.names, merged.aliases) = (names, aliases);
        }
        Diagnostic::sort(&mut diagnostics);
        diagnostics.extend(missing(&catalog));
        if let Some(inner) = Arc::get_mut(&mut catalog.inner) {
            inner.diagnostics = diagnostics.into();
        }
        catalog
    }

    fn sources(&self, before: &[Source], diagnostics: &mut Vec<Diagnostic>) -> Vec<Source> {
        let mut names = Names::default();
        // All sources of the host are named before plugins are found, so that no plugin takes the name
        // of one.
        let plans = self.sources_planned();
        let given = plans.iter().map(|plan| plan.name(&mut names, diagnostics));
        let given: Vec<String> = given.collect();
        let mut sources = Vec::new();
        for (rank, (plan, name)) in plans.iter().zip(given).enumerate() {
            let mut source = Source {
                name,
                kind: SourceKind::Folder,
                rank,
                namespaced: plan.namespaced,
                trust: SourceTrust::Always,
                content: Content::Bundle(&EMPTY),
            };
            match &plan.origin {
                Origin::Bundle(bundle) => {
                    source.kind = SourceKind::Bundle;
                    source.content = Content::Bundle(bundle);
                    #[cfg(all(feature = "hot", debug_assertions))]
                    if self.options.reloadable
                        && let Some(found) = crate::source::hot::read(
                            bundle,
                            folders_of(before, &source.name),
                            diagnostics,
                        )
                    {
                        source.content = Content::Folders(Arc::new(found));
                    }
                    sources.push(source);
                }
                Origin::Roots(roots) => {
                    self.folders(&mut source, roots, plan.asks, before, diagnostics);
                    sources.push(source);
                }
                Origin::Files(handed) => {
                    source.kind = SourceKind::Files;
                    let folder = self.places.folder_of(&source.name);
                    let root = match folder {
                        Some(folder) => folder.to_owned(),
                        None => PathBuf::from(format!("skill://{}", source.name)),
                    };
                    let tree = files::tree(&root, handed, diagnostics);
                    let how = self.options.how(plan.namespaced);
                    let mut found = files::read(&root, folder.is_none(), &tree, how, diagnostics);
                    found.roots.push(Root::new(root, None));
                    self.judge(&mut source, found, plan.asks, diagnostics);
                    sources.push(source);
                }
                Origin::Plugins(dir) => {
                    for (name, root) in plugins::find(dir, &mut names, diagnostics) {
                        let mut plugin = Source {
                            name,
                            kind: SourceKind::Plugin,
                            ..source.clone()
                        };
                        self.folders(&mut plugin, &[root], false, before, diagnostics);
                        sources.push(plugin);
                    }
                }
            }
        }
        sources
    }

    /// Reads the folders of one source.
    fn folders(
        &self,
        source: &mut Source,
        roots: &[Root],
        asks: bool,
        before: &[Source],
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let reading = Reading {
            limits: self.options.limits,
            confined: roots.iter().any(|root| root.base.is_some()),
            stamps: self.options.stamps,
            how: self.options.how(source.is_foreign()),
        };
        let before = folders_of(before, &source.name);
        let found = discover::read(roots, reading, before, diagnostics);
        self.judge(source, found, asks, diagnostics);
    }

    /// Decides which skills of a source are trusted.
    fn judge(
        &self,
        source: &mut Source,
        found: FolderSkills,
        asks: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Options {
            trusted, limits, ..
        } = &self.options;
        if asks {
            source.trust = SourceTrust::Asked(verify(&found, trusted, *limits, diagnostics));
        }
        source.content = Content::Folders(Arc::new(found));
    }
}

/// Stands for the skills of a source until they are read.
static EMPTY: Bundle = empty();

/// Returns the folders of the source with this name at the last load.
fn folders_of<'s>(before: &'s [Source], name: &str) -> Option<&'s FolderSkills> {
    let same = before.iter().find(|source| source.name == name)?;
    match &same.content {
        Content::Folders(folders) => Some(folders),
        Content::Bundle(_) => None,
    }
}

impl Plan {
    /// Names the source of the plan. Plugins are named when they are found.
    fn name(&self, names: &mut Names, diagnostics: &mut Vec<Diagnostic>) -> String {
        let path = match &self.origin {
            Origin::Plugins(_) => return String::new(),
            Origin::Roots(roots) => &roots[0].path,
            Origin::Bundle(_) | Origin::Files(_) => Path::new(&self.name),
        };
        names.give(&self.name, path, diagnostics)
    }
}

/// Reports the folders' skills that need a skill that is not here. The skills of a bundle are checked when the bundle
/// is compiled: here they would cost time at every start.
pub(crate) fn missing(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (source, folders) in catalog.sources().iter().enumerate() {
        let Content::Folders(folders) = &folders.content else {
            continue;
        };
        for (index, of_folder) in folders.skills.iter().enumerate() {
            let requires = &of_folder.fields().requires;
            if requires.skills.is_empty() {
                continue;
            }
            let skill = Skill::of(
                catalog,
                Spot {
                    source,
                    skill: index,
                },
            );
            let Some(dir) = skill.folder() else {
                continue;
            };
            let is_missing = |name: &&str| catalog.get(name.trim_start_matches('$')).is_none();
            let missing: Vec<_> = requires.needed().filter(is_missing).map(one_line).collect();
            if !missing.is_empty() {
                let path = dir.join(skill.file_name());
                let (id, missing) = (skill.id(), missing.join(", "));
                let message = format!("`{id}` needs missing skills: {missing}");
                let finding = warning(RuleId::NeededSkill, &path, message);
                found.push(finding.help("install them, or go without"));
            }
        }
    }
    found
}
