//! Skills that are named in a note.

use crate::output::{Output, counted};

/// The most shortened or omitted skills that are named. The document names all of them.
const NAMED: usize = 5;

/// Notes what was done with skills, and names the first of them.
pub(crate) fn note_skills(what: &str, skills: &[String], output: &mut Output) {
    if !skills.is_empty() {
        let count = counted(skills.len(), "skill");
        let first = skills.get(..NAMED).unwrap_or(skills).join(", ");
        let more = match skills.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        output.note(&format!("{count} {what}: {first}{more}"));
    }
}
