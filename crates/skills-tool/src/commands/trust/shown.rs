//! The skills that need trust, and what changed since they were trusted.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::catalog::skill::asks_for_trust;
use crate::commands::install::plan::differences;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, add, counted, one_line};
use serde::Serialize;
use serde_json::{Value, json};
use skills_format::Digest;
use skills_format::disk::resolved;
use skills_host::install::{FileChange, FileDifference, unified};
use skills_runtime::source::{Changes, TrustRecord};
use skills_runtime::{Catalog, Skill};
use skills_session::resolve::named;
use skills_store::{TrustFile, TrustedTexts};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf, is_separator};

/// What a call of `skills trust` works with.
pub(super) struct TrustCall {
    pub(super) catalog: Catalog,
    /// The catalog without trust: its skills can be read.
    pub(super) plain: Catalog,
    pub(super) file: TrustFile,
    /// The contents of trusted files, for a later comparison. `None` without a folder for data.
    pub(super) texts: Option<TrustedTexts>,
    pub(super) records: Vec<TrustRecord>,
}

/// What a person decided about a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SkillTrust {
    /// A person trusted the skill, and it has not changed since.
    Trusted,
    /// No person has trusted the skill.
    Untrusted,
    /// The skill has changed since a person trusted it.
    Changed,
}

/// A skill that is to be trusted.
pub(super) struct PlannedTrust<'c> {
    pub(super) id: String,
    pub(super) entry: Skill<'c>,
    pub(super) record: TrustRecord,
    /// `None` if the skill was never trusted.
    pub(super) changes: Option<Changes>,
    pub(super) is_named_by_digest: bool,
}

impl PlannedTrust<'_> {
    pub(super) fn trust(&self) -> SkillTrust {
        match &self.changes {
            None => SkillTrust::Untrusted,
            Some(changes) if *changes == Changes::default() => SkillTrust::Trusted,
            Some(_) => SkillTrust::Changed,
        }
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.trust() == SkillTrust::Trusted
    }
}

impl TrustCall {
    /// Reads the trust file for a catalog of these options.
    pub(super) fn open(
        options: &CatalogOptions,
        catalog: Catalog,
        cx: &mut Ctx,
    ) -> Result<Self, Failure> {
        let file = cx.env.trust_file()?;
        let stored = file.read()?;
        // A catalog that asks for trust has reported them.
        if !options.asks_for_trust() {
            cx.warnings(&stored.diagnostics);
        }
        Ok(Self {
            catalog,
            plain: options.load_untrusted(cx.env)?.catalog,
            file,
            texts: texts(cx.env),
            records: stored.value,
        })
    }

    /// Returns the readable form of a skill in a folder.
    pub(super) fn plain<'s>(&'s self, entry: &Skill<'_>) -> Option<Skill<'s>> {
        let folder = entry.folder()?;
        self.plain
            .iter()
            .find(|other| other.folder() == Some(folder))
    }

    pub(super) fn record_of(&self, entry: &Skill<'_>) -> Option<&TrustRecord> {
        let (root, folder) = place(entry)?;
        self.records
            .iter()
            .find(|record| record.place() == (&*root, &*folder))
    }

    /// Finds a skill by its name, an alias, `SOURCE:NAME`, or a path in its folder.
    pub(super) fn skill(&self, id: &str, env: &Environment) -> Result<Skill<'_>, Failure> {
        match find::find(&self.catalog, id) {
            Ok(entry) => self.not_a_namesake(entry, id),
            Err(failure) => {
                let Some(folder) = find::folder(id, env).map(|folder| resolved(&folder)) else {
                    return Err(failure);
                };
                let is_there = |at: &Path| resolved(at) == folder;
                let mut all = self.catalog.iter();
                all.find(|entry| entry.folder().is_some_and(is_there))
                    .ok_or(failure)
            }
        }
    }

    /// Refuses the name of a skill that is always trusted if another skill of this name is not trusted: the person means
    /// that one.
    fn not_a_namesake<'c>(&self, entry: Skill<'c>, id: &str) -> Result<Skill<'c>, Failure> {
        let mut named = named(&self.catalog, id).into_iter();
        let other = named.find(|other| !other.is_trusted());
        match other.filter(|_| !asks_for_trust(&entry)) {
            Some(other) => Err(Failure::not_so(
                format_args!(
                    "'{id}' is a skill of source '{}', which is trusted",
                    entry.source()
                ),
                format!("another skill of this name is not trusted: {other}"),
            )),
            None => Ok(entry),
        }
    }

    /// Finds the skill of `ID` or `ID@DIGEST`.
    pub(super) fn wanted(
        &self,
        text: &str,
        env: &Environment,
    ) -> Result<(Skill<'_>, Option<Digest>), Failure> {
        let (id, digest) = match text.rsplit_once('@') {
            Some((id, digest)) if !digest.contains(is_separator) => (id, Some(digest)),
            _ => (text, None),
        };
        let digest = digest.map(|digest| {
            Digest::parse(digest).ok_or_else(|| {
                Failure::failed(
                    format!("'{}' is not a trust digest", one_line(digest)),
                    "`show ID` prints the whole digest: `sha256:` and 64 digits; a path that contains `@` must end with `/`",
                )
            })
        });
        let digest = digest.transpose()?;
        Ok((self.skill(id, env)?, digest))
    }
}

