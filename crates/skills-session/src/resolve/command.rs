//! Reads a text as a slash command.

// An id of `/skill` is looked up as an id first, then as the name of a command. For a mention, the name
// of a command is the last look-up.
//
// The name of a disabled skill after `/` gives the same notice as a mention of that skill. The text is
// sent unchanged.

use crate::commands::command_index;
use crate::commands::index::CommandIndex;
use crate::options::commands::CommandNames;
use crate::options::policy::Notices;
use crate::profile::Profile;
use crate::resolve::dispatch::Dispatch;
use crate::resolve::invocation::{Invocation, Request, SkillCommand};
use crate::resolve::request::{self, named_to_run, verbatim};
use crate::resolve::scheduled::scheduled_command;
use skills_format::mention::{Near, NearKind, Nearness, Slash};
use skills_format::nfc;
use skills_runtime::Catalog;
use skills_runtime::Entry;
use skills_runtime::Surface;
use skills_runtime::catalog::ids::id_of;
use skills_runtime::resolve::SkillToStart;
use skills_runtime::{Notice, Outcome};

/// Returns the meaning of a slash command. Returns `None` if the text is not a command of a skill or of `/skill`: then
/// its mentions are read.
pub(crate) fn command(catalog: &Catalog, text: &str, profile: &Profile) -> Option<Invocation> {
    let slash = Slash::parse(text)?;
    if let Some(request) = request::request(&slash) {
        let asked = Request::parse(request, &|id| profile.id_of_command(catalog, id));
        let dispatch = dispatch_of(catalog, &asked, request, profile);
        return Some(dispatch.map_or(Invocation::Request(asked), Invocation::Dispatch));
    }
    let Slash { name, rest, .. } = slash;
    if profile.commands.names == CommandNames::None || profile.commands.is_reserved(name) {
        return None;
    }
    let typed = nfc(name);
    let (skill, entry) = match command_skill(catalog, &typed, profile) {
        Some(Ok(found)) => found,
        Some(Err(notice)) => return Some(refused(catalog, notice)),
        None => return scheduled_command(catalog, &typed, rest, text, profile),
    };
    let arguments = rest.trim();
    Some(match entry.fields().command_tool.as_deref() {
        Some(tool) => {
            let arguments = verbatim(rest);
            let found = SkillToStart::of(&skill, &entry, profile.mentions.plugins)?;
            Invocation::Dispatch(Dispatch::new(
                name,
                found,
                profile.mentions.plugins,
                tool,
                arguments,
            ))
        }
        None => Invocation::Skill(SkillCommand {
            name: name.to_owned(),
            found: SkillToStart::of(&skill, &entry, profile.mentions.plugins)?,
            skill,
            arguments: arguments.to_owned(),
            message: if arguments.is_empty() {
                // The typed name, without the white space around it.
                text.trim()
            } else {
                arguments
            }
            .to_owned(),
        }),
    })
}

/// Returns the notice about a command that neither a skill nor the host has, with the near names. The profile must know
/// the host's commands and report unknown names. The text must not be a command of a skill.
pub(crate) fn unknown_command(catalog: &Catalog, text: &str, profile: &Profile) -> Option<Notice> {
    let is_known = |name| profile.commands.is_reserved(name);
    let is_reported = !profile.commands.reserved.is_empty()
        && profile.commands.names != CommandNames::None
        && profile.mentions.notices != Notices::SilentUnknown;
    let slash = Slash::parse(text).filter(|slash| is_reported && slash.is_word())?;
    let name = (!is_known(slash.name)).then_some(slash.name)?;
    let found = match catalog.find(name, Surface::User, profile.mentions.plugins) {
        Err(near) if near.outcome.skill().is_none() && near.outcome != Outcome::Unknown => {
            of_command(name, near.outcome, &command_index(catalog, profile))
        }
        _ => Notice {
            id: name.to_owned(),
            outcome: Outcome::Unknown,
        },
    };
    Some(with_own_commands(name, found, profile))
}

