use skills_runtime::{Profile, include_skills};

include_skills! { mod skill in "ui/argument-placeholder" }

fn main() {
    let arguments = skill::deploy::Arguments {
        environment: skill::deploy::Environment::Staging,
        dry_run: None,
    };
    let _ = skill::DEPLOY.activate_with(&arguments, &Profile::DEFAULT);
}
