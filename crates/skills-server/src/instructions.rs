//! What the server says to a model about itself.

use skills_profiles::Profile;

/// Creates the server's instructions for a model. The profile names the tool that starts a skill.
pub(crate) fn instructions(profile: &Profile) -> String {
    let start = match &profile.options.tool {
        Some(tool) => format!(
            "call the tool `{}` with its name and follow what it returns",
            tool.name
        ),
        None => "read its `SKILL.md` with `read_skill_resource` and follow it".to_owned(),
    };
    format!(
        "Skills are instructions for kinds of tasks. When a task matches the description of a skill, {start}. \
         `list_skills` shows all skills."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Skills, SkillsServer};
    use rmcp::ServerHandler as _;
    use skills_runtime::Catalog;

    #[test]
    fn the_instructions_name_the_tool_that_there_is() {
        for profile in Profile::all() {
            let catalog = Catalog::builder()
                .bundle("bundled", &bundled_skills::SKILLS)
                .load();
            let skills = Skills::new(catalog).with_profile(profile.clone());
            let tools: Vec<String> = skills
                .tools()
                .iter()
                .map(|tool| tool.name.to_string())
                .collect();
            let server = SkillsServer::of("test", "1", skills);
            let text = server.get_info().instructions.unwrap_or_default();
            let named: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
            let named = named.into_iter().filter(|name| *name != "SKILL.md");
            for name in named {
                assert!(
                    tools.iter().any(|tool| tool == name),
                    "{}: {text}",
                    profile.name
                );
            }
            let start = profile
                .options
                .tool
                .as_ref()
                .map(|tool| format!("`{}`", tool.name));
            assert!(start.is_none_or(|start| text.contains(&start)), "{text}");
        }
    }
}
