//! The words of a skill.

use crate::words::stems;
use skills_format::Fields;

/// The words of a skill that are compared with a text. The instructions are not compared.
#[derive(Clone, Debug, Default)]
pub struct SkillWords {
    /// The stems of each field, in the order of [`FIELDS`].
    pub(crate) fields: [Vec<String>; FIELDS.len()],
}

/// The weights of the fields: names and aliases; description; `when-to-use`; tags. Each with the normalization by the
/// length of the field, `b` of BM25: from 0 (the length does not count) to 1 (a word counts in inverse proportion to the
/// length).
pub(crate) const FIELDS: [(f32, f32); 4] = [(2.0, 0.3), (1.0, 0.75), (1.0, 0.75), (1.5, 0.3)];

/// Returns the difference of the first and the second score, as a share of the first: 0 if the scores are equal or
/// there is no score, 1 if there is no second score.
pub fn margin(mut scores: impl Iterator<Item = f64>) -> f64 {
    let first = scores.next();
    let second = scores.next().unwrap_or_default();
    let margin = first.map_or(0.0, |first| (first - second) / first);
    (margin * 1e4).round() / 1e4
}

impl SkillWords {
    /// Reads the words of a skill from its names and aliases, its description, `when-to-use` and tags.
    pub fn of(name: &str, description: &str, fields: &Fields) -> Self {
        let names = fields.aliases.iter().chain(&fields.display_name);
        Self::new(
            names.map(|name| &**name).chain([name]),
            description,
            fields.when_to_use.as_deref().unwrap_or_default(),
            fields.tags.iter().map(|tag| &**tag),
        )
    }

    /// Reads the words of these texts: names and aliases, the description, when to use the skill, and tags.
    pub fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        description: &str,
        when_to_use: &str,
        tags: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self {
            fields: [
                names.into_iter().flat_map(stems).collect(),
                stems(description),
                stems(when_to_use),
                tags.into_iter().flat_map(stems).collect(),
            ],
        }
    }

    /// Returns every stem, field after field.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().flatten().map(String::as_str)
    }
}
