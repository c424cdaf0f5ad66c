//! Tests whether the words of a skill match a text.

use crate::triggers::load::Loaded;
use crate::triggers::texts::{Text, shown};
use skills_rank::{Hit, SkillWords, WordIndex, margin};
use std::collections::BTreeSet;

/// Minimum lead of a skill that counts as found for a text of `should_not`.
const AHEAD: f64 = 0.1;
/// Number of skills that are named before the right skill.
const NAMED: usize = 3;

/// A judge that compares texts with the words of skills.
#[derive(Debug)]
pub struct Judge<'a> {
    loaded: &'a Loaded,
    index: WordIndex,
}

/// The result for one text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The rank of the skill, from 1. `None` if the skill has no word of the text.
    pub place: Option<usize>,
    /// The best skills, best first: at least three, if three have a word of the text.
    pub first: Vec<String>,
    /// The reason why the text failed, and the help.
    pub failure: Option<(String, &'static str)>,
}

impl<'a> Judge<'a> {
    /// Creates a judge of a bundle's skills.
    pub fn new(loaded: &'a Loaded) -> Self {
        let words: Vec<SkillWords> = loaded
            .skills
            .iter()
            .map(|skill| skill.words.clone())
            .collect();
        let index = WordIndex::new(&words);
        Self { loaded, index }
    }

    /// Judges a text. A text of `should` passes if its skill is among the first `top`. A text of `should_not` fails
    /// if its skill is the first, leads by a tenth, and has half of the text's words.
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

/// Returns the failure of a text of `should` whose skill is not among the first `top`.
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
        Some(place) => format!(
            "{skill} ranks number {} by shared words, after {first}",
            place + 1
        ),
        None if first.is_empty() => {
            format!("neither {skill} nor any other skill shares a word with it")
        }
        None => format!("{skill} shares no word with it; the best matches are {first}"),
    };
    let help = "add words that people use to the description";
    Some((message, help))
}

/// Returns the failure of a text of `should_not` whose skill is found.
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
        format!("only {skill} shares words with it: {words}")
    } else {
        let percent = (100.0 * margin).round();
        format!("{skill} ranks first, {percent:.0}% ahead, by the words {words}")
    };
    let help = "say in the description when not to use the skill, without these words";
    Some((message, help))
}
