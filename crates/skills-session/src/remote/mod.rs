//! Skills of MCP servers, from data that the host fetched. No code here uses a network.
//!
//! [`RemoteServer::list`] takes what the server lists. A person approves a skill with exactly its files; then the host
//! fetches the files that are [missing](RemoteSkill::missing), [hands](RemoteSkill::supply) them over, and adds the server
//! to its catalog with [`RemoteServer::add_to`]. A skill starts if a person has approved it and all of its files are here.

use serde::Deserialize;
use serde_json::{Map, Value};
use skills_format::text::percent::decode;
use skills_format::{
    Digest, MAX_DESCRIPTION, NameError, SKILL_FILE, Skill, SkillFile, SkillName, Text, nfc,
};
use skills_runtime::{Catalog, CatalogBuilder, Error, ErrorKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

/// The maximum number of files in a served skill (Skills extension).
const MAX_FILES: usize = 512;
/// The maximum number of bytes in all files of a served skill (Skills extension).
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Returns a sentence that names the exceeded limit of the extension. Returns `None` if the number of
/// files and bytes is within the limits.
pub fn over_limits(files: usize, bytes: u64) -> Option<String> {
    if files > MAX_FILES {
        return Some(format!(
            "it has {files} files, and at most {MAX_FILES} can be served"
        ));
    }
    (bytes > MAX_BYTES)
        .then(|| format!("its files have {bytes} bytes, and at most {MAX_BYTES} can be served"))
}

/// A skill of an MCP server. The listed data is not trusted until it is verified.
///
/// The host fetches the files of an approved skill, and passes them to [`RemoteSkill::supply`].
#[derive(Debug)]
pub struct RemoteSkill {
    /// `mcp:LABEL`, with the label that the host gave the server.
    pub server: String,
    /// The address of the `SKILL.md` at the server. It identifies the skill only together with the server.
    pub uri: String,
    /// The name.
    pub name: String,
    /// The description that the server lists.
    pub description: String,
    /// The front matter as JSON, with all keys.
    front_matter: String,
    /// The files, in the order of their paths.
    pub files: Vec<RemoteFile>,
    /// The fetched files that match the listed digests, by path.
    verified: RwLock<BTreeMap<String, Vec<u8>>>,
}

/// A file of a skill of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The address at the server.
    pub uri: String,
    /// The path relative to the skill's folder, with `/`.
    #[serde(skip)]
    pub path: Text,
    /// SHA-256 of the bytes, as listed by the server.
    pub digest: Digest,
    /// The length in bytes, as listed by the server.
    pub size: u64,
}

// An approval covers one server, one address and one set of files. Skills with `dynamic` files are
// declined: an approval of them could not last. A declined entry of a known skill ends its approval; the
// skill itself stays, as the person saw it.

/// The skills of one MCP server.
///
/// The host gives the server a label, fetches `skills/list` and `skills/get`, and passes the results on
/// unchanged. A skill starts only after a person has approved it, and the host has fetched its files and passed them
/// to [`RemoteSkill::supply`], which verifies them.
///
/// ```
/// use skills_runtime::Catalog;
/// use skills_session::remote::RemoteServer;
///
/// let mut server = RemoteServer::new("acme").expect("a label");
/// server.list(r#"{"skills": []}"#)?;
/// let catalog = server.add_to(Catalog::builder()).load();
/// assert!(catalog.get("mcp:acme:review").is_none());
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RemoteServer {
    label: String,
    skills: Vec<Arc<RemoteSkill>>,
    /// The addresses of the skills of which a person approved this version.
    approved: HashSet<String>,
    /// The index of each skill by its address. A server can list thousands of skills.
    places: HashMap<String, usize>,
    names: HashSet<String>,
    declined: Vec<Error>,
    /// The texts of the declined entries, so that a list that is fetched again adds no duplicates.
    reasons: HashSet<String>,
}

/// The approval of a person: one skill of one server with exactly these files. The host stores the
/// approval.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct RemoteApproval {
    /// `mcp:LABEL`
    pub server: String,
    /// The address of the `SKILL.md`.
    pub uri: String,
    /// SHA-256 over the addresses and digests of all files.
    pub digest: Digest,
}

impl RemoteServer {
    /// Makes a server without skills. The label is the host's own name for the server, never a name that
    /// the server chooses.
    ///
    /// # Errors
    ///
    /// [`NameError`] if the label is not a valid skill name.
    pub fn new(label: &str) -> Result<Self, NameError> {
        Ok(Self {
            label: SkillName::new(label)?.into_string(),
            skills: Vec::new(),
            approved: HashSet::new(),
            places: HashMap::new(),
            names: HashSet::new(),
            declined: Vec::new(),
            reasons: HashSet::new(),
        })
    }

