//! Trusts folders, and removes trust: what `skills trust` does with an argument.

use crate::catalog::stored::unwritten;
use crate::commands::trust::list::{NAMED, names, print_difference};
use crate::commands::trust::target::resolved;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Output, counted, one_line};
use skills_host::TrustFile;
use skills_runtime::source::{FolderTrust, Source, TrustRecord};
use skills_runtime::{Catalog, Diagnostic, Entry, Severity};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A call with an argument.
pub(crate) struct Call<'a> {
    pub(crate) what: &'a str,
    pub(crate) catalog: &'a Catalog,
    /// The diagnostics of the load.
    pub(crate) diagnostics: &'a [Diagnostic],
    pub(crate) file: TrustFile,
    /// The records of the file.
    pub(crate) records: Vec<TrustRecord>,
    pub(crate) environment: &'a Environment,
}

impl Call<'_> {
    /// Records the skills in some folders of a source as they are.
    pub(crate) fn trust(
        &self,
        source: &Source,
        roots: &[&Path],
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let now = self.catalog.trust_records(source.name()).map_err(|error| {
            Failure::failed(
                error,
                "run `skills check` on its folder to see what is wrong",
            )
        })?;
        let of_root = |root: &Path| now.iter().find(|record| record.root == resolved(root));
        let found: Vec<(&Path, &TrustRecord)> = roots
            .iter()
            .filter_map(|root| Some((*root, of_root(root)?)))
            .collect();
        if found.is_empty() {
            return Err(self.nothing(roots));
        }
        let is_new = |record: &&TrustRecord| !self.records.contains(record);
        let records = found.iter().map(|(_, record)| *record);
        let new: Vec<TrustRecord> = records.filter(is_new).cloned().collect();
        let is_changed = !new.is_empty();
        if is_changed {
            let stored = self.file.trust(new).map_err(|error| unwritten(&error))?;
            output.warnings(&stored.diagnostics);
        }
        for (root, record) in &found {
            self.report_trusted(source, root, record, output)?;
        }
        if !self.report_waiting(source, roots, output) && is_changed {
            self.report_next(source, output);
        }
        Ok(Outcome::Done)
    }

    fn report_trusted(
        &self,
        source: &Source,
        root: &Path,
        record: &TrustRecord,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let before = self.records.iter().find(|old| old.root == record.root);
        let difference = before.map(|before| before.difference(record));
        let skills = counted_skills(&names(self.catalog, source, root));
        let folder = one_line(&self.environment.shown(root));
        match difference {
            None => writeln!(output, "trusted {folder}: {skills}")?,
            Some(difference) if difference.is_empty() => {
                writeln!(output, "{folder} is trusted: {skills}")?;
            }
            Some(difference) => {
                writeln!(output, "trusted {folder} again: {skills}")?;
                print_difference(&difference, output)?;
            }
        }
        Ok(())
    }

    /// Reports the other folders of the source that are not trusted. Returns whether there are any.
    fn report_waiting(&self, source: &Source, trusted: &[&Path], output: &mut Output) -> bool {
        let waits = |trust| matches!(trust, FolderTrust::Untrusted | FolderTrust::Changed);
        let others: Vec<String> = source
            .folders()
            .filter(|(root, trust)| waits(*trust) && !trusted.contains(root))
            .map(|(root, _)| one_line(&self.environment.shown(root)))
            .collect();
        if !others.is_empty() {
            output.note(&format!(
                "no skill of '{0}' is started before its other folders are trusted too: {1}; \
                 `skills trust {0}` trusts all",
                source.name(),
                others.join(", ")
            ));
        }
        !others.is_empty()
    }

    /// Reports what a person can do next.
    fn report_next(&self, source: &Source, output: &mut Output) {
        let skills = self.catalog.iter().filter(|entry| {
            let is_startable = entry.is_user_invocable() && entry.is_enabled();
            entry.source().name() == source.name() && is_startable && entry.is_eligible()
        });
        // The skill that was named, or else any skill.
        let is_it =
            |entry: &Entry<'_>| entry.name() == self.what || entry.qualified_id() == self.what;
        if let Some(skill) = skills.min_by_key(|entry| !is_it(entry)) {
            output.note(&format!(
                "next: `skills activate {}`; `skills trust --remove {}` removes the trust",
                one_line(&skill.id()),
                source.name()
            ));
        }
    }

    fn nothing(&self, roots: &[&Path]) -> Failure {
        let of = |found: &&Diagnostic, root: &&Path| Path::new(&found.path) == *root;
        let mut reported = self.diagnostics.iter();
        let cause = reported.find(|found| {
            found.severity != Severity::Info && roots.iter().any(|root| of(found, root))
        });
        if let Some(cause) = cause {
            let folder = one_line(&self.environment.shown(Path::new(&cause.path)));
            let help = if cause.help.is_empty() {
                "fix that, then trust it"
            } else {
                &cause.help
            };
            let fact = format_args!(
                "'{}' cannot be trusted: {folder}: {}",
                self.what, cause.message
            );
            return Failure::not_so(fact, help);
        }
        let folders: Vec<String> = roots
            .iter()
            .map(|root| one_line(&self.environment.shown(root)))
            .collect();
        Failure::not_so(
            format_args!(
                "'{}' cannot be trusted: no skill is in {}",
                self.what,
                folders.join(", ")
            ),
            "`skills new NAME` makes a skill",
        )
    }

    /// Reports that a source needs no trust.
    pub(crate) fn is_always(
        &self,
        source: &Source,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let roots = source.roots().map(|root| self.environment.shown(root));
        let roots: Vec<String> = roots.collect();
        let place = if roots.is_empty() {
            "in the program".to_owned()
        } else {
            one_line(&roots.join(", "))
        };
        writeln!(
            output,
            "{} needs no trust: source '{}' is always trusted ({place})",
            one_line(self.what),
            source.name()
        )?;
        Ok(Outcome::Done)
    }

    /// Removes the trust in folders of the catalog.
    pub(crate) fn distrust(
        &self,
        roots: &[&Path],
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let roots = roots.iter().map(|root| (resolved(root), *root));
        let is_recorded = |root: &Path| self.records.iter().any(|record| record.root == root);
        let recorded: Vec<(PathBuf, &Path)> = roots.filter(|(root, _)| is_recorded(root)).collect();
        if recorded.is_empty() {
            writeln!(output, "{} is not trusted", one_line(self.what))?;
            return Ok(Outcome::Done);
        }
        let (roots, shown): (Vec<PathBuf>, Vec<&Path>) = recorded.into_iter().unzip();
        self.forget(&roots, &shown, output)
    }

    /// Removes the trust in a folder that is not in the catalog, or does not exist any more.
    pub(crate) fn distrust_elsewhere(
        &self,
        failure: Failure,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let path = self.environment.absolute(Path::new(self.what));
        let is_it = |record: &&TrustRecord| record.root == path || record.root == resolved(&path);
        match self.records.iter().find(is_it) {
            Some(record) => {
                self.forget(std::slice::from_ref(&record.root), &[&record.root], output)
            }
            None => Err(failure),
        }
    }

    fn forget(
        &self,
        roots: &[PathBuf],
        shown: &[&Path],
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let stored = self
            .file
            .distrust(roots)
            .map_err(|error| unwritten(&error))?;
        output.warnings(&stored.diagnostics);
        for root in shown {
            let folder = one_line(&self.environment.shown(root));
            writeln!(output, "no longer trusted: {folder}")?;
        }
        Ok(Outcome::Done)
    }
}

/// Counts skills and names them: `2 skills (deploy, review)`.
fn counted_skills(names: &[String]) -> String {
    let mut shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    let shown = one_line(&shown.join(", "));
    format!("{} ({shown})", counted(names.len(), "skill"))
}
