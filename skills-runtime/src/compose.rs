//! From mentions to a turn: which skills are activated together, what is told, what is sent.

use crate::entry::Entry;
use crate::meaning::Resolver;
use crate::notice::Notice;
use crate::resolution::{Compose, NearKind, Notices, Outcome, Resolution, Surface, Turn};
use crate::resolve::Found;
use std::collections::HashSet;

/// Shortest id of which a slip of the finger is told wherever it stands, in characters.
const TOLD_ANYWHERE: usize = 5;

pub(crate) fn resolution(
    resolver: &Resolver<'_>,
    text: &str,
    found: Vec<Found<'_, '_>>,
) -> Resolution {
    let skills = distinct(&found);
    let (turn, active) = compose(resolver.policy.compose, skills.clone());
    let task = task(text, &found, &active);
    let notices = notices(resolver, &found, turn, &skills, &active);
    Resolution {
        surface: resolver.surface,
        turn,
        command: None,
        activated: active.iter().map(|entry| resolver.id(*entry)).collect(),
        notices,
        task: task.to_owned(),
        led: led(&found, &active)
            .map(|entry| resolver.id(entry))
            .collect(),
        arguments: resolver.policy.arguments,
        mentions: found.into_iter().map(|found| found.mention).collect(),
    }
}

/// The skills found, in order of first mention.
fn distinct<'c>(found: &[Found<'_, 'c>]) -> Vec<Entry<'c>> {
    let mut skills = Vec::new();
    for entry in found.iter().filter_map(|found| found.entry) {
        if !skills.contains(&entry) {
            skills.push(entry);
        }
    }
    skills
}

fn compose(compose: Compose, skills: Vec<Entry<'_>>) -> (Turn, Vec<Entry<'_>>) {
    let scopes_tools = |entry: &Entry<'_>| !entry.fields().allowed_tools.is_empty();
    match (compose, skills.as_slice()) {
        (_, []) => (Turn::Plain, skills),
        (Compose::ChooseOne, [a, b]) if scopes_tools(a) != scopes_tools(b) => {
            (Turn::Activate, skills)
        }
        (Compose::ChooseOne, [_, _, ..]) => (Turn::ChooseOne, Vec::new()),
        _ => (Turn::Activate, skills),
    }
}

/// The skills that were activated by a mention that leads.
fn led<'c>(found: &[Found<'_, 'c>], active: &[Entry<'c>]) -> impl Iterator<Item = Entry<'c>> {
    active.iter().copied().filter(|entry| {
        found
            .iter()
            .any(|found| found.mention.leads && found.entry == Some(*entry))
    })
}

/// The text without the leading mentions that were activated. Nothing else is touched.
fn task<'t>(text: &'t str, found: &[Found<'_, '_>], active: &[Entry<'_>]) -> &'t str {
    let mut task = text;
    for found in found.iter().take_while(|found| found.mention.leads) {
        if !found.entry.is_some_and(|entry| active.contains(&entry)) {
            break;
        }
        let after = text.get(found.extent.end..).unwrap_or_default();
        let rest = after.strip_prefix([',', ':']).unwrap_or(after);
        let rest = if rest.is_empty() || rest.starts_with(char::is_whitespace) {
            rest
        } else {
            after
        };
        if !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            break;
        }
        task = rest.trim_start();
    }
    task
}

fn notices(
    resolver: &Resolver<'_>,
    found: &[Found<'_, '_>],
    turn: Turn,
    skills: &[Entry<'_>],
    active: &[Entry<'_>],
) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    let mut ignored: Vec<String> = Vec::new();
    let mut said: HashSet<(&str, &str)> = HashSet::new();
    for found in found {
        let outcome = &found.mention.outcome;
        let subject = outcome.skill().unwrap_or(&found.id);
        if !is_told(resolver, found, active) || !said.insert((outcome.as_str(), subject)) {
            continue;
        }
        match outcome {
            Outcome::TooMany { skill } => ignored.push(skill.clone()),
            outcome => notices.extend(notice(resolver.surface, &found.id, outcome)),
        }
    }
    if turn == Turn::ChooseOne {
        notices.push(Notice::ChooseOne {
            skills: skills.iter().map(|entry| resolver.id(*entry)).collect(),
        });
    }
    if !ignored.is_empty() {
        notices.push(Notice::TooMany {
            limit: resolver.policy.limit,
            ignored,
        });
    }
    notices
}

/// Whether something is said of a mention.
fn is_told(resolver: &Resolver<'_>, found: &Found<'_, '_>, active: &[Entry<'_>]) -> bool {
    match &found.mention.outcome {
        Outcome::Found { .. } => found.entry.is_some_and(|entry| active.contains(&entry)),
        Outcome::Unknown => {
            resolver.surface != Surface::Model
                && resolver.policy.notices != Notices::SilentUnknown
                && is_told_of_no_skill(resolver, found, None)
        }
        Outcome::Suggestion { kind, .. } => is_told_of_no_skill(resolver, found, Some(*kind)),
        Outcome::Ambiguous { kind, .. } => {
            kind.is_none() || is_told_of_no_skill(resolver, found, *kind)
        }
        Outcome::Escaped | Outcome::Reserved => false,
        _ => true,
    }
}

/// Whether something is said of an id that no skill has. Prose holds `$variables`: only where the
/// mention leads, or where it is surely a slip of the finger.
fn is_told_of_no_skill(
    resolver: &Resolver<'_>,
    found: &Found<'_, '_>,
    kind: Option<NearKind>,
) -> bool {
    let slip = matches!(
        kind,
        Some(NearKind::Equal | NearKind::Order | NearKind::Distance)
    );
    found.mention.leads
        || resolver.policy.notices == Notices::Always
        || slip && found.id.chars().count() >= TOLD_ANYWHERE
}

/// What is said of an outcome. `None`: nothing is.
pub(crate) fn notice(surface: Surface, id: &str, outcome: &Outcome) -> Option<Notice> {
    let id = id.to_owned();
    Some(match outcome.clone() {
        Outcome::Found { skill, .. } => Notice::Using { skill },
        Outcome::Unknown => Notice::Unknown { id },
        Outcome::Suggestion { suggestion, .. } => Notice::Suggestion { id, suggestion },
        Outcome::Ambiguous {
            candidates, use_id, ..
        } => Notice::Ambiguous {
            id,
            candidates,
            use_id,
        },
        Outcome::Disabled { skill } => Notice::Disabled { skill },
        Outcome::Untrusted { skill } => Notice::Untrusted { skill },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } => match surface {
            Surface::Model => Notice::UserOnly { skill },
            Surface::User | Surface::Palette => Notice::ModelOnly { skill },
        },
        Outcome::TooMany { .. } | Outcome::Escaped | Outcome::Reserved => return None,
    })
}
