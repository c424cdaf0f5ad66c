//! `skills install --adopt`: the locks of other programs.

use crate::commands::install::locked::may_follow;
use crate::commands::install::session::{Session, YesOption, failure};
use crate::commands::install::target::Target;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Output;
use skills_host::install::{AdoptOptions, LocalSources, Plan, adopt_sources, plan_adopt};
use std::path::PathBuf;

/// The file names of a person's lock and of a project's lock.
const PERSONAL: &str = ".skill-lock.json";
const PROJECT: &str = "skills-lock.json";

/// Plans to adopt the skills that other programs installed into a folder. Returns `None` if the person does not want the
/// sources to be fetched.
pub(crate) fn plan(
    names: &[String],
    yes_local: bool,
    yes: &YesOption,
    target: &Target,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) -> Result<Option<Plan>, Failure> {
    let mut options = AdoptOptions::default();
    options.locks = locks(target, environment);
    options.names = names.to_vec();
    options.repository.clone_from(&target.repository);
    if yes_local || target.is_own {
        options.local = LocalSources::Allow;
    }
    let sources = adopt_sources(&target.folder, &options, session.host());
    if !may_follow(
        sources.map_err(|error| failure(&error))?,
        target,
        yes,
        output,
    )? {
        output.note("nothing was fetched");
        return Ok(None);
    }
    let plan = plan_adopt(&target.folder, &options, session.host());
    plan.map(Some).map_err(|error| failure(&error))
}

/// Returns the possible locks: in a repository the project's locks at and above the folder, elsewhere the
/// person's.
fn locks(target: &Target, environment: &Environment) -> Vec<PathBuf> {
    if let Some(root) = &target.repository {
        let above = target.folder.ancestors();
        let inside = above.take_while(|folder| folder.starts_with(root));
        return inside.map(|folder| folder.join(PROJECT)).collect();
    }
    let beside = target.folder.parent().map(|above| above.join(PERSONAL));
    let state = Environment::folder_of("XDG_STATE_HOME");
    let state = state.map(|state| state.join("skills").join(PERSONAL));
    let shared = environment
        .home
        .as_ref()
        .map(|home| home.join(".agents").join(PERSONAL));
    beside.into_iter().chain(state).chain(shared).collect()
}
