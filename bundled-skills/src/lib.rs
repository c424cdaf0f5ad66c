//! The skills that ship with the program `skills`.

use skills_runtime::{Bundle, include_skills};

/// Every skill in `skills/`, checked at compile time.
pub static SKILLS: Bundle = include_skills!("skills");

/// The programs of the guide, compiled and run with real skills.
#[cfg(all(doctest, repository))]
mod guide {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/guide/tour.md")]
    struct Tour;
    #[doc = include_str!("../../docs/guide/test.md")]
    struct Test;
    #[doc = include_str!("../../docs/guide/program.md")]
    struct Program;
    #[doc = include_str!("../../docs/guide/arguments.md")]
    struct Arguments;
    #[doc = include_str!("../../docs/guide/host.md")]
    struct Host;
    #[doc = include_str!("../../docs/guide/tools.md")]
    struct Tools;
    #[doc = include_str!("../../docs/guide/profiles.md")]
    struct Profiles;
}

#[cfg(test)]
mod tests {
    use super::SKILLS;

    #[test]
    fn found_by_name_and_by_alias() {
        let skill = SKILLS.get("systematic-debugging").expect("it ships");
        assert_eq!(skill.name(), "systematic-debugging");
        assert_eq!(SKILLS.get("tdd"), SKILLS.get("test-driven-development"));
        assert!(SKILLS.get("nothing").is_none());
    }

    #[test]
    fn files_are_those_of_the_folder() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
        let folders = std::fs::read_dir(&root).expect("the folder");
        let folders = folders.filter(|entry| entry.as_ref().is_ok_and(|it| it.path().is_dir()));
        let folders = folders.count();
        assert_eq!(SKILLS.iter().count(), folders);
        for skill in &SKILLS {
            let body = skill.body().expect("a body");
            assert!(!skill.description().is_empty() && !body.is_empty());
            for file in skill.files().expect("files") {
                let path = root.join(&*skill.dir()).join(&*file.path);
                let bytes = skill.read(&file.path).expect("a file");
                assert_eq!(std::fs::read(path).expect("a file"), *bytes);
            }
        }
    }
}
