//! The served skills, their addresses, and the pages of a list.

// A skill is served if it may be started (enabled, trusted, eligible), follows the specification strictly, is within
// 512 files and 16 MiB, and takes precedence over skills with its name in its source. Each other skill is reported
// once, with the reason. A skill that another source shadows is served: the addresses differ.
//
// A name in another script is served, as the specification and the SDK allow. Some clients accept only ASCII.

use crate::live::{ListedSkill, Now};
use rmcp::ErrorData;
use rmcp::model::{PaginatedRequestParams, SkillFrontmatter, SkillResource, SkillResources};
use serde_json::json;
use skills_format::text::percent::{decode, encode_path};
use skills_format::{Digest, MAX_COMPATIBILITY, MAX_DESCRIPTION, SKILL_FILE, SkillFile};
use skills_runtime::{Catalog, Error, Skill};
use skills_session::remote::over_limits;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

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
        write!(
            f,
            "skill '{}' is not served as a resource: {}",
            self.skill, self.reason
        )
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

/// Creates the list entry of a skill, with the `SKILL.md` first. For a skill of a folder, the digests are kept for later
/// reads; for a skill of a bundle, the whole entry is.
pub(crate) fn manifest(now: &Now, entry: &Skill<'_>) -> Result<Arc<ListedSkill>, NotServed> {
    let uri = uri_of(entry, SKILL_FILE);
    if let Some(held) = now.held(&uri).filter(|_| entry.is_bundled()) {
        return Ok(held);
    }
    match hashed(entry).map(Arc::new) {
        Ok(made) => {
            now.listed().insert(uri, Arc::clone(&made));
            Ok(made)
        }
        Err(reason) => {
            now.listed().remove(&uri);
            let skill = entry.to_string();
            Err(NotServed { skill, reason })
        }
    }
}

/// Reads and hashes the files of a skill. The front matter of a bundled skill was read at compile time.
fn hashed(entry: &Skill<'_>) -> Result<ListedSkill, String> {
    let (id, is_bundled) = (entry.to_string(), entry.is_bundled());
    let nearest = entry.catalog().and_then(|catalog| catalog.get(&id));
    if !is_bundled && nearest != Some(*entry) {
        return Err("another skill of its source has the same name, and comes first".to_owned());
    }
    let files = entry.files().map_err(|error| format!("{error:#}"))?;
    let file_name = &files[0].path;
    if file_name != SKILL_FILE {
        return Err(format!(
            "its file is named `{file_name}`, not `{SKILL_FILE}`"
        ));
    }
    let bytes = files.iter().map(|file| file.size).sum();
    if let Some(over) = over_limits(files.len(), bytes) {
        return Err(over);
    }
    let mut front_matter = entry.front_matter();
    let mut resources = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let read = entry
            .read(&file.path)
            .map_err(|error| format!("{error:#}"))?;
        if at == 0 && !is_bundled {
            front_matter = strict_front_matter(entry.name(), &read)?;
        }
        let (size, digest) = (read.len() as u64, Digest::of(&read).to_string());
        resources.push(SkillResource::new(uri_of(entry, &file.path), digest, size));
    }
    let front_matter: SkillFrontmatter =
        serde_json::from_str(&front_matter).map_err(|error| error.to_string())?;
    let files = SkillResources::Files(resources);
    let skill = ListedSkill::new(uri_of(entry, SKILL_FILE), front_matter, files);
    // The SDK would reject a whole list for one invalid entry.
    skill.validate().map_err(|error| error.to_string())?;
    Ok(skill)
}

/// Returns the files of an entry.
pub(crate) fn files(skill: &ListedSkill) -> &[SkillResource] {
    match &skill.resources {
        SkillResources::Files(files) => files,
        _ => &[],
    }
}

/// Returns the folders of a skill that hold files, sorted.
pub(crate) fn folders(entry: &Skill<'_>) -> Result<Vec<String>, Error> {
    let files = entry.files()?;
    let above = |path: &str| -> Vec<String> {
        let ends = path.match_indices('/');
        ends.map(|(end, _)| path[..end].to_owned()).collect()
    };
    let folders: BTreeSet<String> = files.iter().flat_map(|file| above(&file.path)).collect();
    Ok(folders.into_iter().collect())
}

