//! `skills trust`: trusts skills as they are, shows what changed since, and removes trust.

mod give;
#[cfg(feature = "agent")]
mod prompt;
mod shown;

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::catalog::skill::asks_for_trust;
#[cfg(feature = "agent")]
pub(crate) use crate::commands::trust::prompt::{asked_in_a_prompt, forget};
use crate::commands::trust::shown::list;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::Digest;
use skills_format::disk::resolved;
use skills_runtime::source::{Changes, TrustRecord};
use skills_runtime::{Catalog, Skill};
use skills_session::resolve::named;
use skills_store::{TrustFile, TrustedTexts};
use std::path::{Path, PathBuf, is_separator};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct TrustCommand {
    /// A skill: its name, an alias, SOURCE:NAME, or the path of its folder. With `@` and the trust
    /// digest that `skills show ID` prints, only that version
    #[arg(value_name = "ID[@DIGEST]", value_parser = given)]
    skills: Vec<String>,
    /// Every skill that needs trust
    #[arg(long, conflicts_with = "skills")]
    all: bool,
    /// Show what changed since the skills were trusted
    #[arg(long, requires = "skills", conflicts_with_all = ["all", "remove"])]
    diff: bool,
    /// Remove the trust; ID can also be a folder of skills, for all skills in it
    #[arg(long, requires = "skills")]
    remove: bool,
    /// Do not ask for confirmation
    #[arg(short, long, conflicts_with_all = ["diff", "remove"])]
    yes: bool,
    /// The output format. JSON output asks no question: without --yes or digests, nothing is trusted
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills trust
  skills show deploy && skills trust deploy
  skills trust --diff deploy
  skills trust --all
  skills trust --remove deploy";

impl TrustCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let file = cx.env.trust_file()?;
        let changes = !self.skills.is_empty() || self.all;
        if changes && !self.diff {
            // Before a person is asked: their answer could not be stored.
            file.check()?;
        }
        let loaded = self.catalog.load(cx.env)?;
        self.catalog.report(&loaded, &[], cx);
        let call = TrustCall::open(&self.catalog, loaded.catalog, cx)?;
        match (self.remove, self.skills.is_empty()) {
            (true, _) => call.distrust(&self.skills, cx),
            (false, _) if self.all => call.trust_all(self.yes, cx),
            (false, true) => {
                list(&call, cx)?;
                Ok(Outcome::Done)
            }
            (false, false) if self.diff => call.print_diff(&self.skills, cx),
            (false, false) => call.trust(&self.skills, self.yes, cx),
        }
    }
}

fn texts(env: &Environment) -> Option<TrustedTexts> {
    let data = env.data.as_ref()?;
    Some(TrustedTexts::new(data.join("skills/trusted")))
}

fn given(text: &str) -> Result<String, String> {
    let Ok(id) = find::given(text);
    if id.trim().is_empty() || id.starts_with('@') {
        return Err("it is empty; write the name of a skill".to_owned());
    }
    Ok(id)
}

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
    fn open(options: &CatalogOptions, catalog: Catalog, cx: &mut Ctx) -> Result<Self, Failure> {
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
                    "`show ID` prints the whole: `sha256:` and 64 digits; after a path with `@` write `/`",
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
