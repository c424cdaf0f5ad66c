use skills_runtime::include_skills;

include_skills! { mod skill in "ui/yaml-sintax" }

fn main() {
    println!("{} {}", skill::CODE_REVIEW.name(), skill::bundle().iter().count());
}
