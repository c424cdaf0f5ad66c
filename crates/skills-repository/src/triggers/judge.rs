//! Whether a skill has the words of a text.

use crate::triggers::load::Loaded;
use crate::triggers::texts::{Text, shown};
use skills_format::{Hit, SkillWords, WordIndex, margin};
use std::collections::BTreeSet;

/// How far ahead a skill must be to be found for a text of `should_not`.
const AHEAD: f64 = 0.1;
/// How many skills before the right one are named.
const NAMED: usize = 3;

/// Compares texts with the words of skills.
#[derive(Debug)]
pub struct Judge<'a> {
    loaded: &'a Loaded,
    index: WordIndex,
}

/// What was found for a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The place of the skill, from 1. `None`: it has no word of the text.
    pub place: Option<usize>,
    /// The first skills, best first; at least three if so many have a word of the text.
    pub first: Vec<String>,
    /// Why the text failed, and what to do.
    pub failure: Option<(String, &'static str)>,
}

impl<'a> Judge<'a> {
    /// A judge of the skills of a bundle.
    pub fn new(loaded: &'a Loaded) -> Self {
        let words: Vec<SkillWords> = loaded
            .skills
            .iter()
            .map(|skill| skill.words.clone())
            .collect();
        let index = WordIndex::new(&words);
        Self { loaded, index }
    }

    /// Which skills have the words of a text. It passes when its skill is among the first `top`; a text for which
    /// the skill should not be chosen, when the skill is not the first, a tenth ahead, with half of the words.
    pub fn judge(&self, text: &Text, top: usize) -> Judged {
        let hits = self.index.rank(&text.trigger.text);
        let place = hits.iter().position(|hit| hit.skill == text.skill);
        let first = hits.iter().take(top.max(NAMED));
        let first: Vec<String> = first
            .map(|hit| self.loaded.name(hit.skill).to_owned())
            .collect();
        let skill = shown(self.loaded.name(text.skill));
        let failure = if text.trigger.should {
            not_found(&skill, place, &first, top)
        } else {
            found(&skill, place, &hits, &text.trigger.text)
        };
        Judged {
            place: place.map(|place| place + 1),
            first,
            failure,
        }
    }
}

/// Why a skill that should be chosen is not found, and what to do.
fn not_found(
    skill: &str,
    place: Option<usize>,
    first: &[String],
    top: usize,
) -> Option<(String, &'static str)> {
    let before = place.unwrap_or(NAMED).min(NAMED);
    let first: Vec<String> = first.iter().take(before).map(|name| shown(name)).collect();
    let first = first.join(", ");
    let message = match place {
        Some(place) if place < top => return None,
        Some(place) => format!("{skill} is number {} by words, after {first}", place + 1),
        None if first.is_empty() => format!("neither {skill} nor another skill has a word of it"),
        None => format!("{skill} has no word of it; the first are {first}"),
    };
    let help = "put words that people use into the description, `when-to-use` or the tags";
    Some((message, help))
}

/// Why a skill that should not be chosen is found, and what to do.
fn found(
    skill: &str,
    place: Option<usize>,
    hits: &[Hit],
    text: &str,
) -> Option<(String, &'static str)> {
    let margin = margin(hits.iter().map(|hit| hit.score));
    let asked = SkillWords::new([], text, "", []);
    let asked: BTreeSet<&str> = asked.words().collect();
    let had = hits.first().map_or(0, |hit| hit.words().count());
    if place != Some(0) || margin < AHEAD || had * 2 < asked.len() {
        return None;
    }
    let words = hits
        .first()
        .map(|hit| hit.words().collect::<Vec<_>>().join(", "));
    let words = shown(&words.unwrap_or_default());
    let message = if hits.len() == 1 {
        format!("only {skill} has words of it: {words}")
    } else {
        let percent = (100.0 * margin).round();
        format!("{skill} is the first, {percent:.0} % ahead, by the words {words}")
    };
    let help = "say in the description when the skill is not meant, in other words than these";
    Some((message, help))
}
