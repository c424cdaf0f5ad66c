use skills_runtime::include_skills;
use skills_session::Profile;

include_skills! { mod skill in "ui/argument-field" }

fn main() {
    use skill::deploy::{Arguments, Environment};

    let arguments = Arguments {
        environment: Environment::Staging,
        dry: Some(true),
    };
    let _ = Profile::DEFAULT.activate_bundled(skill::DEPLOY, &arguments);
}
