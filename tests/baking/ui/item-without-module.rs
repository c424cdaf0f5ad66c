use skills_runtime::include_skills;

include_skills! { "ui/constant-misspelt" }

fn main() {}
