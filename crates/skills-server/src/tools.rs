//! The tools with which a model starts skills, for clients without the extension.

use crate::listing::invalid;
use crate::skills::Skills;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;
use skills_profiles::Profile;
use skills_session::Dialect as _;
use skills_session::session::{ToolErrorKind, ToolSpec, call_tool};

impl Skills {
    /// Answers `tools/list`: the tools of [`Dialect::tools`](skills_session::Dialect::tools).
    pub fn tools(&self) -> Vec<Tool> {
        let specs = self.profile.tools(&self.now().catalog);
        specs.into_iter().map(tool).collect()
    }

    /// Answers `tools/call`. An error of the model is a result with `isError`, which the model reads.
    ///
    /// # Errors
    ///
    /// `-32602`: the tool is unknown.
    ///
    /// # Cost
    ///
    /// The cost of [`call_tool`](skills_session::session::call_tool).
    pub fn call_tool(
        &self,
        name: &str,
        arguments: Option<JsonObject>,
    ) -> Result<CallToolResult, ErrorData> {
        let arguments = Value::Object(arguments.unwrap_or_default()).to_string();
        let catalog = self.now().catalog.clone();
        match call_tool(&*self.profile, &catalog, name, &arguments) {
            Ok(answer) => Ok(CallToolResult::success(vec![ContentBlock::text(
                answer.into_text(),
            )])),
            Err(error) if error.kind() == ToolErrorKind::UnknownTool => {
                Err(invalid(error.to_string()))
            }
            Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(
                error.to_string(),
            )])),
        }
    }
}

fn tool(spec: ToolSpec) -> Tool {
    let schema = match spec.parameters {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let reads = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new(spec.name, spec.description, schema).with_annotations(reads)
}

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
    use crate::SkillsServer;
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
