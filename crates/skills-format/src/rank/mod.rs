//! Which skill a text is about, by words alone.

pub(crate) mod index;
pub(crate) mod stem;
pub mod words;

#[cfg(test)]
mod tests;

use crate::rank::words::stems;
use crate::skill::fields::Fields;

/// The words of a skill beside its instructions, which alone are compared with a text.
#[derive(Clone, Debug, Default)]
pub struct SkillWords {
    /// In the order of [`FIELDS`].
    pub(crate) fields: [Vec<String>; FIELDS.len()],
}

/// How much the words of a field count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) weight: f32,
    /// How much less a word of a long field counts: from 0, as much as in a short field, to 1, in
    /// proportion to the length.
    pub(crate) by_length: f32,
}

/// Name and aliases; description; when to use it; tags.
pub(crate) const FIELDS: [Field; 4] = [
    field(2.0, 0.3),
    field(1.0, 0.75),
    field(1.0, 0.75),
    field(1.5, 0.3),
];

const fn field(weight: f32, by_length: f32) -> Field {
    Field { weight, by_length }
}

/// How much higher the first of scores is than the second, as a share of the first: 0 when they are equal or there
/// is none, 1 when there is no second.
pub fn margin(mut scores: impl Iterator<Item = f64>) -> f64 {
    let first = scores.next();
    let second = scores.next().unwrap_or_default();
    let margin = first.map_or(0.0, |first| (first - second) / first);
    (margin * 1e4).round() / 1e4
}

impl SkillWords {
    /// The words of a skill: of its name and aliases, its description, `when-to-use` and tags.
    pub fn of(name: &str, description: &str, fields: &Fields) -> Self {
        let names = fields.aliases.iter().chain(&fields.display_name);
        Self::new(
            names.map(|name| &**name).chain([name]),
            description,
            fields.when_to_use.as_deref().unwrap_or_default(),
            fields.tags.iter().map(|tag| &**tag),
        )
    }

    /// The words of these texts: of names and aliases, a description, when to use the skill, and tags.
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

    /// Every word as it is compared, field after field.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().flatten().map(String::as_str)
    }
}