/// Adds the near commands of the host to the notice about an unknown command, in front of those of skills.
fn with_own_commands(name: &str, notice: Notice, profile: &Profile) -> Notice {
    let near = Near::new(name);
    let reserved = profile.commands.reserved.iter().map(|own| &**own);
    let reserved = reserved.chain(["skill"]);
    let mut own: Vec<(Nearness, String)> = reserved
        .filter_map(|own| {
            Some((
                near.to(&own.to_lowercase(), NearKind::Distance)?,
                format!("/{own}"),
            ))
        })
        .collect();
    own.sort();
    let mut candidates: Vec<String> = own.into_iter().map(|(_, own)| own).collect();
    let Some(first) = candidates.first().cloned() else {
        return notice;
    };
    if let Outcome::Ambiguous {
        candidates: of_skills,
        ..
    } = notice.outcome
    {
        candidates.extend(of_skills.iter().cloned());
    }
    Notice {
        id: format!("/{name}"),
        outcome: Outcome::Ambiguous {
            candidates: candidates.into(),
            use_id: first,
            kind: Some(NearKind::Distance),
        },
    }
}

/// Returns the tool call of `/skill ID ARGUMENTS`. Returns `None` if the request starts a skill or is
/// another request, or if the policy gives skills no commands.
fn dispatch_of(
    catalog: &Catalog,
    meta: &Request,
    request: &str,
    profile: &Profile,
) -> Option<Dispatch> {
    let Request::Run { id, .. } = meta else {
        return None;
    };
    if profile.commands.names == CommandNames::None {
        return None;
    }
    let id = id.strip_prefix('$').unwrap_or(id);
    // A skill that may not be started stays a request: executing the request gives the reason.
    let entry = catalog
        .find(id, Surface::User, profile.mentions.plugins)
        .ok()?;
    let tool = entry.fields().command_tool.as_deref()?;
    let (name, rest) = named_to_run(request);
    let skill = id_of(&entry, profile.mentions.plugins);
    let arguments = verbatim(rest);
    let found = SkillToStart::of(&skill, &entry, profile.mentions.plugins)?;
    Some(Dispatch::new(
        name,
        found,
        profile.mentions.plugins,
        tool,
        arguments,
    ))
}

fn refused(catalog: &Catalog, notice: Notice) -> Invocation {
    let skill = notice.outcome.skill().and_then(|id| catalog.get(id));
    if skill.is_some_and(|entry| entry.fields().command_tool.is_some()) {
        Invocation::NotCalled(notice.into())
    } else {
        Invocation::Refused(notice.into())
    }
}

/// Returns the skill of a command's name, with its id. Returns `None` if no skill has the name.
fn command_skill<'c>(
    catalog: &'c Catalog,
    name: &str,
    profile: &Profile,
) -> Option<Result<(String, Entry<'c>), Notice>> {
    let index = command_index(catalog, profile);
    if let Some(command) = index.named(name) {
        return Some(Ok((
            command.skill.clone(),
            Entry::of(catalog, command.spot)?,
        )));
    }
    let is_own_name = match name.rsplit_once(':') {
        Some((source, name)) => catalog.in_source(source, name).is_some(),
        None => catalog.with_name(name).next().is_some(),
    };
    let id = if is_own_name {
        name
    } else {
        index.asleep(name)?
    };
    match catalog.find(id, Surface::User, profile.mentions.plugins) {
        Ok(entry) => Some(Ok((
            id_of(&entry, profile.mentions.plugins).into_owned(),
            entry,
        ))),
        Err(notice) if notice.outcome == Outcome::Unknown => None,
        Err(notice) => Some(Err(of_command(name, notice.outcome, &index))),
    }
}

/// Returns the notice about a command. The notice offers commands, and mentions of skills without commands.
fn of_command(name: &str, outcome: Outcome, index: &CommandIndex) -> Notice {
    let commands = index.by_skill();
    let typed = |id: &str| match commands.get(id) {
        Some(command) => format!("/{command}"),
        None => format!("${id}"),
    };
    let outcome = match outcome {
        Outcome::Suggestion { suggestion, .. } => Outcome::Ambiguous {
            candidates: [typed(&suggestion)].into(),
            use_id: typed(&suggestion),
            kind: None,
        },
        Outcome::Ambiguous {
            candidates,
            use_id,
            kind,
        } => Outcome::Ambiguous {
            candidates: candidates.iter().map(|id| typed(id)).collect(),
            use_id: typed(&use_id),
            kind,
        },
        outcome => outcome,
    };
    Notice {
        id: format!("/{name}"),
        outcome,
    }
}

#[cfg(test)]
mod tests;
