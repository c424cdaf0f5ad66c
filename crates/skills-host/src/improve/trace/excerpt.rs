//! The excerpts of a trace: for the agent's prompt, and for the commit message.

use crate::improve::trace::steps::{Step, Trace};
use skills_format::picture;
use skills_format::text::control::one_line;
use std::collections::BTreeSet;

/// Maximum bytes of the steps in a prompt, as JSON. A whole session of usual length fits.
const MOST: usize = 256 * 1024;
/// The text between two steps.
const SEPARATOR: &str = ",\n    ";
/// Maximum bytes of an error and of an input, in a trace that does not fit as a whole.
const MOST_TEXT: usize = 4_000;
/// Maximum number of errors in a commit message, and maximum characters of each.
const MOST_NAMED: usize = 20;
const MOST_CHARACTERS: usize = 160;

impl Trace {
    /// Renders the trace as readable JSON: every step in order, if all steps have at most [`MOST`] bytes. In a longer
    /// trace long texts are cut, with a remark, and only the steps nearest to an error are given. The other steps are
    /// counted.
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

    /// Chooses the steps that fit, the nearest to an error first.
    fn nearest(&self, steps: &[String]) -> BTreeSet<usize> {
        let mut by_distance: Vec<(usize, usize)> = self.distances().into_iter().zip(0..).collect();
        by_distance.sort_unstable();
        let mut kept = BTreeSet::new();
        let mut left = MOST;
        for (_, at) in by_distance {
            // A step that is too long leaves room for shorter steps that are farther away.
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

    /// Returns the distance of each step from an error. The next success of a tool that failed has the distance 1: it
    /// shows the correct call, however late it comes.
    fn distances(&self) -> Vec<usize> {
        let failed = |step: &Step| if step.error.is_some() { 0 } else { usize::MAX };
        let mut distances: Vec<usize> = self.steps.iter().map(failed).collect();
        let farther = |near: usize, distance: &mut usize| {
            *distance = (*distance).min(near.saturating_add(1));
            *distance
        };
        distances.iter_mut().fold(usize::MAX, farther);
        distances.iter_mut().rev().fold(usize::MAX, farther);
        // After the distances: the steps around such a success do not count as near.
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

    /// Renders the document with these steps, as JSON.
    fn with(&self, steps: &[&str]) -> String {
        let skills = serde_json::Value::from(self.skills.as_slice());
        let left_out = self.steps.len() - steps.len();
        let steps = steps.join(SEPARATOR);
        format!(
            "{{\n  \"skills\": {skills},\n  \"steps\": [\n    {steps}\n  ],\n  \"left_out\": {left_out}\n}}"
        )
    }

    /// Renders one line for each error, with hidden characters made visible.
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

/// Shortens a text to one line, with control characters replaced.
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
