//! The decisions that still hold.

use crate::files::decided::{Decided, Decision};
use std::path::PathBuf;

/// A part of a record that a later part can take back.
struct Part {
    /// The index of the record.
    at: usize,
    /// The record of one skill.
    of: Decided,
    /// False if the part only takes back another one.
    is_change: bool,
}

impl Decided {
    /// Returns the decisions that still hold, the latest first: without the skills whose decision was taken back later, one
    /// by one or all at once. The last decision is always there, since the person may mean it.
    pub fn standing(all: Vec<Self>) -> Vec<Self> {
        let mut kept: Vec<Part> = Vec::new();
        let last = all.len().saturating_sub(1);
        for (at, decided) in all.into_iter().enumerate() {
            for of in decided.parts() {
                if of.decision == Decision::ScheduleRemove {
                    // The times of a schedule that is gone cannot be set.
                    kept.retain(|known| {
                        known.of.decision != Decision::ScheduleSet || known.of.names != of.names
                    });
                }
                let before = kept.iter().position(|known| of.replaces(&known.of));
                let before = before.map(|before| kept.remove(before));
                // What takes back a decision that itself took back another one makes a change again.
                // The skill of a removed schedule is in the trash, whoever added the schedule.
                let is_loss = of.decision == Decision::ScheduleRemove;
                let is_change = before.is_none_or(|before| {
                    is_loss || !of.takes_back(&before.of) || !before.is_change
                });
                kept.push(Part { at, of, is_change });
            }
        }
        kept.retain(|part| part.is_change || part.at == last);
        let mut standing = Vec::new();
        while let Some(at) = kept.last().map(|part| part.at) {
            let first = kept
                .iter()
                .position(|part| part.at == at)
                .unwrap_or_default();
            standing.extend(joined(kept.split_off(first)));
        }
        standing
    }

    /// Returns a record for each skill, and for each folder of a pin.
    fn parts(self) -> Vec<Self> {
        let Self { names, folders, .. } = &self;
        let one = |name: &String, folders: Vec<PathBuf>| Self {
            names: vec![name.clone()],
            folders,
            ..self.clone()
        };
        match self.decision {
            Decision::Trust | Decision::Untrust if names.len() == folders.len() => {
                let parts = names.iter().zip(folders);
                parts
                    .map(|(name, folder)| one(name, vec![folder.clone()]))
                    .collect()
            }
            Decision::Pin | Decision::Unpin if !folders.is_empty() => {
                let of_folder = |folder: &PathBuf| {
                    let folder = folder.clone();
                    names.iter().map(move |name| (name, folder.clone()))
                };
                let parts = folders.iter().flat_map(of_folder);
                parts
                    .map(|(name, folder)| one(name, vec![folder]))
                    .collect()
            }
            _ => names
                .iter()
                .map(|name| one(name, folders.clone()))
                .collect(),
        }
    }

    /// Returns whether this part is about the same thing as an earlier part, and so takes its place.
    fn replaces(&self, known: &Self) -> bool {
        let is_again = known.decision == self.decision && self.decision != Decision::ScheduleSet;
        (is_again || self.takes_back(known))
            && match self.decision {
                // A skill is called by its path where no source has it.
                Decision::Trust | Decision::Untrust => {
                    known.folders == self.folders && known.file() == self.file()
                }
                // No other schedule has the name.
                Decision::ScheduleAdd | Decision::ScheduleRemove => known.names == self.names,
                _ => {
                    known.names == self.names
                        && known.folders == self.folders
                        && known.file() == self.file()
                }
            }
    }

    /// Returns whether this part is the opposite of an earlier part about the same thing.
    fn takes_back(&self, known: &Self) -> bool {
        // A schedule that is set as it was.
        let is_set_back = || {
            known.decision == Decision::ScheduleSet
                && !self.now.is_empty()
                && (&known.now, &known.options) == (&self.options, &self.now)
        };
        known.decision.opposite() == Some(self.decision)
            || self.decision == Decision::ScheduleSet && is_set_back()
    }

    /// Returns the options that name the changed file: which layers a call reads does not count.
    fn file(&self) -> Option<&String> {
        let option = self.options.iter().position(|word| word == "--state")?;
        self.options.get(option.saturating_add(1))
    }
}

