//! What becomes of a turn whose skills are started, also when one of them cannot be had.

use crate::activation::{Activation, ActivationOptions};
use crate::catalog::Catalog;
use crate::command::invocation::SkillCommand;
use crate::error::{Error, ErrorKind};
use crate::mention::notice::Notice;
use crate::mention::policy::Surface;
use crate::turn::resolution::{Resolution, Turn};

impl Resolution {
    /// [Starts](Resolution::activate) the skills of the text that this resolution is of, for a host
    /// that goes on whatever happens.
    ///
    /// A skill that was listed can have changed on disk since, or be no longer what a person trusted.
    /// Then the turn is plain: none of its skills is started, a notice says why, and the message is
    /// the text as it was typed, so that nothing typed is lost and no half of a turn is sent.
    #[must_use]
    pub fn start_all(
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

impl Resolution {
    /// Starts the skills of a text, in order of mention, each with its arguments.
    pub fn activate(
        &self,
        catalog: &Catalog,
        options: &ActivationOptions,
    ) -> Vec<Result<Activation, Error>> {
        let ids = self.activated.iter();
        ids.map(|id| catalog.start(id, self.surface, self.arguments(id), options))
            .collect()
    }
}

impl SkillCommand {
    /// Starts the skill of the command.
    pub fn activate(
        &self,
        catalog: &Catalog,
        options: &ActivationOptions,
    ) -> Result<Activation, Error> {
        catalog.start(&self.skill, Surface::User, &self.arguments, options)
    }
}

impl Catalog {
    /// Starts the skill that an id names, when it may be started from this surface.
    fn start(
        &self,
        id: &str,
        surface: Surface,
        arguments: &str,
        options: &ActivationOptions,
    ) -> Result<Activation, Error> {
        self.find(id, surface, options.plugins)
            .map_err(|notice| Error::new(ErrorKind::Refused, notice))?
            .activate(arguments, options)
    }
}
