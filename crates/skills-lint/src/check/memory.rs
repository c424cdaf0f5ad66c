//! What a check keeps for the next check of the same bundle, when few skills have changed.

use crate::check::suppression::Suppressions;
use crate::view::bundle::{BundleView, Gist};
use skills_format::diagnostic::Diagnostic;
use skills_format::text::map::TextMap;
use skills_format::tree::TreeFault;

/// The findings of each skill of a bundle at its last check.
#[derive(Default)]
pub struct Memory {
    /// By the folders of the skills.
    pub(crate) alone: TextMap<'static, Alone>,
    /// The findings of the rules that look up the names of other skills, by the folders of the skills.
    pub(crate) among_siblings: TextMap<'static, Vec<Diagnostic>>,
    answers: Vec<Answer>,
}

/// The facts about one skill, after the skill was read alone.
#[derive(Clone, Default)]
pub(crate) struct Alone {
    pub(crate) gist: Gist,
    pub(crate) told: Vec<Diagnostic>,
    pub(crate) faults: Vec<TreeFault>,
    pub(crate) is_asked_again: bool,
    pub(crate) suppressions: Suppressions,
}

/// The facts of a skill that the rules about other skills look up.
#[derive(PartialEq, Eq)]
struct Answer {
    name: Option<String>,
    aliases: Vec<String>,
    is_command: bool,
    is_closed: bool,
}

impl Memory {
    /// Forgets the skill of a folder: it is read again at the next check.
    pub fn forget(&mut self, dir: &str) {
        self.alone.remove(dir);
        self.among_siblings.remove(dir);
    }

    /// Forgets what each skill found among the others if a fact that the others look up has changed.
    pub(crate) fn note(&mut self, bundle: &BundleView<'_>) {
        let answers: Vec<Answer> = bundle.skills.iter().map(Answer::of).collect();
        if answers != self.answers {
            self.answers = answers;
            self.among_siblings = TextMap::default();
        }
    }
}

impl Answer {
    fn of(gist: &Gist) -> Self {
        let names = |(name, _): &(String, _)| name.clone();
        Self {
            name: gist.name.as_ref().map(names),
            aliases: gist.aliases.iter().map(names).collect(),
            is_command: gist.is_command,
            is_closed: gist.is_closed,
        }
    }
}
