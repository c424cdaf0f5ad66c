//! Ranks skills by the words of a text. No model is asked.
//!
//! A model chooses by meaning, so the rank does not predict its choice. The rank shows whether a skill
//! can be found by its own words, and which other skills have the same words. Mentions never use it.

use crate::listed::for_model;
pub use skills_render::List as Rendered;

use skills_rank::{SkillWords, WordIndex};
use skills_runtime::{Catalog, Skill};

/// An index of the words of all skills that the model may start.
///
/// The words of name, aliases, description, `when-to-use` and tags count, by BM25 over these fields. The
/// words of the instructions do not count, because a model that chooses a skill has not read the
/// instructions. See [`WordIndex`].
///
/// # Cost
///
/// Building takes about 10 microseconds a skill. A query takes less than a millisecond over 10,000
/// skills.
///
/// ```
/// use skills_session::prompt::Ranker;
/// use skills_runtime::{Bundle, Catalog, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let ranker = Ranker::new(&catalog);
/// let first = ranker.rank("please review this before I merge it").next().expect("a skill");
/// assert_eq!(first.id, "code-review");
/// assert_eq!(first.terms, ["review", "before", "merge"]);
/// ```
#[derive(Debug)]
pub struct Ranker {
    words: WordIndex,
    /// The id of each skill of the index.
    ids: Vec<String>,
}

/// A skill that has at least one word of the text.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Ranked {
    /// The id of the skill.
    pub id: String,
    /// The score, above 0. Scores are comparable only within one catalog and one text.
    pub score: f64,
    /// The words of the text that the skill has, in lower case, the most significant word first.
    pub terms: Vec<String>,
}

impl Ranker {
    /// Indexes the skills of a catalog that are enabled, trusted, eligible and open to the model.
    pub fn new(catalog: &Catalog) -> Self {
        let (words, ids): (Vec<_>, Vec<_>) = for_model(catalog)
            .map(|skill| (words_of(&skill), skill.id().into_owned()))
            .unzip();
        Self {
            words: WordIndex::new(&words),
            ids,
        }
    }

    /// Iterates over every skill that has a word of the text, the best first. Skills of equal score are
    /// in the catalog's order.
    pub fn rank(&self, text: &str) -> impl ExactSizeIterator<Item = Ranked> {
        self.words.rank(text).into_iter().map(|hit| Ranked {
            id: self.ids[hit.skill].clone(),
            score: hit.score,
            terms: hit.words().map(str::to_owned).collect(),
        })
    }
}

/// Returns the words of a skill that count.
pub(crate) fn words_of(skill: &Skill<'_>) -> SkillWords {
    SkillWords::of(skill.name(), skill.description(), skill.fields())
}
