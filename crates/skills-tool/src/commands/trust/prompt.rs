//! Trust in the prompt of `skills chat`.

use crate::catalog::options::CatalogOptions;
use crate::commands::trust::TrustCommand;
use crate::commands::trust::give::gone;
use crate::commands::trust::shown::{PlannedTrust, TrustCall, texts};
use crate::environment::Environment;
use crate::input::agreed;
use crate::outcome::Failure;
use crate::output::{Ctx, FormatOption};
use skills_runtime::source::TrustRecord;
use skills_store::{Error, TrustFile, TrustQuestion};

impl TrustCommand {
    /// Builds the command that shows the changes since a skill was trusted.
    pub(crate) fn difference_of(id: String, catalog: CatalogOptions) -> Self {
        Self {
            skills: vec![id],
            all: false,
            diff: true,
            remove: false,
            yes: false,
            format: FormatOption::default(),
            catalog,
        }
    }
}

impl TrustCall {
    /// The plan for a question of the runtime.
    fn asked(&self, question: &TrustQuestion) -> Result<PlannedTrust<'_>, Failure> {
        let id = question.skill.clone();
        let entry = self.catalog.get(&id).ok_or_else(|| gone(&id))?;
        let before = self.record_of(&entry);
        Ok(PlannedTrust {
            changes: before.map(|before| before.difference(&question.record)),
            entry: self.plain(&entry).ok_or_else(|| gone(&id))?,
            id,
            record: question.record.clone(),
            is_named_by_digest: false,
        })
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
    let call = TrustCall::open(options, catalog, cx)?;
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
