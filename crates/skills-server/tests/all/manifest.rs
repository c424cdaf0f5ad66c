//! The manifest of the bundled skills has the format that the MCP SDK reads, and the digests of the files.

use bundled_skills::SKILLS;
use rmcp::model::{Skill, SkillResources, skill_name_from_uri, validate_skills};
use serde_json::Value;
use skills_runtime::Catalog;

#[test]
fn the_sdk_reads_it_and_finds_every_file_as_it_is() {
    let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
    let mut read = Vec::new();
    for baked in &SKILLS {
        let entry = catalog.get(baked.name()).expect("a bundled skill");
        let json = entry.manifest().expect("a skill to serve").to_json();
        let skill: Skill = serde_json::from_str(&json).expect("a skill of the SDK");
        assert_eq!(skill_name_from_uri(&skill.uri), Some(baked.name()));
        assert_eq!(skill.frontmatter.name, baked.name());
        assert_eq!(skill.frontmatter.description, baked.description());
        let SkillResources::Files(files) = &skill.resources else {
            panic!("a bundle's files do not change");
        };
        for (listed, file) in files.iter().zip(baked.files()) {
            listed
                .verify(file.bytes)
                .expect("size and digest are the file's");
        }
        assert_eq!(files.len(), baked.files().count());
        let back: Value = serde_json::to_value(&skill).expect("JSON");
        assert_eq!(back, serde_json::from_str::<Value>(&json).expect("JSON"));
        read.push(skill);
    }
    validate_skills(&read).expect("the SDK finds nothing wrong");
}
