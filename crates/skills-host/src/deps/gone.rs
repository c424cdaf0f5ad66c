//! Plans the skills of the lock that no dependency of the workspace ships.

use crate::deps::options::LockUse;
use crate::deps::plan::Deps;
use crate::deps::sharing::Users;
use crate::install::crate_source::CrateSource;
use crate::install::decide::OnConflict;
use crate::install::plan::{Action, PlannedSkill, Remedy};
use crate::install::state::{ByHandState, Present};
use skills_compiler::Locked;
use skills_format::text::command::Command;
use skills_format::{Prose, command, prose};
use skills_store::Error;
use skills_store::files::copy::is_there;
use skills_store::files::snapshot::Snapshot;

impl Deps<'_> {
    /// Plans a skill of the lock that no dependency ships any more.
    pub(crate) fn gone(
        &self,
        name: &str,
        locked: &Locked,
        users: &Users,
    ) -> Result<PlannedSkill, Error> {
        let skill = PlannedSkill::new(name, Some(locked));
        if !self.sharing.is_of(users) {
            return Ok(self.of_another(skill, users));
        }
        if let Some(other) = self.sharing.other(users) {
            return self.hand_over(skill, locked, users, other);
        }
        self.remove(skill, locked)
    }

    /// Plans a skill that is installed for other workspaces alone.
    fn of_another(&self, mut skill: PlannedSkill, users: &Users) -> PlannedSkill {
        skill.action = Action::Leave;
        if let Some(user) = users.first() {
            let folder = self.sharing.folder(user);
            skill.reason = Some(prose!("it belongs to the workspace in {}", &folder));
            return skill;
        }
        skill.reason = Some("it belongs to a workspace that is not there".into());
        let uninstall = self.uninstall(&skill.name);
        skill.help = Some(prose!("{} moves it to the trash", uninstall));
        skill
    }

    /// Plans a skill that only other workspaces need now: it stays, and the lock names them.
    fn hand_over(
        &self,
        mut skill: PlannedSkill,
        locked: &Locked,
        users: &Users,
        other: &str,
    ) -> Result<PlannedSkill, Error> {
        let folder = self.sharing.folder(other);
        let stays = prose!(
            "it stays for the workspace in {}, and no dependency of this workspace ships it now",
            &folder
        );
        let path = self.target.join(&skill.name);
        skill.reason = Some(stays);
        // Without its files, the sync of the other workspace brings it back.
        if self.options.lock == LockUse::Frozen || !is_there(&path)? {
            skill.action = Action::Leave;
            return Ok(skill);
        }
        let Some(source) = CrateSource::of(locked) else {
            return Ok(skill);
        };
        let users = self.sharing.without_own(users);
        let from = self
            .sharing
            .provenance(source.krate, source.version, &users);
        let now = Snapshot::read(&path)?;
        let seen = Some(now.seen());
        skill.source = Some(from.source.clone());
        let locked = locked.clone().from(from);
        Ok(skill.prepare(Action::Update, now.clone(), now, seen, locked))
    }

    /// Plans to remove a skill that no workspace needs.
    fn remove(&self, mut skill: PlannedSkill, locked: &Locked) -> Result<PlannedSkill, Error> {
        let name = skill.name.clone();
        let krate = CrateSource::of(locked).map_or("", |source| source.krate);
        // Not surely gone: the folder of the crate could not be read, or the crate may not ship the skill as it is now.
        let left = self.not_written.iter().find(|left| {
            left.krate == krate && left.name.as_deref().is_none_or(|left| left == name)
        });
        let reason: Prose = match left {
            Some(left) if left.is_internal => prose!("{}", &left.reason),
            Some(left) => {
                let reason = prose!(
                    "the {} does not ship it now: {}",
                    left.source(),
                    &left.reason
                );
                let help = prose!(
                    "report it to the crate's author, or remove it with {}",
                    self.uninstall(&name)
                );
                return Ok(skill.refuse(reason, help));
            }
            None => "no dependency ships it now".into(),
        };
        let state = Present::read(self.target, &name, locked, self.host.data)?.state;
        let is_changed = matches!(state, ByHandState::Changed | ByHandState::Added);
        if is_changed && self.options.on_conflict != OnConflict::Force {
            let reason = prose!("{}, and it has local changes, which are kept", &reason);
            let refused = skill.refuse(reason, "use --force to move it to the trash");
            return Ok(refused.remedy(Remedy::Force));
        }
        skill.reason = Some(reason);
        skill.action = Action::Remove;
        Ok(skill)
    }

    fn uninstall(&self, name: &str) -> Command {
        let uninstall = command("uninstall").word(name);
        uninstall.word("--to").path(self.target)
    }
}
