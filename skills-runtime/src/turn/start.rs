//! What becomes of a turn whose skills are started, also when one of them cannot be had.

use crate::activation::{Activation, ActivationOptions};
use crate::catalog::Catalog;
use crate::mention::notice::Notice;
use crate::turn::resolution::{Resolution, Turn};

impl Resolution {
    /// [Starts](Resolution::activate) the skills of the text that this resolution is of, for a host
    /// that goes on whatever happens.
    ///
    /// A skill that was listed can have changed on disk since, or be no longer what a person trusted.
    /// Then the turn is plain: none of its skills is started, a notice says why, and the message is
    /// the text as it was typed, so that nothing typed is lost and no half of a turn is sent.
    #[must_use]
    pub fn started(
        mut self,
        text: &str,
        catalog: &Catalog,
        options: &ActivationOptions,
    ) -> (Self, Vec<Activation>) {
        let mut activations = Vec::new();
        let mut failed = Vec::new();
        for (skill, result) in self.activated.iter().zip(self.activate(catalog, options)) {
            match result {
                Ok(activation) => activations.push(activation),
                Err(error) => failed.push(Notice::Unavailable {
                    skill: skill.clone(),
                    why: error.to_string(),
                }),
            }
        }
        if failed.is_empty() {
            return (self, activations);
        }
        self.turn = Turn::Plain;
        self.command = None;
        text.clone_into(&mut self.task);
        self.activated.clear();
        self.led.clear();
        let is_used = |notice: &Notice| matches!(notice, Notice::Using { .. });
        self.notices.retain(|notice| !is_used(notice));
        self.notices.extend(failed);
        (self, Vec::new())
    }
}
