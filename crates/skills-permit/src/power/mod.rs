//! What a skill may do, as far as its files say it: tools, commands, hosts, files, and the restraints on it.
//!
//! `skills_lint::powers` reads the powers of a skill. The types are here because locks, trust records and the runtime
//! hold powers, and do not read them.

pub mod cover;
pub mod restraint;

pub use cover::PowerKind;

use crate::power::cover::{covers, wider};
use skills_format::ToolRule;

/// The most rules with which another rule is compared. Of more rules only equal ones are held.
const MAX_RULES: usize = 100;

/// The line that gives a skill a power.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PowerPlace {
    /// The path of the file relative to the skill's folder, with `/`.
    pub path: String,
    /// The line, from 1. 0 for the whole file.
    pub line: usize,
}

/// One power, and every place that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Power {
    /// The kind.
    pub kind: PowerKind,
    /// The power in words: `git push`, `api.example.org`.
    pub text: String,
    /// The places in order. Empty for a power of a lock.
    pub places: Vec<PowerPlace>,
}

/// The powers of one skill. A reading, and not a proof: a power that no file names is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    // Sorted by kind, then by text. Not a map: every program compiles this file, and a map takes a quarter of a second.
    powers: Vec<Power>,
}

impl Powers {
    /// Adds a power without a place, as a lock holds it.
    pub fn insert(&mut self, kind: PowerKind, text: impl Into<String>) {
        self.entry(kind, text.into());
    }

    /// Adds a place that gives a power. Line 0 is the whole file.
    pub fn add(&mut self, kind: PowerKind, text: impl Into<String>, path: &str, line: usize) {
        let places = self.entry(kind, text.into());
        let place = PowerPlace {
            path: path.to_owned(),
            line,
        };
        if let Err(at) = places.binary_search(&place) {
            places.insert(at, place);
        }
    }

    /// Returns the places of a power, which is added if it is missing.
    fn entry(&mut self, kind: PowerKind, text: String) -> &mut Vec<PowerPlace> {
        let at = self.find(kind, &text).unwrap_or_else(|at| {
            let places = Vec::new();
            self.powers.insert(at, Power { kind, text, places });
            at
        });
        &mut self.powers[at].places
    }

    fn find(&self, kind: PowerKind, text: &str) -> Result<usize, usize> {
        self.powers
            .binary_search_by(|power| (power.kind, power.text.as_str()).cmp(&(kind, text)))
    }

    /// Returns the powers, by kind, then by text.
    pub fn iter(&self) -> impl Iterator<Item = Power> + '_ {
        self.powers.iter().cloned()
    }

    /// Returns the texts of one kind, sorted.
    pub fn texts(&self, kind: PowerKind) -> impl Iterator<Item = &str> {
        let of_kind = self.powers.iter().filter(move |power| power.kind == kind);
        of_kind.map(|power| power.text.as_str())
    }

    /// Returns whether there is no power and no restraint.
    pub fn is_empty(&self) -> bool {
        self.powers.is_empty()
    }

    /// Returns the number of powers, without restraints.
    pub fn count(&self) -> usize {
        let kinds = self.powers.iter().map(|power| power.kind);
        kinds.filter(|kind| *kind != PowerKind::Restraints).count()
    }

    /// Returns whether these powers hold a power: the same power, or a wider one, such as `Bash` for `Bash(git:*)`.
    pub fn hold(&self, kind: PowerKind, text: &str) -> bool {
        if self.find(kind, text).is_ok() {
            return true;
        }
        match wider(kind, text) {
            Some(wider) => {
                let mut held = wider.iter().filter(|it| self.find(kind, it).is_ok());
                held.any(|held| covers(kind, held, text))
            }
            // In doubt nothing is covered: then each new rule counts as gained.
            None => {
                self.texts(kind).nth(MAX_RULES).is_none()
                    && self.texts(kind).any(|held| covers(kind, held, text))
            }
        }
    }

    /// Returns whether these powers hold a rule of `allowed-tools`: [`Powers::hold`].
    pub fn hold_rule(&self, rule: &ToolRule) -> bool {
        self.hold(PowerKind::Tools, &rule.to_string())
    }

    /// Returns the powers that these powers have and `base` does not hold, without restraints.
    pub fn gained(&self, base: &Self) -> Vec<Power> {
        let gained = self.iter().filter(|power| {
            power.kind != PowerKind::Restraints && !base.hold(power.kind, &power.text)
        });
        gained.collect()
    }

    /// Returns everything that widens a skill from `base` to these powers: the gained powers, then the lost restraints.
    ///
    /// # Cost
    ///
    /// For each gained tool and lost restraint, one comparison with each power of its kind, up to 100; a few searches
    /// for each other power.
    pub fn widenings(&self, base: &Self) -> Vec<Power> {
        let lost = base.iter().filter(|power| {
            let is_held = self.hold(power.kind, &power.text);
            power.kind == PowerKind::Restraints && !is_held
        });
        self.gained(base).into_iter().chain(lost).collect()
    }

    /// Returns the powers that a lock can hold, with their places: see [`Powers::for_lock`].
    #[must_use]
    pub fn for_lock_with_places(&self) -> Self {
        let kept = self.powers.iter().filter(|power| !power.is_run_bit());
        Self {
            powers: kept.cloned().collect(),
        }
    }

    /// Returns the powers without places and without what a digest does not cover: run bits, which a checkout on Windows
    /// does not have.
    #[must_use]
    pub fn for_lock(&self) -> Self {
        let mut powers = self.for_lock_with_places();
        for power in &mut powers.powers {
            power.places.clear();
        }
        powers
    }
}

