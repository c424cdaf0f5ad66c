//! Records a skill, and asks the question before a person trusts it.

use crate::catalog::{Catalog, Skill};
use crate::error::{Error, ErrorKind};
use crate::source::SkillContent;
use crate::source::changes::Changes;
use crate::source::trust::record::{TrustRecord, record, record_files};
use crate::source::trust::{SkillTrust, Verdict};
use skills_format::text::path::PathText as _;
use skills_format::text::shorten::is_hidden;
use skills_format::{Digest, picture};
use std::path::Path;

impl<'c> Skill<'c> {
    /// Records every entry of the skill's folder in its current version, for a person to trust it. Pass
    /// the record to [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the skill is not in a folder, or a file is missing.
    /// - [`ErrorKind::Refused`]: a link leads out of the folder, the folder holds a pipe, a socket or a device, or a file
    ///   cannot be read. Or a file, all files together, or the number of entries exceeds the limits: the lengths are
    ///   compared before a file is read.
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the folder.
    pub fn trust_record(&self) -> Result<TrustRecord, Error> {
        let (SkillContent::Folder(skill), Some(root)) = (self.content, self.root_folder()) else {
            let message = format_args!("skill '{self}' is not in a folder");
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        match &skill.memory {
            Some(files) => Ok(record_files(files, skill, root)),
            None => record(&self.open_folder(skill)?, skill, root),
        }
    }

    /// Returns the record of the version that a person trusted. If the skill has changed since, also returns the changes, as
    /// far as loading compares. Returns `None` if no person has trusted the skill.
    pub fn trusted_record(&self) -> Option<(&'c TrustRecord, Option<&'c Changes>)> {
        match self.layer().trust.verdict(self.index)? {
            Verdict::Untrusted => None,
            Verdict::Trusted(record) => Some((record, None)),
            Verdict::Changed(record, changes) => Some((record, Some(changes))),
        }
    }
}

impl Catalog {
    /// Returns the question before a person trusts a skill, as `/skill trust ID` asks it, and the record to store if the
    /// person agrees.
    ///
    /// The question is safe for a terminal: the path of each entry, the changes since the last trust, the trust digest and
    /// the whole `SKILL.md`, from the bytes that the record holds.
    ///
    /// ```no_run
    /// use skills_runtime::Catalog;
    ///
    /// let mut catalog = Catalog::builder().untrusted("project", ".agents/skills").load();
    /// let (question, record) = catalog.trust_question("deploy")?;
    /// println!("{question}\nTrust it?");
    /// # let person_says_yes = true;
    /// if person_says_yes {
    ///     // The host stores the record too, for `CatalogBuilder::trusted` of the next start.
    ///     catalog = catalog.with(|builder| builder.trusted([record]));
    /// }
    /// # Ok::<(), skills_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Refused`]: no skill has the id, or the skill needs no trust.
    /// - [`ErrorKind::Refused`]: the skill changed while it was read.
    /// - The errors of [`Skill::trust_record`].
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the skill's folder.
    pub fn trust_question(&self, id: &str) -> Result<(String, TrustRecord), Error> {
        let skill = self.get(id.strip_prefix('$').unwrap_or(id));
        let skill = skill.ok_or_else(|| {
            let message = format_args!("no skill has the id '{id}'; /skill list shows the skills");
            Error::new(ErrorKind::Refused, message)
        })?;
        if skill.trust() == SkillTrust::Always {
            let (id, why) = (
                skill.id(),
                if skill.is_bundled() {
                    "it is part of the program"
                } else {
                    "this program trusts every skill of its source"
                },
            );
            // The id means the skill of the highest rank, and the person can mean a skill below it.
            let mut others = self.with_name(skill.name()).into_iter();
            let hint = match others.find(|other| !other.is_trusted()) {
                Some(other) => format!("; /skill trust {other} asks about the other"),
                None => String::new(),
            };
            let message = format_args!("skill '{id}' needs no trust: {why}{hint}");
            return Err(Error::new(ErrorKind::Refused, message));
        }
        let record = skill.trust_record()?;
        let bytes = skill.read("SKILL.md")?;
        let file = skill.file_name();
        let recorded = record.file(Path::new(file));
        if recorded != Some(Digest::of(&bytes)) {
            let message = format_args!("skill '{skill}' changed while it was read");
            return Err(Error::new(ErrorKind::Refused, message));
        }
        let changes = skill
            .trusted_record()
            .map(|(old, _)| old.difference(&record));
        let text = String::from_utf8_lossy(&bytes);
        Ok((question(&skill, changes.as_ref(), &record, &text), record))
    }
}

/// Writes the question. Without changes, no person has trusted the skill.
fn question(
    skill: &Skill<'_>,
    changes: Option<&Changes>,
    record: &TrustRecord,
    text: &str,
) -> String {
    let line = |text: &str| shown(text).replace(['\n', '\t'], " ");
    let mut lines = vec![format!(
        "{}: {}",
        line(&skill.id()),
        line(skill.description())
    )];
    for entry in &record.entries {
        lines.push(format!("  {}", line(&entry.path.shown())));
    }
    match changes {
        None => {}
        Some(changes) if *changes == Changes::default() => {
            lines.push("unchanged since it was trusted".to_owned());
        }
        Some(changes) => lines.push(format!(
            "since it was trusted: {}",
            line(&changes.to_string())
        )),
    }
    lines.push(format!("trust digest {}\n", record.digest()));
    lines.push(shown(text));
    lines.join("\n")
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
