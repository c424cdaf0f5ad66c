//! The files of skills as resources.

use crate::listing::{
    Address, NotServed, files, find, folders, manifest, page, short, startable, unknown, uri_of,
};
use crate::live::{ListedSkill, Now};
use crate::skills::Skills;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    DIRECTORY_MIME_TYPE, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, SkillResource,
};
use serde_json::json;
use skills_format::SKILL_FILE;
use skills_runtime::Skill;
use std::sync::Arc;

/// The URI template of the files.
const TEMPLATE: &str = "skill://{source}/{name}/{+path}";

/// A served file: its skill, its address, and its listed digest and size.
type ServedFile<'n> = (Skill<'n>, Address, SkillResource);

impl Skills {
    /// Answers `resources/list`: the `SKILL.md` of each skill, with the name and the description of its
    /// front matter. The other files are in `skills/list` and `resources/directory/read`.
    ///
    /// # Cost
    ///
    /// Reads and hashes the files of the skills of folders on the page, unless they were listed before.
    pub fn list_resources(
        &self,
        request: Option<&PaginatedRequestParams>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let now = self.now();
        let entries = startable(&now.catalog);
        let (items, next) = page(request, now.revision, entries.len(), |index| {
            let entry = entries.get(index)?;
            let skill = listed(&now, entry).ok()?;
            let resource = Resource::new(&skill.uri, &skill.frontmatter.name)
                .with_description(&skill.frontmatter.description)
                .with_mime_type("text/markdown")
                .with_size(files(&skill).first()?.size);
            Some((resource, entry.description().len() + 200))
        })?;
        let mut result = ListResourcesResult::with_all_items(items);
        result.next_cursor = next;
        Ok(result)
    }

    /// Answers `resources/templates/list`: the URI template of all files.
    pub fn list_resource_templates(&self) -> ListResourceTemplatesResult {
        let template = ResourceTemplate::new(TEMPLATE, "skill-file")
            .with_title("A file of a skill")
            .with_description(
                "`source` and `name` are those of a skill; `path` is relative to its folder, such as SKILL.md.",
            );
        ListResourceTemplatesResult::with_all_items(vec![template])
    }

    /// Answers `resources/read` for a file of a skill.
    ///
    /// # Errors
    ///
    /// - Not found (`-32602`; for clients before 2026-07-28 `-32002`): no served skill has the file.
    /// - `-32603`: the file has changed since the skill was listed, or cannot be read.
    ///
    /// # Cost
    ///
    /// Reads and hashes the file. If the skill was not listed yet, reads and hashes all files of the skill.
    pub fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let now = self.now();
        let (entry, address, listed) = Self::file(&now, uri)?;
        let bytes = match entry.read(&address.path) {
            Ok(bytes) if listed.verify(&bytes).is_ok() => bytes,
            changed => {
                now.listed().remove(&uri_of(&entry, SKILL_FILE));
                let why = changed.err().map(|error| format!(": {error:#}"));
                let (skill, why) = (uri_of(&entry, SKILL_FILE), why.unwrap_or_default());
                let uri = short(uri);
                return Err(internal(format!(
                    "'{uri}' has changed since its skill was listed{why}; call skills/get for '{skill}' again"
                )));
            }
        };
        let contents = contents(&address.path, &bytes, uri);
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// Answers `resources/directory/read`: the files and folders directly in a folder of a skill.
    ///
    /// # Errors
    ///
    /// `-32602`: no served skill has the folder.
    ///
    /// # Cost
    ///
    /// Lists the folders of the skill. If the skill was not listed yet, also reads and hashes all its files.
    pub fn read_directory(
        &self,
        uri: &str,
        request: Option<&PaginatedRequestParams>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let now = self.now();
        // The address of a folder has no trailing slash. Clients that add a slash mean the same folder.
        let uri = uri.strip_suffix('/').unwrap_or(uri);
        let unknown = |why| unknown(why, uri);
        let (entry, address) = find(&now.catalog, uri).map_err(unknown)?;
        listed(&now, &entry).map_err(|left_out| unknown(left_out.to_string()))?;
        let unreadable = |error: skills_runtime::Error| internal(format!("{error:#}"));
        let folders = folders(&entry).map_err(unreadable)?;
        if !address.path.is_empty() && !folders.contains(&address.path) {
            return Err(unknown(format!("'{}' is not a directory", short(uri))));
        }
        let files = entry.files().map_err(unreadable)?.into_iter().skip(1);
        let mut children: Vec<Resource> = files
            .map(|file| (file.path.into_owned(), Some(file.size)))
            .chain([(SKILL_FILE.to_owned(), None)])
            .filter_map(|(path, size)| child_file(&entry, &address.path, &path, size))
            .collect();
        let folders = folders.iter();
        children.extend(folders.filter_map(|path| child_folder(&entry, &address.path, path)));
        children.sort_by(|a, b| a.uri.cmp(&b.uri));
        let (items, next) = page(request, now.revision, children.len(), |index| {
            let child = children.get(index)?;
            Some((child.clone(), child.uri.len() + 100))
        })?;
        let mut result = ListResourcesResult::with_all_items(items);
        result.next_cursor = next;
        Ok(result)
    }

