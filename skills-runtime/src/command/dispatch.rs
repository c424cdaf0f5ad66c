//! A slash command that calls a tool without a turn of the model, when the host's gate allows it.

use std::fmt;

/// A tool call that a slash command asks for. The host makes the call only when its gate allows it.
///
/// ```
/// use skills_runtime::command::{Dispatch, DispatchRefused, Verdict};
///
/// fn run(dispatch: Dispatch, allowed: &[&str]) -> Result<String, DispatchRefused> {
///     let gate = |tool: &str, _arguments: &str| match allowed.contains(&tool) {
///         true => Verdict::Allowed,
///         false => Verdict::Unknown,
///     };
///     let call = dispatch.ask(gate)?;
///     Ok(format!("calling {} with {}", call.tool, call.arguments))
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// The command's name as it was typed, without `/`.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    /// The tool's name.
    pub tool: String,
    /// The text after the name and the white space that follows the name, verbatim. One line end at
    /// the end of the text is removed.
    pub arguments: String,
}

/// What the host's gate decides about a tool call. The gate is the one that the model's calls pass.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The host may make the call.
    Allowed,
    /// The host has no such tool.
    Unknown,
    /// The host may not make the call.
    Refused {
        /// The reason, in words, without a full stop.
        reason: String,
    },
}

/// A tool call that the host's gate allows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedCall {
    /// The tool's name.
    pub tool: String,
    /// The tool's one argument, verbatim.
    pub arguments: String,
}

/// A tool call that the host's gate refuses. Show it to the person: it never falls back to the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct DispatchRefused {
    /// The command's name, without `/`.
    pub name: String,
    /// The tool's name.
    pub tool: String,
    /// The reason, in words. Empty: the host has no such tool.
    pub reason: String,
}

impl Dispatch {
    pub(crate) fn new(name: &str, skill: &str, tool: &str, arguments: &str) -> Self {
        Self {
            name: name.to_owned(),
            skill: skill.to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
        }
    }

    /// Asks the host's gate, with the tool's name and the arguments.
    ///
    /// # Errors
    ///
    /// A [`DispatchRefused`] when the gate's verdict is not [`Verdict::Allowed`].
    pub fn ask(
        self,
        gate: impl FnOnce(&str, &str) -> Verdict,
    ) -> Result<AllowedCall, DispatchRefused> {
        let reason = match gate(&self.tool, &self.arguments) {
            Verdict::Allowed => {
                return Ok(AllowedCall {
                    tool: self.tool,
                    arguments: self.arguments,
                });
            }
            Verdict::Unknown => String::new(),
            Verdict::Refused { reason } if reason.is_empty() => "it is not allowed".to_owned(),
            Verdict::Refused { reason } => reason,
        };
        Err(DispatchRefused {
            name: self.name,
            tool: self.tool,
            reason,
        })
    }
}

impl fmt::Display for DispatchRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, tool, reason } = self;
        if reason.is_empty() {
            write!(
                f,
                "/{name} calls the tool '{tool}', which this program does not have."
            )
        } else {
            write!(f, "/{name} may not call the tool '{tool}': {reason}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_the_gate() {
        let dispatch = || Dispatch::new("exec", "shell", "exec", "ls -la");
        let call = dispatch()
            .ask(|tool, arguments| {
                assert_eq!((tool, arguments), ("exec", "ls -la"));
                Verdict::Allowed
            })
            .unwrap();
        assert_eq!((&*call.tool, &*call.arguments), ("exec", "ls -la"));
        let told = |verdict| dispatch().ask(|_, _| verdict).unwrap_err().to_string();
        assert_eq!(
            told(Verdict::Unknown),
            "/exec calls the tool 'exec', which this program does not have."
        );
        let reason = "the sandbox is on".to_owned();
        assert_eq!(
            told(Verdict::Refused { reason }),
            "/exec may not call the tool 'exec': the sandbox is on."
        );
    }
}
