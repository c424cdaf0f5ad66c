//! A slash command that calls a tool without a turn of the model, if the host's gate allows the call.

use crate::dialect::notice::Notice;
use serde::{Serialize, Serializer};
use skills_arguments::{Schema, Typed};
use skills_format::Fields;
use skills_runtime::{Catalog, Error, ErrorKind, Skill, Surface};
use std::borrow::Cow;
use std::fmt;

/// A tool call that a slash command asks for. The tool and the arguments are disclosed only to a host
/// that asks its gate, after the skill's file was compared with the catalog and with the trusted
/// version.
///
/// ```
/// use skills_runtime::{Catalog, Skill};
/// use skills_session::resolve::Dispatch;
///
/// fn run(
///     dispatch: Dispatch,
///     catalog: &Catalog,
///     allowed: &[&str],
/// ) -> Result<String, String> {
///     let call = dispatch.ask(catalog, |tool, _arguments| allowed.contains(&tool))?;
///     Ok(format!("calling {} with {}", call.tool, call.arguments))
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// The command's name as it was typed, without `/`.
    pub name: String,
    /// The id of the skill.
    pub skill: String,
    tool: String,
    /// The text after the name and the following white space, verbatim. One line end at the end of the
    /// text is removed.
    arguments: String,
    /// `true` once the skill's file has been compared.
    is_checked: bool,
}

/// The verdict of the host's gate about a tool call. The same gate decides about the model's calls. A gate
/// that gives no reasons answers `true` or `false`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The host may make the call.
    Allowed,
    /// The host has no such tool.
    Unknown,
    /// The host may not make the call.
    Refused {
        /// The reason as text, without a full stop.
        reason: String,
    },
}

/// Writes the verdict as the reason of a refusal, for a person or for the model.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allowed => "it is allowed",
            Self::Unknown => "this program has no such tool",
            Self::Refused { reason } if reason.is_empty() => "it is not allowed",
            Self::Refused { reason } => reason,
        })
    }
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

/// `true`: the host may make the call. `false`: the host may not, without a reason.
impl From<bool> for Verdict {
    fn from(may_run: bool) -> Self {
        if may_run {
            Self::Allowed
        } else {
            let reason = String::new();
            Self::Refused { reason }
        }
    }
}

impl Dispatch {
    pub(crate) fn new(name: &str, skill: String, tool: &str, arguments: &str) -> Self {
        Self {
            name: name.to_owned(),
            skill,
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            is_checked: false,
        }
    }

    /// Compares the skill's file with the catalog and with the trusted version.
    pub(crate) fn check(&mut self, catalog: &Catalog) -> Result<(), Error> {
        let skill = catalog
            .find(&self.skill, Surface::User)
            .map_err(|notice| Error::new(ErrorKind::Refused, Notice::from(notice).to_string()))?;
        let fields = skill.instructions()?.fields;
        if fields.command_tool.as_deref() != Some(&*self.tool) {
            let message = format_args!(
                "skill '{}' has changed: it calls another tool now",
                self.skill
            );
            return Err(Error::new(ErrorKind::Refused, message));
        }
        // The tool gets the arguments as they were typed, but only if they fit.
        if let Some(schema) = schema_now(&skill, &fields)? {
            read_typed(&schema, &self.arguments, &skill)?;
        }
        self.is_checked = true;
        Ok(())
    }

    /// The JSON of the command. The tool and the arguments are there once the skill's file is compared.
    pub(crate) fn json(&self) -> TypedJson<'_> {
        let arguments = self.is_checked.then_some(&*self.arguments);
        TypedJson {
            name: &self.name,
            skill: &self.skill,
            arguments,
            dispatch: Some(CallJson {
                tool: self.is_checked.then_some(&*self.tool),
                arguments,
            }),
            message: None,
        }
    }

    /// Compares the skill's file, then asks the host's gate about the tool's name and the arguments. The gate
    /// answers with a [`Verdict`], or with `bool`.
    ///
    /// Narrowing is not applied, because a person made the call. A host whose active skills must also
    /// limit the calls of people compares the tool with
    /// [`TurnOutcome::tools`](crate::session::TurnOutcome::tools) in its gate.
    ///
    /// # Errors
    ///
    /// A message for the person if the skill has changed or may not be started now, or if the gate's verdict is not
    /// [`Verdict::Allowed`]. The call is never passed to the model instead.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill.
    pub fn ask<V: Into<Verdict>>(
        mut self,
        catalog: &Catalog,
        gate: impl FnOnce(&str, &str) -> V,
    ) -> Result<AllowedCall, String> {
        // Before the gate: the gate must not allow a tool that the changed file no longer names.
        let checked = self.check(catalog);
        let Self {
            name,
            tool,
            arguments,
            ..
        } = self;
        if let Err(error) = checked {
            let why = format!("{error:#}");
            let why = why.trim_end_matches('.');
            return Err(format!("/{name} calls no tool: {why}."));
        }
        match gate(&tool, &arguments).into() {
            Verdict::Allowed => Ok(AllowedCall { tool, arguments }),
            Verdict::Unknown => Err(format!(
                "/{name} calls the tool '{tool}', which this program does not have."
            )),
            refused => Err(format!(
                "/{name} may not call the tool '{tool}': {refused}."
            )),
        }
    }
}