/// Returns the root and the folder below it that a record of the skill has.
pub(super) fn place(entry: &Skill<'_>) -> Option<(PathBuf, PathBuf)> {
    let (folder, below) = (entry.folder()?, entry.dir().into_owned());
    let root = folder
        .ancestors()
        .nth(Path::new(&below).components().count())?;
    Some((resolved(root), folder.strip_prefix(root).ok()?.to_owned()))
}

pub(super) fn folder_of(record: &TrustRecord) -> PathBuf {
    let (root, folder) = record.place();
    if folder.as_os_str().is_empty() {
        root.to_owned()
    } else {
        root.join(folder)
    }
}

pub(super) fn texts(env: &Environment) -> Option<TrustedTexts> {
    let data = env.data.as_ref()?;
    Some(TrustedTexts::new(data.join("skills/trusted")))
}

/// Lists the skills that need trust, and the trusted skills of other projects, which have no id here.
pub(super) fn list(call: &TrustCall, cx: &mut Ctx) -> Result<Outcome, Failure> {
    let here: Vec<Skill<'_>> = call.catalog.iter().filter(asks_for_trust).collect();
    let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FOLDER"]);
    let (mut documents, mut is_trusted) = (Vec::new(), true);
    for entry in &here {
        let (trust, digest, changes) = match call.planned(entry) {
            Ok(plan) => (plan.trust(), Some(plan.record.digest()), plan.changes),
            Err(failure) => {
                cx.warning(&failure);
                let before = call.record_of(entry);
                let trust = before.map_or(SkillTrust::Untrusted, |_| SkillTrust::Changed);
                (trust, None, None)
            }
        };
        let changes = changes.unwrap_or_default();
        is_trusted &= trust == SkillTrust::Trusted;
        table.push([
            one_line(&entry.id()),
            one_line(entry.source()),
            state(trust, &changes),
            one_line(&cx.env.shown(entry.folder().unwrap_or(Path::new("")))),
        ]);
        let mut document = documented(&documented_folder(entry, cx.env), trust, digest, &changes);
        document["id"] = json!(entry.id());
        document["source"] = json!(entry.source());
        documents.push(document);
    }
    let places: Vec<_> = here.iter().filter_map(place).collect();
    let is_here = |record: &TrustRecord| {
        let mut places = places.iter();
        places.any(|(root, folder)| (&**root, &**folder) == record.place())
    };
    let mut elsewhere = 0;
    for record in call.records.iter().filter(|record| !is_here(record)) {
        let (path, digest) = (cx.env.documented(&folder_of(record)), record.digest());
        let (trust, changes) = (SkillTrust::Trusted, Changes::default());
        documents.push(documented(&path, trust, Some(digest), &changes));
        elsewhere += 1;
    }
    cx.report(&json!({ "skills": documents }))?;
    if documents.is_empty() {
        cx.note("no skill here needs trust, and no skill elsewhere is trusted");
    }
    if !table.is_empty() {
        table.print(cx)?;
    }
    if !is_trusted {
        cx.note(
            "look at a skill with `show ID`, or with `trust --diff ID` if it was trusted before; then \
             `trust ID` trusts it",
        );
    }
    if elsewhere > 0 {
        let skills = counted(elsewhere, "trusted skill");
        cx.note(format!("{skills} elsewhere: --format json lists all"));
    }
    Ok(Outcome::Done)
}

