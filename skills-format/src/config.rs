//! `skills.toml`: the options of a bundle.

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules;
use crate::rules::rule::{Level, Rule};
use crate::text::distance;
use crate::text::span::Span;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The options of a bundle, as `skills.toml` beside the skills gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The levels that are set, by the id of the rule. Other rules have their default level.
    pub levels: BTreeMap<String, Level>,
    /// Skills that a skill of a folder must not shadow.
    pub sealed: Sealed,
    /// Most characters of the catalog text.
    pub budget: Option<usize>,
    /// Whether the skills must be the skills of `skills.lock`.
    pub locked: bool,
    /// The tools of the host, if they are listed.
    pub tools: Option<Vec<String>>,
}

/// Which skills of a bundle cannot be shadowed.
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
    /// Reads `skills.toml`. `path` is the path that findings show.
    ///
    /// A part that cannot be read is reported as `config-form`, and has no effect.
    pub fn parse(path: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader {
            path,
            text,
            config: Self::default(),
            told: Vec::new(),
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let span = error.span().map_or(Span::at(0), Into::into);
            reader.tell(
                span,
                format!("this is not valid TOML: {}", error.message()),
                String::new(),
            );
        }
        if reader.told.is_empty() {
            for (key, value) in table.get_ref() {
                reader.entry(key, value);
            }
        }
        Diagnostic::sort(&mut reader.told);
        (reader.config, reader.told)
    }

    /// The severity of a rule's findings; `None` when they are not reported.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        match self.levels.get(rule.id.as_str()).unwrap_or(&rule.level) {
            Level::Deny => Some(Severity::Error),
            Level::Warn => Some(Severity::Warning),
            Level::Allow => None,
        }
    }

    /// Sets the level of the rule with the id `rule`.
    ///
    /// # Errors
    ///
    /// No rule has this id. The error holds the most similar id, if one is similar.
    pub fn set(&mut self, rule: &str, level: Level) -> Result<(), UnknownRule> {
        match rules::find(rule) {
            Some(rule) => {
                self.levels.insert(rule.id.to_string(), level);
                Ok(())
            }
            None => Err(UnknownRule {
                rule: rule.to_owned(),
                nearest: nearest(rule, rules::RULES.iter().map(|rule| rule.id.as_str())),
            }),
        }
    }
}

/// An id that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule is named `{rule}`{}", .nearest.map(|id| format!("; `{id}` is near")).unwrap_or_default())]
pub struct UnknownRule {
    /// The id that was given.
    pub rule: String,
    /// The most similar id of a rule.
    pub nearest: Option<&'static str>,
}

const KEYS: &[&str] = &[
    "deny", "warn", "allow", "sealed", "budget", "locked", "tools",
];

struct Reader<'t> {
    path: &'t str,
    text: &'t str,
    config: Config,
    told: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn entry(&mut self, key: &Spanned<impl AsRef<str>>, value: &Spanned<DeValue<'_>>) {
        match key.get_ref().as_ref() {
            "deny" => self.levels(value, Level::Deny),
            "warn" => self.levels(value, Level::Warn),
            "allow" => self.levels(value, Level::Allow),
            "sealed" => self.sealed(value),
            "budget" => self.budget(value),
            "locked" => match value.get_ref() {
                DeValue::Boolean(locked) => self.config.locked = *locked,
                _ => self.expected(value, "`true` or `false`"),
            },
            "tools" => {
                let tools = self.texts(value, "a list of tool names");
                self.config.tools = Some(tools.into_iter().map(|(tool, _)| tool).collect());
            }
            other => {
                let near = nearest(other, KEYS.iter().copied());
                let help = match near {
                    Some(near) => format!("write `{near}`"),
                    None => format!("the keys are {}", listed(KEYS)),
                };
                let message = format!("`{other}` is not a key of `{CONFIG_FILE}`");
                self.tell(key.span().into(), message, help);
            }
        }
    }

    fn levels(&mut self, value: &Spanned<DeValue<'_>>, level: Level) {
        for (rule, span) in self.texts(value, "a list of rules") {
            if rules::find(&rule).is_some() && self.config.levels.contains_key(&rule) {
                self.tell(
                    span,
                    format!("`{rule}` has a level already"),
                    "write it once".into(),
                );
            } else if let Err(unknown) = self.config.set(&rule, level) {
                let help = match unknown.nearest {
                    Some(near) => format!("write `{near}`"),
                    None => "`skills rules` lists them".to_owned(),
                };
                self.tell(span, format!("no rule is named `{rule}`"), help);
            }
        }
    }

    fn sealed(&mut self, value: &Spanned<DeValue<'_>>) {
        self.config.sealed = match value.get_ref() {
            DeValue::Boolean(true) => Sealed::All,
            DeValue::Boolean(false) => Sealed::None,
            DeValue::Array(_) => {
                let names = self.texts(value, "a list of skill names");
                Sealed::Skills(names.into_iter().map(|(name, _)| name).collect())
            }
            _ => return self.expected(value, "`true`, `false` or a list of skill names"),
        };
    }

    fn budget(&mut self, value: &Spanned<DeValue<'_>>) {
        let characters = match value.get_ref() {
            DeValue::Integer(integer) => {
                usize::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        match characters {
            Some(characters) => self.config.budget = Some(characters),
            None => self.expected(value, "a number of characters"),
        }
    }

    fn texts(&mut self, value: &Spanned<DeValue<'_>>, what: &str) -> Vec<(String, Span)> {
        let DeValue::Array(items) = value.get_ref() else {
            self.expected(value, what);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) => texts.push((text.to_string(), item.span().into())),
                _ => self.expected(item, "a text"),
            }
        }
        texts
    }

    fn expected(&mut self, value: &Spanned<DeValue<'_>>, what: &str) {
        let span = Span::from(value.span());
        let message = format!("`{}` is not {what}", span.of(self.text));
        self.tell(span, message, format!("write {what}"));
    }

    fn tell(&mut self, span: Span, message: String, help: String) {
        let finding = Diagnostic::new(RuleId::ConfigForm, Severity::Error, self.path, message)
            .at(self.text.as_bytes(), span)
            .help(help);
        self.told.push(finding);
    }
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

fn nearest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    words
        .filter_map(|known| Some((distance::of_words(word, known, 2)?, known)))
        .filter(|(edits, known)| edits * 2 < known.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, known)| known)
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
                    budget = 4_000\nlocked = true\ntools = ['Read']\n";
        let (config, told) = Config::parse("skills.toml", text);
        assert_eq!(told, []);
        assert_eq!(config.levels.get("name-form"), Some(&Level::Deny));
        assert_eq!(config.levels.get("link-broken"), Some(&Level::Allow));
        assert_eq!(config.sealed, Sealed::Skills(vec!["a".to_owned()]));
        assert_eq!(config.budget, Some(4000));
        assert!(config.locked);
        assert_eq!(config.tools, Some(vec!["Read".to_owned()]));
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
            told("budget = -1"),
            ["-1: `-1` is not a number of characters (write a number of characters)"]
        );
        assert_eq!(told("allow = [1]"), ["1: `1` is not a text (write a text)"]);
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
