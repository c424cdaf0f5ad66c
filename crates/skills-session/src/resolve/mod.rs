#![doc = include_str!("../../docs/slash.md")]

pub use crate::dialect::notice::{Notice, Request};
pub use crate::dialect::resolution::{AllowedCall, Dispatch, Effect, Resolution, Verdict};
pub use crate::listed::has_id;

use crate::dialect::Dialect;
use crate::dialect::notice::{after_skill, named_to_run, verbatim};
use crate::dialect::resolution::Named;
use crate::listed::{id_of, is_ready};
use crate::options::{Arguments, Options};
use crate::scheduled::{scheduled_commands, short_name};
use skills_format::mention::{Near, NearKind, Nearness, Slash};
use skills_format::nfc;
use skills_runtime::resolve::Mention;
use skills_runtime::{Catalog, Notice as Mentioned, Outcome, Skill, Surface};

/// Resolves a text as [`Dialect::resolve`] does by default, for a dialect that changes the result.
pub fn resolve(
    dialect: &dyn Dialect,
    catalog: &Catalog,
    text: &str,
    surface: Surface,
) -> Resolution {
    if surface != Surface::User {
        return mentioned(dialect.options(), catalog, text, surface);
    }
    if let Some(resolution) = command(dialect, catalog, text) {
        return resolution;
    }
    let mut resolution = mentioned(dialect.options(), catalog, text, surface);
    if let Some(notice) = unknown_command(dialect, catalog, text) {
        resolution.notices.insert(0, notice);
    }
    resolution
}

/// Resolves the mentions of a text.
fn mentioned(options: &Options, catalog: &Catalog, text: &str, surface: Surface) -> Resolution {
    let mut resolution = Resolution::plain(text, surface);
    if !options.mentions {
        return resolution;
    }
    let mut found = catalog.mentions(text, surface, options.limit);
    if options.everywhere {
        found.notices = every_notice(text, &found.mentions, found.notices);
    }
    if !found.skills.is_empty() {
        resolution.effect = Effect::Activate;
    }
    for skill in &found.skills {
        let id = skill.id().into_owned();
        let leads = found.mentions.iter().any(|mention| {
            mention.leads
                && matches!(&mention.outcome, Outcome::Found { skill, .. } if *skill == id)
        });
        let arguments = match options.arguments {
            Arguments::Task => found.arguments(skill).to_owned(),
            Arguments::UpToNext => up_to_next(text, &found.mentions, &id).to_owned(),
            Arguments::None => String::new(),
        };
        resolution.skills.push(Named {
            id,
            leads,
            arguments,
        });
    }
    resolution.mentions = found.mentions;
    resolution.notices = found
        .notices
        .into_iter()
        .filter(|notice| !options.quiet || notice.outcome != Outcome::Unknown)
        .map(Notice::from)
        .collect();
    resolution.task = found.task;
    resolution
}

/// Adds the notices of the ids that no skill has, wherever they stand, to the notices of a text.
fn every_notice(text: &str, mentions: &[Mention], notices: Vec<Mentioned>) -> Vec<Mentioned> {
    let mut known = notices.into_iter().peekable();
    let mut all: Vec<Mentioned> = Vec::new();
    for mention in mentions {
        if let Some(notice) = known.next_if(|notice| notice.outcome == mention.outcome) {
            all.push(notice);
        } else if matches!(
            mention.outcome,
            Outcome::Unknown | Outcome::Ambiguous { .. }
        ) {
            let id = text[mention.span.range()]
                .trim_start_matches('$')
                .to_owned();
            let outcome = mention.outcome.clone();
            let notice = Mentioned { id, outcome };
            if !all.contains(&notice) {
                all.push(notice);
            }
        }
    }
    all.extend(known);
    all
}

/// Returns the text between the first mention of a skill and the next mention of a skill.
fn up_to_next<'t>(text: &'t str, mentions: &[Mention], skill: &str) -> &'t str {
    let mut named = mentions
        .iter()
        .filter_map(|mention| match &mention.outcome {
            Outcome::Found { skill, .. } => Some((skill, mention.span)),
            _ => None,
        });
    let Some((_, span)) = named.find(|(found, _)| *found == skill) else {
        return "";
    };
    let end = named.next().map_or(text.len(), |(_, next)| next.start);
    text[span.end..end].trim()
}

