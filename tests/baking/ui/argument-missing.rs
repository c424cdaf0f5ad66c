use skills_runtime::{Profile, include_skills};

include_skills! { mod skill in "ui/argument-missing" }

fn main() {
    let arguments = skill::deploy::Arguments { dry_run: None };
    let _ = skill::DEPLOY.activate_with(&arguments, &Profile::DEFAULT);
}
