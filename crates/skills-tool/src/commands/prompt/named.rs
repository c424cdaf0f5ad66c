//! Notes that name skills.

use crate::output::{Ctx, counted};

/// The maximum number of skills that a note names. The document names all skills.
const NAMED: usize = 5;

/// Notes a fact about skills, and names the first skills.
pub(crate) fn note_skills(what: &str, skills: &[String], cx: &mut Ctx) {
    if !skills.is_empty() {
        let count = counted(skills.len(), "skill");
        let first = skills.get(..NAMED).unwrap_or(skills).join(", ");
        let more = match skills.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        cx.note(format!("{count} {what}: {first}{more}"));
    }
}
