//! The tools with which a model starts skills, for clients without the extension.

use crate::listing::invalid;
use crate::skills::Skills;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;
use skills_session::Dialect as _;
use skills_session::session::call_tool;
use skills_session::session::{ToolErrorKind, ToolSpec};

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