/// Joins the parts of a record: one record for all folders with the same skills.
fn joined(parts: Vec<Part>) -> Vec<Decided> {
    let mut of_folders: Vec<Decided> = Vec::new();
    for Part { of, .. } in parts {
        let is_trust = matches!(of.decision, Decision::Trust | Decision::Untrust);
        let same = of_folders
            .iter_mut()
            .find(|known| is_trust || known.folders == of.folders);
        match same {
            Some(known) => {
                known.names.extend(of.names);
                known
                    .folders
                    .extend(of.folders.into_iter().filter(|_| is_trust));
            }
            None => of_folders.push(of),
        }
    }
    let mut joined: Vec<Decided> = Vec::new();
    for decided in of_folders {
        match joined.iter_mut().find(|known| known.names == decided.names) {
            Some(known) => known.folders.extend(decided.folders),
            None => joined.push(decided),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn decided(decision: Decision, name: &str) -> Decided {
        let names = name.split(' ').map(str::to_owned).collect();
        Decided::new(&Timestamp::UNIX_EPOCH, decision, names)
    }

    #[test]
    fn what_was_taken_back_does_not_stand() {
        use Decision::{
            Disable, Enable, Pin, ScheduleAdd, ScheduleRemove, ScheduleSet, Trust, Untrust,
        };
        let standing = |all: &[(Decision, &str)]| {
            let all = all.iter().map(|(decision, name)| decided(*decision, name));
            let standing = Decided::standing(all.collect()).into_iter();
            standing.map(|it| it.decision).collect::<Vec<_>>()
        };
        assert_eq!(standing(&[]), []);
        assert_eq!(standing(&[(Disable, "a"), (Pin, "b")]), [Pin, Disable]);
        assert_eq!(
            standing(&[(Disable, "a"), (Enable, "a"), (Pin, "b")]),
            [Pin]
        );
        assert_eq!(standing(&[(Disable, "a"), (Enable, "a")]), [Enable]);
        assert_eq!(
            standing(&[(Disable, "a"), (Enable, "b")]),
            [Enable, Disable]
        );
        let again = [(Disable, "a"), (Enable, "a"), (Disable, "a"), (Pin, "b")];
        assert_eq!(standing(&again), [Pin, Disable]);
        let gone = [
            (ScheduleAdd, "a"),
            (ScheduleSet, "a"),
            (ScheduleRemove, "a"),
            (Trust, "b"),
        ];
        assert_eq!(standing(&gone), [Trust, ScheduleRemove]);
        assert_eq!(standing(&[(Untrust, "a"), (Trust, "a"), (Pin, "b")]), [Pin]);
    }

    #[test]
    fn the_skills_of_a_list_are_taken_back_one_by_one() {
        use Decision::{Disable, Enable, Pin, Trust, Unpin, Untrust};
        let said = |all: &[Decided]| {
            let standing = Decided::standing(all.to_vec()).into_iter();
            let said = standing.map(|it| {
                let folders = it.folders.iter().map(|it| it.display().to_string());
                let of = folders.collect::<Vec<_>>().join(" ");
                format!("{:?} {} {of}", it.decision, it.names.join(" "))
            });
            said.map(|it| it.trim_end().to_owned()).collect::<Vec<_>>()
        };
        let in_folders = |decision, name, folders: &str| {
            let folders = folders.split(' ').map(PathBuf::from).collect();
            decided(decision, name).in_folders(folders)
        };
        let list = || decided(Disable, "a b c");
        let end = || decided(Pin, "end");
        assert_eq!(
            said(&[list(), decided(Enable, "b"), end()]),
            ["Pin end", "Disable a c"]
        );
        let one_by_one = [list(), decided(Enable, "b"), decided(Enable, "a c"), end()];
        assert_eq!(said(&one_by_one), ["Pin end"]);
        // The last decision stays whole.
        assert_eq!(
            said(&[list(), decided(Enable, "a x")]),
            ["Enable a x", "Disable b c"]
        );
        assert_eq!(
            said(&[list(), decided(Enable, "a x"), end()]),
            ["Pin end", "Enable x", "Disable b c"]
        );
        let pins = [
            in_folders(Pin, "a b", "/x /y"),
            in_folders(Unpin, "a", "/x"),
            end(),
        ];
        assert_eq!(said(&pins), ["Pin end", "Pin b /x", "Pin a b /y"]);
        assert_eq!(
            said(&[in_folders(Pin, "a b", "/x /y"), end()]),
            ["Pin end", "Pin a b /x /y"]
        );
        let trust = [
            in_folders(Trust, "a b", "/x/a /x/b"),
            in_folders(Untrust, "/x/a", "/x/a"),
            end(),
        ];
        assert_eq!(said(&trust), ["Pin end", "Trust b /x/b"]);
        // Of the layers of a call, the changed file does not depend.
        let other = |decided: Decided, words: &[&str]| {
            decided.with_options(words.iter().map(ToString::to_string).collect())
        };
        let layers = [
            other(decided(Disable, "a"), &["--layer", "near=/n"]),
            decided(Enable, "a"),
            end(),
        ];
        assert_eq!(said(&layers), ["Pin end"]);
        let set = |from: &str, to: &str| {
            let set = other(decided(Decision::ScheduleSet, "s"), &["--limit", from]);
            set.to_now(vec!["--limit".to_owned(), to.to_owned()])
        };
        assert_eq!(
            said(&[set("5m", "9m"), set("9m", "5m"), end()]),
            ["Pin end"]
        );
        assert_eq!(
            said(&[set("5m", "9m"), set("9m", "7m"), end()]),
            ["Pin end", "ScheduleSet s", "ScheduleSet s"]
        );
        let files = [
            other(decided(Disable, "a"), &["--state", "/s.json"]),
            decided(Enable, "a"),
            end(),
        ];
        assert_eq!(said(&files), ["Pin end", "Enable a", "Disable a"]);
    }
}
