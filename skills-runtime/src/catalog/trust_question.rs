//! The question before a person trusts a skill.

use crate::catalog::Catalog;
use crate::error::{Error, ErrorKind};
use crate::source::changes::Changes;
use crate::source::trust::SkillTrust;
use crate::source::trust::record::TrustRecord;
use skills_format::text::path::PathText as _;
use skills_format::text::shorten::is_hidden;
use skills_format::{Digest, picture};
use std::fmt;
use std::path::Path;

/// The question before a person trusts a skill, and the record to store after the answer.
///
/// `Display` shows all of it, safe for a terminal: the path of each entry, the changes since the last
/// trust, the trust digest and the whole `SKILL.md`.
///
/// ```no_run
/// use skills_runtime::Catalog;
///
/// let mut catalog = Catalog::builder().untrusted("project", ".agents/skills").load();
/// let question = catalog.trust_question("deploy")?;
/// println!("{question}\nTrust it?");
/// # let person_says_yes = true;
/// if person_says_yes {
///     // The host stores the record too, for `CatalogBuilder::trusted` of the next start.
///     catalog = catalog.trusting(question.record);
/// }
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustQuestion {
    /// The skill's id.
    pub skill: String,
    description: String,
    /// The whole `SKILL.md` of the recorded version.
    text: String,
    /// The changes since a person trusted the skill. Empty: no changes. `None`: no person has trusted
    /// the skill.
    changes: Option<Changes>,
    /// The record to store when the person trusts the skill.
    pub record: TrustRecord,
}

impl Catalog {
    /// Returns the content that a person looks at before trusting a skill, as `/skill trust ID` asks,
    /// and the record to store after the answer. The text comes from the bytes that the record holds.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Refused`]: no skill has the id, or the skill needs no trust.
    /// - [`ErrorKind::Refused`]: the skill changed while it was read.
    /// - The errors of [`Skill::trust_record`](crate::Skill::trust_record).
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the skill's folder.
    pub fn trust_question(&self, id: &str) -> Result<TrustQuestion, Error> {
        let entry = self.get(id.strip_prefix('$').unwrap_or(id));
        let entry = entry.ok_or_else(|| {
            let message = format_args!("no skill has the id '{id}'; /skill list shows the skills");
            Error::new(ErrorKind::Refused, message)
        })?;
        if entry.trust() == SkillTrust::Always {
            let (id, why) = (
                entry.id(),
                if entry.is_bundled() {
                    "it is part of the program"
                } else {
                    "this program trusts every skill of its source"
                },
            );
            // The id means the skill of the highest rank, and the person can mean a skill below it.
            let mut others = self.with_name(entry.name());
            let hint = match others.find(|other| !other.is_trusted()) {
                Some(other) => format!("; /skill trust {other} asks about the other"),
                None => String::new(),
            };
            let message = format_args!("skill '{id}' needs no trust: {why}{hint}");
            return Err(Error::new(ErrorKind::Refused, message));
        }
        let record = entry.trust_record()?;
        let bytes = entry.read("SKILL.md")?;
        let file = entry.file_name();
        let recorded = record.file(Path::new(file));
        if recorded.is_none_or(|(digest, _)| digest != Digest::of(&bytes)) {
            let message = format_args!("skill '{entry}' changed while it was read");
            return Err(Error::new(ErrorKind::Refused, message));
        }
        Ok(TrustQuestion {
            skill: entry.id().into_owned(),
            description: entry.description().to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            changes: entry
                .trusted_record()
                .map(|(old, _)| old.difference(&record)),
            record,
        })
    }
}

impl fmt::Display for TrustQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |text: &str| shown(text).replace(['\n', '\t'], " ");
        writeln!(f, "{}: {}", line(&self.skill), line(&self.description))?;
        for entry in &self.record.entries {
            writeln!(f, "  {}", line(&entry.path.shown()))?;
        }
        match &self.changes {
            None => {}
            Some(changes) if changes.is_empty() => writeln!(f, "unchanged since it was trusted")?,
            Some(changes) => writeln!(f, "since it was trusted: {}", line(&changes.to_string()))?,
        }
        writeln!(f, "trust digest {}\n", self.record.digest())?;
        f.write_str(&shown(&self.text))
    }
}

/// Returns text that cannot steer a terminal. Hidden characters become visible.
fn shown(text: &str) -> String {
    let shown = text.chars().map(|c| match c {
        '\n' | '\t' => c,
        c if c.is_control() => picture(c),
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    });
    shown.collect()
}
