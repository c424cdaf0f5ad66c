//! What `skills trust` lists: the folders of which a person is asked, and those that were trusted.

use crate::commands::trust::target::{asks, resolved};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Format, Output, one_line};
use serde::Serialize;
use skills_runtime::{Catalog, FolderTrust, Source, Trust, TrustDifference};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Most files or skills that are named of one folder.
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
    /// Null for one that is trusted and no part of this catalog.
    source: Option<&'c str>,
    trust: FolderTrust,
    /// Whether another folder of the source is not trusted, so that this one's skills are not
    /// started either.
    waits: bool,
    skills: Vec<String>,
    /// Over the files of the skills as they are; null when they cannot be read.
    digest: Option<String>,
    /// The files that are not as they were trusted.
    #[serde(flatten)]
    difference: TrustDifference,
}

impl<'c> Document<'c> {
    /// The folders of the catalog, in its order, then those that are trusted elsewhere.
    pub(crate) fn new(catalog: &'c Catalog, records: &[Trust], output: &mut Output) -> Self {
        let asking: Vec<&Source> = catalog.sources().iter().filter(|s| asks(s)).collect();
        let mut folders = Vec::new();
        for source in &asking {
            let now = catalog.trust(source.name());
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
            output.note("no folder here needs to be trusted, and none is trusted elsewhere");
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
    /// A folder of the catalog; `None` when no skill is in it and none was. `now` are the records of
    /// its source as they would be; they are not there when a file cannot be read.
    fn here(
        catalog: &Catalog,
        source: &'c Source,
        (root, loaded): (&Path, FolderTrust),
        records: &[Trust],
        now: Option<&[Trust]>,
    ) -> Option<Self> {
        let path = resolved(root);
        let of_root = |record: &&Trust| record.root == path;
        let none = Trust {
            root: path.clone(),
            files: Vec::new(),
        };
        let now = now.map(|now| now.iter().find(of_root).unwrap_or(&none));
        let record = records.iter().find(of_root);
        let skills = names(catalog, source, root);
        let trust = match record {
            None if skills.is_empty() => return None,
            None => FolderTrust::Untrusted,
            // Loading has not read the files.
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

    fn elsewhere(record: &Trust) -> Self {
        let name = |folder: &str| folder.rsplit('/').next().unwrap_or(folder).to_owned();
        Self {
            path: record.root.to_string_lossy().into_owned(),
            source: None,
            waits: false,
            trust: FolderTrust::Recorded,
            skills: record.skills().into_iter().map(name).collect(),
            digest: Some(record.digest().to_string()),
            difference: TrustDifference::default(),
        }
    }
}

impl FolderJson<'_> {
    fn state(&self) -> &'static str {
        match self.trust {
            FolderTrust::Recorded if self.waits => "trusted, waits for the others of its source",
            FolderTrust::Recorded => "trusted",
            FolderTrust::Changed => "untrusted, changed since it was trusted",
            _ => "untrusted",
        }
    }
}

/// The names of the skills below a root.
pub(crate) fn names(catalog: &Catalog, source: &Source, root: &Path) -> Vec<String> {
    let of_root = catalog
        .iter()
        .filter(|entry| entry.source().name() == source.name() && entry.root() == Some(root));
    of_root.map(|entry| entry.name().to_owned()).collect()
}

/// The files that are not as they were trusted, a line each.
pub(crate) fn print_difference(
    difference: &TrustDifference,
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
