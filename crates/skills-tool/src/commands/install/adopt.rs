//! `skills install --adopt`: the locks of other programs.

use crate::commands::install::session::{Session, failure};
use crate::commands::install::target::Target;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_host::install::{Plan, plan_adopt};
use std::path::PathBuf;

/// The file names of a person's lock and of a project's lock.
const PERSONAL: &str = ".skill-lock.json";
const PROJECT: &str = "skills-lock.json";

/// Plans to adopt the skills that other programs installed into a folder.
pub(crate) fn plan(
    names: &[String],
    target: &Target,
    session: &Session,
    environment: &Environment,
) -> Result<Plan, Failure> {
    let locks = locks(target, environment);
    let plan = plan_adopt(&target.folder, &locks, names, session.host());
    plan.map_err(|error| failure(&error))
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
    let shared = environment
        .home
        .as_ref()
        .map(|home| home.join(".agents").join(PERSONAL));
    beside.into_iter().chain(shared).collect()
}
