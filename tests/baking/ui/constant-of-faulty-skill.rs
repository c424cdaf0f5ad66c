use skills_runtime::include_skills;

include_skills! {
    /// The skills.
    pub mod skill in "ui/constant-of-faulty-skill"
}

fn main() {
    println!("{} {}", skill::FAULTY.body(), skill::RIGHT.body());
}
