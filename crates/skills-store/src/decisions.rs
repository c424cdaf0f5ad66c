//! The decisions of a person about skills, and the requests that change a decision.

use crate::disabled::{Disabled, StateFile};
use crate::error::Error;
use crate::trust_file::TrustFile;
use skills_format::mention::Refusal;
use skills_format::text::shorten::{one_line, shortened};
use skills_runtime::source::TrustRecord;
use skills_runtime::{Catalog, CatalogBuilder, Diagnostic, Outcome, Skill};
use skills_session::Notice;
use skills_session::resolve::Request;
use std::fmt;
use std::path::Path;

/// The files of what a person decided: which skills are disabled, and which skills are trusted.
///
/// ```
/// use skills_session::resolve::Request;
/// use skills_runtime::Catalog;
/// use skills_store::Decisions;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let skills = folder.path().join("skills");
/// # std::fs::create_dir_all(skills.join("lint")).unwrap();
/// # std::fs::write(skills.join("lint/SKILL.md"), "---\nname: lint\ndescription: Lints.\n---\n").unwrap();
/// # let config = folder.path();
/// let decisions = Decisions::in_folder(config);
/// let (mut catalog, _) = decisions.load(Catalog::builder().directory("user", &skills))?;
/// let request = Request::Disable { id: "lint".to_owned() };
/// let notices = decisions.carry_out(request, &mut catalog, |_question| false)?;
/// assert_eq!(notices[0].to_string(), "Skill 'lint' is disabled. Enable it with /skill enable lint.");
/// assert!(!catalog.get("lint").expect("listed").is_enabled());
/// # Ok::<(), skills_store::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decisions {
    /// Which skills are disabled.
    pub state: StateFile,
    /// Which skills are trusted.
    pub trust: TrustFile,
}

/// The question of `/skill trust ID`: [`Catalog::trust_question`]. `Display` writes it, safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustQuestion {
    /// The skill's id.
    pub skill: String,
    text: String,
    /// The record to store if the person agrees.
    pub record: TrustRecord,
}

impl fmt::Display for TrustQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Decisions {
    /// Names the files `skills.json` and `trust.json` of a folder. They need not exist.
    pub fn in_folder(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        Self {
            state: StateFile::new(folder.join("skills.json")),
            trust: TrustFile::new(folder.join("trust.json")),
        }
    }

    /// Reads both files, and loads the sources of a builder under what the person decided. The diagnostics of the
    /// files come before those of the skills.
    ///
    /// # Errors
    ///
    /// As [`StateFile::read`] and [`TrustFile::read`].
    pub fn load(&self, builder: CatalogBuilder) -> Result<(Catalog, Vec<Diagnostic>), Error> {
        let (builder, found) = self.read(builder)?;
        Ok(reported(builder.load(), found))
    }

    /// Reads both files again, and reloads the sources of a builder. The catalog was loaded from the same sources.
    pub(crate) fn reload(
        &self,
        catalog: &Catalog,
        builder: CatalogBuilder,
    ) -> Result<(Catalog, Vec<Diagnostic>), Error> {
        let (builder, found) = self.read(builder)?;
        Ok(reported(catalog.with(|_| builder).reload(), found))
    }

    /// Sets what the person decided. Returns the diagnostics of the files too.
    fn read(&self, builder: CatalogBuilder) -> Result<(CatalogBuilder, Vec<Diagnostic>), Error> {
        let (state, trust) = (self.state.read()?, self.trust.read()?);
        let mut of_files = state.diagnostics;
        of_files.extend(trust.diagnostics);
        Ok((state.value.set(builder).trusted(trust.value), of_files))
    }

    /// Carries out a request of a person ([`TurnOutcome::request`](skills_session::session::TurnOutcome::request)),
    /// and stores the change. Returns the notices for the person.
    ///
    /// `ask` shows the person the question of `/skill trust ID`, and returns whether the person agrees.
    ///
    /// The file is written before the catalog changes: a decision that could not be stored does not take effect, so a
    /// restart changes nothing.
    ///
    /// # Errors
    ///
    /// The errors of [`StateFile::update`] and [`TrustFile::trust`]. The catalog is then unchanged.
    pub fn carry_out(
        &self,
        request: Request,
        catalog: &mut Catalog,
        ask: impl FnOnce(&TrustQuestion) -> bool,
    ) -> Result<Vec<Notice>, Error> {
        Ok(match request {
            Request::Enable { id } => {
                let (mut on, mut before) = (None, Disabled::default());
                let disabled = self.state.update(|disabled| {
                    before = disabled.clone();
                    on = disabled.enable(catalog, &id);
                })?;
                // A bare name disabled them too, and they stay disabled.
                let kept: Vec<String> = disabled.ids.difference(&before.ids).cloned().collect();
                *catalog = catalog.with(|builder| disabled.set(builder));
                vec![match on {
                    Some(skills) => enabled(&skills, &kept),
                    None => Notice::unknown(id),
                }]
            }
            Request::Disable { id } => {
                let mut off = None;
                let state = self
                    .state
                    .update(|state| off = state.disable(catalog, &id))?;
                *catalog = catalog.with(|builder| state.set(builder));
                let Some(skill) = off else {
                    return Ok(vec![Notice::unknown(id)]);
                };
                // A bare name means the skills of every source: each is told.
                let named = catalog.iter().filter(|entry| entry.name() == skill);
                let mut all: Vec<String> = named.map(|entry| entry.to_string()).collect();
                all.sort();
                all.dedup();
                if all.len() < 2 {
                    all = vec![skill];
                }
                all.into_iter()
                    .map(|skill| {
                        let why = Refusal::Disabled { unknown: None };
                        Notice::of(skill.clone(), Outcome::Refused { skill, why })
                    })
                    .collect()
            }
            Request::Trust { id } => vec![self.trust(&id, catalog, ask)?],
            Request::Untrust { id } => vec![self.untrust(&id, catalog)?],
            // A session carries out every other request.
            _ => {
                let help = Notice::Help { verb: None };
                catalog.iter().map(listed).chain([help]).collect()
            }
        })
    }

