//! `skills trust`: trusts skills as they are, shows what changed since, and removes trust.

mod give;
mod shown;

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::commands::trust::shown::TrustListDocument;
use crate::environment::Environment;
use crate::input::agreed;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, one_line};
use clap::Args;
use skills_format::disk::{resolve, resolved};
use skills_format::{Digest, command, prose};
use skills_runtime::catalog::{Location, TrustQuestion};
use skills_runtime::source::{SkillTrust, TrustChanges, TrustRecord};
use skills_runtime::{Catalog, Entry};
use skills_store::{Error, TrustFile, TrustedTexts};
use std::path::{Path, PathBuf, is_separator};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct TrustCommand {
    /// A skill: its name, an alias, SOURCE:NAME, or the path of its folder. With `@` and the trust
    /// digest that `skills show ID` prints, only that version
    #[arg(value_name = "ID[@DIGEST]", value_parser = named)]
    skills: Vec<String>,
    /// Every skill of a source; without SOURCE, of all sources that need trust
    #[arg(long, value_name = "SOURCE", value_parser = named, conflicts_with = "skills", num_args = 0..=1)]
    all: Option<Vec<String>>,
    /// Show what changed since the skills were trusted
    #[arg(long, requires = "skills", conflicts_with_all = ["all", "remove"])]
    diff: bool,
    /// Remove the trust
    #[arg(long)]
    remove: bool,
    /// Do not ask for confirmation
    #[arg(short, long, conflicts_with_all = ["diff", "remove"])]
    yes: bool,
    /// List the trusted skills of other projects too, as JSON always does
    #[arg(long, conflicts_with_all = ["skills", "all", "diff", "remove", "yes"])]
    all_projects: bool,
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
  skills trust --all project
  skills trust --remove deploy";

/// What a call of `skills trust` works with.
struct TrustCall<'a> {
    catalog: &'a Catalog,
    /// The catalog without trust: its skills can be read.
    plain: &'a Catalog,
    file: TrustFile,
    /// The contents of trusted files, for a later comparison. `None` without a folder for data.
    texts: Option<TrustedTexts>,
    records: Vec<TrustRecord>,
    options: &'a CatalogOptions,
}

/// A skill that is to be trusted.
struct PlannedTrust<'c> {
    id: String,
    entry: Entry<'c>,
    record: TrustRecord,
    /// `None` if the skill was never trusted.
    changes: Option<TrustChanges>,
    is_named_by_digest: bool,
}

impl PlannedTrust<'_> {
    fn trust(&self) -> SkillTrust {
        match &self.changes {
            None => SkillTrust::Untrusted,
            Some(changes) if changes.is_empty() => SkillTrust::Trusted,
            Some(_) => SkillTrust::Changed,
        }
    }

    fn is_trusted(&self) -> bool {
        self.trust() == SkillTrust::Trusted
    }
}

impl TrustCommand {
    /// Builds the command that shows the changes since a skill was trusted.
    pub(crate) fn difference_of(id: String, catalog: CatalogOptions) -> Self {
        Self {
            skills: vec![id],
            all: None,
            diff: true,
            remove: false,
            yes: false,
            all_projects: false,
            format: FormatOption::default(),
            catalog,
        }
    }

    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let file = self.catalog.trust_file(cx.env)?;
        let changes = !self.skills.is_empty() || self.all.is_some();
        let unwritten = |error: Error| self.catalog.unwritten(&error);
        if changes && !self.diff {
            // Before a person is asked: their answer could not be stored.
            file.check().map_err(unwritten)?;
        }
        let loaded = self.catalog.load(cx.env)?;
        self.catalog.report(&loaded, &[], cx);
        let plain = self.catalog.load_untrusted(cx.env)?.catalog;
        let stored = file.read().map_err(unwritten)?;
        // Otherwise the load has reported the same diagnostics.
        if !self.catalog.asks_for_trust() {
            cx.warnings(&stored.diagnostics);
        }
        let call = TrustCall {
            catalog: &loaded.catalog,
            plain: &plain,
            file,
            texts: texts(cx.env),
            records: stored.value,
            options: &self.catalog,
        };
        let source = self
            .all
            .as_ref()
            .map(|source| source.first().map(String::as_str));
        match (source, self.remove) {
            (Some(source), true) => call.distrust_all(source, cx),
            (Some(source), false) => call.trust_all(source, self.yes, cx),
            (None, true) if self.skills.is_empty() => Err(Failure::failed(
                "no skill is named",
                "name a skill after --remove, or remove all trust: `skills trust --remove --all`",
            )),
            (None, true) => call.distrust(&self.skills, cx),
            (None, false) if self.skills.is_empty() => {
                let document = TrustListDocument::new(&call, cx);
                cx.emit(&document, |list, cx| list.print(self.all_projects, cx))?;
                Ok(Outcome::Done)
            }
            (None, false) if self.diff => call.print_diff(&self.skills, cx),
            (None, false) => call.trust(&self.skills, self.yes, cx),
        }
    }
}