    /// Returns the host's label for the server.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Adds the skills of one page or all pages of `skills/list`, as JSON. A skill that was listed
    /// before stays, even if it is not on this page: a page can hold a part of the skills. An invalid
    /// entry is [declined](Self::declined).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the text is not JSON, or has no list `skills`.
    pub fn list(&mut self, result: &str) -> Result<(), Error> {
        let result = self.parse(result)?;
        let Some(Value::Array(entries)) = result.get("skills") else {
            return Err(self.wrong("skills/list has no list of skills"));
        };
        for entry in entries {
            if let Err(error) = self.take(entry)
                && self.reasons.insert(error.to_string())
            {
                self.declined.push(error);
            }
        }
        Ok(())
    }

    /// Adds the skill of `skills/get`, as JSON: a host can know a skill by its address alone.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the text is not JSON, or the skill is declined.
    pub fn get(&mut self, result: &str) -> Result<Arc<RemoteSkill>, Error> {
        let result = self.parse(result)?;
        let entry = result.get("skill").cloned();
        let entry = entry.ok_or_else(|| self.wrong("skills/get has no skill"))?;
        self.take(&entry)
    }

    /// Approves the skills that a person approved before, if every file is still the same.
    pub fn approve<'a>(&mut self, approvals: impl IntoIterator<Item = &'a RemoteApproval>) {
        for approval in approvals {
            let place = self.places.get(&approval.uri);
            if place.is_some_and(|place| self.skills[*place].approval() == *approval) {
                self.approved.insert(approval.uri.clone());
            }
        }
    }

    /// Returns the skills in the order in which they were first listed.
    pub fn skills(&self) -> &[Arc<RemoteSkill>] {
        &self.skills
    }

    /// Returns the declined entries, each with the reason. A repeated reason for an entry is kept once.
    pub fn declined(&self) -> &[Error] {
        &self.declined
    }

    /// Adds an entry. A changed entry replaces the earlier entry and loses its approval. A declined
    /// entry ends the approval too: the server no longer lists what the person approved.
    fn take(&mut self, entry: &Value) -> Result<Arc<RemoteSkill>, Error> {
        let uri = entry.get("uri").and_then(Value::as_str);
        let parsed = parse(&self.source(), entry);
        let Some(place) = uri.and_then(|uri| self.places.get(uri)) else {
            return self.add(parsed?);
        };
        let known = &mut self.skills[*place];
        if let Ok(skill) = &parsed
            && known.digest() == skill.digest()
            && known.front_matter == skill.front_matter
        {
            return Ok(Arc::clone(known));
        }
        // Before the `?` below: a declined entry must end the approval too.
        self.approved.remove(&known.uri);
        // The address ends with the name in the front matter, so the name stays the same.
        *known = Arc::new(parsed?);
        Ok(Arc::clone(known))
    }

    fn add(&mut self, skill: RemoteSkill) -> Result<Arc<RemoteSkill>, Error> {
        if !self.names.insert(skill.name.clone()) {
            return Err(declined(
                &skill.uri,
                "another skill of the server has its name",
            ));
        }
        self.places.insert(skill.uri.clone(), self.skills.len());
        let skill = Arc::new(skill);
        self.skills.push(Arc::clone(&skill));
        Ok(skill)
    }

    /// Adds the skills to a catalog, ranked below all sources that were added before. The source is named `mcp:LABEL`. Its
    /// skills have only qualified ids, such as `mcp:acme:review`: a bare name never means a server's skill, also if no
    /// other skill has the name. A skill is trusted if a person has [approved](Self::approve) it and every file is here. A
    /// skill whose `SKILL.md` is not here is listed with the front matter that the server listed.
    pub fn add_to(&self, builder: CatalogBuilder) -> CatalogBuilder {
        let mut files = Vec::new();
        let mut approved = Vec::new();
        for skill in &self.skills {
            let verified = skill
                .verified
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            let path = |path: &str| format!("{}/{path}", skill.name);
            let of_skill = verified
                .iter()
                .map(|(file, bytes)| (path(file), bytes.clone()));
            let of_skill: Vec<_> = of_skill.collect();
            if !verified.contains_key(SKILL_FILE) {
                let listed = format!("---\n{}\n---\n", skill.front_matter);
                files.push((path(SKILL_FILE), listed.into_bytes()));
            } else if self.approved.contains(&skill.uri) && verified.len() == skill.files.len() {
                approved.extend(of_skill.iter().cloned());
            }
            files.extend(of_skill);
        }
        // An approval is of exactly these files.
        let approved = Catalog::builder()
            .files(self.source(), approved)
            .namespaced();
        let approved = approved.load();
        let records = approved
            .iter()
            .filter_map(|skill| skill.trust_record().ok());
        let builder = builder.files(self.source(), files);
        builder.namespaced().trusted(records)
    }

    /// Returns the name of the source in a catalog.
    pub(crate) fn source(&self) -> String {
        format!("mcp:{}", self.label)
    }

    fn parse(&self, json: &str) -> Result<Value, Error> {
        serde_json::from_str(json).map_err(|error| self.wrong(&format!("it is not JSON: {error}")))
    }

    fn wrong(&self, what: &str) -> Error {
        let label = &self.label;
        Error::new(
            ErrorKind::Refused,
            format_args!("the answer of '{label}' is wrong: {what}"),
        )
    }
}