/// Returns the front matter of a file that follows the specification, as JSON.
fn strict_front_matter(name: &str, bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(b"---") {
        return Err("its SKILL.md does not begin with front matter".to_owned());
    }
    let file = SkillFile::read(SKILL_FILE, "", bytes);
    let invalid = "its SKILL.md is not valid; `skills check` shows what is wrong";
    let strict = file.strict().ok_or(invalid)?;
    if strict.name.as_str() != name {
        let (now, listed) = (&strict.name, name);
        return Err(format!("its name is now `{now}`, and was `{listed}`"));
    }
    let compatibility = strict.fields.compatibility.as_deref().unwrap_or_default();
    for (field, text, most) in [
        ("description", &*strict.description, MAX_DESCRIPTION),
        ("compatibility", compatibility, MAX_COMPATIBILITY),
    ] {
        if text.chars().count() > most {
            return Err(format!("its {field} is longer than {most} characters"));
        }
    }
    Ok(strict.front_matter_values())
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
///
/// The name is not escaped, because clients compare the name with the front matter. In the path, each byte outside of
/// `A–Z a–z 0–9 - . _ ~ /` is escaped.
pub(crate) fn uri_of(entry: &Skill<'_>, path: &str) -> String {
    let (source, name) = (entry.source(), entry.name());
    format!("{SCHEME}{source}/{name}/{}", encode_path(path))
}

/// Creates the error for wrong parameters and unknown names.
pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> ErrorData {
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

/// The scheme, with its slashes.
const SCHEME: &str = "skill://";
/// A decoded address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) source: String,
    pub(crate) name: String,
    /// The path, relative to the folder of the skill. Empty for the folder itself.
    pub(crate) path: String,
}

impl Address {
    /// Parses an address, or returns why it is none. Each segment is decoded alone, and must then be one component of a
    /// path.
    pub(crate) fn parse(uri: &str) -> Result<Self, String> {
        let rest = uri.strip_prefix(SCHEME);
        let rest = rest.ok_or_else(|| format!("it does not begin with {SCHEME}"))?;
        if rest.contains(['?', '#']) {
            return Err("it has a query or a fragment".to_owned());
        }
        let segments = rest
            .split('/')
            .map(segment)
            .collect::<Result<Vec<_>, _>>()?;
        let [source, name, path @ ..] = &*segments else {
            return Err(format!("it names no skill; write {SCHEME}SOURCE/NAME/PATH"));
        };
        let (source, name, path) = (source.to_string(), name.to_string(), path.join("/"));
        Ok(Self { source, name, path })
    }
}

/// Decodes a segment, which must be one component of a path on every system.
fn segment(written: &str) -> Result<Cow<'_, str>, String> {
    // After decoding: `%2e%2e` and `c%2fd` are rejected like `..` and `c/d`.
    let decoded = decode(written);
    let is_wrong = |c: char| matches!(c, '/' | '\\' | '\0' | '\u{FFFD}');
    if matches!(&*decoded, "" | "." | "..") || decoded.contains(is_wrong) {
        return Err(format!("its segment '{written}' is not the name of a file"));
    }
    Ok(decoded)
}

/// Maximum number of items on a page.
pub(crate) const PAGE: usize = 100;
/// Bytes after which a page ends: the item that reaches them is its last.
const PAGE_BYTES: usize = 512 * 1024;
const NOT_OF_THIS_LIST: &str = "the cursor is not one of this list; list again without a cursor";

/// Creates the requested page, and the cursor of the next one. `of` returns the item at an index with its size in bytes, or `None` if the index has no
/// item. A cursor belongs to one revision of the list: after a change it is an error.
pub(crate) fn page<T>(
    request: Option<&PaginatedRequestParams>,
    revision: u64,
    length: usize,
    mut of: impl FnMut(usize) -> Option<(T, usize)>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor.as_deref());
    let start = cursor.map_or(Ok(0), |cursor| start(cursor, revision, length))?;
    let (mut items, mut bytes) = (Vec::new(), 0);
    for index in start..length {
        if items.len() >= PAGE || bytes >= PAGE_BYTES {
            return Ok((items, Some(format!("{revision}.{index}"))));
        }
        if let Some((item, size)) = of(index) {
            items.push(item);
            bytes += size;
        }
    }
    Ok((items, None))
}

