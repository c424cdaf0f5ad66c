//! The differences that a reload found, for the person.

use skills_runtime::Notice;
use skills_runtime::catalog::Reloaded;
use skills_runtime::resolve::Fact;

/// The differences, by qualified ids.
pub(super) struct Changes {
    added: Vec<String>,
    changed: Vec<String>,
    /// Without active skills: the notice of a skill's end follows, and says that the skill was removed.
    removed: Vec<String>,
    /// The changed skills whose old text stands in the conversation.
    active: Vec<String>,
}

impl Changes {
    /// `active` are the active skills at the time of the reload.
    pub(super) fn new(read: &Reloaded, active: &[String]) -> Self {
        let removed = read.removed.iter().filter(|id| !active.contains(id));
        let is_trusted = |id: &&String| read.catalog.get(id).is_some_and(|it| it.is_trusted());
        let changed = read.changed.iter().filter(|id| active.contains(id));
        Self {
            added: read.added.clone(),
            changed: read.changed.clone(),
            removed: removed.cloned().collect(),
            active: changed.filter(is_trusted).cloned().collect(),
        }
    }

    /// Returns the notice. `old` are the skills that are active now and have not started since the reload.
    pub(super) fn told(self, old: &[String]) -> Option<Notice> {
        let Self {
            added,
            changed,
            removed,
            mut active,
        } = self;
        if added.is_empty() && changed.is_empty() && removed.is_empty() {
            return None;
        }
        active.retain(|id| old.contains(id));
        Some(Notice::from(Fact::Reloaded {
            added,
            changed,
            removed,
            active,
        }))
    }
}
