//! The served skills and their addresses.

// A skill is served if it may be started (enabled, trusted, eligible), follows the specification strictly, is within
// 512 files and 16 MiB, and takes precedence over skills with its name in its source. Each other skill is reported
// once, with the reason. A skill that another source shadows is served: the addresses differ.
//
// A name in another script is served, as the specification and the SDK allow. Some clients accept only ASCII.

use crate::address::Address;
use crate::live::Now;
use crate::manifest::{self, ManifestEntry, skill_uri};
use rmcp::ErrorData;
use rmcp::model::{SkillFrontmatter, SkillResource, SkillResources};
use serde_json::json;
use skills_format::SKILL_FILE;
use skills_format::text::percent::encode_path;
use skills_runtime::{Catalog, Skill};
use std::fmt;

/// A skill that may be started, but is not served.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct NotServed {
    /// The id of the skill: `source:name`.
    pub skill: String,
    /// The reason, as a sentence for a log.
    pub reason: String,
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skill '{}' is not served: {}", self.skill, self.reason)
    }
}

/// Returns whether a skill may be started. Other skills are not served, and need no entry in the log.
pub(crate) fn may_start(entry: &Skill<'_>) -> bool {
    entry.is_enabled() && entry.is_trusted() && entry.missing().is_empty()
}

/// Returns the skills that may be started, in the order of the catalog.
pub(crate) fn startable(catalog: &Catalog) -> Vec<Skill<'_>> {
    catalog.iter().filter(may_start).collect()
}

/// Creates the list entry of a skill. For a skill of a folder, the digests are kept for later reads.
pub(crate) fn manifest(now: &Now, entry: &Skill<'_>) -> Result<ManifestEntry, NotServed> {
    let made = manifest::manifest(entry);
    match made.and_then(valid) {
        Ok(made) => {
            if !entry.is_bundled() {
                now.held.keep(&made);
            }
            Ok(made)
        }
        Err(reason) => {
            now.held.forget(&uri_of(entry, SKILL_FILE));
            let skill = entry.to_string();
            Err(NotServed { skill, reason })
        }
    }
}

/// Validates an entry like the SDK, which would reject a whole list for one invalid entry.
fn valid(made: ManifestEntry) -> Result<ManifestEntry, String> {
    let skill = sdk_skill(&made).map_err(|error| error.to_string())?;
    skill.validate().map_err(|error| error.to_string())?;
    Ok(made)
}

/// Converts an entry of `skills/list` to the SDK's type.
pub(crate) fn sdk_skill(entry: &ManifestEntry) -> serde_json::Result<rmcp::model::Skill> {
    let front_matter: SkillFrontmatter = serde_json::from_str(&entry.front_matter)?;
    let files = entry
        .resources
        .iter()
        .map(|file| SkillResource::new(&file.uri, file.digest.to_string(), file.size))
        .collect();
    Ok(rmcp::model::Skill::new(
        &entry.uri,
        front_matter,
        SkillResources::Files(files),
    ))
}

/// Finds the skill of an address, and returns it with the decoded path. Addresses of one file differ only in their
/// escapes.
pub(crate) fn find<'c>(catalog: &'c Catalog, uri: &str) -> Result<(Skill<'c>, Address), String> {
    let address = Address::parse(uri)
        .map_err(|why| format!("'{}' is not an address of a skill: {why}", short(uri)))?;
    let entry = catalog
        .get(&format!("{}:{}", address.source, address.name))
        .filter(may_start);
    let unknown = || format!("unknown skill in '{}'; skills/list shows all", short(uri));
    Ok((entry.ok_or_else(unknown)?, address))
}

/// Returns the address of a file, in the form in which it is listed.
pub(crate) fn uri_of(entry: &Skill<'_>, path: &str) -> String {
    skill_uri(entry.source().name(), entry.name(), path)
}

/// Returns the address of a folder in a skill. The empty path is the skill's own folder.
pub(crate) fn folder_uri(entry: &Skill<'_>, path: &str) -> String {
    let mut uri = uri_of(entry, "");
    uri.pop();
    if !path.is_empty() {
        uri.push('/');
        uri.push_str(&encode_path(path));
    }
    uri
}

/// Creates the error for wrong parameters and unknown names.
pub(crate) fn invalid(message: String) -> ErrorData {
    ErrorData::invalid_params(message, None)
}

/// Creates the error for the address of a skill, a folder or a file that is not served. `data.uri` is the address.
pub(crate) fn unknown(message: String, uri: &str) -> ErrorData {
    ErrorData::invalid_params(message, Some(json!({ "uri": uri })))
}

/// Shortens a client's text for an error message.
pub(crate) fn short(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
