//! Look-ups of the skill that a person names.

use crate::outcome::Failure;
use crate::output::one_line;
use skills_format::mention::{self, Refusal};
use skills_format::text::appearance::revealed;
use skills_format::text::distance::nearest;
use skills_format::{Prose, command, prose};
use skills_lint::UnknownRule;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Outcome, Skill, Surface};
use skills_session::options::Options;
use skills_session::resolve::{id_of_command, named};
use skills_session::{Dialect as _, Notice};
use std::convert::Infallible;

/// Strips the `$` that an id has in a message. A path keeps its `$`.
#[expect(clippy::unnecessary_wraps, reason = "as clap asks of a parser")]
pub(crate) fn given(text: &str) -> Result<String, Infallible> {
    let id = text.strip_prefix('$').unwrap_or(text);
    let is_path = text.contains(std::path::is_separator);
    Ok(if is_path { text } else { id }.to_owned())
}

/// Returns the id of the skill whose slash command has this name, or else `id` unchanged.
pub(crate) fn meant(catalog: &Catalog, id: &str, profile: &Profile) -> String {
    let by_command = id_of_command(profile, catalog, id);
    by_command.unwrap_or_else(|| id.to_owned())
}

/// Finds the skill with this name, alias or qualified id. The failure lists the candidates, or the nearest
/// ids.
pub(crate) fn find<'c>(catalog: &'c Catalog, id: &str) -> Result<Skill<'c>, Failure> {
    if let Some(entry) = catalog.get(id) {
        return Ok(entry);
    }
    let same = named(catalog, id);
    if let [entry] = same[..] {
        return Ok(entry);
    }
    let asked = one_line(id);
    if !same.is_empty() {
        let ids: Vec<String> = same.iter().map(ToString::to_string).collect();
        return Err(Failure::not_so(
            format_args!("several skills are called '{asked}': {}", ids.join(", ")),
            "write one of these ids",
        ));
    }
    Err(unknown(catalog, id))
}

/// Builds the failure for an id that no skill has. The failure lists the nearest ids.
pub(crate) fn unknown(catalog: &Catalog, id: &str) -> Failure {
    // A space at an end is seen between the quotes: without it, the near name would be the asked name.
    let asked = revealed(id);
    // The resolver first: its suggestion is what a message with `$id` gets.
    let resolution = Options::DEFAULT.resolve(catalog, &format!("${id}"), Surface::User);
    let near = resolution
        .mentions
        .into_iter()
        .next()
        .map(|mention| mention.outcome);
    let near: Vec<String> = match near {
        Some(Outcome::Ambiguous { candidates, .. }) => candidates.to_vec(),
        _ => Vec::new(),
    };
    let fact = format!("no skill has the id '{asked}'");
    let near: Vec<String> = near.iter().map(|id| one_line(id)).collect();
    // `user:lint` where another source has the name.
    let in_other_source = id.split_once(':').map(|(_, name)| {
        let same = catalog.iter().filter(|entry| entry.name() == name);
        same.map(|entry| one_line(&entry.to_string()))
            .collect::<Vec<_>>()
    });
    let near = question(&near).or_else(|| question(&in_other_source.unwrap_or_default()));
    let name = id.strip_prefix("bundled:").unwrap_or(id);
    if near.is_none() && bundled_skills::SKILLS.get(name).is_some() {
        return Failure::not_so(fact, "it is a skill of this program: add --bundled");
    }
    let near = near.or_else(|| {
        let ids: Vec<String> = catalog.iter().map(|entry| entry.to_string()).collect();
        // The resolver suggests no skill that it would not start.
        let names = catalog.iter().map(|entry| entry.name());
        did_you_mean(id, names.chain(ids.iter().map(String::as_str)))
    });
    Failure::not_so(
        fact,
        near.map_or_else(|| prose!("`skills list` shows the skills"), Prose::from),
    )
}

/// Returns the help for a rule that does not exist: the nearest rule, or the command that lists the rules.
pub(crate) fn rule_help(unknown: &UnknownRule) -> Prose {
    let near = unknown.nearest.map(ToOwned::to_owned);
    question(near.as_slice())
        .map_or_else(|| prose!("`skills explain` lists the rules"), Prose::from)
}

/// Returns a question with the nearest known name, if a name is near.
pub(crate) fn did_you_mean<'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let near = nearest(name, known)?;
    question(&[near.to_owned()])
}

/// Returns a question with the names of clients that a name can mean: the names that begin with it, or the nearest name.
/// `claude` is the beginning of `claude-code` and `claude-ai`, and nearer to the second.
pub(crate) fn near_client<'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let begins = |known: &&&str| {
        let rest = known.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with('-'))
    };
    let longer = known.iter().filter(begins);
    let longer: Vec<String> = longer.map(|known| (*known).to_owned()).collect();
    question(&longer).or_else(|| did_you_mean(name, known))
}

/// Formats a question with near names. Returns `None` without a name.
pub(crate) fn question(near: &[String]) -> Option<String> {
    (!near.is_empty()).then(|| mention::did_you_mean(near))
}

/// The help for a state file that cannot be read.
const CORRECT: &str = "correct the file, or move it away";

/// Formats a notice with commands of this program. When the state file cannot be read, no skill can be
/// enabled, so the notice names the file instead.
pub(crate) fn at_a_shell(notice: &Notice) -> Prose {
    if let Some(Outcome::Refused {
        skill,
        why: Refusal::Disabled { unknown: Some(_) },
    }) = notice.outcome()
    {
        return prose!(
            "Skill '{skill}' is off: the file of the disabled skills cannot be read; {}.",
            CORRECT
        );
    }
    notice.with_commands(|words| match words {
        ["enable", skill] => command("enable").word(skill),
        ["trust", skill] => command("trust").word(skill),
        _ => command("list"),
    })
}

fn not_started(notice: &skills_runtime::Notice) -> Failure {
    let fact = at_a_shell(&notice.clone().into());
    Failure::not_so(fact, "`skills list` shows the skills")
}

/// Builds the failure for a skill that may not be started. The text of the notice itself addresses the
/// user of a host, not a person at a shell.
pub(crate) fn refused(catalog: &Catalog, notice: &skills_runtime::Notice) -> Failure {
    let (skill, why) = match &notice.outcome {
        Outcome::Refused { skill, why } => (skill, why),
        Outcome::Unknown | Outcome::Ambiguous { kind: Some(_), .. } => {
            return unknown(catalog, &notice.id);
        }
        _ => return not_started(notice),
    };
    match why {
        Refusal::Untrusted { .. } => {}
        Refusal::Disabled { unknown: Some(_) } => {
            return Failure::not_so(
                format_args!(
                    "skill '{skill}' is off: the file of the disabled skills cannot be read"
                ),
                CORRECT,
            );
        }
        Refusal::Disabled { .. } => {
            let enable = command("enable").word(skill);
            let fact = format!("skill '{skill}' is disabled");
            return Failure::not_so(fact, prose!("{} enables it", enable));
        }
        _ => return not_started(notice),
    }
    let entry = find(catalog, skill).ok();
    match entry.and_then(|entry| entry.trusted_record()) {
        Some((_, Some(changes))) => Failure::not_so(
            format_args!(
                "skill '{skill}' is no longer trusted: it has changed since it was trusted: {changes}"
            ),
            Failure::trust_again(skill),
        ),
        _ => Failure::not_so(
            format_args!("skill '{skill}' is not trusted"),
            prose!(
                "look at the skill with {}, then trust the skill with {}",
                command("show").word(skill),
                command("trust").word(skill)
            ),
        ),
    }
}
