use skills_runtime::include_skills;
use skills_session::Profile;

include_skills! { mod skill in "ui/argument-missing" }

fn main() {
    let arguments = skill::deploy::Arguments { dry_run: None };
    let _ = Profile::DEFAULT.activate_bundled(skill::DEPLOY, &arguments);
}
