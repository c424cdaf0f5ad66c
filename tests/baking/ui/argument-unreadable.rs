use skills_runtime::include_skills;
use skills_session::activation::activate_bundled;

include_skills! { mod skill in "ui/argument-unreadable" }

// The types of the arguments are missing: their uses are no errors of their own.
fn main() -> Result<(), skills_runtime::Error> {
    use skill::deploy::{Arguments, Environment};
    let arguments = Arguments {
        environment: Environment::Staging,
    };
    let started = activate_bundled(skill::DEPLOY, &arguments)?;
    println!("{}", started.text);
    notify();
    Ok(())
}

// Those of the other skill are there, also for a glob import.
fn notify() {
    use skill::notify::*;
    let arguments = Arguments { team: Team::Web };
    let _ = activate_bundled(skill::NOTIFY, &arguments);
}
