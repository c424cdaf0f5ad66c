//! The list of `skills trust`: the folders that need trust, and the folders that are trusted.

use crate::commands::trust::target::{asks, resolved};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Format, Output, one_line};
use serde::Serialize;
use skills_runtime::Catalog;
use skills_runtime::source::{FolderTrust, Source, TrustChanges, TrustRecord};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The most files or skills of one folder that are named.
pub(crate) const NAMED: usize = 8;

/// `trust --format json`
#[derive(Serialize)]
pub(crate) struct Document<'c> {
    schema: u32,
    folders: Vec<FolderJson<'c>>,
}

#[derive(Serialize)]
struct FolderJson<'c> {
    path: String,
    /// Null for a trusted folder that is not in this catalog.
    source: Option<&'c str>,
    trust: FolderTrust,
    /// Whether another folder of the source is not trusted: then the skills of this folder are not
    /// started either.
    waits: bool,
    skills: Vec<String>,
    /// The digest over the files of the skills now; null when they cannot be read.
    digest: Option<String>,
    /// The files that differ from the trusted files.
    #[serde(flatten)]
    difference: TrustChanges,
}

impl<'c> Document<'c> {
    /// Lists the folders of the catalog, in its order, then the trusted folders elsewhere.
    pub(crate) fn new(catalog: &'c Catalog, records: &[TrustRecord], output: &mut Output) -> Self {
        let asking: Vec<&Source> = catalog.sources().iter().filter(|s| asks(s)).collect();
        let mut folders = Vec::new();
        for source in &asking {
            let now = catalog.trust_records(source.name());
            if let Err(error) = &now {
                output.warning(error);
            }
            let now = now.as_deref().ok();
            let here = |folder| FolderJson::here(catalog, source, folder, records, now);
            folders.extend(source.folders().filter_map(here));
        }
        let roots = asking.iter().flat_map(|source| source.roots());
        let here: Vec<PathBuf> = roots.map(resolved).collect();
        let elsewhere = records.iter().filter(|record| !here.contains(&record.root));
        folders.extend(elsewhere.map(FolderJson::elsewhere));
        Self { schema: 1, folders }
    }

    pub(crate) fn print(
        &self,
        format: Format,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if format == Format::Json {
            return output.json(self);
        }
        if self.folders.is_empty() {
            output.note("no folder here needs trust, and no folder elsewhere is trusted");
            return Ok(());
        }
        let mut table = Table::new(["FOLDER", "SOURCE", "STATE", "SKILLS"]);
        for folder in &self.folders {
            table.push([
                one_line(&environment.shown(Path::new(&folder.path))),
                one_line(folder.source.unwrap_or("-")),
                folder.state().to_owned(),
                one_line(&folder.skills.join(", ")),
            ]);
        }
        table.print(output)?;
        for folder in self.folders.iter().filter(|f| !f.difference.is_empty()) {
            writeln!(
                output,
                "\n{}:",
                one_line(&environment.shown(Path::new(&folder.path)))
            )?;
            print_difference(&folder.difference, output)?;
        }
        let asks = |folder: &FolderJson<'_>| folder.trust != FolderTrust::Recorded;
        if self.folders.iter().any(asks) {
            output.note("look at a skill with `skills show ID`, then `skills trust ID`");
        }
        Ok(())
    }
}

impl<'c> FolderJson<'c> {
    /// Describes a folder of the catalog. Returns `None` when it has no skill and no record. `now` are
    /// the records that its source would get now; `None` when a file cannot be read.
    fn here(
        catalog: &Catalog,
        source: &'c Source,
        (root, loaded): (&Path, FolderTrust),
        records: &[TrustRecord],
        now: Option<&[TrustRecord]>,
    ) -> Option<Self> {
        let path = resolved(root);
        let of_root = |record: &&TrustRecord| record.root == path;
        let none = TrustRecord {
            root: path.clone(),
            files: Vec::new(),
        };
        let now = now.map(|now| now.iter().find(of_root).unwrap_or(&none));
        let record = records.iter().find(of_root);
        let skills = names(catalog, source, root);
        let trust = match record {
            None if skills.is_empty() => return None,
            None => FolderTrust::Untrusted,
            // The load has not read the files.
            Some(record) => match now {
                Some(now) if now.digest() == record.digest() => FolderTrust::Recorded,
                Some(_) => FolderTrust::Changed,
                None => loaded,
            },
        };
        let difference = record.zip(now).map(|(record, now)| record.difference(now));
        Some(Self {
            path: root.to_string_lossy().into_owned(),
            source: Some(source.name()),
            waits: trust == FolderTrust::Recorded && !source.is_trusted(),
            trust,
            skills,
            digest: now.map(|now| now.digest().to_string()),
            difference: difference.unwrap_or_default(),
        })
    }

    fn elsewhere(record: &TrustRecord) -> Self {
        let name = |folder: &str| folder.rsplit('/').next().unwrap_or(folder).to_owned();
        Self {
            path: record.root.to_string_lossy().into_owned(),
            source: None,
            waits: false,
            trust: FolderTrust::Recorded,
            skills: record.skills().into_iter().map(name).collect(),
            digest: Some(record.digest().to_string()),
            difference: TrustChanges::default(),
        }
    }
}

impl FolderJson<'_> {
    fn state(&self) -> &'static str {
        match self.trust {
            FolderTrust::Recorded if self.waits => {
                "trusted, waits for the other folders of its source"
            }
            FolderTrust::Recorded => "trusted",
            FolderTrust::Changed => "untrusted, changed since it was trusted",
            _ => "untrusted",
        }
    }
}

/// Lists the names of the skills in a folder.
pub(crate) fn names(catalog: &Catalog, source: &Source, root: &Path) -> Vec<String> {
    let of_root = catalog
        .iter()
        .filter(|entry| entry.source().name() == source.name() && entry.root() == Some(root));
    of_root.map(|entry| entry.name().to_owned()).collect()
}

/// Prints the files that differ from the trusted files, one a line.
pub(crate) fn print_difference(
    difference: &TrustChanges,
    output: &mut Output,
) -> Result<(), Failure> {
    let kinds = [
        ("added", &difference.added),
        ("changed", &difference.changed),
        ("removed", &difference.removed),
    ];
    let files = || {
        kinds
            .iter()
            .flat_map(|(kind, files)| files.iter().map(move |f| (kind, f)))
    };
    for (kind, file) in files().take(NAMED) {
        writeln!(output, "  {kind} {}", one_line(file))?;
    }
    let more = files().count().saturating_sub(NAMED);
    if more > 0 {
        writeln!(output, "  and {more} more")?;
    }
    Ok(())
}
