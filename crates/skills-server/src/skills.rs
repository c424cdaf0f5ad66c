//! The requests about the skills of a catalog.

use crate::listing::{NotServed, files, find, manifest, short, startable, unknown, uri_of};
use crate::live::{Live, Now};
use crate::pages::page;
#[cfg(feature = "watch")]
use crate::watch::Watch;
use rmcp::ErrorData;
use rmcp::model::{GetSkillResult, ListSkillsResult, PaginatedRequestParams, ServerCapabilities};
use skills_format::SKILL_FILE;
use skills_profiles::Profile;
use skills_runtime::Catalog;
use skills_session::options::{Budget, CatalogPlace};
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
