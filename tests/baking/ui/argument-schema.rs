use skills_runtime::include_skills;

include_skills! { mod skill in "ui/argument-schema" }

fn main() {
    println!("{}", skill::DEPLOY.name());
}
