//! The entry in the lock of a skill that other workspaces may have installed.

use crate::deps::graph::Dependency;
use crate::deps::sharing::{Sharing, Users};
use crate::install::crate_source::CrateSource;
use skills_compiler::{Locked, Provenance};

/// The source of the new entry of a skill, and what another workspace has to do with it.
pub(crate) struct Shared {
    pub(crate) provenance: Provenance,
    /// The workspace that decides the version and has other files.
    pub(crate) rival: Option<String>,
    pub(crate) note: Option<Note>,
}

/// A remark about another workspace.
pub(crate) enum Note {
    /// The workspace has the same files.
    Joins(String),
    /// The workspace gets other files.
    Leads(String),
}

impl Shared {
    /// Compares the entry of a skill with its new version.
    pub(crate) fn new(
        old: Option<(&Locked, Users)>,
        krate: &Dependency,
        new: &Locked,
        sharing: &Sharing,
    ) -> Self {
        let (name, version) = (krate.name.as_str(), krate.version.to_string());
        let alone = || Self {
            provenance: sharing.provenance(name, &version, &sharing.with_own(&Users::none(), true)),
            rival: None,
            note: None,
        };
        let Some((old, users)) = old else {
            return alone();
        };
        let Some(source) = CrateSource::of(old).filter(|source| source.krate == name) else {
            return alone();
        };
        let is_same = old.is_same(new);
        let Some(other) = sharing.other(&users).map(str::to_owned) else {
            // An earlier version of this program named no workspace. A workspace that is not there may be of another
            // branch.
            let is_unnamed = users.first().is_none() && !users.are_named;
            let is_known = is_unnamed || sharing.is_of(&users);
            let mut shared = alone();
            if is_known && is_same && source.version == version {
                shared.provenance = old.provenance.clone().unwrap_or_default();
            }
            return shared;
        };
        let leads = sharing.leads(&users);
        if is_same {
            let version = if leads { &version } else { source.version };
            let joined = sharing.with_own(&users, false);
            let note = (!sharing.is_of(&users)).then_some(Note::Joins(other));
            return Self {
                provenance: sharing.provenance(name, version, &joined),
                rival: None,
                note,
            };
        }
        Self {
            provenance: sharing.provenance(name, &version, &sharing.with_own(&users, true)),
            rival: (!leads).then(|| other.clone()),
            note: Some(Note::Leads(other)),
        }
    }
}
