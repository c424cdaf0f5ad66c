//! The offer of waiting changes, printed where a person works.

use crate::environment::Environment;
use crate::output::counted;
use skills_format::{Prose, prose};
use skills_host::improve::{Proposal, Proposals};

/// Returns the number of waiting changes that are not stale. An unreadable folder counts as empty: the
/// commands for waiting changes report the error.
pub(crate) fn waiting(env: &Environment) -> usize {
    let Some(data) = env.data_folder() else {
        return 0;
    };
    let all = Proposals::of(&data).list().unwrap_or_default();
    all.iter()
        .filter(|proposal| !Proposal::is_stale(proposal))
        .count()
}

/// Returns the line that offers waiting changes.
pub(crate) fn offer(count: usize) -> Prose {
    let changes = counted(count, "repair");
    let verb = if count == 1 { "waits" } else { "wait" };
    prose!("{changes} of skills {verb} for you: in a shell, `skills improve --list`")
}