impl Power {
    fn is_run_bit(&self) -> bool {
        self.kind == PowerKind::Scripts && self.text.starts_with(RUN_BIT)
    }
}

/// The beginning of the power of a file that the system can start by itself.
pub const RUN_BIT: &str = "executable ";

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(list: &[(PowerKind, &str)]) -> Powers {
        let mut powers = Powers::default();
        for (kind, text) in list {
            powers.insert(*kind, *text);
        }
        powers
    }

    fn widened(base: &[(PowerKind, &str)], now: &[(PowerKind, &str)]) -> Vec<String> {
        let widenings = powers(now).widenings(&powers(base));
        widenings.into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn a_lost_restraint_and_a_gained_power_widen() {
        use PowerKind::{Commands, Hosts, Restraints, Tools};
        assert_eq!(widened(&[], &[(Commands, "git push")]), ["git push"]);
        assert_eq!(widened(&[(Commands, "git push")], &[]), [""; 0]);
        assert_eq!(widened(&[(Restraints, "r")], &[]), ["r"]);
        assert_eq!(widened(&[], &[(Restraints, "r")]), [""; 0]);
        assert_eq!(widened(&[(Hosts, "a")], &[(Commands, "a")]), ["a"]);
        assert_eq!(
            widened(&[(Tools, "Bash(git:*)")], &[(Tools, "Bash(git log:*)")]),
            [""; 0]
        );
        assert_eq!(
            widened(&[(Tools, "Bash(git:*)")], &[(Tools, "Bash")]),
            ["Bash"]
        );
    }

    #[test]
    fn what_powers_hold() {
        let none = Powers::default();
        assert!(none.is_empty() && none.count() == 0);
        let without = format!("{}Bash", restraint::WITHOUT);
        let all = powers(&[
            (PowerKind::Tools, "Bash(git:*)"),
            (PowerKind::Hosts, "x.org"),
            (PowerKind::Restraints, &without),
        ]);
        assert!(!all.is_empty());
        assert_eq!(all.count(), 2, "a restraint is no power");
        for (rule, is_held) in [("Bash(git log:*)", true), ("Bash", false), ("Read", false)] {
            let rule = ToolRule::parse(rule).expect("a rule");
            assert_eq!(all.hold_rule(&rule), is_held, "{rule}");
        }
        // A restraint can hold another one.
        let push = format!("{without}(git push)");
        assert!(all.hold(PowerKind::Restraints, &push));
        let is_widened = widened(&[(PowerKind::Restraints, &push)], &[]);
        assert_eq!(is_widened, [&*push]);
        let kinds = PowerKind::ALL.map(|kind| PowerKind::parse(kind.as_str()));
        assert_eq!(kinds, PowerKind::ALL.map(Some));
        assert_eq!(PowerKind::parse("powers"), None);
    }

    #[test]
    fn places_are_sorted_and_single() {
        let mut powers = Powers::default();
        for (path, line) in [("b", 2), ("a", 9), ("b", 2)] {
            powers.add(PowerKind::Hosts, "x.org", path, line);
        }
        let power = powers.iter().next().expect("a power");
        let places: Vec<_> = power.places.iter().map(|p| (&*p.path, p.line)).collect();
        assert_eq!(places, [("a", 9), ("b", 2)]);
    }

    #[test]
    fn a_lock_holds_no_run_bits() {
        let all = powers(&[
            (PowerKind::Scripts, "bash a.sh"),
            (PowerKind::Scripts, "executable a.sh"),
        ]);
        let texts: Vec<_> = all.for_lock().iter().map(|p| p.text).collect();
        assert_eq!(texts, ["bash a.sh"]);
    }
}
