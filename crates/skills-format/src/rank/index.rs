#![expect(
    clippy::cast_precision_loss,
    reason = "no skill has so many words that a count is not exact"
)]

use crate::rank::stem::stem;
use crate::rank::words::each_word;
use crate::rank::{FIELDS, SkillWords};
use std::collections::HashMap;
use std::sync::Arc;

/// From how many occurrences on a word hardly counts more: `k1` of BM25.
const SATURATION: f32 = 2.0;

/// The words of a list of skills, ready to be asked which skill a text is about.
///
/// The score is BM25 over several fields (BM25F; Robertson and Zaragoza, 2009): a word counts more the fewer
/// skills have it, the more often a skill has it, and the shorter the field is that has it. Names, aliases and
/// tags count more than descriptions.
///
/// # Cost
///
/// About 10 microseconds a skill to make. A text is compared only with the skills that have one of its words.
///
/// ```
/// use skills_format::{SkillWords, WordIndex};
///
/// let skill = |name, description| SkillWords::new([name], description, "", []);
/// let index = WordIndex::new(&[
///     skill("release-notes", "Writes the change log of a version."),
///     skill("code-review", "Reviews a change before it is merged."),
/// ]);
/// let hits = index.rank("Please review what I changed");
/// assert_eq!(hits[0].skill, 1);
/// assert_eq!(hits[0].words().collect::<Vec<_>>(), ["review", "changed"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct WordIndex {
    /// The place of each stem in `having`.
    stems: HashMap<String, usize>,
    /// The skills that have a stem.
    having: Vec<Having>,
    skills: usize,
}

/// The skills that have a word.
#[derive(Clone, Debug, Default)]
struct Having {
    /// How much the word counts wherever it stands.
    rarity: f64,
    /// Each skill, in order, with how much the word counts there.
    skills: Vec<(u32, f32)>,
}

/// A skill that has a word of the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// Its place in the list.
    pub skill: usize,
    /// Above 0, with four digits after the point. Scores compare within one list and one text.
    pub score: f64,
    /// The words of the text that a skill has, the rarest first.
    asked: Arc<[String]>,
    /// Which of them this skill has: a bit for each.
    had: u64,
}

/// The most words of a text, the rarest, of which a hit knows whether the skill has them.
const KNOWN: u32 = u64::BITS;

impl Hit {
    /// The words of the text that the skill has, in lower case: the rarest first, of the 64 rarest of the text.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let asked = self.asked.iter().zip(0_u32..);
        asked
            .filter(|(_, nth)| self.had.checked_shr(*nth).unwrap_or(0) & 1 == 1)
            .map(|(word, _)| word.as_str())
    }
}

impl WordIndex {
    /// The index of a list of skills.
    pub fn new(skills: &[SkillWords]) -> Self {
        let mut index = Self {
            skills: skills.len(),
            ..Self::default()
        };
        let averages = average_lengths(skills);
        for (skill, place) in skills.iter().zip(0_u32..) {
            index.add(skill, place, averages);
        }
        let all = skills.len() as f64;
        for having in &mut index.having {
            let count = having.skills.len() as f64;
            having.rarity = (1.0 + (all - count + 0.5) / (count + 0.5)).ln();
        }
        index
    }

    fn add(&mut self, skill: &SkillWords, place: u32, averages: [f32; FIELDS.len()]) {
        let mut counts: Vec<(usize, f32)> = Vec::new();
        for ((field, stems), average) in FIELDS.iter().zip(&skill.fields).zip(averages) {
            let length = stems.len() as f32 / average;
            let count = field.weight / (1.0 - field.by_length + field.by_length * length);
            counts.extend(stems.iter().map(|stem| (self.number(stem), count)));
        }
        counts.sort_by_key(|(stem, _)| *stem);
        for same in counts.chunk_by(|(a, _), (b, _)| a == b) {
            let count: f32 = same.iter().map(|(_, count)| count).sum();
            let stem = same.first().map(|(stem, _)| *stem);
            if let Some(having) = stem.and_then(|stem| self.having.get_mut(stem)) {
                let count = count * (SATURATION + 1.0) / (count + SATURATION);
                having.skills.push((place, count));
            }
        }
    }

    fn number(&mut self, stem: &str) -> usize {
        if let Some(number) = self.stems.get(stem) {
            return *number;
        }
        let number = self.having.len();
        self.stems.insert(stem.to_owned(), number);
        self.having.push(Having::default());
        number
    }

    /// The skills that have a word of the text, best first; of equal score in the order of the list.
    pub fn rank(&self, text: &str) -> Vec<Hit> {
        let (words, asked): (Vec<String>, Vec<&Having>) = self.asked(text).into_iter().unzip();
        let mut scores: Vec<(f64, u64)> = vec![(0.0, 0); self.skills];
        for (having, nth) in asked.iter().zip(0_u32..) {
            let bit = 1_u64.checked_shl(nth).unwrap_or(0);
            for (skill, count) in &having.skills {
                if let Some((score, had)) = scores.get_mut(*skill as usize) {
                    *score += having.rarity * f64::from(*count);
                    *had |= bit;
                }
            }
        }
        let words: Arc<[String]> = words.into_iter().take(KNOWN as usize).collect();
        let scores = scores.into_iter().enumerate();
        let mut hits: Vec<Hit> = scores
            .filter(|(_, (score, _))| *score > 0.0)
            .map(|(skill, (score, had))| Hit {
                skill,
                // Logarithms differ in their last bit between systems.
                score: (score * 1e4).round() / 1e4,
                asked: Arc::clone(&words),
                had,
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(hits.partition_point(|hit| hit.score > 0.0));
        hits
    }

    /// The words of the text that a skill has, each stem once: the rarest first.
    fn asked(&self, text: &str) -> Vec<(String, &Having)> {
        let mut seen = vec![false; self.having.len()];
        let mut asked: Vec<(String, &Having)> = Vec::new();
        each_word(text, |word| {
            let number = self.stems.get(&*stem(word)).copied();
            let having = number.and_then(|number| self.having.get(number));
            let seen = number.and_then(|number| seen.get_mut(number));
            if let (Some(having), Some(seen @ false)) = (having, seen) {
                *seen = true;
                asked.push((word.to_owned(), having));
            }
        });
        asked.sort_by(|(_, a), (_, b)| b.rarity.total_cmp(&a.rarity));
        asked
    }
}

/// The average length of each field in the skills that have it.
fn average_lengths(skills: &[SkillWords]) -> [f32; FIELDS.len()] {
    let mut sums = [(0_usize, 0_usize); FIELDS.len()];
    for skill in skills {
        for ((length, having), stems) in sums.iter_mut().zip(&skill.fields) {
            *length += stems.len();
            *having += usize::from(!stems.is_empty());
        }
    }
    sums.map(|(length, having)| length.max(1) as f32 / having.max(1) as f32)
}
