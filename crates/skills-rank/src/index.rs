#![expect(
    clippy::cast_precision_loss,
    reason = "no skill has so many words that a count is not exact"
)]

use crate::skill::{FIELDS, SkillWords};
use crate::words::{each_word, stem};
use std::collections::HashMap;
use std::sync::Arc;

/// The saturation of repeated words: `k1` of BM25. A higher value lets repetitions count more.
const SATURATION: f32 = 2.0;

/// An index of the words of skills, which finds the skills that a text is about.
///
/// The score is BM25 over several fields (BM25F; Robertson and Zaragoza, 2009). A word counts more if fewer
/// skills contain the word, if a skill repeats the word, and if the word's field is short. Names, aliases and
/// tags count more than descriptions.
///
/// # Cost
///
/// About 10 microseconds a skill to build. A text is compared only with the skills that contain one of its words.
///
/// ```
/// use skills_rank::{SkillWords, WordIndex};
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
    /// The index of each stem in `having`.
    stems: HashMap<String, usize>,
    /// For each stem, the skills that contain it.
    having: Vec<Having>,
    skills: usize,
}

/// The skills that contain one stem.
#[derive(Clone, Debug, Default)]
struct Having {
    /// The weight of the stem in every skill: its inverse document frequency.
    rarity: f64,
    /// The skills in order, each with the weight of the stem in the skill.
    skills: Vec<(u32, f32)>,
}

/// A skill that contains a word of the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// The index of the skill in the list.
    pub skill: usize,
    /// The score: above 0, with four digits after the point. Only scores of one list and one text are
    /// comparable.
    pub score: f64,
    /// The words of the text that any skill contains, the rarest first.
    asked: Arc<[String]>,
    /// A bit for each word of `asked`: set if this skill contains the word.
    had: u64,
}

/// The maximum number of words of a text that a hit can list: a bit of `Hit::had` for each.
const KNOWN: u32 = u64::BITS;

impl Hit {
    /// Returns the words of the text that the skill contains, in lower case, the rarest first. Only the 64 rarest
    /// words of the text count.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let asked = self.asked.iter().zip(0_u32..);
        asked
            .filter(|(_, nth)| self.had >> nth & 1 == 1)
            .map(|(word, _)| word.as_str())
    }
}

impl WordIndex {
    /// Builds the index of a list of skills.
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
            having.rarity = libm::log(1.0 + (all - count + 0.5) / (count + 0.5));
        }
        index
    }

    fn add(&mut self, skill: &SkillWords, place: u32, averages: [f32; FIELDS.len()]) {
        let mut counts: Vec<(usize, f32)> = Vec::new();
        for (((weight, by_length), stems), average) in
            FIELDS.iter().zip(&skill.fields).zip(averages)
        {
            let length = stems.len() as f32 / average;
            let count = weight / (1.0 - by_length + by_length * length);
            counts.extend(stems.iter().map(|stem| (self.number(stem), count)));
        }
        // The counts of all fields are added before saturation, as BM25F requires: saturated per field, a
        // word in every field would count too much.
        counts.sort_by_key(|(stem, _)| *stem);
        for same in counts.chunk_by(|(a, _), (b, _)| a == b) {
            let count: f32 = same.iter().map(|(_, count)| count).sum();
            let count = count * (SATURATION + 1.0) / (count + SATURATION);
            self.having[same[0].0].skills.push((place, count));
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

    /// Returns the skills that contain a word of the text, the best first. Skills of equal score keep the order
    /// of the list.
    pub fn rank(&self, text: &str) -> Vec<Hit> {
        let (words, asked): (Vec<String>, Vec<&Having>) = self.asked(text).into_iter().unzip();
        let mut scores: Vec<(f64, u64)> = vec![(0.0, 0); self.skills];
        for (having, nth) in asked.iter().zip(0_u32..) {
            let bit = 1_u64.checked_shl(nth).unwrap_or(0);
            for (skill, count) in &having.skills {
                let (score, had) = &mut scores[*skill as usize];
                *score += having.rarity * f64::from(*count);
                *had |= bit;
            }
        }
        let words: Arc<[String]> = words.into_iter().take(KNOWN as usize).collect();
        let scores = scores.into_iter().enumerate();
        let mut hits: Vec<Hit> = scores
            .filter(|(_, (score, _))| *score > 0.0)
            .map(|(skill, (score, had))| Hit {
                skill,
                // Logarithms differ in their last bit between systems: unrounded, scores and their order
                // would differ too.
                score: (score * 1e4).round() / 1e4,
                asked: Arc::clone(&words),
                had,
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(hits.partition_point(|hit| hit.score > 0.0));
        hits
    }

    /// Returns the words of the text that any skill contains, each stem once, the rarest first.
    fn asked(&self, text: &str) -> Vec<(String, &Having)> {
        let mut seen = vec![false; self.having.len()];
        let mut asked: Vec<(String, &Having)> = Vec::new();
        each_word(text, |word| {
            if let Some(number) = self.stems.get(&*stem(word))
                && !std::mem::replace(&mut seen[*number], true)
            {
                asked.push((word.to_owned(), &self.having[*number]));
            }
        });
        asked.sort_by(|(_, a), (_, b)| b.rarity.total_cmp(&a.rarity));
        asked
    }
}

/// Returns the average length of each field over the skills that have the field.
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
