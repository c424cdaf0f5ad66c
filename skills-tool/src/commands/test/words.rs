//! Which skills have the words of a text.

use crate::commands::select::margin_of;
use crate::commands::test::collect::{Case, Tested};
use crate::commands::test::report::{Detail, Judged};
use crate::output::one_line;
use skills_format::{Hit, SkillWords, WordIndex};
use std::collections::BTreeSet;

/// How far ahead a skill must be to be found for a text of `should_not`.
const AHEAD: f64 = 0.1;
/// How many skills before the right one are named.
const NAMED: usize = 3;

/// Asks for every text of a bundle which skills have its words.
pub(super) fn judge_all(bundle: &Tested, top: usize) -> Vec<Judged> {
    let index = WordIndex::new(&bundle.words);
    let cases = bundle.triggers.iter();
    cases.map(|case| judge(case, bundle, &index, top)).collect()
}

fn judge(case: &Case, bundle: &Tested, index: &WordIndex, top: usize) -> Judged {
    let hits = index.rank(&case.trigger.text);
    let place = hits.iter().position(|hit| hit.skill == case.skill);
    let first = hits.iter().take(top.max(NAMED));
    let first: Vec<String> = first.map(|hit| bundle.name(hit.skill)).collect();
    let skill = bundle.name(case.skill);
    let failure = if case.trigger.should {
        not_found(&skill, place, &first, top)
    } else {
        found(&skill, place, &hits, &case.trigger.text)
    };
    let place = place.map(|place| place + 1);
    Judged::new(case, bundle, failure, Detail::Words { place, first })
}

/// Why a skill that should be chosen is not found, and what to do.
fn not_found(
    skill: &str,
    place: Option<usize>,
    first: &[String],
    top: usize,
) -> Option<(String, &'static str)> {
    let skill = one_line(skill);
    let before = place.unwrap_or(NAMED).min(NAMED);
    let first: Vec<String> = first
        .iter()
        .take(before)
        .map(|name| one_line(name))
        .collect();
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
    let margin = margin_of(hits.iter().map(|hit| hit.score));
    let asked = SkillWords::new([], text, "", []);
    let asked: BTreeSet<&str> = asked.words().collect();
    let had = hits.first().map_or(0, |hit| hit.words().count());
    if place != Some(0) || margin < AHEAD || had * 2 < asked.len() {
        return None;
    }
    let skill = one_line(skill);
    let words = hits
        .first()
        .map(|hit| hit.words().collect::<Vec<_>>().join(", "));
    let words = one_line(&words.unwrap_or_default());
    let message = if hits.len() == 1 {
        format!("only {skill} has words of it: {words}")
    } else {
        let percent = (100.0 * margin).round();
        format!("{skill} is the first, {percent:.0} % ahead, by the words {words}")
    };
    let help = "say in the description when the skill is not meant, in other words than these";
    Some((message, help))
}
