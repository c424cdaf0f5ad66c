use skills_runtime::include_skills;

include_skills! { mod skill in "ui/constant-name" }

fn main() {
    println!("{}", skill::bundle().iter().count());
}
