//! The skills of one MCP server, as far as the host has fetched them.

// An approval covers one server, one address and one set of files. Skills with `dynamic` files are
// declined: an approval of them could not last. A declined entry of a known skill ends its approval; the
// skill itself stays, as the person saw it.

use crate::remote::entry::{declined, is_same_front_matter, parse};
use crate::remote::skill::RemoteSkill;
use serde_json::Value;
use skills_format::{Digest, NameError, SKILL_FILE, SkillFile, SkillName};
use skills_runtime::{Catalog, CatalogBuilder, Error, ErrorKind};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

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
    /// The approval of each skill: `true` if a person approved this version.
    approved: Vec<bool>,
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
            approved: Vec::new(),
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
            if let Some(at) = self.places.get(&approval.uri)
                && let (Some(skill), Some(approved)) =
                    (self.skills.get(*at), self.approved.get_mut(*at))
            {
                *approved |= skill.approval() == *approval;
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
        let place = uri.and_then(|uri| self.places.get(uri)).copied();
        let parsed = parse(&self.source(), entry);
        let Some((known, approved)) = place.and_then(|at| {
            let approved = self.approved.get_mut(at)?;
            Some((self.skills.get_mut(at)?, approved))
        }) else {
            return self.add(parsed?);
        };
        if let Ok(skill) = &parsed
            && known.digest() == skill.digest()
            && known.front_matter == skill.front_matter
        {
            return Ok(Arc::clone(known));
        }
        // Before the `?` below: a declined entry must end the approval too.
        *approved = false;
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
        self.approved.push(false);
        Ok(skill)
    }

    /// Adds the skills to a catalog, ranked below all sources that were added before. The source is named `mcp:LABEL`. Its
    /// skills have only qualified ids, such as `mcp:acme:review`: a bare name never means a server's skill, also if no
    /// other skill has the name. A skill is trusted if a person has [approved](Self::approve) it and every file is here. A
    /// skill whose `SKILL.md` is not here is listed with the front matter that the server listed.
    pub fn add_to(&self, builder: CatalogBuilder) -> CatalogBuilder {
        let mut files = Vec::new();
        let mut approved = Vec::new();
        for (skill, is_approved) in self.skills.iter().zip(&self.approved) {
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
            } else if *is_approved && verified.len() == skill.files.len() {
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
        let file = self.files.iter().find(|file| file.uri == uri);
        let file = file.ok_or_else(|| self.unlisted(uri))?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size != file.size {
            let listed = file.size;
            return Err(declined(
                &self.uri,
                &format!("'{uri}' has {size} bytes, and {listed} were listed"),
            ));
        }
        if Digest::of(bytes) != file.digest {
            return Err(declined(
                &self.uri,
                &format!("'{uri}' has another digest than was listed"),
            ));
        }
        if file.path == SKILL_FILE {
            self.verify_front_matter(bytes)?;
        }
        let mut verified = self
            .verified
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        verified.insert(file.path.to_string(), bytes.into());
        Ok(())
    }

    /// Checks that the front matter of a `SKILL.md` equals the front matter of the entry.
    fn verify_front_matter(&self, bytes: &[u8]) -> Result<(), Error> {
        let file = SkillFile::read(SKILL_FILE, "", bytes).strict();
        let file = file.ok_or_else(|| declined(&self.uri, "its SKILL.md is not valid"))?;
        if is_same_front_matter(&self.front_matter, &file.front_matter_values()) {
            return Ok(());
        }
        Err(declined(
            &self.uri,
            "the front matter of its SKILL.md is not what was listed",
        ))
    }
}
