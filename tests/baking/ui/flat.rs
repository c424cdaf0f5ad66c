use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("ui/flat");
include_skills! { pub enum Skill in "ui/flat" }

fn main() {
    println!("{} {:?}", SKILLS.iter().count(), Skill::TidyUp);
}
