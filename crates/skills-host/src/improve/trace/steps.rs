//! The steps of a session, and the active skills.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The trace of an agent's session.
///
/// ```
/// use skills_host::improve::Trace;
///
/// let json = r#"{"skills":["lint"],"steps":[{"tool":"FileSearch","error":"no such tool"}]}"#;
/// let trace = Trace::parse(json.as_bytes())?;
/// assert_eq!(trace.errors().count(), 1);
/// assert!(trace.names("lint"));
/// # Ok::<(), skills_host::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trace {
    /// The ids of the active skills, each once.
    pub skills: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The number of lines that were not JSON.
    #[serde(skip)]
    pub unread: usize,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The name of the tool.
    pub tool: String,
    /// The input of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The error; `None` for a successful call.
    #[serde(default)]
    pub error: Option<String>,
}

impl Trace {
    /// Creates a trace from active skills and steps.
    pub fn new(skills: impl IntoIterator<Item = String>, steps: Vec<Step>) -> Self {
        let mut trace = Self {
            steps,
            ..Self::default()
        };
        for skill in skills {
            trace.add_skill(&skill);
        }
        trace
    }

    /// Returns the failed calls in order: the tool and the error.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.steps
            .iter()
            .filter_map(|step| Some((step.tool.as_str(), step.error.as_deref()?)))
    }

    /// Returns whether a skill was active. For a qualified id, the last part counts.
    pub fn names(&self, name: &str) -> bool {
        let last = |id: &str| id.rsplit(':').next() == Some(name);
        self.skills.iter().any(|id| id == name || last(id))
    }

    pub(super) fn add_skill(&mut self, skill: &str) {
        if !skill.is_empty() && !self.skills.iter().any(|other| other == skill) {
            self.skills.push(skill.to_owned());
        }
    }

    /// Sets the error of a step, unless the step already has an error.
    pub(super) fn fail(&mut self, step: usize, error: &str) {
        if let Some(step) = self.steps.get_mut(step)
            && step.error.is_none()
        {
            let error = error.trim();
            let error = if error.is_empty() { "it failed" } else { error };
            step.error = Some(error.to_owned());
        }
    }
}

/// Returns the text of a content: a string, or blocks with strings.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks
                .iter()
                .filter_map(|block| block.get("text")?.as_str());
            texts.collect::<Vec<&str>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Returns the input of a call as text.
pub(super) fn input_of(input: Option<&Value>) -> Option<String> {
    match input? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        input => Some(input.to_string()),
    }
}
