//! The part of a trace that an agent is given, and the part that a commit keeps.

use crate::improve::trace::steps::{Step, Trace};
use serde::Serialize;
use skills_format::picture;
use skills_format::text::control::one_line;
use std::collections::BTreeSet;

/// The most failed steps that are given.
const MOST_FAILED: usize = 100;
/// The most bytes of an error, and of an input.
const MOST_TEXT: usize = 4_000;
/// The most errors that a commit names, and the most characters of each.
const MOST_NAMED: usize = 20;
const MOST_CHARACTERS: usize = 160;

/// Steps of a trace, and how many of them are left out.
#[derive(Serialize)]
struct Excerpt<'t> {
    skills: &'t [String],
    steps: Vec<Step>,
    left_out: usize,
}

impl Trace {
    /// The failed steps, each with what came before it and with the next success of its tool, as JSON lines
    /// that a person can read. Long texts are cut, and say so.
    pub(crate) fn excerpt(&self) -> String {
        let mut kept = BTreeSet::new();
        let failed = self.steps.iter().enumerate();
        let failed = failed.filter(|(_, step)| step.error.is_some());
        for (at, step) in failed.take(MOST_FAILED) {
            kept.extend([at.saturating_sub(1), at]);
            let later = self.steps.iter().enumerate().skip(at);
            let mut well = later
                .filter(|(_, other)| other.tool == step.tool && other.error.is_none())
                .map(|(at, _)| at);
            kept.extend(well.next());
        }
        let steps = kept.iter().filter_map(|at| self.steps.get(*at)).map(cut);
        let excerpt = Excerpt {
            skills: &self.skills,
            steps: steps.collect(),
            left_out: self.steps.len() - kept.len(),
        };
        serde_json::to_string_pretty(&excerpt).unwrap_or_default()
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
