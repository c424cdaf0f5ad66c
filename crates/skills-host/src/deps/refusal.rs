//! The reasons for which a skill of a dependency is not installed, each with its remedy.

use crate::deps::options::DepsOptions;
use crate::install::candidate::{Candidate, Strictness};
use crate::install::plan::{Action, PlannedSkill, Remedy};
use skills_compiler::Locked;
use skills_format::{Prose, Severity, prose};

/// The reason why the author has to correct a skill first.
pub(crate) struct Objection {
    fact: String,
    /// The first error, with its place.
    first: Option<String>,
    /// True if `--lenient` takes the skill.
    is_strict: bool,
}

impl Objection {
    /// Returns the objection to a skill. `is_known`: its files are installed already.
    pub(crate) fn to(
        candidate: &Candidate,
        strictness: Strictness,
        is_known: bool,
    ) -> Option<Self> {
        let mut errors = candidate.findings.iter();
        let first = errors.find(|found| found.severity == Severity::Error);
        let first = first.map(|found| format!("{}:{}: {}", found.path, found.start, found.message));
        if candidate.skill.is_none() {
            return Some(Self {
                fact: "no name and description can be read from its SKILL.md".to_owned(),
                first,
                is_strict: false,
            });
        }
        let errors = candidate.refusal(strictness).filter(|_| !is_known)?;
        Some(Self {
            fact: format!("a strict check finds {errors}"),
            first,
            is_strict: true,
        })
    }

    /// Returns the fact alone, for a plan that shows the findings.
    pub(crate) fn fact(&self) -> String {
        self.fact.clone()
    }

    /// Returns the fact with the first error.
    pub(crate) fn reason(&self) -> String {
        match &self.first {
            Some(first) => format!("{}: {first}", self.fact),
            None => self.fact.clone(),
        }
    }

    /// Returns the remedy.
    pub(crate) fn help(&self, options: &DepsOptions) -> Prose {
        if self.is_strict {
            let lenient = options.sync.clone().word("--lenient");
            prose!(
                "report it to the crate's author, or take it as it is with {}",
                lenient
            )
        } else {
            "correct the file, or report it to the crate's author".into()
        }
    }
}

/// Refuses every change that the lock does not name. The helps name commands without `--frozen`.
pub(crate) fn freeze(skill: &mut PlannedSkill, locked: Option<&Locked>, options: &DepsOptions) {
    let sync = || options.sync.clone();
    let merge = sync().word("--merge");
    let force = sync().word("--force");
    match skill.remedy {
        Some(Remedy::Merge) => {
            skill.help = Some(prose!(
                "run {} to merge both changes, or {}, which moves the existing skill to the trash; then commit the lock",
                merge,
                force
            ));
        }
        Some(Remedy::Force | Remedy::Answer) => {
            skill.help = Some(prose!(
                "run {}, which moves the existing skill to the trash, then commit the lock",
                force
            ));
        }
        _ => {}
    }
    let new = skill.prepared.as_ref().map(|prepared| &prepared.locked);
    let is_put_back = skill.action == Action::Install && new == locked;
    if !skill.action.changes() || is_put_back {
        return;
    }
    let reason = match (skill.action, locked, new) {
        (Action::Remove, _, _) => "the lock names it, and no dependency ships it now",
        (_, None, _) => "the lock does not name it",
        (_, Some(locked), Some(new)) if new.is_same(locked) => {
            "the lock has these files, with another version or for other workspaces"
        }
        _ => "the lock names another version",
    };
    if locked.is_none() {
        // Every line of a skill that is not there yet would say no more than its name.
        skill.difference.clear();
    }
    let help = prose!("run {}, then commit the lock", sync());
    *skill = skill.clone().refuse(reason, help);
}
