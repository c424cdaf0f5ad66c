//! Look-ups of the skill that a person names.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::one_line;
use skills_format::mention::{self, Refusal};
use skills_format::text::appearance::revealed;
use skills_format::text::distance::nearest;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, SKILL_FILE, SkillName, command, prose};
use skills_host::places::Agent;
use skills_lint::UnknownRule;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Outcome, Skill, Surface};
use skills_session::options::Options;
use skills_session::resolve::{id_of_command, named};
use skills_session::{Dialect as _, Notice};
use std::convert::Infallible;
use std::path::{Path, PathBuf, is_separator};

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

/// Returns an id as the catalog has it: `list` shortens paths.
pub(crate) fn whole(catalog: &Catalog, id: &str, env: &Environment) -> String {
    let path = env.absolute(Path::new(id));
    let path = path.shown();
    let is_path = id.contains(is_separator) && catalog.get(&path).is_some();
    if is_path { path.as_ref() } else { id }.to_owned()
}

/// Finds the skill with this name, alias or qualified id. The failure lists the candidates, or the nearest
/// ids.
pub(crate) fn find<'c>(catalog: &'c Catalog, id: &str) -> Result<Skill<'c>, Failure> {
    if let Some(entry) = catalog.get(id) {
        return Ok(entry);
    }
    match named(catalog, id).as_slice() {
        [] => Err(unknown(catalog, id)),
        [entry] => Ok(*entry),
        several => {
            let ids: Vec<String> = several.iter().map(ToString::to_string).collect();
            let (asked, ids) = (one_line(id), ids.join(", "));
            Err(Failure::not_so(
                format_args!("several skills are called '{asked}': {ids}"),
                "write one of these ids",
            ))
        }
    }
}

/// Returns the folder of the skill that a word names: a path, an id as `list` prints it, the name, or the name of the
/// folder, which also finds a skill that cannot be loaded.
pub(crate) fn folder(word: &str, env: &Environment) -> Option<PathBuf> {
    let path = env.absolute(Path::new(word));
    if word.contains(is_separator) || matches!(word, "." | "..") {
        let mut above = path.ancestors();
        return above
            .find(|it| it.join(SKILL_FILE).is_file())
            .map(Path::to_owned);
    }
    let loaded = CatalogOptions::default().load_untrusted(env).ok()?;
    folder_of(&loaded.catalog, word, env)
}

/// Returns the folder of the skill with an id, a name or a folder's name in a loaded catalog, or else in the folder of any
/// client.
pub(crate) fn folder_of(catalog: &Catalog, word: &str, env: &Environment) -> Option<PathBuf> {
    let has_id = |skill: &Skill<'_>| skill.id() == word || skill.to_string() == word;
    let is_folder = |skill: &Skill<'_>| skill.folder().is_some_and(|it| it.ends_with(word));
    let mut found = catalog.iter().find(has_id);
    found = found.or_else(|| catalog.iter().find(|skill| skill.name() == word));
    found = found.or_else(|| catalog.iter().find(is_folder));
    if let Some(folder) = found.and_then(|skill| skill.folder().map(Path::to_owned)) {
        return Some(folder);
    }
    let project = env.bases().project;
    let machine = env.machine(&project);
    let folders = Agent::all().flat_map(|agent| machine.folders(agent.folders));
    let mut folders = folders.map(|(_, folder)| folder.join(word));
    let is_name = SkillName::new(word).is_ok();
    folders.find(|folder| is_name && folder.join(SKILL_FILE).is_file())
}

