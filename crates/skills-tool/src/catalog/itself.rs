//! What the program of a profile does with skills that are closed here.
//!
//! Here the strictest of all spellings holds in every profile, so that no skill is open by the choice of a profile. The
//! program that the profile is named after reads only some of the spellings. Without a word about it, a person who tries
//! a profile would take the program to be as strict.

use crate::catalog::client_folder;
use crate::environment::Environment;
use crate::output::{Output, counted, one_line};
use skills_clients::client::{self, Client, Restraints};
use skills_format::yaml::{self, node::Node};
use skills_format::{OPENAI_FILE, OpenAiFile, Prose, command, prose};
use skills_lint::rules::codex_reads_over;
use skills_runtime::bundle::Spelling;
use skills_runtime::catalog::Location;
use skills_runtime::{Entry, Profile};
use std::collections::BTreeSet;

/// The maximum number of skills that are named.
const MOST: usize = 5;

/// A program whose restraints are known.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    client: &'static Client,
    restraints: &'static Restraints,
}

/// Whom a skill is open to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum To {
    Model,
    Person,
}

/// Returns the client that a profile is named after.
pub(crate) fn client_of(profile: &Profile) -> Option<&'static Client> {
    // Most calls have no other profile, and reading the table is three times the work of `skills resolve`.
    if profile.name == Profile::DEFAULT.name {
        return None;
    }
    client::named(&profile.name)
}

impl Program {
    /// Returns the program of a profile. `None`: no source says what the program reads, or the profile is this project's
    /// own.
    pub(crate) fn of(profile: &Profile) -> Option<Self> {
        let client = client_of(profile)?;
        let restraints = client.restraints.as_ref()?;
        Some(Self { client, restraints })
    }

    /// Returns whom the program leaves a skill open to that is closed here.
    pub(crate) fn opens(self, entry: &Entry<'_>) -> Vec<To> {
        let mut all = Vec::new();
        all.extend((!self.unread(entry, To::Model).is_empty()).then_some(To::Model));
        all.extend((!self.unread(entry, To::Person).is_empty()).then_some(To::Person));
        all
    }

    /// Returns the spellings that close a skill here and are not read by the program. Empty if the program reads one.
    fn unread(self, entry: &Entry<'_>, to: To) -> Vec<Spelling> {
        let closed = entry.fields().closed_by.iter().copied();
        let closed = closed.filter(|spelling| spelling.is_for_model() == (to == To::Model));
        let closed: Vec<Spelling> = closed.collect();
        // Most skills are open, and the files of the others are read.
        if closed.is_empty() {
            return closed;
        }
        let written = Written::of(entry);
        let is_read = |spelling: &Spelling| self.reads(*spelling) && written.holds(*spelling);
        if closed.iter().any(is_read) {
            return Vec::new();
        }
        closed
    }

    fn reads(self, spelling: Spelling) -> bool {
        use client::Spelling as Read;
        let Restraints { model, person, .. } = self.restraints;
        match spelling {
            Spelling::DisableModelInvocation => model.contains(&Read::DisableModelInvocation),
            Spelling::OpenAiPolicy => model.contains(&Read::OpenaiYaml),
            Spelling::OpenCodeAutoinvoke => model.contains(&Read::OpencodeAutoinvoke),
            Spelling::UserInvocable => person.contains(&Read::UserInvocable),
            Spelling::OpenCodeSlash => person.contains(&Read::OpencodeSlash),
            // No client reads the others.
            _ => false,
        }
    }

