//! The JSON documents of `skills trust ID` and `skills trust --remove`.

use crate::commands::trust::call::TrustCall;
use crate::commands::trust::planned::PlannedTrust;
use crate::commands::trust::target::{folder_of, place};
use crate::outcome::Failure;
use serde::Serialize;
use skills_format::text::path::PathText as _;
use skills_runtime::Entry;
use skills_runtime::catalog::Location;
use skills_runtime::source::{SkillTrust, TrustChanges, TrustRecord, TrustedContent};

/// `trust ID --format json` and `trust --all --format json`
#[derive(Default, Serialize)]
pub(crate) struct GivenDocument {
    trusted: Vec<GivenJson>,
    /// The ids of skills whose source is always trusted.
    needs_none: Vec<String>,
    /// The skills of `--all` that cannot be trusted.
    refused: Vec<RefusedJson>,
}

#[derive(Serialize)]
struct GivenJson {
    id: String,
    source: String,
    /// The folder of the skill.
    path: String,
    /// The trust state before.
    before: SkillTrust,
    /// The trust digest.
    digest: String,
    files: Vec<String>,
    /// The entries that differed from the entries trusted before.
    #[serde(flatten)]
    difference: TrustChanges,
}

#[derive(Serialize)]
struct RefusedJson {
    id: String,
    message: String,
}

/// `trust --remove --format json`
#[derive(Serialize)]
pub(crate) struct RemovedDocument {
    pub(crate) removed: Vec<RemovedJson>,
    /// The ids of skills that were not trusted.
    pub(crate) not_trusted: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct RemovedJson {
    /// Null for a skill that is not in this catalog.
    pub(crate) id: Option<String>,
    pub(crate) path: String,
}

impl GivenDocument {
    pub(crate) fn new() -> Self {
        Self { ..Self::default() }
    }

    pub(crate) fn push(&mut self, plan: &PlannedTrust<'_>, call: &TrustCall<'_>) {
        let path = match plan.entry.location() {
            Location::Folder(dir) => call.env.documented(dir),
            _ => String::new(),
        };
        self.trusted.push(GivenJson {
            id: plan.id.clone(),
            source: plan.entry.source().name().to_owned(),
            path,
            before: plan.trust(),
            digest: plan.record.digest().to_string(),
            files: files(&plan.record),
            difference: plan.changes.clone().unwrap_or_default(),
        });
    }

    pub(crate) fn push_always(&mut self, id: &str) {
        self.needs_none.push(id.to_owned());
    }

    pub(crate) fn push_refused(&mut self, id: &str, failure: &Failure) {
        let message = failure.message().map(|message| message.fact.clone());
        self.refused.push(RefusedJson {
            id: id.to_owned(),
            message: message.unwrap_or_default().to_string(),
        });
    }
}

impl RemovedJson {
    pub(crate) fn new(record: &TrustRecord, call: &TrustCall<'_>) -> Self {
        let is_it = |entry: &Entry<'_>| {
            place(entry)
                .is_some_and(|(root, folder)| root == record.root && folder == record.folder)
        };
        let entry = call.catalog.iter().find(is_it);
        Self {
            id: entry.map(|entry| entry.id().into_owned()),
            path: call.env.documented(&folder_of(record)),
        }
    }
}

/// Returns the paths of the files of a skill.
pub(crate) fn files(record: &TrustRecord) -> Vec<String> {
    let is_file = |content: &TrustedContent| *content != TrustedContent::Folder;
    let entries = record.entries.iter();
    let files = entries.filter(|entry| is_file(&entry.content));
    files.map(|entry| entry.path.shown().into_owned()).collect()
}
