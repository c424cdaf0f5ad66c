//! The trace of an agent's session: its steps, their errors, and the active skills.
//!
//! A trace is one JSON object:
//! `{"skills":["lint"],"steps":[{"tool":"Bash","input":"lint .","error":"no such command"}]}`. `input` is optional;
//! `error` is null or missing for a successful step. Any other text is the error of one step.

use crate::agent::Step;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skills_format::text::control::one_line;
use skills_format::{Prose, picture};
use skills_store::{Error, ErrorKind};

/// Maximum size of a trace in bytes.
pub const MAX_TRACE: u64 = 64 * 1024 * 1024;
/// Maximum bytes of the steps in a prompt, as JSON. A whole session of usual length fits.
const MOST: usize = 256 * 1024;
/// The text between two steps.
const SEPARATOR: &str = ",\n    ";
/// Maximum bytes of an error and of an input, in a trace that does not fit as a whole.
const MOST_TEXT: usize = 4_000;
/// Maximum number of errors in a commit message, and maximum characters of each.
const MOST_NAMED: usize = 20;
pub(crate) const MOST_CHARACTERS: usize = 160;

/// The trace of an agent's session.
///
/// ```
/// use skills_agent::improve::Trace;
///
/// let json = r#"{"skills":["lint"],"steps":[{"tool":"FileSearch","error":"no such tool"}]}"#;
/// let trace = Trace::parse(json.as_bytes())?;
/// assert_eq!(trace.errors().count(), 1);
/// assert!(trace.names("lint"));
/// # Ok::<(), skills_host::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The ids of the active skills, each once.
    pub skills: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Parses a trace. Plain text is the error of one step, and names no skill.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`]: the trace is empty, too large, not text, or JSON of another form.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() as u64 > MAX_TRACE {
            return Err(invalid(format_args!(
                "the trace is larger than {MAX_TRACE} bytes"
            )));
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(invalid("the trace is not UTF-8"));
        };
        if text.trim().is_empty() {
            return Err(invalid("the trace is empty"));
        }
        if !text.trim_start().starts_with('{') {
            let step = Step {
                tool: "run".to_owned(),
                input: None,
                error: Some(text.trim().to_owned()),
            };
            return Ok(Self::new([], vec![step]));
        }
        let read: Result<Self, _> = serde_json::from_str(text);
        let trace = read.map_err(|error| invalid(format_args!("the trace: {error}")))?;
        Ok(Self::new(trace.skills, trace.steps))
    }

    /// Creates a trace from active skills and steps.
    pub fn new(skills: impl IntoIterator<Item = String>, steps: Vec<Step>) -> Self {
        let mut known: Vec<String> = Vec::new();
        for skill in skills {
            if !skill.is_empty() && !known.contains(&skill) {
                known.push(skill);
            }
        }
        Self {
            skills: known,
            steps,
        }
    }

    /// Returns the failed calls in order: the tool and the error.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.steps
            .iter()
            .filter_map(|step| Some((step.tool.as_str(), step.error.as_deref()?)))
    }

    /// Returns whether a skill can have been active: the trace names it, or names none. Of a qualified id, the last part counts.
    pub fn names(&self, name: &str) -> bool {
        let last = |id: &String| id.rsplit(':').next() == Some(name);
        self.skills.is_empty() || self.skills.iter().any(last)
    }

    /// Renders the trace as readable JSON: every step in order, if all steps have at most [`MOST`] bytes. Of a longer trace,
    /// long texts are cut, with a remark, and only the failed steps and the steps beside them are given while they fit. The
    /// other steps are counted.
    pub(crate) fn excerpt(&self) -> String {
        let whole: Vec<String> = self.steps.iter().map(json).collect();
        let size = |step: &String| step.len() + SEPARATOR.len();
        if whole.iter().map(size).sum::<usize>() <= MOST {
            return self.with(&whole);
        }
        let failed = |at: usize| self.steps.get(at).is_some_and(|step| step.error.is_some());
        let mut left = MOST;
        let mut kept = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            if failed(at) || failed(at + 1) || at.checked_sub(1).is_some_and(failed) {
                let step = json(&cut(step));
                if let Some(rest) = left.checked_sub(size(&step)) {
                    left = rest;
                    kept.push(step);
                }
            }
        }
        self.with(&kept)
    }

    /// Renders the document with these steps, as JSON.
    fn with(&self, steps: &[String]) -> String {
        let skills = Value::from(self.skills.as_slice());
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
            let [tool, error] = [tool, error].map(|text| plain(text, MOST_CHARACTERS));
            let line = format!("{tool}: {error}");
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
pub(crate) fn plain(text: &str, most: usize) -> String {
    let line = one_line(text, |c| Some(picture(c)));
    if line.chars().count() <= most {
        return line.into_owned();
    }
    let kept: String = line.chars().take(most - 1).collect();
    kept + "…"
}

fn json(step: &Step) -> String {
    serde_json::json!(step).to_string()
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

fn invalid(what: impl Into<Prose>) -> Error {
    Error::new(ErrorKind::Damaged, what).help(
        "a trace is {\"skills\":[\"NAME\"],\"steps\":[{\"tool\":\"NAME\",\"error\":\"…\"}]}, or plain text",
    )
}
