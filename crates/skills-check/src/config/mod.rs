//! `skills.toml`: the options of a bundle.

pub(crate) mod level;
mod overrides;
mod place;
mod reader;

use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::distance;
use skills_format::tree::limits::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub use level::{Level, Leveled};
pub use overrides::Override;
pub use place::Place;
pub use reader::{CONFIG_KEYS, TOOL_KINDS, unclosed};

/// The options of a bundle, as in the `skills.toml` beside the skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key of the file or an option of the program"
)]
#[non_exhaustive]
pub struct Config {
    /// The configured levels, by the id of the rule. Other rules have their default level.
    pub levels: BTreeMap<String, Level>,
    /// Skills that a skill of a folder must not shadow.
    pub sealed: Sealed,
    /// The maximum length of the catalog text, in characters.
    pub budget: Option<usize>,
    /// True if the skills must be the skills of `skills.lock`.
    pub locked: bool,
    /// The tools of the host, if they are listed: `NAME`, or `NAME=KIND`.
    pub tools: Option<Vec<String>>,
    /// The clients that the skills are for. Without names, the rules about clients ask a few common clients.
    pub clients: Vec<String>,
    /// The size limits of a skill and of the bundle.
    pub limits: Limits,
    /// Levels for a part of the files. Later overrides take precedence over earlier overrides.
    pub overrides: Vec<Override>,
    /// Patterns of files and folders that are not checked, relative to the folder of `skills.toml`.
    pub exclude: Vec<String>,
    /// Patterns of files that are shipped although no skill usually ships them, such as `pdf/.env.defaults`.
    pub include: Vec<String>,
    /// True if each file `NAME.md` of the folder is a skill: `layout = "flat"`.
    pub is_flat: bool,
    /// The place of the folder of `skills.toml`.
    pub place: Place,
    /// True if comments in a skill suppress findings. An installation honours no comment, since the author of a
    /// foreign skill writes the comments.
    pub honours_comments: bool,
    /// True if warnings count as errors.
    pub has_strict_warnings: bool,
    /// For each name of `sealed`, the finding at its place in the file if no skill has the name.
    sealed_at: BTreeMap<String, Diagnostic>,
    /// For each name of `clients`, the finding at its place in the file if no client has the name.
    clients_at: BTreeMap<String, Diagnostic>,
}

/// The skills of a bundle that cannot be shadowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sealed {
    /// No skill.
    #[default]
    None,
    /// Every skill.
    All,
    /// The skills of these names.
    Skills(Vec<String>),
}

/// The name of the file beside the skills.
pub const CONFIG_FILE: &str = "skills.toml";

impl Config {
    /// Returns the severity of a rule's findings; `None` if the findings are not reported.
    pub fn severity(&self, rule: &impl Leveled) -> Option<Severity> {
        self.of(self.level(rule))
    }

    fn level(&self, rule: &impl Leveled) -> Level {
        let configured = self.levels.get(rule.id().as_str());
        configured.copied().unwrap_or_else(|| rule.level())
    }

    fn of(&self, level: Level) -> Option<Severity> {
        match level {
            Level::Deny => Some(Severity::Error),
            Level::Warn if self.has_strict_warnings => Some(Severity::Error),
            Level::Warn => Some(Severity::Warning),
            Level::Allow => None,
        }
    }

    /// Returns an error for each name in `sealed` that no skill has, at its place. `names` holds the names of the skills.
    pub fn unknown_seals(&self, names: &BTreeSet<&str>) -> Vec<Diagnostic> {
        let unknown = self
            .sealed_at
            .iter()
            .filter(|(name, _)| !names.contains(name.as_str()));
        let finding = |(name, finding): (&String, &Diagnostic)| {
            let near = distance::nearest(name, names.iter().copied());
            finding.clone().help(match near {
                Some(near) => format!("write `{near}`"),
                None => "remove it, or write the name of a skill".to_owned(),
            })
        };
        unknown.map(finding).collect()
    }

    /// Returns an error for each name in `clients` that is not one of `known`. The caller has the list of clients: a
    /// build that knows no client ignores the names.
    pub fn unknown_clients(&self, known: &[&str]) -> Vec<Diagnostic> {
        let unknown = self
            .clients_at
            .iter()
            .filter(|(name, _)| !known.contains(&name.as_str()));
        let finding = |(name, finding): (&String, &Diagnostic)| {
            let near = distance::nearest(name, known.iter().copied());
            finding.clone().help(match near {
                Some(near) => format!("write `{near}`"),
                None => format!("the clients are {}", known.join(", ")),
            })
        };
        unknown.map(finding).collect()
    }

    /// Sets the level of the rule with the id `rule` for all files, and removes the rule from the overrides.
    ///
    /// # Errors
    ///
    /// No rule has this id.
    pub fn set_everywhere(&mut self, rule: &str, level: Level) -> Result<(), UnknownRule> {
        self.set(rule, level)?;
        for part in &mut self.overrides {
            part.levels.remove(rule);
        }
        Ok(())
    }