/// Returns the meaning of a slash command. Returns `None` if the text is not a command of a skill or of `/skill`: then
/// its mentions are read.
pub(crate) fn command(dialect: &dyn Dialect, catalog: &Catalog, text: &str) -> Option<Resolution> {
    let options = dialect.options();
    let slash = Slash::parse(text)?;
    let mut resolution = Resolution::plain(text, Surface::User);
    if let Some(request) = after_skill(&slash) {
        let asked = Request::parse(request, &|id| id_of_command(dialect, catalog, id));
        let dispatch = dispatch_of(options, catalog, &asked, request);
        resolution.effect = dispatch.map_or(Effect::Request(asked), Effect::Dispatch);
        return Some(resolution);
    }
    let Slash { name, rest, .. } = slash;
    if !options.commands || options.is_reserved(name) {
        return None;
    }
    let typed = nfc(name);
    let id = dialect.command(catalog, &typed);
    let found = id.map(|id| catalog.find(&id, Surface::User));
    match found {
        Some(Ok(skill)) => {
            let found = id_of(&skill).into_owned();
            let Some(tool) = skill.fields().command_tool.as_deref() else {
                return Some(start(resolution, name, found, rest));
            };
            let arguments = verbatim(rest);
            let dispatch = Dispatch::new(name, found, tool, arguments);
            resolution.effect = Effect::Dispatch(dispatch);
            resolution
        }
        Some(Err(notice)) if notice.outcome != Outcome::Unknown => {
            let notice = of_command(dialect, catalog, name, notice.outcome);
            refused(catalog, resolution, notice)
        }
        _ => match scheduled(options, catalog, &typed)? {
            Ok(id) => start(resolution, name, id, rest),
            Err(notice) => refused(catalog, resolution, notice),
        },
    }
    .into()
}

/// Starts the skill of a command with the rest of the text. Without arguments, the typed text is the message.
fn start(mut resolution: Resolution, name: &str, id: String, rest: &str) -> Resolution {
    let arguments = rest.trim();
    resolution.task = match arguments {
        "" => resolution.task.trim().to_owned(),
        arguments => arguments.to_owned(),
    };
    let skill = id.clone();
    resolution.notices.push(Notice::Using { skill });
    resolution.skills.push(Named {
        id,
        leads: false,
        arguments: arguments.to_owned(),
    });
    resolution.command = Some(name.to_owned());
    resolution.effect = Effect::Command;
    resolution
}

/// The text of a command that calls a tool was not meant for the model.
fn refused(catalog: &Catalog, mut resolution: Resolution, notice: Mentioned) -> Resolution {
    let calls_tool = match &notice.outcome {
        Outcome::Refused { skill, .. } => catalog
            .get(skill)
            .is_some_and(|skill| skill.fields().command_tool.is_some()),
        _ => false,
    };
    let notice = Notice::from(notice);
    resolution.notices.push(notice.clone());
    resolution.effect = if calls_tool {
        Effect::NotCalled(notice)
    } else {
        Effect::Refused(notice)
    };
    resolution
}

/// Finds a scheduled skill by the name of its command: its full name, or a short name that exactly one skill has.
fn scheduled(
    options: &Options,
    catalog: &Catalog,
    name: &str,
) -> Option<Result<String, Mentioned>> {
    let all = scheduled_commands(catalog, &options.scheduled);
    let found =
        |skill: &Skill<'_>| (skill.is_trusted() && is_ready(skill)).then(|| Ok(skill.to_string()));
    if let Some((_, skill)) = all.iter().find(|(command, _)| command == name) {
        return found(skill);
    }
    let short = all.iter();
    let short = short.filter(|(command, _)| short_name(command) == Some(name));
    match &*short.collect::<Vec<_>>() {
        [] => None,
        [(_, skill)] => found(skill),
        short @ [(first, _), ..] => {
            let several = Outcome::Ambiguous {
                use_id: format!("/{first}"),
                candidates: short.iter().map(|(it, _)| format!("/{it}")).collect(),
                kind: None,
            };
            Some(Err(Mentioned {
                id: format!("/{name}"),
                outcome: several,
            }))
        }
    }
}

/// Returns the id of the skill that `/skill` means by the name of its command. `None`: the name is an id.
pub fn id_of_command(dialect: &dyn Dialect, catalog: &Catalog, name: &str) -> Option<String> {
    let name = nfc(name);
    let is_id = catalog.get(&name).is_some() || !named(catalog, &name).is_empty();
    if is_id || !dialect.options().commands || name.contains(':') {
        return None;
    }
    dialect.command(catalog, &name)
}