/// Rejects a cursor for a list that has only one page.
pub(crate) fn only_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_ref()) {
        None => Ok(()),
        Some(_) => Err(invalid(NOT_OF_THIS_LIST)),
    }
}

fn start(cursor: &str, revision: u64, length: usize) -> Result<usize, ErrorData> {
    let parsed = cursor
        .split_once('.')
        .and_then(|(of, start)| Some((of.parse::<u64>().ok()?, start.parse::<usize>().ok()?)))
        // The exact form only: `01.5` parses too, and was never given out.
        .filter(|(of, start)| format!("{of}.{start}") == cursor);
    match parsed {
        Some((of, start)) if of == revision && start <= length => Ok(start),
        Some((of, _)) if of != revision => Err(invalid(
            "the skills have changed since the cursor was given; list again without a cursor",
        )),
        _ => Err(invalid(NOT_OF_THIS_LIST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bundled_skills::SKILLS;
    use rmcp::model::{skill_name_from_uri, validate_skills};

    /// The list has the format that the SDK reads, and the digests of the files.
    #[test]
    fn the_sdk_reads_it_and_finds_every_file_as_it_is() {
        let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
        let mut read = Vec::new();
        for baked in &SKILLS {
            let entry = catalog.get(baked.name()).expect("a bundled skill");
            let skill = hashed(&entry).expect("a skill to serve");
            assert_eq!(skill_name_from_uri(&skill.uri), Some(baked.name()));
            assert_eq!(skill.frontmatter.name, baked.name());
            assert_eq!(skill.frontmatter.description, baked.description());
            let SkillResources::Files(files) = &skill.resources else {
                panic!("a bundle's files do not change");
            };
            let of_skill = baked.files().expect("files");
            for (listed, file) in files.iter().zip(&of_skill) {
                listed
                    .verify(&baked.read(&file.path).expect("a file"))
                    .expect("size and digest are the file's");
            }
            assert_eq!(files.len(), of_skill.len());
            read.push(skill);
        }
        validate_skills(&read).expect("the SDK finds nothing wrong");
        let entry = catalog.get("skill-creator").or(catalog.iter().next());
        let uri = uri_of(&entry.expect("a skill"), "references/ü 1.md");
        assert!(uri.ends_with("/references/%C3%BC%201.md"), "{uri}");
    }

    #[test]
    fn addresses() {
        let parse = |uri: &str| {
            let address = Address::parse(uri);
            address.map(|Address { source, name, path }| [source, name, path].join(" "))
        };
        assert_eq!(parse("skill://a/b/SKILL.md"), Ok("a b SKILL.md".to_owned()));
        assert_eq!(parse("skill://a/b"), Ok("a b ".to_owned()));
        assert_eq!(
            parse("skill://a/b/%C3%BC%201.md"),
            Ok("a b ü 1.md".to_owned())
        );
        assert_eq!(
            parse("skill://a"),
            Err("it names no skill; write skill://SOURCE/NAME/PATH".to_owned())
        );
        assert_eq!(
            parse("file:///etc/passwd"),
            Err("it does not begin with skill://".to_owned())
        );
        assert_eq!(
            parse("skill://a/b/x?y"),
            Err("it has a query or a fragment".to_owned())
        );
        for segment in [
            "", ".", "..", "%2e%2E", "c%2Fd", "c%5cd", "%00", "%ff", "c\\d",
        ] {
            for uri in [
                format!("skill://a/b/{segment}/d"),
                format!("skill://a/{segment}/d"),
                format!("skill://a/b/{segment}"),
            ] {
                let refused = parse(uri.as_str()).expect_err("a wrong segment");
                assert!(
                    refused.contains(&format!("'{segment}'")),
                    "{uri}: {refused}"
                );
            }
        }
    }
}
