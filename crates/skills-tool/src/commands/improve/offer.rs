//! Changes that wait, offered where a person works.

use crate::environment::Environment;
use crate::output::counted;
use skills_host::improve::{Proposal, Proposals};
use skills_store::files::data::DataFolder;

/// How many changes wait. A folder that cannot be read holds none: the commands for them say what is wrong.
pub(crate) fn waiting(environment: &Environment) -> usize {
    let Some(data) = &environment.data else {
        return 0;
    };
    let all = Proposals::of(&DataFolder::new(data.join("skills"))).list();
    let all = all.unwrap_or_default();
    all.iter()
        .filter(|proposal| !Proposal::is_stale(proposal))
        .count()
}

/// The line that offers them.
pub(crate) fn offer(count: usize) -> String {
    let changes = counted(count, "repair");
    let verb = if count == 1 { "waits" } else { "wait" };
    format!("{changes} of skills {verb} for you: in a shell, `skills improve --list`")
}
