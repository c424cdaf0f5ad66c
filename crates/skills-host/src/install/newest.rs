//! An installed skill, and the present state of its source.

use crate::install::decide::OnConflict;
use crate::install::host::Host;
use crate::install::update::{UpdateOptions, plan_update};
use crate::review::side::Side;
use skills_format::prose;
use skills_store::files::snapshot::Snapshot;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// The two versions of an installed skill.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Newest {
    /// The installed skill, with local changes.
    pub present: Side,
    /// The skill in its source. The installed skill, if the source has nothing new.
    pub source: Side,
    /// The source in words.
    pub from: String,
}

/// Fetches the present state of an installed skill from its source. Nothing is changed.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a skill that is not in the lock; [`ErrorKind::Refused`] with the reason of the plan if
/// its source cannot be followed.
pub fn newest_of(target: &Path, name: &str, host: Host<'_>) -> Result<Newest, Error> {
    let options = UpdateOptions {
        names: vec![name.to_owned()],
        // The versions are compared, and nothing is written: local changes are no conflict, and a local source is named
        // by the person who asks.
        on_conflict: OnConflict::Force,
        allows_local: true,
        ..UpdateOptions::default()
    };
    let plan = plan_update(target, &options, host)?;
    let skill = plan.skills.into_iter().find(|skill| skill.name == name);
    let skill =
        skill.ok_or_else(|| Error::new(ErrorKind::NotFound, prose!("'{name}' is not planned")))?;
    let present = Side::of_snapshot("", &Snapshot::read(&target.join(name))?);
    if let (None, Some(reason), Some(help)) = (&skill.prepared, skill.reason, skill.help) {
        return Err(Error::new(ErrorKind::Refused, prose!("'{name}': {reason}")).help(help));
    }
    let source = skill
        .prepared
        .as_ref()
        .map(|prepared| Side::of_snapshot("", &prepared.upstream));
    let from = skill.source.unwrap_or_default();
    Ok(Newest {
        source: source.unwrap_or_else(|| present.clone()),
        present,
        from: skill.commit.map_or(from.clone(), |commit| {
            format!("{from} at {}", commit.get(..12).unwrap_or(&commit))
        }),
    })
}