impl TrustCall<'_> {
    /// Returns the readable form of a skill in a folder.
    fn plain<'s>(&'s self, entry: &Entry<'_>) -> Option<Entry<'s>> {
        let folder = entry.location();
        let is_in_a_folder = matches!(folder, Location::Folder(_));
        self.plain
            .iter()
            .find(|other| is_in_a_folder && other.location() == folder)
    }

    fn record_of(&self, entry: &Entry<'_>) -> Option<&TrustRecord> {
        let (root, folder) = place(entry)?;
        self.records
            .iter()
            .find(|record| record.root == root && record.folder == folder)
    }

    /// Finds a skill by its name, an alias, `SOURCE:NAME`, or a path in its folder.
    fn skill(&self, id: &str, env: &Environment) -> Result<Entry<'_>, Failure> {
        let by_path = || {
            let path = resolve(&env.absolute(Path::new(id))).ok()?;
            self.catalog.iter().find(|entry| {
                matches!(entry.location(), Location::Folder(dir) if path.starts_with(resolved(dir)))
            })
        };
        let list = "`skills trust` lists the skills that need trust, `trust --all SOURCE` trusts all of a source";
        let shown = one_line(id);
        if id.contains(is_separator) || matches!(id, "." | "..") {
            let what = if env.absolute(Path::new(id)).exists() {
                format!("no skill is read from '{shown}' here")
            } else {
                format!("'{shown}' does not exist")
            };
            return by_path().ok_or_else(|| Failure::not_so(what, list));
        }
        match find::find(self.catalog, id) {
            Ok(entry) => self.not_a_namesake(entry, id),
            Err(failure) => {
                let is_source = self
                    .catalog
                    .sources()
                    .iter()
                    .any(|source| source.name() == id);
                match by_path() {
                    _ if is_source && self.catalog.named(id).next().is_none() => {
                        Err(Failure::not_so(
                            format!("trust is of one skill, and source '{shown}' is not a skill"),
                            list,
                        ))
                    }
                    Some(entry) => Ok(entry),
                    None => Err(failure),
                }
            }
        }
    }

    /// Refuses the name of a skill that is always trusted if another skill of this name is not trusted: the person means
    /// that one.
    fn not_a_namesake<'c>(&self, entry: Entry<'c>, id: &str) -> Result<Entry<'c>, Failure> {
        let other = self.catalog.named(id).find(|other| !other.is_trusted());
        match other.filter(|_| !entry.source().asks_for_trust()) {
            Some(other) => Err(Failure::not_so(
                format_args!(
                    "'{id}' is a skill of source '{}', which is trusted",
                    entry.source().name()
                ),
                prose!(
                    "another skill of this name is not trusted: {}",
                    command("trust").word(&other.qualified_id())
                ),
            )),
            None => Ok(entry),
        }
    }

    /// Finds the skill of `ID` or `ID@DIGEST`.
    fn wanted(
        &self,
        text: &str,
        env: &Environment,
    ) -> Result<(Entry<'_>, Option<Digest>), Failure> {
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

/// Shows a person in a prompt what they would trust, and asks. If the person says yes, keeps the texts of the
/// files for a later comparison, and returns the records of before.
pub(crate) fn asked_in_a_prompt(
    question: &TrustQuestion,
    options: &CatalogOptions,
    cx: &mut Ctx,
) -> Result<Option<Vec<TrustRecord>>, Failure> {
    let catalog = options.load(cx.env)?.catalog;
    let plain = options.load_untrusted(cx.env)?.catalog;
    let file = options.trust_file(cx.env)?;
    let stored = file.read().map_err(|error| options.unwritten(&error))?;
    let call = TrustCall {
        catalog: &catalog,
        plain: &plain,
        file,
        texts: texts(cx.env),
        records: stored.value,
        options,
    };
    let planned = [call.asked(question)?];
    call.show(&planned, cx)?;
    if !agreed("Trust it?", cx) {
        return Ok(None);
    }
    call.keep_texts(&planned, cx);
    Ok(Some(call.records))
}

/// Removes the kept texts of versions that are no longer trusted.
pub(crate) fn forget(
    before: &[TrustRecord],
    file: &TrustFile,
    env: &Environment,
) -> Result<(), Error> {
    if let Some(texts) = texts(env) {
        texts.forget(before, &file.read()?.value);
    }
    Ok(())
}

fn texts(env: &Environment) -> Option<TrustedTexts> {
    let data = env.data.as_ref()?;
    Some(TrustedTexts::new(data.join("skills/trusted")))
}

fn named(text: &str) -> Result<String, String> {
    let Ok(id) = find::given(text);
    if id.trim().is_empty() || id.starts_with('@') {
        return Err("it is empty; write the name of a skill".to_owned());
    }
    Ok(id)
}

/// Returns whether a skill is of a source that needs trust, and of this source if one is named.
fn is_asked(entry: &Entry<'_>, source: Option<&str>) -> bool {
    let of = entry.source();
    of.asks_for_trust() && source.is_none_or(|name| of.name() == name)
}

/// Returns the root and the folder below it that a record of the skill has.
fn place(entry: &Entry<'_>) -> Option<(PathBuf, PathBuf)> {
    let (Location::Folder(dir), Some(root)) = (entry.location(), entry.root()) else {
        return None;
    };
    Some((resolved(root), dir.strip_prefix(root).ok()?.to_owned()))
}

fn folder_of(record: &TrustRecord) -> PathBuf {
    if record.folder.as_os_str().is_empty() {
        record.root.clone()
    } else {
        record.root.join(&record.folder)
    }
}
