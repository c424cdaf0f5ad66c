use skill::announce::{Arguments, Channel};
use skills_runtime::include_skills;
use skills_session::activation::activate_bundled;

include_skills! {
    /// The skills.
    pub mod skill in "ui/constant-of-faulty-skill"
}

fn main() {
    println!("{} {}", skill::FAULTY.name(), skill::RIGHT.name());
    let arguments = Arguments { channel: Channel::Mail };
    let _ = activate_bundled(skill::ANNOUNCE, &arguments);
    println!("{}", skill::ANOUNCE.name());
}
