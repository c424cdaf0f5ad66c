//! From mentions to a turn: which skills are activated together, what is told, what is sent.

use crate::entry::Entry;
use crate::notice::Notice;
use crate::resolution::{Compose, NearKind, Notices, Outcome, Resolution, Surface, Turn};
use crate::resolve::{Found, Resolver};

/// Shortest id of which a slip of the finger is told wherever it stands, in characters.
const TOLD_ANYWHERE: usize = 5;

pub(crate) fn resolution(resolver: &Resolver<'_>, text: &str, found: Vec<Found<'_>>) -> Resolution {
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
fn distinct<'c>(found: &[Found<'c>]) -> Vec<Entry<'c>> {
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
fn led<'c>(found: &[Found<'c>], active: &[Entry<'c>]) -> impl Iterator<Item = Entry<'c>> {
    active.iter().copied().filter(|entry| {
        found
            .iter()
            .any(|found| found.mention.leads && found.entry == Some(*entry))
    })
}

/// The text without the leading mentions that were activated. Nothing else is touched.
fn task<'t>(text: &'t str, found: &[Found<'_>], active: &[Entry<'_>]) -> &'t str {
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
    found: &[Found<'_>],
    turn: Turn,
    skills: &[Entry<'_>],
    active: &[Entry<'_>],
) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    let mut ignored: Vec<String> = Vec::new();
    for found in found {
        if let Outcome::TooMany { skill } = &found.mention.outcome {
            if !ignored.contains(skill) {
                ignored.push(skill.clone());
            }
        } else if let Some(notice) = notice(resolver, found, active)
            && !notices.contains(&notice)
        {
            notices.push(notice);
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

fn notice(resolver: &Resolver<'_>, found: &Found<'_>, active: &[Entry<'_>]) -> Option<Notice> {
    let id = &found.id;
    let notice = match found.mention.outcome.clone() {
        Outcome::Found { skill, .. } => {
            found.entry.filter(|entry| active.contains(entry))?;
            Notice::Using { skill }
        }
        Outcome::Unknown => {
            is_told(resolver, found, None).then_some(())?;
            Notice::Unknown { id: id.clone() }
        }
        Outcome::Suggestion { suggestion, kind } => {
            is_told(resolver, found, Some(kind)).then_some(())?;
            Notice::Suggestion {
                id: id.clone(),
                suggestion,
            }
        }
        Outcome::Ambiguous {
            candidates,
            use_id,
            kind,
        } => {
            (kind.is_none() || is_told(resolver, found, kind)).then_some(())?;
            Notice::Ambiguous {
                id: id.clone(),
                candidates,
                use_id,
            }
        }
        Outcome::Disabled { skill } => Notice::Disabled { skill },
        Outcome::Untrusted { skill } => Notice::Untrusted { skill },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } => match resolver.surface {
            Surface::Model => Notice::UserOnly { skill },
            Surface::User | Surface::Palette => Notice::ModelOnly { skill },
        },
        Outcome::TooMany { .. } | Outcome::Escaped | Outcome::Reserved => return None,
    };
    Some(notice)
}

/// Whether something is said of an id that no skill has. Prose holds `$variables`: only where the
/// mention leads, or where it is surely a slip of the finger.
fn is_told(resolver: &Resolver<'_>, found: &Found<'_>, kind: Option<NearKind>) -> bool {
    let unknown = kind.is_none();
    if unknown
        && (resolver.surface == Surface::Model || resolver.policy.notices == Notices::SilentUnknown)
    {
        return false;
    }
    let slip = matches!(
        kind,
        Some(NearKind::Equal | NearKind::Order | NearKind::Distance)
    );
    found.mention.leads
        || resolver.policy.notices == Notices::Always
        || slip && found.id.chars().count() >= TOLD_ANYWHERE
}
