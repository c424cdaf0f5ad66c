//! What a line of the table is made of.

use crate::reading::{Found, Reader, Seen};
use skills_lint::{Condition, Fact, Loss, Reading, SkillText};

/// A line of the table: the condition and its key, words and number, the consequence, and the source with its day.
#[expect(clippy::too_many_arguments, reason = "a line of the table is a fact")]
pub(super) const fn fact(
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

/// Reads the file of a skill as a program does.
pub(super) fn read(reader: Reader, file: &SkillText<'_>) -> Reading {
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