impl RemoteSkill {
    /// Returns the addresses of the files that are not here yet, for the host to fetch and [supply](Self::supply).
    pub fn missing(&self) -> Vec<&str> {
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        let files = self.files.iter();
        let missing = files.filter(|file| !verified.contains_key(&*file.path));
        missing.map(|file| &*file.uri).collect()
    }

    /// Returns the SHA-256 over the addresses, lengths and digests of all files. An approval covers this
    /// set.
    pub fn digest(&self) -> Digest {
        let mut files: Vec<_> = self.files.iter().collect();
        // In order of addresses, so that a server that lists the files in another order keeps its
        // approval.
        files.sort_by(|a, b| a.uri.cmp(&b.uri));
        Digest::of_files(
            files
                .iter()
                .map(|file| (&*file.uri, file.size, file.digest)),
        )
    }

    /// Returns the record of a person's approval, for the host to store. The record does not cover any
    /// other set of files.
    pub fn approval(&self) -> RemoteApproval {
        RemoteApproval {
            server: self.server.clone(),
            uri: self.uri.clone(),
            digest: self.digest(),
        }
    }

    /// Verifies a file that the host fetched from the server, and stores it. The front matter of a
    /// `SKILL.md` is compared with the entry, field by field. Bytes from a cache are verified at each
    /// call too.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the server did not list the file.
    /// - [`ErrorKind::Refused`]: the length, the digest or the front matter differs from the listed
    ///   one.
    pub fn supply(&self, uri: &str, bytes: &[u8]) -> Result<(), Error> {
        let Some(file) = self.files.iter().find(|file| file.uri == uri) else {
            let (server, name) = (&self.server, &self.name);
            let message = format!(
                "skill '{server}:{name}' has no file '{uri}' in the list of its server; if the server has it, the \
                 skill has changed: list it again, and ask the person again"
            );
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        self.verify(file, bytes)
            .map_err(|why| declined(&self.uri, &why))?;
        let mut verified = self
            .verified
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        verified.insert(file.path.to_string(), bytes.into());
        Ok(())
    }

    fn verify(&self, file: &RemoteFile, bytes: &[u8]) -> Result<(), String> {
        let (uri, size, listed) = (&file.uri, bytes.len() as u64, file.size);
        if size != listed {
            return Err(format!(
                "'{uri}' has {size} bytes, and {listed} were listed"
            ));
        }
        if Digest::of(bytes) != file.digest {
            return Err(format!("'{uri}' has another digest than was listed"));
        }
        if file.path == SKILL_FILE {
            let file = SkillFile::read(SKILL_FILE, "", bytes).strict();
            let file = file.ok_or("its SKILL.md is not valid")?;
            if !is_same_front_matter(&self.front_matter, &file.front_matter_values()) {
                return Err("the front matter of its SKILL.md is not what was listed".to_owned());
            }
        }
        Ok(())
    }
}

// A server can list `skill://user/x`. Texts for a model have `skill://mcp:LABEL/NAME` instead, so a read
// never reaches another source.

/// Parses an entry. `server` is `mcp:LABEL`.
pub(crate) fn parse(server: &str, entry: &Value) -> Result<RemoteSkill, Error> {
    let uri = entry.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| declined("?", "an entry has no `uri`"))?;
    read(server, uri, entry).map_err(|why| declined(uri, &why))
}

