//! The names that a crate may give to its skills.

/// Returns the name of a crate as the beginning of a skill's name. A crate named `My_Crate` may ship `my-crate` and
/// `my-crate-…`: a skill of a dependency then takes no name that a person would expect from elsewhere.
pub fn skill_prefix(krate: &str) -> String {
    krate.to_lowercase().replace('_', "-")
}

/// Returns whether a crate may ship a skill of this name.
pub fn may_ship(krate: &str, skill: &str) -> bool {
    let rest = skill.strip_prefix(&skill_prefix(krate));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_crates_and_skills() {
        for (krate, skill, may) in [
            ("serde", "serde", true),
            ("serde", "serde-derive", true),
            ("serde", "serde2", false),
            ("serde", "deploy", false),
            ("serde_json", "serde-json", true),
            ("serde-json", "serde-json-usage", true),
            ("Inflector", "inflector", true),
            ("serde_json", "serde", false),
            ("Größe", "größe-1", true),
            ("größe", "grosse", false),
            ("a__b", "a-b", false),
        ] {
            assert_eq!(may_ship(krate, skill), may, "{krate} {skill}");
        }
    }
}
