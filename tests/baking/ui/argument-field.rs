use skills_runtime::include_skills;
use skills_session::activation::activate_bundled;

include_skills! { mod skill in "ui/argument-field" }

fn main() {
    use skill::deploy::{Arguments, Environment};

    let arguments = Arguments {
        environment: Environment::Staging,
        dry: Some(true),
    };
    let _ = activate_bundled(skill::DEPLOY, &arguments);
}
