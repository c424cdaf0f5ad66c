//! Reads an answer of the model that names skills.

use crate::dialect::notice::Notice;
use crate::session::Session;
use crate::session::turn::{Message, TurnOutcome};
use skills_runtime::Catalog;
use skills_runtime::Surface;

impl Session {
    /// Reads an answer of the model that ends a turn, and starts the skills that the answer names with
    /// `$`.
    ///
    /// The skills are for the next turn: they stay active and narrow its tools, although they were
    /// started in this turn. A skill that the model starts only narrows further. The messages follow the
    /// answer in the conversation. The first message repeats the notices that a model can act on, so
    /// that the model can write another id. The person is shown all notices.
    ///
    /// The options say whether answers are read ([`Options::answers`](crate::options::Options::answers)). If not, the
    /// outcome holds only the tools still allowed. A text of the model within a turn, such as a plan, goes to
    /// [`Session::turn`] with [`Surface::Model`]: its skills belong to the current turn.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::turn`]. Reads files, so the call blocks.
    ///
    /// ```
    /// # use skills_runtime::{Bundle, include_skills};
    /// # static SKILLS: Bundle = include_skills!("tests/bundled");
    /// use skills_runtime::{Catalog, Surface};
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    /// let options = Options { lasts_one_turn: true, ..Options::DEFAULT };
    /// let mut session = Session::new(options);
    /// let answered = session.answered(&catalog, "First I use $code-review.");
    /// assert_eq!(answered.notices[0].to_string(), "Using skill: code-review");
    /// assert_eq!(answered.messages.len(), 1, "the skill, after the answer");
    /// session.turn(&catalog, "Go on.", Surface::User);
    /// assert_eq!(session.active().len(), 1, "active in the next turn");
    /// session.turn(&catalog, "Go on.", Surface::User);
    /// assert!(session.active().is_empty(), "and in no later turn");
    /// ```
    pub fn answered(&mut self, catalog: &Catalog, text: &str) -> TurnOutcome {
        if !self.options().answers {
            return TurnOutcome {
                tools: self.tools(),
                approved: self.approved(),
                ..TurnOutcome::default()
            };
        }
        let mut outcome = self.turn(catalog, text, Surface::Model);
        // The next turn begins before the model sees these skills. Without this list, `next_turn` would
        // end them.
        for skill in &outcome.started {
            if !self.for_next_turn.contains(skill) {
                self.for_next_turn.push(skill.clone());
            }
        }
        let to_act_on = outcome.notices.iter().filter(|notice| {
            let is_used = matches!(notice, Notice::Using { .. });
            !is_used
        });
        let words: Vec<String> = to_act_on.map(ToString::to_string).collect();
        if let Some(told) = Message::system(words.join("\n").into()) {
            outcome.messages.insert(0, told);
        }
        outcome
    }
}

#[cfg(test)]
mod tests;
