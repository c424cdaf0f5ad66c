//! The requests about the skills of a catalog, and the tools with which a model starts them.

use crate::listing::{
    NotServed, files, find, invalid, manifest, page, short, startable, unknown, uri_of,
};
use crate::live::{Live, Now};
#[cfg(feature = "watch")]
use crate::watch::Watch;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, GetSkillResult, JsonObject, ListSkillsResult,
    PaginatedRequestParams, ServerCapabilities, Tool, ToolAnnotations,
};
use serde_json::Value;
use skills_format::SKILL_FILE;
use skills_profiles::Profile;
use skills_runtime::Catalog;
use skills_session::Dialect as _;
use skills_session::options::{Budget, CatalogPlace};
use skills_session::session::{ToolErrorKind, ToolSpec, call_tool};
use std::sync::Arc;

/// Maximum characters of the list of skills in the description of the skill tool. Clients limit that description.
const DESCRIBED: usize = 4_000;

/// The skills of a catalog, with a method for each request. Cheap to clone; clones share the catalog.
///
/// Each method answers one request of the protocol. A method can read files, so an asynchronous server must call it
/// where blocking is allowed; [`SkillsServer`](crate::SkillsServer) does.
///
/// ```
/// use skills_server::Skills;
/// use skills_runtime::Catalog;
///
/// let catalog = Catalog::builder().bundle("bundled", &bundled_skills::SKILLS).load();
/// let skills = Skills::new(catalog);
/// let first = &skills.list_skills(None)?.skills[0];
/// let text = skills.read_resource(&first.uri)?;
/// assert_eq!(text.contents.len(), 1);
/// # Ok::<(), rmcp::ErrorData>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skills {
    pub(crate) live: Arc<Live>,
    pub(crate) profile: Arc<Profile>,
}

impl Skills {
    /// Serves the skills of a catalog.
    pub fn new(catalog: Catalog) -> Self {
        Self {
            live: Arc::new(Live::new(catalog)),
            profile: Arc::new(described(Profile::default())),
        }
    }

    /// Sets the profile: the form of activations, the name of the skill tool, and the naming of plugins. The profile's
    /// list of skills goes into the description of the skill tool, with at most 4,000 characters.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = Arc::new(described(profile));
        self
    }

    /// Returns the capabilities that a server with these skills declares.
    pub fn capabilities() -> ServerCapabilities {
        ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_skills_with_directory_read()
            .build()
    }

    /// Returns the current catalog.
    pub fn catalog(&self) -> Catalog {
        self.live.now().catalog.clone()
    }

    /// Replaces the catalog, and notifies subscribed clients that the lists have changed.
    pub fn replace(&self, catalog: Catalog) {
        self.update(|_| Some(catalog));
    }

    /// Replaces the catalog by the result of `change`. `None` changes nothing and notifies no client. No other change,
    /// such as one of a [watch](Self::watch), runs in between.
    pub fn update(&self, change: impl FnOnce(&Catalog) -> Option<Catalog>) {
        self.live.update(change);
    }

    /// Watches the folders of the catalog until the watch is dropped, and replaces the catalog when a skill was added,
    /// changed or removed, or another file of a skill was. Files are read when 100 ms have passed without another change,
    /// at most one second after the first.
    ///
    /// # Errors
    ///
    /// The operating system cannot watch a folder, or cannot start a thread.
    #[cfg(feature = "watch")]
    pub fn watch(&self) -> std::io::Result<Watch> {
        let live = Arc::clone(&self.live);
        Watch::new(&self.catalog(), move || {
            live.update(|catalog| Some(catalog.reload()));
            live.now().catalog.clone()
        })
    }

    /// Lists the skills that may be started and are not served, each with the reason.
    ///
    /// # Cost
    ///
    /// Reads and hashes the files of every skill of a folder.
    pub fn left_out(&self) -> Vec<NotServed> {
        let now = self.live.now();
        let entries = startable(&now.catalog);
        let left_out = entries
            .iter()
            .filter_map(|entry| manifest(&now, entry).err());
        left_out.collect()
    }

    /// Answers `skills/list`: each skill with its front matter, and every file with its size and digest.
    ///
    /// # Cost
    ///
    /// Reads and hashes the files of the skills of folders on the page.
    pub fn list_skills(
        &self,
        request: Option<&PaginatedRequestParams>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let now = self.live.now();
        let entries = startable(&now.catalog);
        let (items, next) = page(request, now.revision, entries.len(), |index| {
            let entry = entries.get(index)?;
            let made = manifest(&now, entry).ok()?;
            let bytes = entry.front_matter().len() + files(&made).len() * 200;
            Some((Arc::unwrap_or_clone(made), bytes))
        })?;
        let mut result = ListSkillsResult::with_all_items(items);
        result.next_cursor = next;
        Ok(result)
    }

    /// Answers `skills/get` for the address of a `SKILL.md`.
    ///
    /// # Errors
    ///
    /// `-32602`: no served skill has the address.
    ///
    /// # Cost
    ///
    /// Reads and hashes the files of a skill of a folder.
    pub fn get_skill(&self, uri: &str) -> Result<GetSkillResult, ErrorData> {
        let now = self.live.now();
        let unknown = |why| unknown(why, uri);
        let (entry, _) = find(&now.catalog, uri).map_err(unknown)?;
        let listed = uri_of(&entry, SKILL_FILE);
        if listed != uri {
            let why = format!("unknown skill '{}'; its address is '{listed}'", short(uri));
            return Err(unknown(why));
        }
        let skill = manifest(&now, &entry).map_err(|left_out| unknown(left_out.to_string()))?;
        Ok(GetSkillResult::new(Arc::unwrap_or_clone(skill)))
    }

    pub(crate) fn now(&self) -> Arc<Now> {
        self.live.now()
    }
}

/// Moves the list of skills into the description of the skill tool, the only place that a client shows a model.
fn described(mut profile: Profile) -> Profile {
    profile.options.catalog.place = CatalogPlace::ToolDescription;
    profile.options.catalog.budget = Budget::Characters(DESCRIBED);
    // The server's instructions name the other tools.
    profile.one_tool = false;
    profile
}

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