/// Reads the arguments of a skill by the schema of their types.
///
/// # Errors
///
/// [`ErrorKind::Arguments`]: they do not fit.
pub(crate) fn read_typed(schema: &Schema, text: &str, skill: &Skill<'_>) -> Result<Typed, Error> {
    Typed::read(schema, text).map_err(|why| {
        let what = format_args!("skill '{}': {why}", skill.name());
        Error::new(ErrorKind::Arguments, what)
    })
}

/// Returns the schema of the skill, with the arguments in the order that its file has now.
pub(crate) fn schema_now<'c>(
    skill: &Skill<'c>,
    now: &Fields,
) -> Result<Option<Cow<'c, Schema>>, Error> {
    let schema = skill.typed_arguments()?;
    Ok(schema.map(|schema| match schema {
        Cow::Owned(schema) => Cow::Owned(schema.ordered(&now.arguments)),
        baked @ Cow::Borrowed(_) => baked,
    }))
}

impl fmt::Debug for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatch")
            .field("name", &self.name)
            .field("skill", &self.skill)
            .finish_non_exhaustive()
    }
}

/// A command that starts a skill or calls a tool.
#[derive(Serialize)]
pub(crate) struct TypedJson<'a> {
    pub(crate) name: &'a str,
    pub(crate) skill: &'a str,
    pub(crate) arguments: Option<&'a str>,
    /// The tool call. `null`: the command starts the skill.
    pub(crate) dispatch: Option<CallJson<'a>>,
    /// The message, only for a command that starts the skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "tool")]
pub(crate) struct CallJson<'a> {
    /// The tool. `null`: the skill's file is not compared yet; `start_all` and the gate compare it.
    pub(crate) tool: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
}

impl Serialize for Dispatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, skills};

    const FRONT: &str = "command-dispatch: tool\ncommand-tool: exec";

    fn dispatch() -> (Fixture, Dispatch) {
        let fixture = skills(&[("shell", FRONT, "Run.")]);
        let dispatch = Dispatch::new("sh", "shell".to_owned(), "exec", "ls -la");
        (fixture, dispatch)
    }

    #[test]
    fn asks_the_gate() {
        let (Fixture { catalog, .. }, dispatch) = &dispatch();
        let asked = dispatch.clone().ask(catalog, |tool, arguments| {
            assert_eq!((tool, arguments), ("exec", "ls -la"));
            Verdict::Allowed
        });
        let call = asked.unwrap();
        assert_eq!((&*call.tool, &*call.arguments), ("exec", "ls -la"));
        let may_run = |tool: &str, _: &str| tool == "exec";
        assert_eq!(dispatch.clone().ask(catalog, may_run), Ok(call));
        let refused = dispatch.clone().ask(catalog, |_, _| false).unwrap_err();
        assert_eq!(
            refused,
            "/sh may not call the tool 'exec': it is not allowed."
        );
        let told = |verdict| {
            let asked = dispatch.clone().ask(catalog, |_, _| verdict);
            asked.unwrap_err()
        };
        assert_eq!(
            told(Verdict::Unknown),
            "/sh calls the tool 'exec', which this program does not have."
        );
        assert_eq!(Verdict::Allowed.to_string(), "it is allowed");
        let reason = "the sandbox is on".to_owned();
        assert_eq!(
            told(Verdict::Refused { reason }),
            "/sh may not call the tool 'exec': the sandbox is on."
        );
    }

    #[test]
    fn a_skill_that_has_changed_asks_no_gate() {
        let (fixture, dispatch) = dispatch();
        let debug = format!("{dispatch:?}");
        assert!(!debug.contains("exec") && !debug.contains("ls"), "{debug}");
        let path = fixture.dir.path().join("user/shell/SKILL.md");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("exec", "read")).unwrap();
        let asked = dispatch.ask(&fixture.catalog, |_, _| -> bool {
            panic!("the gate is asked")
        });
        let told = asked.unwrap_err();
        assert!(told.starts_with("/sh calls no tool: "), "{told}");
        assert!(told.contains("has changed"), "{told}");
    }
}
