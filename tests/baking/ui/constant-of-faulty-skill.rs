use skill::announce::{Arguments, Channel};
use skills_runtime::include_skills;
use skills_session::Profile;

include_skills! {
    /// The skills.
    pub mod skill in "ui/constant-of-faulty-skill"
}

fn main() {
    println!("{} {}", skill::FAULTY.body(), skill::RIGHT.body());
    let arguments = Arguments { channel: Channel::Mail };
    let _ = Profile::DEFAULT.activate_bundled(skill::ANNOUNCE, &arguments);
    println!("{}", skill::ANOUNCE.body());
}
