//! The message for a person about a mention.

use crate::resolve::outcome::Outcome;
use skills_format::mention::{NearKind, Refusal, did_you_mean, listed};
use std::fmt;

/// A short message for a person: the outcome of an id. `Display` writes the English text. It names no command: the
/// notices of `skills-session` add how to enable or trust a skill.
///
/// A front end can act on the outcome, such as with a button that enables a skill.
///
/// ```
/// use skills_runtime::{Catalog, Outcome};
///
/// let catalog = Catalog::builder().load();
/// let notice = &catalog.resolve("$nope now").notices[0];
/// assert_eq!((&*notice.id, &notice.outcome), ("nope", &Outcome::Unknown));
/// assert_eq!(notice.to_string(), "No skill named 'nope'.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The id as it was typed, without `$`. Of a slash command: the name with `/`; the ids of
    /// [`Outcome::Ambiguous`] then have their marks too. Of `Refusal::TooMany`: every ignored skill, `$a, $b`.
    pub id: String,
    /// The meaning of the id.
    pub outcome: Outcome,
}

impl Notice {
    /// Writes that an id or a command matches several skills, or that a command is near one.
    fn several(&self, candidates: &[String], use_id: &str, kind: Option<NearKind>) -> String {
        let (id, count) = (&self.id, candidates.len());
        let is_command = id.starts_with('/');
        let mark = if is_command { "" } else { "$" };
        if kind == Some(NearKind::Distance) || count == 1 {
            let what = if is_command { "command" } else { "skill" };
            let near: Vec<String> = candidates.iter().map(|id| format!("{mark}{id}")).collect();
            return format!("No exact {what} '{id}'. {}", did_you_mean(&near));
        }
        let listed = listed(candidates);
        format!("{mark}{id} matched {count} skills: {listed} — use {mark}{use_id}.")
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = &self.id;
        let (skill, why) = match &self.outcome {
            Outcome::Found { skill, .. } => return write!(f, "Using skill: {skill}"),
            Outcome::Unknown => return write!(f, "No skill named '{id}'."),
            Outcome::Ambiguous {
                candidates,
                use_id,
                kind,
            } => return f.write_str(&self.several(candidates, use_id, *kind)),
            Outcome::Text { .. } => return Ok(()),
            Outcome::Refused { skill, why } => (skill, why),
        };
        match why {
            Refusal::Disabled { unknown: Some(why) } => {
                write!(f, "Not started: skill '{skill}' counts as disabled: {why}.")
            }
            Refusal::Disabled { .. } => write!(f, "Skill '{skill}' is disabled."),
            Refusal::Untrusted { changed: true } => {
                write!(f, "Skill '{skill}' has changed since it was trusted.")
            }
            Refusal::Untrusted { .. } => write!(
                f,
                "Skill '{skill}' comes from a project that is not trusted."
            ),
            Refusal::Ineligible { needs } => {
                write!(f, "Skill '{skill}' needs: {}.", needs.join(", "))
            }
            Refusal::NotInvocable { by_model: true } => {
                write!(f, "Skill '{skill}' can only be started by the user.")
            }
            Refusal::NotInvocable { .. } => {
                let mark = if id.starts_with('/') { '/' } else { '$' };
                write!(
                    f,
                    "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
                )
            }
            Refusal::TooMany { limit } => {
                let skills = if *limit == 1 { "skill" } else { "skills" };
                write!(
                    f,
                    "Only {limit} {skills} can be named in one message; ignored: {id}."
                )
            }
        }
    }
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
