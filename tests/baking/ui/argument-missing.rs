use skills_runtime::include_skills;
use skills_session::Profile;

include_skills! { mod skill in "ui/argument-missing" }

fn main() {
    let arguments = skill::deploy::Arguments { dry_run: None };
    let _ = skill::DEPLOY.activate_with(&arguments, &Profile::DEFAULT);
}