/// Returns every skill with a name, then every skill with it as an alias, by rank, source and name. Shadowed skills are
/// included. The alias of a skill is not, if a nearer skill of its source has its name.
pub fn named<'c>(catalog: &'c Catalog, name: &str) -> Vec<Skill<'c>> {
    let name = nfc(name);
    let by_name = catalog.iter().filter(|skill| skill.name() == name);
    let by_alias = catalog.iter().filter(|skill| {
        skill.fields().aliases.iter().any(|alias| **alias == *name)
            && catalog.get(&skill.to_string()) == Some(*skill)
    });
    by_name.chain(by_alias).collect()
}

/// Returns the tool call of `/skill ID ARGUMENTS`. Returns `None` if the request starts a skill or is
/// another request, or if skills have no commands.
fn dispatch_of(
    options: &Options,
    catalog: &Catalog,
    asked: &Request,
    request: &str,
) -> Option<Dispatch> {
    let Request::Run { id, .. } = asked else {
        return None;
    };
    if !options.commands {
        return None;
    }
    let id = id.strip_prefix('$').unwrap_or(id);
    // A skill that may not be started stays a request: executing the request gives the reason.
    let skill = catalog.find(id, Surface::User).ok()?;
    let tool = skill.fields().command_tool.as_deref()?;
    let (name, rest) = named_to_run(request);
    let found = id_of(&skill).into_owned();
    let arguments = verbatim(rest);
    Some(Dispatch::new(name, found, tool, arguments))
}

/// Returns the notice about a command that neither a skill nor the host has, with the near names. The host must have
/// commands, and report unknown names. The text must not be a command of a skill.
fn unknown_command(dialect: &dyn Dialect, catalog: &Catalog, text: &str) -> Option<Notice> {
    let options = dialect.options();
    let is_reported = !options.reserved.is_empty() && options.commands && !options.quiet;
    let slash = Slash::parse(text).filter(|slash| is_reported && slash.is_word())?;
    let name = slash.name;
    if options.is_reserved(name) {
        return None;
    }
    let found = match catalog.find(name, Surface::User) {
        Err(near) if !matches!(near.outcome, Outcome::Refused { .. } | Outcome::Unknown) => {
            of_command(dialect, catalog, name, near.outcome)
        }
        _ => Mentioned {
            id: name.to_owned(),
            outcome: Outcome::Unknown,
        },
    };
    Some(with_own_commands(options, name, found).into())
}

/// Adds the near commands of the host to the notice about an unknown command, in front of those of skills.
fn with_own_commands(options: &Options, name: &str, notice: Mentioned) -> Mentioned {
    let near = Near::new(name);
    let mut own: Vec<(Nearness, String)> = Vec::new();
    for command in options.reserved.iter().map(|own| &**own).chain(["skill"]) {
        if let Some(nearness) = near.to(&command.to_lowercase(), NearKind::Distance) {
            own.push((nearness, format!("/{command}")));
        }
    }
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
    Mentioned {
        id: format!("/{name}"),
        outcome: Outcome::Ambiguous {
            use_id: first,
            kind: (candidates.len() > 1).then_some(NearKind::Distance),
            candidates: candidates.into(),
        },
    }
}

/// Returns the notice about a command with the outcome of a mention. The notice offers commands, and mentions of skills
/// without commands.
fn of_command(dialect: &dyn Dialect, catalog: &Catalog, name: &str, outcome: Outcome) -> Mentioned {
    let commands = match outcome {
        Outcome::Ambiguous { .. } => dialect.commands(catalog),
        _ => Vec::new(),
    };
    let typed = |id: &str| match commands.iter().find(|command| command.skill == id) {
        Some(command) => format!("/{}", command.name),
        None => format!("${id}"),
    };
    let outcome = match outcome {
        Outcome::Ambiguous {
            candidates,
            use_id,
            kind,
        } => Outcome::Ambiguous {
            candidates: candidates.iter().map(|id| typed(id)).collect(),
            use_id: typed(&use_id),
            // One command that is near is not a suggestion of a mention.
            kind: kind.filter(|_| candidates.len() > 1),
        },
        outcome => outcome,
    };
    Mentioned {
        id: format!("/{name}"),
        outcome,
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