    /// Returns the skills that a person can name in the program, and not here. `typed` is the beginning of the name with
    /// the character before it.
    pub(crate) fn offers<'c>(
        self,
        typed: &str,
        entries: impl Iterator<Item = Entry<'c>>,
    ) -> Vec<Entry<'c>> {
        let prefixes = self.client.commands.iter();
        let prefixes: Vec<&String> = prefixes.flat_map(|it| &it.prefixes).collect();
        let Some(name) = prefixes
            .iter()
            .find_map(|it| typed.strip_prefix(it.as_str()))
        else {
            return Vec::new();
        };
        let is_offered = |entry: &Entry<'_>| {
            entry.name().starts_with(name)
                && entry.is_enabled()
                && entry.is_trusted()
                && self.opens(entry).contains(&To::Person)
        };
        entries.filter(is_offered).collect()
    }

    /// Reports the skills of a list that the program leaves open.
    pub(crate) fn report(
        self,
        entries: &[Entry<'_>],
        environment: &Environment,
        output: &mut Output,
    ) {
        let open = entries.iter().filter_map(|entry| {
            let to: Vec<&str> = self.opens(entry).into_iter().map(To::in_words).collect();
            (!to.is_empty()).then(|| (entry, to.join(" and ")))
        });
        let open: Vec<(&Entry<'_>, String)> = open.collect();
        if open.is_empty() {
            return;
        }
        let named = open.iter().take(MOST);
        let mut named: Vec<String> = named
            .map(|(entry, to)| format!("{} ({to})", one_line(entry.name())))
            .collect();
        named.extend((open.len() > MOST).then(|| format!("{} more", open.len() - MOST)));
        let Client { name, title, .. } = self.client;
        let folders = open.iter().filter_map(|(entry, _)| match entry.location() {
            Location::Folder(folder) => folder.parent(),
            _ => None,
        });
        let folders: BTreeSet<String> = folders.map(|folder| environment.shown(folder)).collect();
        let more = if folders.is_empty() {
            Prose::default()
        } else {
            // With levels: the configuration of a folder can allow the rules.
            let levels = "check --warn restraint-partial --warn restraint-unsupported --client";
            let check = command(levels).word(name);
            let check = folders
                .iter()
                .fold(check, |check, folder| check.short_path(folder));
            prose!("; {} says what helps", check)
        };
        output.note(prose!(
            "{} closed here, and open in {title} itself: {}{}",
            are(open.len()),
            named.join(", "),
            more
        ));
    }

    /// Reports that the program would start a skill that was named.
    pub(crate) fn report_start(self, entry: &Entry<'_>, to: To, output: &mut Output) {
        let unread: Vec<String> = self
            .unread(entry, to)
            .iter()
            .map(|spelling| format!("`{}`", spelling.as_str()))
            .collect();
        if !unread.is_empty() {
            let (title, id) = (&self.client.title, one_line(entry.name()));
            let unread = unread.join(", ");
            output.note(prose!(
                "{title} itself would start {id}: it does not read {unread}"
            ));
        }
    }

    /// Reports skills that the program would offer for completion.
    pub(crate) fn report_offers(self, entries: &[Entry<'_>], output: &mut Output) {
        if !entries.is_empty() {
            let named = entries.iter().take(MOST);
            let mut named: Vec<String> = named.map(|entry| one_line(entry.name())).collect();
            let rest = entries.len().saturating_sub(MOST);
            named.extend((rest > 0).then(|| format!("{rest} more")));
            let (title, are) = (&self.client.title, are(entries.len()));
            let named = named.join(", ");
            output.note(prose!(
                "{are} closed to a person here, and offered by {title} itself: {named}"
            ));
        }
    }
}

/// The files of a skill as they are written. A misspelt key, or an unclear `agents/openai.yaml`, closes a skill here
/// alone.
struct Written<'c> {
    entry: &'c Entry<'c>,
    front_matter: Option<Node>,
}

impl<'c> Written<'c> {
    fn of(entry: &'c Entry<'c>) -> Self {
        // JSON is YAML.
        let front_matter = yaml::parse(&entry.front_matter()).ok().flatten();
        Self {
            entry,
            front_matter,
        }
    }

    /// Returns whether a spelling that closes the skill here stands there in the form that its client reads.
    fn holds(&self, spelling: Spelling) -> bool {
        if spelling != Spelling::OpenAiPolicy {
            let front_matter = self.front_matter.as_ref();
            return front_matter.is_some_and(|node| spelling.is_exact_in(node));
        }
        let Location::Folder(folder) = self.entry.location() else {
            // The file of another place is not at hand.
            return true;
        };
        let text = client_folder::read(&folder.join(OPENAI_FILE));
        text.is_some_and(|text| {
            let is_clear = OpenAiFile::read(OPENAI_FILE, &text).fault.is_none();
            // One wrong value or repeated key elsewhere in the file is enough.
            is_clear && !str::from_utf8(&text).is_ok_and(codex_reads_over)
        })
    }
}

impl To {
    const fn in_words(self) -> &'static str {
        match self {
            Self::Model => "to its model",
            Self::Person => "to a person",
        }
    }
}

fn are(count: usize) -> String {
    let are = if count == 1 { "is" } else { "are" };
    format!("{} {are}", counted(count, "skill"))
}
