//! The pairs of similar descriptions, as a matrix and in words.

use crate::page::counts::{Listed, PageIndex};
use crate::page::data::Page;
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, html};
use crate::page::skills::MAX_NAME;
use crate::page::weight::skill_link;
use skills_clients::Differing;
use skills_clients::{DistinctWords, Overlap, Pair, Relation, overlaps};
use std::collections::BTreeMap;

/// Minimum percentage of shared words, of all words of two descriptions.
const LEAST: u8 = 25;
/// Percentage of shared words from which two descriptions barely differ.
const BARELY: u8 = 80;
/// Maximum number of pairs that are shown without a click.
const MAX_OPEN: usize = 5;
/// Maximum number of shown pairs.
const MAX_PAIRS: usize = 20;
/// Maximum number of skills in the matrix.
const MAX_SKILLS: usize = 16;
/// Maximum number of words by which two descriptions differ.
const MAX_WORDS: usize = 10;
/// Maximum characters of a path in a command.
const MAX_PATH: usize = 400;
/// Maximum characters of a differing word.
const MAX_WORD: usize = 40;

/// Finds the pairs of skills with similar descriptions.
pub(crate) fn find(index: &PageIndex<'_>) -> Overlap {
    overlaps(&texts(index), LEAST)
}

/// Returns the description of each skill that a model is offered, and an empty text for the other skills.
fn texts<'p>(index: &PageIndex<'p>) -> Vec<&'p str> {
    let text = |listed: &Listed<'p>| -> &'p str {
        let skill = listed.skill;
        if skill.is_for_people_alone {
            ""
        } else {
            &skill.description
        }
    };
    index.skills.iter().map(text).collect()
}

pub(crate) fn render(page: &Page, index: &PageIndex<'_>, found: Overlap) -> Option<Html> {
    if index.skills.len() < 2 {
        return None;
    }
    let texts = texts(index);
    let Overlap {
        mut pairs,
        is_partial,
        ..
    } = found;
    // Of pairs that are equally alike, skills of one bundle first: they are always loaded together.
    pairs.sort_by_key(|pair| {
        let is_apart = !index.are_together(pair.first, pair.second);
        (
            u8::MAX - pair.likeness,
            !pair.relation.is_inseparable(),
            is_apart,
        )
    });
    let mut out = Html::default();
    if pairs.is_empty() {
        html!(out,
            "<p>No two descriptions have " (usize::from(LEAST)) " % or more of their words in common.</p>\n"
        );
        return Some(out);
    }
    html!(out,
        "<p>" (counted(pairs.len(), "pair")) " of descriptions have " (usize::from(LEAST)) " % or more of their words in "
        "common, or one has every word of the other: a model can take one skill for the other. The whole descriptions are "
        "compared"
    );
    if let Some(folder) = &page.arguments {
        html!(out,
            "; <code>skills overlap --client codex " (shortened(folder, MAX_PATH))
            "</code> compares what a client leaves of them"
        );
    }
    html!(out, ".</p>\n");
    if is_partial {
        html!(
            out,
            "<p class=\"note\">Each description was compared with the 200 that share its rarest words.</p>\n"
        );
    }
    let nearest = pairs.get(..pairs.len().min(MAX_PAIRS)).unwrap_or_default();
    let (open, folded) = nearest.split_at(nearest.len().min(MAX_OPEN));
    table(&mut out, index, &texts, open, 0);
    html!(out, "<details><summary>");
    if folded.is_empty() {
        html!(out, "The words in common</summary>\n");
    } else {
        html!(out, (counted(folded.len(), "further pair")) ", and the words in common</summary>\n");
        table(&mut out, index, &texts, folded, 1);
    }
    if pairs.len() > MAX_PAIRS {
        html!(out, "<p class=\"note\">" (counted(pairs.len() - MAX_PAIRS, "more pair")) " less alike than these.</p>\n");
    }
    matrix(&mut out, index, &texts, nearest);
    html!(out, "</details>\n");
    Some(out)
}

