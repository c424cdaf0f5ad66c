use skills_runtime::include_skills;
use skills_session::activation::activate_bundled;

include_skills! { mod skill in "ui/argument-missing" }

fn main() {
    let arguments = skill::deploy::Arguments { dry_run: None };
    let _ = activate_bundled(skill::DEPLOY, &arguments);
}
