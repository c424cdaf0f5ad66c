use skill::announce::Arguments;
use skills_runtime::include_skills;

include_skills! { mod skill in "ui/skill-file-missing" }

fn main() {
    println!("{} {}", skill::RIGHT.name(), skill::ANNOUNCE.name());
    let _ = Arguments {};
}
