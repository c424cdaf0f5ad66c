use skills_runtime::include_skills;

include_skills! { enum Skill in "ui/enum-match" }

fn main() {
    match Skill::from_name("greet").unwrap() {
        Skill::Greet => {}
    }
}
