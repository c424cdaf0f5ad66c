use skill::announce::Arguments;
use skills_runtime::include_skills;

include_skills! { mod skill in "ui/skill-file-missing" }

fn main() {
    println!("{} {}", skill::RIGHT.body(), skill::ANNOUNCE.body());
    let _ = Arguments {};
}
