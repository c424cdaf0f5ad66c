//! A skill that this program does not read, and another client lists.

use crate::catalog::everywhere::Everywhere;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Output, one_line};
use skills_format::text::command::Command;
use skills_format::{SKILL_FILE, command, prose};
use skills_host::places::SkillCopy;
use skills_runtime::Catalog;
use std::path::Path;

/// The name of the source of a copy that no client lists.
const ELSEWHERE: &str = "elsewhere";

/// Builds the failure for a skill that is in a folder of another client. `None` if no client has a skill of the name.
/// `with` adds the options of the call to the command that opens the skill.
pub(crate) fn found(
    id: &str,
    with: impl FnOnce(Command) -> Command,
    environment: &Environment,
    output: &mut Output,
) -> Option<Failure> {
    // A client can list a name that no skill may have here, but never a path.
    if id.contains(std::path::is_separator) {
        return at_path(id, with, environment);
    }
    if id.is_empty() {
        return None;
    }
    let everywhere = Everywhere::of_names(&[id], environment, output);
    let copies: Vec<&SkillCopy> = everywhere.of_name(id).flat_map(|it| &it.copies).collect();
    let listed = copies.iter().find(|copy| !copy.clients.is_empty());
    let copy = listed.or_else(|| copies.first())?;
    let client = copy.clients.first().copied();
    let fact = match client {
        Some(client) => format!(
            "`skills` reads no skill '{}', and {client} lists one",
            one_line(id)
        ),
        None => format!(
            "`skills` reads no skill '{}', and the folder of another client has one",
            one_line(id)
        ),
    };
    let all = command("list --everywhere").word(id);
    // Of a link, the folder of what it leads to: a source follows no link.
    let folder = copy.link.as_deref().unwrap_or(&copy.path).parent()?;
    let layer = client.unwrap_or(ELSEWHERE);
    let Some(layer) = layer_of(layer, folder, id) else {
        return Some(Failure::not_so(fact, prose!("{} shows where it is", all)));
    };
    let open = with(command("show").word(id).word("--layer").word(&layer));
    let help = match copies.len() {
        1 => prose!("{} opens it", open),
        copies => prose!(
            "{} opens it; {} shows the {} copies",
            open,
            all,
            copies.to_string()
        ),
    };
    Some(Failure::not_so(fact, help))
}

/// Builds the failure for the path of a skill that no source has.
fn at_path(
    path: &str,
    with: impl FnOnce(Command) -> Command,
    environment: &Environment,
) -> Option<Failure> {
    let written = Path::new(path);
    let is_file = written.file_name().is_some_and(|name| name == SKILL_FILE);
    let skill = if is_file { written.parent()? } else { written };
    if !environment.absolute(skill).join(SKILL_FILE).is_file() {
        return None;
    }
    let name = skill.file_name()?.to_str()?;
    let folder = skill.parent()?;
    layer_of(ELSEWHERE, &environment.absolute(folder), name)?;
    let folder = folder.to_str().filter(|folder| !folder.is_empty());
    let layer = format!("{ELSEWHERE}={}", folder.unwrap_or("."));
    let open = with(command("show").word(name).word("--layer").word(&layer));
    Some(Failure::not_so(
        format_args!("the skill in '{}' is in no source", one_line(path)),
        prose!("{} opens it", open),
    ))
}

/// Returns the value of `--layer` that opens a skill of a folder. `None` if it would not.
fn layer_of(name: &str, folder: &Path, id: &str) -> Option<String> {
    let catalog = Catalog::builder().directory(name, folder).load().catalog;
    catalog.get(id)?;
    Some(format!("{name}={}", folder.to_str()?))
}
