//! A trace: the steps of a session, and the skills that were active.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent did in a session.
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
    /// The skills that were active, by their ids, each once.
    pub skills: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// How many lines were not JSON.
    #[serde(skip)]
    pub unread: usize,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The tool.
    pub tool: String,
    /// What it was called with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What went wrong. `None`: it went well.
    #[serde(default)]
    pub error: Option<String>,
}

impl Trace {
    /// A trace of skills that were active, and steps.
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

    /// The errors, in order.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.steps
            .iter()
            .filter_map(|step| Some((step.tool.as_str(), step.error.as_deref()?)))
    }

    /// Whether a skill was active. Of a qualified id its last part counts.
    pub fn names(&self, name: &str) -> bool {
        let last = |id: &str| id.rsplit(':').next() == Some(name);
        self.skills.iter().any(|id| id == name || last(id))
    }

    pub(super) fn add_skill(&mut self, skill: &str) {
        if !skill.is_empty() && !self.skills.iter().any(|other| other == skill) {
            self.skills.push(skill.to_owned());
        }
    }

    /// Sets the error of a step that has none yet.
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

/// The text of a content: a text, or blocks with texts.
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

/// The input of a call as text.
pub(super) fn input_of(input: Option<&Value>) -> Option<String> {
    match input? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        input => Some(input.to_string()),
    }
}
