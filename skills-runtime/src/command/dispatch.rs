//! A slash command that calls a tool with no turn of the model: only past the host's gate.

use std::fmt;

/// A tool call that a slash command asks for. It gives up what to call only to a host that has asked
/// its gate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// The command as it was typed, without `/`.
    pub name: String,
    /// The id that finds the skill.
    pub skill: String,
    /// The tool.
    pub tool: String,
    /// What was typed after the name and the white space behind it, verbatim, but for one line end
    /// at its end.
    pub arguments: String,
}

/// What a host's gate says of a tool call: the same gate that the model's calls pass.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The call may be made.
    Allowed,
    /// The host has no such tool.
    Unknown,
    /// The call may not be made.
    Refused {
        /// Why, in words.
        reason: String,
    },
}

/// A tool call that the host's gate allows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedCall {
    /// The tool.
    pub tool: String,
    /// Its one argument, verbatim.
    pub arguments: String,
}

/// A tool call that the gate does not let pass. It is told, and never left to the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct DispatchRefused {
    /// The command.
    pub name: String,
    /// The tool.
    pub tool: String,
    /// Why; empty when the host has no such tool.
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

    /// Asks the host's gate.
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

#[cfg(feature = "serde")]
impl serde::Serialize for Dispatch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        #[derive(serde::Serialize)]
        struct Call<'a> {
            kind: &'static str,
            tool: &'a str,
            arguments: &'a str,
        }

        let mut command = serializer.serialize_struct("Dispatch", 4)?;
        command.serialize_field("name", &self.name)?;
        command.serialize_field("skill", &self.skill)?;
        command.serialize_field("arguments", &self.arguments)?;
        command.serialize_field(
            "dispatch",
            &Call {
                kind: "tool",
                tool: &self.tool,
                arguments: &self.arguments,
            },
        )?;
        command.end()
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
