//! The facts of the table as the rules of the group *portability* ask for them.

mod source_file;
mod table;

pub(crate) use source_file::source_file;

use crate::reading::{Found, Reader, Seen};
use skills_lint::{Client, Condition, Fact, Loss, Reading, SkillText};

/// Returns the facts about every client of the table.
///
/// ```
/// let clients = skills_clients::check::clients();
/// assert!(clients.iter().any(|client| client.name == "codex" && client.common));
/// ```
pub fn clients() -> &'static [Client] {
    table::CLIENTS
}

/// A line of the table: the condition and its key, words and number, the consequence, and the source with its day.
#[expect(clippy::too_many_arguments, reason = "a line of the table is a fact")]
const fn fact(
    on: Condition,
    key: &'static str,
    values: &'static [&'static str],
    limit: usize,
    loses: Loss,
    does: &'static str,
    source: &'static str,
    seen: &'static str,
) -> Fact {
    Fact {
        on,
        does,
        loses,
        key,
        values,
        limit,
        source,
        seen,
    }
}

/// A line of the table: what a program that drops or misreads a skill does.
const fn loss(does: &'static str, source: &'static str, seen: &'static str) -> Fact {
    fact(
        Condition::Never,
        "",
        &[],
        0,
        Loss::Skill,
        does,
        source,
        seen,
    )
}

/// Reads the file of a skill as a program does.
fn read(reader: Reader, file: &SkillText<'_>) -> Reading {
    let path = format!("{}/SKILL.md", file.folder);
    let seen = reader.sees(&Found {
        resolved: path.clone(),
        path,
        is_link: false,
        text: file.text.as_bytes().to_vec(),
        policy: file.policy.map(str::to_owned),
    });
    match seen {
        Seen::Listed(skill) => Reading::Listed(skill.description),
        Seen::Closed => Reading::Closed,
        Seen::Dropped(reason) => Reading::Dropped(reason),
    }
}