    /// Checks that an address is a served file.
    pub(crate) fn served_file(&self, uri: &str) -> Result<(), ErrorData> {
        Self::file(&self.now(), uri).map(drop)
    }

    /// Finds a served file, with the listed files of its skill.
    fn file<'n>(now: &'n Now, uri: &str) -> Result<ServedFile<'n>, ErrorData> {
        let not_found = |why| not_found(why, uri);
        let (entry, address) = find(&now.catalog, uri).map_err(not_found)?;
        let skill = listed(now, &entry).map_err(|left_out| not_found(left_out.to_string()))?;
        let listed = uri_of(&entry, &address.path);
        match files(&skill).iter().find(|file| file.uri == listed) {
            Some(file) => Ok((entry, address, file.clone())),
            None => Err(not_found(format!(
                "skill '{entry}' has no file '{}'; skills/get lists its files",
                short(&address.path)
            ))),
        }
    }
}

/// Returns a skill as it was listed, or lists it now.
fn listed(now: &Now, entry: &Skill<'_>) -> Result<Arc<ListedSkill>, NotServed> {
    match now.held(&uri_of(entry, SKILL_FILE)) {
        Some(held) => Ok(held),
        None => manifest(now, entry),
    }
}

fn child_file(entry: &Skill<'_>, folder: &str, path: &str, size: Option<u64>) -> Option<Resource> {
    let name = child(folder, path)?;
    let mut resource = Resource::new(uri_of(entry, path), name);
    resource.mime_type = mime_type(path).map(str::to_owned);
    resource.size = size;
    Some(resource)
}

fn child_folder(entry: &Skill<'_>, folder: &str, path: &str) -> Option<Resource> {
    let name = child(folder, path)?;
    Some(Resource::new(uri_of(entry, path), name).with_mime_type(DIRECTORY_MIME_TYPE))
}

/// Returns the name of an item directly in a folder.
fn child<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    let below = match folder {
        "" => path,
        folder => path.strip_prefix(folder)?.strip_prefix('/')?,
    };
    (!below.contains('/')).then_some(below)
}

/// Creates the contents of a file: as text if the file is UTF-8 without NUL, else as a blob.
fn contents(path: &str, bytes: &[u8], uri: &str) -> ResourceContents {
    let mime_type = mime_type(path);
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'));
    if let Some(text) = text {
        return ResourceContents::text(text, uri).with_mime_type(mime_type.unwrap_or("text/plain"));
    }
    let mime_type = mime_type.unwrap_or("application/octet-stream");
    ResourceContents::blob(BASE64_STANDARD.encode(bytes), uri).with_mime_type(mime_type)
}

/// Returns the MIME type of a file, by its extension.
fn mime_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    Some(match &*extension.to_ascii_lowercase() {
        "md" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "html" | "htm" => "text/html",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "sh" => "application/x-sh",
        "py" => "text/x-python",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

fn internal(message: String) -> ErrorData {
    ErrorData::internal_error(message, None)
}

fn not_found(message: String, uri: &str) -> ErrorData {
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}
