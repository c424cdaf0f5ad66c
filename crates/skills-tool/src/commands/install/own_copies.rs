//! The skills in the own folders of clients that share another folder: such a client lists its own.

use crate::commands::install::target::{Target, TargetOptions, word_of};
use crate::environment::Environment;
use crate::output::{Output, one_line};
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::{command, prose};
use skills_host::install::Plan;
use skills_store::files::snapshot::Snapshot;
use std::path::Path;

/// The own folder of a client that gets no copy there, since it reads a chosen folder too.
pub(crate) struct OwnFolder {
    pub(super) client: String,
    pub(super) options: TargetOptions,
    pub(super) target: Target,
}

/// Returns the folders in which a skill of one of the names is, each with those names. `chosen` are the folders that get a
/// copy anyhow.
pub(super) fn copies<'o>(
    all: &'o [OwnFolder],
    names: &'o [String],
    chosen: &'o [&Path],
) -> impl Iterator<Item = (&'o OwnFolder, Vec<String>)> {
    let own = all.iter().filter(|own| {
        let folder = resolved_ahead(&own.target.folder);
        !chosen.iter().any(|other| resolved_ahead(other) == folder)
    });
    own.filter_map(|own| {
        let is_there = |name: &&String| own.target.folder.join(name).symlink_metadata().is_ok();
        let there: Vec<String> = names.iter().filter(is_there).cloned().collect();
        (!there.is_empty()).then_some((own, there))
    })
}

/// Reports the skills that differ from what is planned for the folder that the clients share.
pub(super) fn report(
    plan: &Plan,
    all: &[OwnFolder],
    chosen: &[&Path],
    environment: &Environment,
    output: &mut Output,
) {
    let names: Vec<String> = plan.skills.iter().map(|skill| skill.name.clone()).collect();
    for (own, mut there) in copies(all, &names, chosen) {
        there.retain(|name| {
            let planned = plan.skills.iter().find(|skill| skill.name == *name);
            let planned = planned.and_then(|skill| skill.digest.as_deref());
            let here = Snapshot::read(&resolved(&own.target.folder.join(name)));
            // What cannot be read is not the same.
            here.map_or(true, |here| Some(&*here.digest().to_string()) != planned)
        });
        if there.is_empty() {
            continue;
        }
        let copy = there.iter();
        let copy = copy.fold(command("install"), |copy, name| copy.word(name));
        let from = word_of(&plan.target, environment);
        let copy = own.options.of(copy.word("--from").short_path(&from));
        output.warning(prose!(
            "{} has its own {} in {}, which differs and stays; afterwards {} makes it the same",
            one_line(&own.client),
            one_line(&there.join(", ")),
            one_line(&environment.shown(&own.target.folder)),
            copy
        ));
    }
}
