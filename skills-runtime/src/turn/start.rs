//! Starts the skills of a turn.

use crate::activation::options::ActivationOptions;
use crate::activation::{Activation, Starter};
use crate::catalog::Catalog;
use crate::command::invocation::{Invocation, SkillCommand};
use crate::error::{Error, ErrorKind};
use crate::mention::notice::Notice;
use crate::mention::policy::Surface;
use crate::turn::resolution::{Resolution, Turn};

impl Resolution {
    /// Starts all skills of the turn, or no skill.
    ///
    /// `text` is the text that was resolved. A skill can fail to start: its file can have changed on
    /// disk since it was listed or trusted. Then no skill is started, no tool is called, and the turn is plain. A
    /// [`Notice::Unavailable`] gives the reason, and the task is the text as it was typed. So nothing
    /// typed is lost, and a turn is never sent with half of its skills.
    ///
    /// # Cost
    ///
    /// As [`Resolution::activate`].
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
        // A tool that a skill calls without a turn of the model is of the file as it is now.
        if let Some(Invocation::Dispatch(dispatch)) = &mut self.command
            && let Err(error) = dispatch.check(catalog)
        {
            failed.push(Notice::Unavailable {
                skill: dispatch.skill.clone(),
                why: error.to_string(),
            });
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
    /// Starts the skills of the turn, in order of mention, each with its arguments.
    ///
    /// Most hosts call [`Resolution::start_all`], which handles a skill that fails.
    ///
    /// # Errors
    ///
    /// One result for each skill, with the errors of [`Entry::activate`](crate::Entry::activate). The error
    /// is [`ErrorKind::Refused`] when the surface may not start the skill now.
    ///
    /// # Cost
    ///
    /// Reads the files of folders' skills. A bundled skill costs a copy of its body.
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
    ///
    /// # Errors
    ///
    /// The errors of [`Entry::activate`](crate::Entry::activate), and [`ErrorKind::Refused`] when a person
    /// may not start the skill now.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill. A bundled skill costs a copy of its body.
    pub fn activate(
        &self,
        catalog: &Catalog,
        options: &ActivationOptions,
    ) -> Result<Activation, Error> {
        catalog.start(&self.skill, Surface::User, &self.arguments, options)
    }
}

impl Catalog {
    /// Starts the skill that an id names, when the surface may start it.
    fn start(
        &self,
        id: &str,
        surface: Surface,
        arguments: &str,
        options: &ActivationOptions,
    ) -> Result<Activation, Error> {
        let entry = self
            .find(id, surface, options.plugins)
            .map_err(|notice| Error::new(ErrorKind::Refused, notice))?;
        let mut activation = entry.activate(arguments, options)?;
        if surface == Surface::Model {
            activation.started_by = Starter::Model;
        }
        Ok(activation)
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests {
    use super::*;
    use crate::catalog::state::State;
    use crate::fixture::skills;
    use crate::mention::policy::Policy;

    #[test]
    fn a_skill_that_was_switched_off_meanwhile_is_refused() {
        let fixture = skills(&[("lint", "", "")]);
        let resolution = fixture
            .catalog
            .resolve("$lint x", Surface::User, &Policy::DEFAULT);
        let off: State = ["lint"].into_iter().collect();
        let now = fixture.catalog.with_state(off);
        let results = resolution.activate(&now, &ActivationOptions::default());
        let [Err(error)] = results.as_slice() else {
            panic!("{results:?}");
        };
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(error.to_string().contains("'lint'"), "{error}");
    }
}
