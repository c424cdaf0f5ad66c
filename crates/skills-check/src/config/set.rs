//! The sets of rules: a build keeps the rules that it was written with.

use skills_format::diagnostic::rule_id::RuleId;

/// The rules that are on by default. A version that adds a rule adds a set, and a configuration that names an earlier set
/// does not get the rule: a new minor version stops no build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RuleSet {
    /// `0.1`: the rules of the first release. A configuration without `rules` has this set.
    #[default]
    V0_1,
}

/// The rules of later sets than the first.
const LATER: &[(RuleId, RuleSet)] = &[];

impl RuleSet {
    /// Every set, the earliest first.
    pub const ALL: &[Self] = &[Self::V0_1];

    /// Returns the name in `skills.toml`: the version that added the set.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V0_1 => "0.1",
        }
    }

    /// Returns the set with a name; `None` if no set has the name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|set| set.as_str() == name)
    }

    /// Returns whether a rule is in this set.
    pub(crate) fn has(self, rule: RuleId) -> bool {
        self.has_of(LATER, rule)
    }

    fn has_of(self, later: &[(RuleId, Self)], rule: RuleId) -> bool {
        let of = later.iter().find(|(id, _)| *id == rule);
        of.is_none_or(|(_, set)| *set <= self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_rules_of_earlier_sets() {
        assert!(RuleSet::V0_1.has_of(&[], RuleId::NameForm));
        assert!(RuleSet::V0_1.has_of(&[(RuleId::NameForm, RuleSet::V0_1)], RuleId::NameForm));
        assert!(RuleSet::ALL.is_sorted());
        for set in RuleSet::ALL {
            assert_eq!(RuleSet::named(set.as_str()), Some(*set));
        }
        assert_eq!(RuleSet::named("0.2"), None);
    }
}
