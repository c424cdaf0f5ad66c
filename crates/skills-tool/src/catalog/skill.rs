//! One skill as data, for documents and for printed lines.

use crate::catalog::hashed::{FileJson, hashed};
use crate::catalog::installed::InstalledIndex;
use crate::environment::Environment;
use crate::outcome::Failure;
use serde::Serialize;
use serde_json::{Value, json};
use skills_format::Digest;
use skills_profiles::Profile;
use skills_runtime::{Catalog, ErrorKind, Skill};
use skills_session::Dialect as _;
use skills_session::commands::CommandSpec;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The slash commands of a catalog under a profile.
pub(crate) struct CommandIndex {
    /// The names of the commands, by skill id.
    names: BTreeMap<String, String>,
}

impl CommandIndex {
    pub(crate) fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let commands = profile.commands(catalog);
        let by_skill = |command: CommandSpec| (command.skill, command.name);
        Self {
            names: commands.into_iter().map(by_skill).collect(),
        }
    }

    fn of(&self, entry: &Skill<'_>) -> Option<String> {
        let command = self.names.get(&*entry.id());
        command
            .or_else(|| self.names.get(&entry.to_string()))
            .cloned()
    }
}

/// Returns a skill of the catalog as a document. Fields are added, never renamed.
pub(crate) fn documented(
    entry: &Skill<'_>,
    commands: &CommandIndex,
    installed: &InstalledIndex,
    env: &Environment,
) -> Value {
    let fields = entry.fields();
    let mut document = json!({
        "name": entry.name(),
        "id": entry.id(),
        "source": entry.source(),
        "description": entry.description(),
        // Relative when it is below the working folder; null for a bundled skill.
        "path": entry.folder().map(|path| env.documented(path)),
        "enabled": entry.is_enabled(),
        "trusted": entry.is_trusted(),
        "sealed": fields.sealed,
        "user_invocable": fields.user_invocable,
        "model_invocable": !fields.disable_model_invocation,
        // The spellings that close the skill to the model or to a person.
        "closed_by": fields.closed_by,
        "shadowed_by": entry.shadowed_by().map(|other| other.id()),
        "aliases": fields.aliases,
        // The name of the slash command; null when no slash command starts this skill.
        "command": commands.of(entry),
        // The needs of the skill that this machine does not meet.
        "missing": entry.missing(),
        "state": StateWord::of(entry),
        // Null for a skill that was not installed.
        "provenance": installed.provenance(entry),
        "changed": installed.is_changed(entry),
    });
    if installed.is_pinned(entry) {
        document["pinned"] = true.into();
    }
    document
}

/// The state of a skill in one word: the first reason why it does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StateWord {
    /// It can be started
    Enabled,
    /// A person disabled it
    Disabled,
    /// No person trusts it yet, or it has changed since
    Untrusted,
    /// This machine does not meet its needs
    Ineligible,
    /// Another skill has its name and a higher rank
    Shadowed,
}

impl StateWord {
    pub(crate) fn of(entry: &Skill<'_>) -> Self {
        if entry.shadowed_by().is_some() {
            Self::Shadowed
        } else if !entry.is_enabled() {
            Self::Disabled
        } else if !entry.is_trusted() {
            Self::Untrusted
        } else if entry.missing().is_empty() {
            Self::Enabled
        } else {
            Self::Ineligible
        }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
            Self::Untrusted => "untrusted",
            Self::Ineligible => "ineligible",
            Self::Shadowed => "shadowed",
        }
    }
}

/// Describes the state of a skill: one word, and what else is to be known, such as `more`.
pub(crate) fn state(entry: &Skill<'_>, more: &[&str]) -> String {
    let word = StateWord::of(entry);
    let fields = entry.fields();
    let (user, model) = (fields.user_invocable, !fields.disable_model_invocation);
    let (untrusted, disabled) = (!entry.is_trusted(), !entry.is_enabled());
    let needs = match entry.missing() {
        missing if missing.is_empty() => String::new(),
        missing => format!("needs {}", missing.join(", ")),
    };
    let if_so = |holds: bool, detail: &'static str| if holds { detail } else { "" };
    let mut details = vec![
        needs.as_str(),
        if_so(untrusted && word != StateWord::Untrusted, "untrusted"),
        if_so(has_changed(entry), "changed"),
        if_so(disabled && word != StateWord::Disabled, "disabled"),
        if_so(fields.sealed, "sealed"),
        match (user, model) {
            (false, false) => "nobody can start it",
            (false, true) => "only the model can start it",
            (true, false) => "only you can start it",
            (true, true) => "",
        },
    ];
    details.extend(more);
    details.retain(|detail| !detail.is_empty());
    let mut words = word.as_str().to_owned();
    if let Some(other) = entry.shadowed_by() {
        words = format!("{words} by {}", other.id());
    }
    if details.is_empty() {
        return words;
    }
    format!("{words}; {}", details.join(", "))
}

/// Builds the failure for a listed skill that cannot be started or read now.
pub(crate) fn unreadable(entry: &Skill<'_>, error: &skills_runtime::Error) -> Failure {
    match error.kind() {
        ErrorKind::Untrusted => Failure::not_so(error, Failure::TRUST_AGAIN),
        ErrorKind::Arguments => Failure::not_so(error, "`skills show ID` lists its arguments"),
        _ if entry.is_bundled() => Failure::failed(error, "please report this as a bug"),
        ErrorKind::Schema => Failure::not_so(error, "`skills check` shows the fault in its line"),
        _ => Failure::failed(error, "`skills check` shows what is wrong"),
    }
}

/// Returns whether a person decides about the trust in the skill. Otherwise its source is always trusted.
pub(crate) fn asks_for_trust(entry: &Skill<'_>) -> bool {
    !entry.is_trusted() || entry.trusted_record().is_some()
}

/// Returns whether a person trusted the skill, and it has changed since.
pub(crate) fn has_changed(entry: &Skill<'_>) -> bool {
    matches!(entry.trusted_record(), Some((_, Some(_))))
}

pub(crate) fn body<'c>(entry: &Skill<'c>) -> Result<Cow<'c, str>, Failure> {
    entry.body().map_err(|error| unreadable(entry, &error))
}

/// Reads every file of a skill, the `SKILL.md` first.
pub(crate) fn files(entry: &Skill<'_>) -> Result<Vec<FileJson>, Failure> {
    hashed(entry).map_err(|error| unreadable(entry, &error))
}

/// Computes the trust digest, over every entry of the skill's folder. Returns `None` for a skill that
/// requires no trust. The error says why the skill cannot be trusted.
pub(crate) fn trust_digest(entry: &Skill<'_>) -> Option<Result<Digest, skills_runtime::Error>> {
    let asks = asks_for_trust(entry);
    asks.then(|| entry.trust_record().map(|record| record.digest()))
}