/// Builds the failure for an id that no skill has. The failure lists the nearest ids.
pub(crate) fn unknown(catalog: &Catalog, id: &str) -> Failure {
    // A space at an end is seen between the quotes: without it, the near name would be the asked name.
    let fact = format!("no skill has the id '{}'", revealed(id));
    // The resolver first: its suggestion is what a message with `$id` gets.
    let resolution = Options::DEFAULT.resolve(catalog, &format!("${id}"), Surface::User);
    let near = match resolution.mentions.first().map(|mention| &mention.outcome) {
        Some(Outcome::Ambiguous { candidates, .. }) => candidates.iter(),
        _ => [].iter(),
    };
    let near: Vec<String> = near.map(|id| one_line(id)).collect();
    // `user:lint` where another source has the name.
    let name = id.split_once(':').map(|(_, name)| name);
    let same = catalog.iter().filter(|entry| Some(entry.name()) == name);
    let same: Vec<String> = same.map(|entry| one_line(&entry.to_string())).collect();
    let near = question(&near).or_else(|| question(&same));
    if near.is_none() && bundled_skills::SKILLS.get(name.unwrap_or(id)).is_some() {
        return Failure::not_so(fact, "it is a skill of this program: add --layer bundled");
    }
    let near = near.or_else(|| {
        let ids: Vec<String> = catalog.iter().map(|entry| entry.to_string()).collect();
        // The resolver suggests no skill that it would not start.
        let names = catalog.iter().map(|entry| entry.name());
        did_you_mean(id, names.chain(ids.iter().map(String::as_str)))
    });
    Failure::not_so(
        fact,
        near.map_or("`skills list` shows the skills".into(), Prose::from),
    )
}

/// Returns the help for a rule that does not exist: the nearest rule, or the command that lists the rules.
pub(crate) fn rule_help(unknown: &UnknownRule) -> Prose {
    let near = unknown.nearest.map(ToOwned::to_owned);
    question(near.as_slice()).map_or("`skills explain` lists the rules".into(), Prose::from)
}

/// Returns a question with the nearest known name, if a name is near.
pub(crate) fn did_you_mean<'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Option<String> {
    let near = nearest(name, known)?;
    question(&[near.to_owned()])
}

/// Formats a question with near names. Returns `None` without a name.
pub(crate) fn question(near: &[String]) -> Option<String> {
    (!near.is_empty()).then(|| mention::did_you_mean(near))
}

/// Formats a notice with commands of this program. When the state file cannot be read, no skill can be
/// enabled, so the notice names the file instead.
pub(crate) fn at_a_shell(notice: &Notice) -> Prose {
    if let Some(Outcome::Refused { skill, why }) = notice.outcome() {
        match why {
            Refusal::Disabled { unknown: Some(_) } => {
                return prose!(
                    "Skill '{skill}' is off: the file of the disabled skills cannot be read; correct the file, or move it away."
                );
            }
            Refusal::Untrusted { changed: true } => {
                return prose!(
                    "Skill '{skill}' has changed since it was trusted. Look at it with {}, then trust it again.",
                    command("trust").word("--diff").word(skill)
                );
            }
            _ => {}
        }
    }
    notice.with_commands(|words| match words {
        ["enable", skill] => command("enable").word(skill),
        ["trust", skill] => command("trust").word(skill),
        _ => command("list"),
    })
}

/// Builds the failure for a skill that may not be started.
pub(crate) fn refused(catalog: &Catalog, notice: &skills_runtime::Notice) -> Failure {
    let skill = match &notice.outcome {
        Outcome::Refused {
            skill,
            why: Refusal::Untrusted { .. },
        } => skill,
        Outcome::Unknown | Outcome::Ambiguous { kind: Some(_), .. } => {
            return unknown(catalog, &notice.id);
        }
        _ => {
            let fact = at_a_shell(&notice.clone().into());
            return Failure::not_so(fact, "`skills list` shows the skills");
        }
    };
    let entry = find(catalog, skill).ok();
    if let Some((_, Some(changes))) = entry.and_then(|entry| entry.trusted_record()) {
        let fact = prose!("skill '{skill}' has changed since it was trusted: {changes}");
        return Failure::not_so(fact, Failure::TRUST_AGAIN);
    }
    let help = "look at it with `skills show ID`, then trust it with `skills trust ID`";
    Failure::not_so(prose!("skill '{skill}' is not trusted"), help)
}
