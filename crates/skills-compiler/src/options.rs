//! The options of a build, which override `skills.toml`.

use skills_format::text::map::TextMap;
use skills_lint::{Config, Level, Sealed};

/// The options of an invocation or a build script, which override `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The levels of rules, by id.
    pub levels: TextMap<'static, Level>,
    /// The sealed skills: a skill of a folder cannot shadow them.
    pub sealed: Option<Sealed>,
    /// The maximum characters of the catalog text.
    pub budget: Option<usize>,
    /// True if the skills must match `skills.lock`.
    pub locked: Option<bool>,
}

impl Options {
    /// Overrides the options of a folder.
    pub(crate) fn over(&self, config: &mut Config) {
        let Self {
            levels,
            sealed,
            budget,
            locked,
        } = self;
        for (rule, level) in levels.iter() {
            config.levels.insert(rule.to_owned(), *level);
        }
        if let Some(sealed) = sealed {
            config.sealed = sealed.clone();
        }
        config.budget = budget.or(config.budget);
        config.locked = locked.unwrap_or(config.locked);
    }
}

impl Options {
    /// Writes the options as pairs of texts, for generated code. `of_pairs` reads them.
    pub(crate) fn pairs(&self) -> Vec<(&'static str, String)> {
        let Self {
            levels,
            sealed,
            budget,
            locked,
        } = self;
        let levels = levels.iter();
        let mut pairs: Vec<_> = levels
            .map(|(rule, level)| (level.as_str(), rule.to_owned()))
            .collect();
        match sealed {
            None => {}
            Some(Sealed::None) => pairs.push(("sealed", "false".to_owned())),
            Some(Sealed::All) => pairs.push(("sealed", "true".to_owned())),
            Some(Sealed::Skills(names)) => {
                // No name of a skill, so that an empty list stays a list.
                pairs.push(("seal", String::new()));
                pairs.extend(names.iter().map(|name| ("seal", name.clone())));
            }
        }
        pairs.extend(budget.map(|budget| ("budget", budget.to_string())));
        pairs.extend(locked.map(|locked| ("locked", locked.to_string())));
        pairs
    }

    /// Reads the pairs that [`Options::pairs`] wrote.
    #[cfg(feature = "hot")]
    pub(crate) fn of_pairs(pairs: &[(&str, &str)]) -> Self {
        let mut options = Self::default();
        for &(option, value) in pairs {
            let mut level = |level| options.levels.insert(value.to_owned(), level);
            match option {
                "allow" => _ = level(Level::Allow),
                "warn" => _ = level(Level::Warn),
                "deny" => _ = level(Level::Deny),
                "sealed" if value == "true" => options.sealed = Some(Sealed::All),
                "sealed" => options.sealed = Some(Sealed::None),
                "seal" => {
                    let mut names = match options.sealed.take() {
                        Some(Sealed::Skills(names)) => names,
                        _ => Vec::new(),
                    };
                    names.extend((!value.is_empty()).then(|| value.to_owned()));
                    options.sealed = Some(Sealed::Skills(names));
                }
                "budget" => options.budget = value.parse().ok(),
                "locked" => options.locked = value.parse().ok(),
                _ => {}
            }
        }
        options
    }
}

#[cfg(all(test, feature = "hot"))]
mod tests {
    use super::*;

    #[test]
    fn pairs_give_the_options_again() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        for sealed in [
            None,
            Some(Sealed::None),
            Some(Sealed::All),
            Some(Sealed::Skills(Vec::new())),
            Some(Sealed::Skills(names(&["a", "b"]))),
        ] {
            let options = Options {
                levels: TextMap::from_iter([
                    ("name-form", Level::Allow),
                    ("name-mismatch", Level::Warn),
                    ("secret", Level::Deny),
                ]),
                sealed,
                budget: Some(8000),
                locked: Some(false),
            };
            let pairs = options.pairs();
            let pairs: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (*k, v.as_str())).collect();
            assert_eq!(Options::of_pairs(&pairs), options);
        }
        assert_eq!(Options::of_pairs(&[]), Options::default());
    }
}