    fn trust(
        &self,
        id: &str,
        catalog: &mut Catalog,
        ask: impl FnOnce(&TrustQuestion) -> bool,
    ) -> Result<Notice, Error> {
        let (text, record) = match catalog.trust_question(id) {
            Ok(question) => question,
            Err(error) => {
                let why = format!("{error:#}");
                return Ok(Notice::Text(format!("Not trusted: {why}.")));
            }
        };
        let named = catalog.get(id.strip_prefix('$').unwrap_or(id));
        let question = TrustQuestion {
            skill: named.map_or_else(|| id.to_owned(), |skill| skill.id().into_owned()),
            text,
            record,
        };
        // Before the person reads and answers: the answer could not be stored.
        self.trust.check()?;
        if !ask(&question) {
            let skill = question.skill;
            let changed = catalog
                .get(&skill)
                .is_some_and(|entry| !entry.is_trusted() && entry.trusted_record().is_some());
            return Ok(Notice::of(
                skill.clone(),
                Outcome::Refused {
                    skill,
                    why: Refusal::Untrusted { changed },
                },
            ));
        }
        // The record is of the bytes that the person was shown, also when a file changed while the person read.
        self.trust.trust(vec![question.record.clone()])?;
        *catalog = catalog.with(|builder| builder.trusted([question.record]));
        Ok(Notice::Text(format!("Trusted: {}.", question.skill)))
    }

    /// Withdraws the trust in a skill, also in a version that has changed since.
    fn untrust(&self, id: &str, catalog: &mut Catalog) -> Result<Notice, Error> {
        let Some(entry) = catalog.get(id.strip_prefix('$').unwrap_or(id)) else {
            return Ok(Notice::unknown(id));
        };
        let skill = entry.id().into_owned();
        let Some((record, _)) = entry.trusted_record() else {
            return Ok(Notice::Text(format!("Skill '{skill}' was not trusted.")));
        };
        self.trust.distrust(&[record])?;
        *catalog = catalog.with(|builder| builder.distrusted(record));
        Ok(Notice::Text(format!("No longer trusted: {skill}.")))
    }
}

/// Returns the catalog with all that is reported: the findings of the files, then those of the load.
fn reported(catalog: Catalog, mut found: Vec<Diagnostic>) -> (Catalog, Vec<Diagnostic>) {
    found.extend_from_slice(catalog.diagnostics());
    (catalog, found)
}

/// The maximum number of characters of a description in the list of skills.
const DESCRIPTION: usize = 100;

fn listed(entry: Skill<'_>) -> Notice {
    let missing = entry.missing();
    let needs = format!("needs {}", missing.join(", "));
    let trust = match entry.trusted_record() {
        Some(_) => "changed since it was trusted",
        None => "not trusted",
    };
    let reasons = [
        (!entry.is_trusted(), trust),
        (!entry.is_enabled(), "disabled"),
        (!missing.is_empty(), &*needs),
        (!entry.fields().user_invocable, "only the model starts it"),
    ];
    let reasons = reasons.iter().filter(|(holds, _)| *holds);
    let reasons: Vec<&str> = reasons.map(|(_, reason)| *reason).collect();
    let state = match reasons.join("; ") {
        none if none.is_empty() => none,
        reasons => format!(" ({reasons})"),
    };
    let (id, description) = (entry.id(), one_line(entry.description()));
    let description = shortened(&description, DESCRIPTION);
    Notice::Text(format!("{id}: {description}{state}"))
}

/// Says which skills are on now, and which of the same name stay off.
fn enabled(on: &[String], kept: &[String]) -> Notice {
    let mut notice = match on.join(", ") {
        none if none.is_empty() => "It was not disabled.".to_owned(),
        on => format!("Enabled: {on}."),
    };
    if !kept.is_empty() {
        notice = format!("{notice} Still disabled: {}.", kept.join(", "));
    }
    Notice::Text(notice)
}
