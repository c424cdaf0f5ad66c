//! The message for a person about a mention.

use crate::resolve::outcome::Outcome;
use skills_format::mention::{NearKind, Refusal, did_you_mean, listed};
use skills_format::{Prose, prose};
use std::fmt;

/// A short message for a person: the outcome of an id. `Display` writes the English text.
///
/// A front end can act on the outcome, such as with a button that enables a skill.
///
/// ```
/// use skills_runtime::{Catalog, Outcome};
///
/// let catalog = Catalog::builder().load();
/// let notice = &catalog.resolve("$nope now").notices[0];
/// assert_eq!((&*notice.id, &notice.outcome), ("nope", &Outcome::Unknown));
/// assert_eq!(
///     notice.to_string(),
///     "No skill named 'nope'. Run /skill list to see available skills."
/// );
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
    /// Writes the notice with other commands instead of `/skill`. `command` writes a command from its
    /// words: `["list"]`, `["enable", ID]` or `["trust", ID]`.
    ///
    /// ```
    /// # use skills_runtime::{Catalog, Notice};
    /// # let catalog = Catalog::builder().load();
    /// # let notice = catalog.resolve("$nope now").notices.remove(0);
    /// let words = notice.with_commands(|words| format!("agent skills {}", words.join(" ")));
    /// assert_eq!(
    ///     words.as_str(),
    ///     "No skill named 'nope'. Run agent skills list to see available skills."
    /// );
    /// ```
    pub fn with_commands<C: Into<Prose>>(&self, command: impl Fn(&[&str]) -> C) -> Prose {
        let id = &self.id;
        let command = |words: &[&str]| -> Prose { command(words).into() };
        match &self.outcome {
            Outcome::Found { skill, .. } => prose!("Using skill: {skill}"),
            Outcome::Unknown => prose!(
                "No skill named '{id}'. Run {} to see available skills.",
                command(&["list"])
            ),
            Outcome::Ambiguous {
                candidates,
                use_id,
                kind,
            } => self.several(candidates, use_id, *kind).into(),
            Outcome::Refused { skill, why } => match why {
                Refusal::Disabled { unknown: Some(why) } => {
                    prose!("Not started: skill '{skill}' counts as disabled: {why}.")
                }
                Refusal::Disabled { .. } => prose!(
                    "Skill '{skill}' is disabled. Enable it with {}.",
                    command(&["enable", skill])
                ),
                Refusal::Untrusted { changed: true } => prose!(
                    "Skill '{skill}' has changed since it was trusted. Trust it as it is with {}.",
                    command(&["trust", skill])
                ),
                Refusal::Untrusted { .. } => prose!(
                    "Skill '{skill}' comes from a project that is not trusted. Trust it with {}.",
                    command(&["trust", skill])
                ),
                Refusal::Ineligible { needs } => {
                    let needs = needs.join(", ");
                    prose!("Skill '{skill}' needs: {needs}.")
                }
                Refusal::NotInvocable { by_model: true } => {
                    prose!("Skill '{skill}' can only be started by the user.")
                }
                Refusal::TooMany { limit } => {
                    let skills = if *limit == 1 { "skill" } else { "skills" };
                    prose!("Only {limit} {skills} can be named in one message; ignored: {id}.")
                }
                Refusal::NotInvocable { .. } => {
                    let mark = if id.starts_with('/') { '/' } else { '$' };
                    prose!(
                        "Skill '{skill}' cannot be started with {mark}. It runs only when the model selects it."
                    )
                }
            },
            Outcome::Text { .. } => Prose::default(),
        }
    }

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
        f.write_str(&self.with_commands(|words| format!("/skill {}", words.join(" "))))
    }
}

/// Writes a notice as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Notice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
