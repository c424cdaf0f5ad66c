//! Starts the skills of a turn.

use crate::activation::{Activation, Choices, note_of_run_by_hand, start as start_entry};
use crate::dialect::Dialect;
use crate::dialect::notice::Notice;
use crate::dialect::resolution::{Effect, Named, Resolution};
use crate::options::Arguments;
use crate::scheduled::scheduled_skill;
use skills_permit::Starter;
use skills_runtime::{Catalog, Error, ErrorKind, Surface};

impl Resolution {
    /// Starts the skills of the turn.
    ///
    /// `text` is the resolved text. A skill can fail to start, for example because its file on disk has
    /// changed since it was listed or trusted. Then a notice gives the reason, the
    /// other skills start, and the task is the text as typed, so that no typed text is lost. If the
    /// failed skill limits the tools, no skill starts: the others must not run without its limits. If no
    /// skill starts, the effect is plain. A command whose tool call fails, or whose arguments do not fit their
    /// types, or whose types cannot be read, gives [`Effect::NotCalled`].
    ///
    /// # Cost
    ///
    /// Reads the files of skills in folders. A bundled skill costs a copy of its body.
    #[must_use]
    pub fn start_all(
        self,
        text: &str,
        catalog: &Catalog,
        dialect: &dyn Dialect,
    ) -> (Self, Vec<Activation>) {
        self.start_with(text, catalog, Choices::of(dialect))
    }

    /// Does the same as [`Resolution::start_all`] with the variables of a host.
    pub(crate) fn start_with(
        mut self,
        text: &str,
        catalog: &Catalog,
        choices: Choices<'_>,
    ) -> (Self, Vec<Activation>) {
        let (mut activations, mut started, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let mut may_start = true;
        // The effect if no skill starts.
        let mut plain = Effect::Plain;
        for named in &self.skills {
            let id = &named.id;
            let error = match self.start(named, catalog, choices) {
                Ok(activation) => {
                    activations.push(activation);
                    started.push(id.clone());
                    continue;
                }
                Err(error) => error,
            };
            // A skill that the catalog no longer finds counts as one that limits the tools.
            let skill = catalog.get(id);
            may_start &= skill.is_some_and(|skill| !choices.limits(skill.fields()));
            let mut why = format!("{error:#}");
            let is_typed = error.kind() == ErrorKind::Arguments;
            let takes_task = choices.options().arguments == Arguments::Task;
            if is_typed && takes_task && self.command.is_none() && !named.leads {
                why += "; a mention in the middle of a text carries no arguments: begin the text with $";
                why += id;
            }
            let notice = Notice::not_started(why);
            // A command whose arguments do not fit was not meant for the model.
            if (is_typed || error.kind() == ErrorKind::Schema) && self.effect == Effect::Command {
                plain = Effect::NotCalled(notice.clone());
            }
            failed.push(notice);
        }
        // The file of the skill decides which tool is called without a turn of the model, so the file
        // must still be the listed and trusted one.
        if let Effect::Dispatch(dispatch) = &mut self.effect
            && let Err(error) = dispatch.check(catalog)
        {
            let notice = Notice::not_started(error);
            failed.push(notice.clone());
            plain = Effect::NotCalled(notice);
        }
        if may_start {
            let missing = activations.iter().filter_map(Activation::missing_skills);
            self.notices.extend(missing);
        }
        if failed.is_empty() {
            return (self, activations);
        }
        if !may_start {
            activations.clear();
            started.clear();
        }
        if started.is_empty() {
            self.effect = plain;
        }
        text.clone_into(&mut self.task);
        self.notices.retain(|notice| match notice {
            Notice::Using { skill } => started.contains(skill),
            _ => true,
        });
        self.notices.extend(failed);
        self.skills.retain(|skill| started.contains(&skill.id));
        (self, activations)
    }

    /// Starts a skill of the turn. The error is [`ErrorKind::Refused`] if the surface may not start the skill now.
    pub(crate) fn start(
        &self,
        skill: &Named,
        catalog: &Catalog,
        choices: Choices<'_>,
    ) -> Result<Activation, Error> {
        let id = &*skill.id;
        let arguments = choices.options().arguments.given(&skill.arguments);
        if let Some(skill) = scheduled_skill(catalog, id)
            && self.surface != Surface::Model
        {
            let mut activation = start_entry(&skill, None, arguments, choices)?;
            // The model cannot call a scheduled skill.
            (activation.approves, activation.tool) = (false, None);
            activation.note = note_of_run_by_hand(skill.name());
            id.clone_into(&mut activation.skill);
            return Ok(activation);
        }
        let skill = catalog
            .find(id, self.surface)
            .map_err(|notice| Error::new(ErrorKind::Refused, Notice::from(notice).to_string()))?;
        // Only a skill that answers to its name has the name as its id.
        let id = (id == skill.name()).then(|| id.to_owned());
        let mut activation = start_entry(&skill, id, arguments, choices)?;
        // The text is the same for both surfaces. A start by the model approves no tool, and has no message of the user,
        // of which the preamble speaks.
        if self.surface == Surface::Model {
            (activation.started_by, activation.approves) = (Starter::Model, false);
            activation.preamble.clear();
        }
        Ok(activation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::skills;
    use crate::options::{AllowedTools, Options};

    #[test]
    fn of_several_skills_the_readable_ones_start() {
        let limits = "allowed-tools: Read";
        let started = |bad: &str, meaning: AllowedTools, text: &str| {
            let fixture = skills(&[("bad", bad, ""), ("good", "", "")]);
            let profile = Options {
                allowed_tools: meaning,
                ..Options::DEFAULT
            };
            let resolution = profile.resolve(&fixture.catalog, text, Surface::User);
            std::fs::remove_file(fixture.dir.path().join("user/bad/SKILL.md")).unwrap();
            let (resolution, activations) = resolution.start_all(text, &fixture.catalog, &profile);
            let started: Vec<String> = activations.into_iter().map(|it| it.skill).collect();
            assert_eq!(resolution.activated(), started);
            let told: Vec<String> = resolution.notices.iter().map(ToString::to_string).collect();
            assert_eq!(
                told.iter()
                    .filter(|told| told.starts_with("Not started: "))
                    .count(),
                1
            );
            assert_eq!(
                told.contains(&"Using skill: good".to_owned()),
                !started.is_empty()
            );
            assert_eq!(resolution.task, text, "nothing typed is lost");
            (started, resolution.effect)
        };
        let good = (vec!["good".to_owned()], Effect::Activate);
        let (approves, narrows) = (AllowedTools::Approves, AllowedTools::Narrows);
        assert_eq!(started("", narrows, "$good $bad go"), good);
        assert_eq!(started("", narrows, "$bad $good go"), good);
        assert_eq!(started(limits, approves, "$good $bad go"), good);
        let nothing = (vec![], Effect::Plain);
        assert_eq!(started(limits, narrows, "$good $bad go"), nothing);
        let takes = "disallowed-tools: Write";
        assert_eq!(started(takes, approves, "$good $bad go"), nothing);
    }

    #[test]
    fn a_skill_that_was_switched_off_meanwhile_is_refused() {
        let fixture = skills(&[("lint", "", "")]);
        let resolution = Options::DEFAULT.resolve(&fixture.catalog, "$lint x", Surface::User);
        let now = fixture.catalog.with(|builder| builder.disabled(["lint"]));
        let options = Options::DEFAULT;
        let choices = Choices::of(&options);
        let error = resolution.start(&resolution.skills[0], &now, choices);
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(error.to_string().contains("'lint'"), "{error}");
    }
}