    /// Sets the level of the rule with the id `rule`.
    ///
    /// # Errors
    ///
    /// No rule has this id. The error holds a similar id, if there is a similar id.
    pub fn set(&mut self, rule: &str, level: Level) -> Result<(), UnknownRule> {
        match rule_named(rule) {
            Some(rule) => {
                self.levels.insert(rule.as_str().to_owned(), level);
                Ok(())
            }
            None => Err(UnknownRule {
                rule: rule.to_owned(),
                nearest: distance::nearest(rule, RuleId::RULES.iter().map(|rule| rule.as_str())),
            }),
        }
    }
}

/// Returns the rule with an id; `None` if no rule has the id.
fn rule_named(id: &str) -> Option<RuleId> {
    RuleId::RULES
        .iter()
        .copied()
        .find(|rule| rule.as_str() == id)
}

/// An id that no rule has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The id that was given.
    pub rule: String,
    /// The most similar id of a rule.
    pub nearest: Option<&'static str>,
}

impl std::error::Error for UnknownRule {}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no rule is named `{}`", self.rule)?;
        match self.nearest {
            Some(id) => write!(f, ". Did you mean `{id}`?"),
            None => Ok(()),
        }
    }
}

/// Returns the name among those of a folder that is nearly [`CONFIG_FILE`], with the message: nothing in it would be read.
pub fn misnamed<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<(&'n str, String)> {
    let name = names.find(|name| {
        *name != CONFIG_FILE
            && ["skill.toml", CONFIG_FILE]
                .iter()
                .any(|near| name.eq_ignore_ascii_case(near))
    })?;
    Some((
        name,
        format!("`{name}` is not read: the options are in `{CONFIG_FILE}`"),
    ))
}

fn unknown_seal(name: &str) -> String {
    format!("no skill is named `{name}`, so `sealed` has no effect for it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let (_, told) = Config::parse("skills.toml", text);
        told.iter()
            .map(|d| format!("{}: {} ({})", d.span().of(text), d.message, d.help))
            .collect()
    }

    #[test]
    fn everything_is_read() {
        let text = "deny = ['name-form']\nwarn=[]\nallow = [\"link-broken\"]\nsealed = ['a']\n\
                    budget = 4_000\nlocked = true\ntools = ['Read']\n\
                    [limits]\nskill-files = 1\nskill-bytes = 2\nbundle-bytes = 0x10\n";
        let (config, told) = Config::parse("skills.toml", text);
        assert_eq!(told, []);
        assert_eq!(config.levels.get("name-form"), Some(&Level::Deny));
        assert_eq!(config.levels.get("link-broken"), Some(&Level::Allow));
        assert_eq!(config.sealed, Sealed::Skills(vec!["a".to_owned()]));
        assert_eq!(config.budget, Some(4000));
        assert!(config.locked);
        assert_eq!(config.tools, Some(vec!["Read".to_owned()]));
        let Limits {
            skill_files,
            skill_bytes,
            bundle_bytes,
        } = config.limits;
        assert_eq!((skill_files, skill_bytes, bundle_bytes), (1, 2, 16));
        assert_eq!(Config::parse("x", "").0, Config::default());
    }

    #[test]
    fn what_is_wrong_is_told_in_place() {
        assert_eq!(
            told("denny = 1"),
            ["denny: `denny` is not a key of `skills.toml` (write `deny`)"]
        );
        assert_eq!(
            told("allow = ['name-from']"),
            ["'name-from': no rule is named `name-from` (write `name-form`)"]
        );
        assert_eq!(
            told("allow = ['needs-extract']"),
            ["'needs-extract': the rule `needs-extract` is gone (remove it from the list)"]
        );
        assert_eq!(
            told("budget = -1"),
            ["-1: `-1` is not a number of characters (write a number of characters)"]
        );
        assert_eq!(
            told("limits = { skill-byte = 1 }"),
            ["skill-byte: `skill-byte` is not a key of `limits` (write `skill-bytes`)"]
        );
        assert_eq!(
            told("limits = { skill-files = -1 }"),
            ["-1: `-1` is not a number of files (write a number of files)"]
        );
        assert_eq!(told("limits = 1").len(), 1);
        assert_eq!(
            told("allow = [1]"),
            ["1: `1` is not a string (write a string)"]
        );
        assert_eq!(
            told("sealed = 'x'"),
            [
                "'x': `'x'` is not `true`, `false` or a list of skill names (write `true`, `false` or \
                 a list of skill names)"
            ]
        );
        let [message] = &told("a = [")[..] else {
            panic!("one finding");
        };
        assert!(message.contains("TOML: unclosed array"), "{message}");
        assert_eq!(
            told("deny = ['name-form']\nwarn = ['name-form']"),
            ["'name-form': `name-form` has a level already (write it once)"]
        );
    }
}
