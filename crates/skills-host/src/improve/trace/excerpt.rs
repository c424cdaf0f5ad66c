//! The part of a trace that an agent is given, and the part that a commit keeps.

use crate::improve::trace::steps::{Step, Trace};
use skills_format::picture;
use skills_format::text::control::one_line;
use std::collections::BTreeSet;

/// The most bytes of the steps that are given, as JSON. A whole session of a usual length fits.
const MOST: usize = 256 * 1024;
/// What stands between two steps.
const SEPARATOR: &str = ",\n    ";
/// The most bytes of an error, and of an input, in a trace that does not fit whole.
const MOST_TEXT: usize = 4_000;
/// The most errors that a commit names, and the most characters of each.
const MOST_NAMED: usize = 20;
const MOST_CHARACTERS: usize = 160;

impl Trace {
    /// The trace as JSON that a person can read: every step in order, if that is at most [`MOST`] bytes. Of a
    /// longer trace long texts are cut and say so, and the steps that are nearest to an error are given. The
    /// others are counted.
    pub(crate) fn excerpt(&self) -> String {
        let whole = self.steps.iter().map(json).collect::<Vec<_>>();
        if whole
            .iter()
            .map(|step| step.len() + SEPARATOR.len())
            .sum::<usize>()
            <= MOST
        {
            return self.with(&whole.iter().map(String::as_str).collect::<Vec<_>>());
        }
        drop(whole);
        let cut: Vec<String> = self.steps.iter().map(|step| json(&cut(step))).collect();
        let kept = self.nearest(&cut);
        let kept = kept.iter().filter_map(|at| cut.get(*at));
        self.with(&kept.map(String::as_str).collect::<Vec<_>>())
    }

    /// The steps that fit, of those that are nearest to an error.
    fn nearest(&self, steps: &[String]) -> BTreeSet<usize> {
        let mut by_distance: Vec<(usize, usize)> = self.distances().into_iter().zip(0..).collect();
        by_distance.sort_unstable();
        let mut kept = BTreeSet::new();
        let mut left = MOST;
        for (_, at) in by_distance {
            // A long step leaves room for shorter ones that are farther away.
            if let Some(rest) = steps
                .get(at)
                .and_then(|step| left.checked_sub(step.len() + SEPARATOR.len()))
            {
                left = rest;
                kept.insert(at);
            }
        }
        kept
    }

    /// How many steps away from an error each step is. The next success of a tool that failed counts as a
    /// neighbour: it holds how the tool is called rightly, however late it comes.
    fn distances(&self) -> Vec<usize> {
        let failed = |step: &Step| if step.error.is_some() { 0 } else { usize::MAX };
        let mut distances: Vec<usize> = self.steps.iter().map(failed).collect();
        let farther = |near: usize, distance: &mut usize| {
            *distance = (*distance).min(near.saturating_add(1));
            *distance
        };
        distances.iter_mut().fold(usize::MAX, farther);
        distances.iter_mut().rev().fold(usize::MAX, farther);
        // After the distances: what lies around such a success does not count as near.
        let mut failed: BTreeSet<&str> = BTreeSet::new();
        for (step, distance) in self.steps.iter().zip(&mut distances) {
            if step.error.is_some() {
                failed.insert(&step.tool);
            } else if failed.remove(step.tool.as_str()) {
                *distance = 1;
            }
        }
        distances
    }

    /// The document with these steps, as JSON.
    fn with(&self, steps: &[&str]) -> String {
        let skills = serde_json::Value::from(self.skills.as_slice());
        let left_out = self.steps.len() - steps.len();
        let steps = steps.join(SEPARATOR);
        format!(
            "{{\n  \"skills\": {skills},\n  \"steps\": [\n    {steps}\n  ],\n  \"left_out\": {left_out}\n}}"
        )
    }

    /// A line for each error, on which nothing is hidden.
    pub(crate) fn error_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut left_out = 0;
        for (tool, error) in self.errors() {
            let line = format!("{}: {}", plain(tool), plain(error));
            if lines.contains(&line) {
                continue;
            }
            if lines.len() < MOST_NAMED {
                lines.push(line);
            } else {
                left_out += 1;
            }
        }
        if left_out > 0 {
            lines.push(format!("and {left_out} more"));
        }
        lines
    }
}

/// A text on one line, without characters that a terminal would act on, and short.
pub(crate) fn plain(text: &str) -> String {
    let line = one_line(text, |c| Some(picture(c)));
    if line.chars().count() <= MOST_CHARACTERS {
        return line.into_owned();
    }
    let kept: String = line.chars().take(MOST_CHARACTERS - 1).collect();
    kept + "…"
}

fn json(step: &Step) -> String {
    let told = |error| serde_json::Value::from(format!("a step that is not JSON: {error}"));
    serde_json::to_string(step).unwrap_or_else(|error| told(error).to_string())
}

fn cut(step: &Step) -> Step {
    let short = |text: &Option<String>| text.as_ref().map(|text| shortened(text));
    Step {
        tool: shortened(&step.tool),
        input: short(&step.input),
        error: short(&step.error),
    }
}

fn shortened(text: &str) -> String {
    if text.len() <= MOST_TEXT {
        return text.to_owned();
    }
    let at = (0..=MOST_TEXT).rfind(|at| text.is_char_boundary(*at));
    let (kept, gone) = text.split_at(at.unwrap_or(0));
    format!("{kept}… ({} bytes left out)", gone.len())
}