/// Returns a skill as a document, without an id.
fn documented(path: &str, trust: SkillTrust, digest: Option<Digest>, changes: &Changes) -> Value {
    let mut document = json!({ "id": null, "source": null, "path": path, "trust": trust });
    document["digest"] = json!(digest.map(|digest| digest.to_string()));
    add(&mut document, changes);
    document
}

fn state(trust: SkillTrust, changes: &Changes) -> String {
    match trust {
        SkillTrust::Trusted => "trusted".to_owned(),
        SkillTrust::Changed if *changes == Changes::default() => "untrusted, changed".to_owned(),
        SkillTrust::Changed => format!("untrusted: {}", one_line(&changes.to_string())),
        SkillTrust::Untrusted => "untrusted".to_owned(),
    }
}

/// Returns the folder of a skill for a document; nothing for a skill in the program.
pub(super) fn documented_folder(entry: &Skill<'_>, env: &Environment) -> String {
    let folder = entry.folder();
    folder.map_or_else(String::new, |dir| env.documented(dir))
}

impl TrustCall {
    pub(super) fn print_diff(&self, ids: &[String], cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut differences = Vec::new();
        for id in ids {
            let entry = self.skill(id, cx.env)?;
            let id = one_line(id);
            let Some(before) = self.record_of(&entry) else {
                return Err(Failure::not_so(
                    format_args!("skill '{id}' was never trusted"),
                    "`skills show ID` shows the whole skill",
                ));
            };
            let plain = self.plain(&entry).unwrap_or(entry);
            let now = plain
                .trust_record()
                .map_err(|error| Failure::not_so(&error, "remove what cannot be trusted"))?;
            differences.push((
                id,
                self.differences(&plain, before, &before.difference(&now)),
            ));
        }
        let documents = differences.iter();
        let documents = documents.map(|(id, all)| json!({ "id": id, "difference": all }));
        let documents: Vec<_> = documents.collect();
        cx.report(&json!({ "differences": documents }))?;
        for (id, difference) in &differences {
            if difference.is_empty() {
                writeln!(cx, "{id} has not changed since it was trusted")?;
            }
            print_differences(difference, cx)?;
        }
        Ok(Outcome::Done)
    }

    /// Compares the files of a skill with the kept files of its trusted version.
    pub(super) fn differences(
        &self,
        entry: &Skill<'_>,
        before: &TrustRecord,
        changes: &Changes,
    ) -> Vec<FileDifference> {
        let texts = self.texts.as_ref().map(|texts| texts.texts(before));
        let kept: BTreeMap<String, String> = texts.unwrap_or_default();
        let now = |path: &String| String::from_utf8(entry.read(path).ok()?.into_owned()).ok();
        let edited = changes.changed.iter();
        let edited = edited.map(|path| (path, FileChange::Changed, kept.get(path), now(path)));
        let added = changes.added.iter();
        let added = added.map(|path| (path, FileChange::Added, None, now(path)));
        let removed = changes.removed.iter();
        let removed = removed.map(|path| (path, FileChange::Removed, kept.get(path), None));
        let all = edited.chain(added).chain(removed);
        let compared = all.map(|(path, change, old, new)| {
            let has_old = change == FileChange::Added || old.is_some();
            let has_new = change == FileChange::Removed || new.is_some();
            let texts = || unified(path, old.map(String::as_str), new.as_deref());
            FileDifference {
                path: path.clone(),
                change,
                unified: (has_old && has_new).then(texts),
                executable: None,
            }
        });
        compared.collect()
    }
}

pub(super) fn print_differences(all: &[FileDifference], cx: &mut Ctx) -> Result<(), Failure> {
    for difference in all {
        let path = one_line(&difference.path);
        let (what, unknown) = match difference.change {
            FileChange::Added => ("added", "it is not a text file"),
            FileChange::Removed => ("removed", "its trusted text was not kept"),
            FileChange::Changed => (
                "changed",
                "its trusted text was not kept, or it is not a text file; `show ID --file PATH` shows it now",
            ),
        };
        writeln!(cx, "{}", cx.strong(format!("{what} {path}")))?;
        if difference.unified.is_some() {
            differences(std::slice::from_ref(difference), cx)?;
        } else {
            writeln!(cx, "    {unknown}")?;
        }
    }
    Ok(())
}