fn matrix(out: &mut Html, index: &PageIndex<'_>, texts: &[&str], pairs: &[Pair]) {
    let mut skills: Vec<usize> = Vec::new();
    for at in pairs.iter().flat_map(|pair| [pair.first, pair.second]) {
        if !skills.contains(&at) && skills.len() < MAX_SKILLS {
            skills.push(at);
        }
    }
    let likeness = Likeness::new(&skills, texts);
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"matrix-caption\" tabindex=\"0\">\n"
        "<table class=\"narrow matrix\">\n<caption id=\"matrix-caption\">The words that two descriptions share, in "
        "percent</caption>\n<thead><tr><th scope=\"col\">Skill</th>"
    );
    for number in 1..=skills.len() {
        html!(out, "<th scope=\"col\" class=\"n\">" (number) "</th>");
    }
    html!(out, "</tr></thead>\n<tbody>\n");
    for (row, at) in skills.iter().enumerate() {
        html!(out, "<tr><th scope=\"row\">" (row + 1) " ");
        skill_link(out, index, *at);
        html!(out, "</th>");
        for column in 0..skills.len() {
            if row == column {
                html!(out, "<td class=\"n\">·</td>");
                continue;
            }
            let value = likeness.of(row, column);
            let shade = usize::from(value / 20);
            html!(out, "<td class=\"n l" (shade) "\">" (usize::from(value)) "</td>");
        }
        html!(out, "</tr>\n");
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
}

/// The similarity of each pair of a set of skills, in percent.
struct Likeness {
    pairs: BTreeMap<(usize, usize), u8>,
    /// For each skill, the first skill with the same words.
    firsts: Vec<usize>,
}

impl Likeness {
    fn new(skills: &[usize], texts: &[&str]) -> Self {
        let own: Vec<&str> = skills
            .iter()
            .filter_map(|at| texts.get(*at).copied())
            .collect();
        let found = overlaps(&own, 0);
        let mut firsts: Vec<usize> = (0..skills.len()).collect();
        for pair in found
            .pairs
            .iter()
            .filter(|pair| pair.relation == Relation::Same)
        {
            if let Some(first) = firsts.get_mut(pair.second) {
                *first = pair.first;
            }
        }
        let pairs = found
            .pairs
            .iter()
            .map(|pair| ((pair.first, pair.second), pair.likeness));
        Self {
            pairs: pairs.collect(),
            firsts,
        }
    }

    fn of(&self, a: usize, b: usize) -> u8 {
        let first = |at: usize| self.firsts.get(at).copied().unwrap_or(at);
        let (a, b) = (first(a), first(b));
        if a == b {
            return 100;
        }
        self.pairs.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
    }
}

fn table(out: &mut Html, index: &PageIndex<'_>, texts: &[&str], pairs: &[Pair], number: usize) {
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"pairs-caption-" (number) "\" tabindex=\"0\">\n<table>\n"
        "<caption id=\"pairs-caption-" (number) "\">The pairs that are most alike, and the words in which they differ</caption>\n"
        "<thead><tr><th scope=\"col\">Skill and words of it alone</th><th scope=\"col\">Skill and words of it alone</th>"
        "<th scope=\"col\" class=\"n\">In common</th><th scope=\"col\">Apart?</th></tr></thead>\n<tbody>\n"
    );
    let words = DistinctWords::new(texts);
    for pair in pairs {
        let (first, second) = words.differing(pair.first, pair.second, MAX_WORDS);
        html!(out, "<tr><td>");
        side(out, index, pair.first, &first);
        html!(out, "</td><td>");
        side(out, index, pair.second, &second);
        let words = match pair.relation {
            Relation::Same => "no: the same words",
            Relation::FirstInSecond => "no: the second has every word of the first",
            Relation::SecondInFirst => "no: the first has every word of the second",
            _ if pair.likeness >= BARELY => "barely: by these words alone",
            _ => "by the words named here",
        };
        html!(out, "</td><td class=\"n\">" (usize::from(pair.likeness)) " %</td><td>" (words) "</td></tr>\n");
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
}

/// Writes a skill, and the words that only this skill of the pair has.
fn side(out: &mut Html, index: &PageIndex<'_>, at: usize, differing: &Differing<'_>) {
    skill_link(out, index, at);
    if index.has_bundles() {
        let bundle = index
            .skills
            .get(at)
            .map_or("", |listed| &listed.bundle.name);
        html!(out, " <span class=\"place\"><bdi>" (shortened(bundle, MAX_NAME)) "</bdi></span>");
    }
    html!(out, "<span class=\"about\"><bdi>");
    let shown: Vec<String> = differing
        .words
        .iter()
        .map(|word| shortened(word, MAX_WORD))
        .collect();
    html!(
        out,
        (if shown.is_empty() {
            "none".to_owned()
        } else {
            shown.join(", ")
        })
    );
    if differing.more > 0 {
        html!(out, " and "(counted(differing.more, "more word")));
    }
    html!(out, "</bdi></span>");
}
