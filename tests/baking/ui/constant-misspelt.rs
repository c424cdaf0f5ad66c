use skills_runtime::include_skills;

include_skills! { mod skill in "ui/constant-misspelt" }

fn main() {
    println!("{}", skill::SYSTEMATIC_DEBUGING.name());
}