fn read(server: &str, uri: &str, entry: &Value) -> Result<RemoteSkill, String> {
    let folder = uri
        .strip_suffix(SKILL_FILE)
        .filter(|folder| folder.ends_with('/') && !folder.contains(['?', '#']))
        .ok_or("its address does not end with /SKILL.md")?;
    let Some(Value::Object(front_matter)) = entry.get("frontmatter") else {
        return Err("its front matter is not an object".to_owned());
    };
    let skill = skill_of(front_matter);
    let skill = skill.ok_or("its front matter has no valid name and description")?;
    if skill.description.chars().count() > MAX_DESCRIPTION {
        return Err("its description is longer than 1024 characters".to_owned());
    }
    let name = skill.name.as_str();
    let segment = folder.trim_end_matches('/').rsplit('/').next();
    if nfc(&decode(segment.unwrap_or_default())) != name {
        return Err("its address does not end with its name".to_owned());
    }
    Ok(RemoteSkill {
        server: server.to_owned(),
        uri: uri.to_owned(),
        name: name.to_owned(),
        description: skill.description,
        front_matter: Value::Object(front_matter.clone()).to_string(),
        files: files(folder, entry.get("resources"))?,
        verified: RwLock::new(BTreeMap::new()),
    })
}

/// Returns the typed fields of a front matter. The front matter is written as a `SKILL.md`, because JSON
/// is YAML too.
fn skill_of(front_matter: &Map<String, Value>) -> Option<Skill> {
    // YAML reads the JSON number `1` as the text `1`, but the entry does not hold a text.
    let is_text = |key| front_matter.get(key).is_some_and(Value::is_string);
    if !is_text("name") || !is_text("description") {
        return None;
    }
    let json = Value::Object(front_matter.clone()).to_string();
    let text = format!("---\n{json}\n---\n");
    let skill = SkillFile::read(SKILL_FILE, "", text.as_bytes()).strict()?;
    (!skill.description.is_empty()).then_some(skill)
}

fn files(folder: &str, listed: Option<&Value>) -> Result<Vec<RemoteFile>, String> {
    if listed.and_then(Value::as_str) == Some("dynamic") {
        let why = "its files have no digests (`dynamic`), so no approval could last";
        return Err(why.to_owned());
    }
    let mut files = Vec::<RemoteFile>::deserialize(listed.unwrap_or(&Value::Null))
        .map_err(|error| format!("its files are not a list of files: {error}"))?;
    for file in &mut files {
        let path = path_in(folder, &file.uri);
        file.path = path
            .ok_or_else(|| format!("the file '{}' is not in its folder", file.uri))?
            .into();
    }
    let bytes = files.iter().map(|file| file.size);
    if let Some(over) = over_limits(files.len(), bytes.fold(0, u64::saturating_add)) {
        return Err(over);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    if let Some([twin, ..]) = files
        .chunk_by(|a, b| a.path == b.path)
        .find(|same| same.len() > 1)
    {
        return Err(format!("it lists '{}' twice", twin.path));
    }
    if !files.iter().any(|file| file.path == SKILL_FILE) {
        return Err("it does not list its SKILL.md".to_owned());
    }
    Ok(files)
}

/// Returns the path of an address below a folder. Each decoded segment must be one part of a path: an
/// escaped `/` or `..` would lead to another file.
fn path_in(folder: &str, uri: &str) -> Option<String> {
    let rest = uri.strip_prefix(folder)?;
    if rest.contains(['?', '#']) {
        return None;
    }
    let segment = |written: &str| {
        let decoded = decode(written).into_owned();
        let is_part = !matches!(&*decoded, "" | "." | "..");
        (is_part && !decoded.contains(['/', '\\', '\0', '\u{FFFD}'])).then_some(decoded)
    };
    let segments: Option<Vec<String>> = rest.split('/').map(segment).collect();
    Some(segments?.join("/"))
}

/// Returns whether the front matter of a file equals the front matter of the entry, field by field.
pub(crate) fn is_same_front_matter(listed: &str, file: &str) -> bool {
    let read = |json| serde_json::from_str::<Value>(json).ok();
    matches!((read(listed), read(file)), (Some(a), Some(b)) if is_same(&a, &b))
}

/// Compares numbers by value: one reader of a file writes `1`, another `1.0`. Whole numbers above 2^53
/// are compared exactly.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let has_a_point = a.is_f64() || b.is_f64();
            a == b || (has_a_point && a.as_f64() == b.as_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => a == b,
    }
}

/// Makes the error for a skill that is declined, with the reason.
pub(crate) fn declined(uri: &str, reason: &str) -> Error {
    // A server can send texts of any length, and a person reads the error.
    let uri: String = uri.chars().take(200).collect();
    let reason: String = reason.chars().take(300).collect();
    Error::new(
        ErrorKind::Refused,
        format_args!("skill '{uri}' is declined: {reason}"),
    )
}
