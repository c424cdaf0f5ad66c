//! Activations: the texts that enter the conversation when skills start.
//!
//! [`activate`] makes an [`Activation`]. Hosts rarely call it:
//! [`Session::turn`](crate::Session::turn) starts the skills of a turn, and [`Session::call`](crate::Session::call) answers
//! the model's calls. All give the same bytes for the same skill, arguments and dialect.

mod commands;
mod starts;

pub use crate::dialect::starting::{Starting, Written, tagged};
pub use commands::BodyCommand;
pub use skills_permit::{Approved, ApprovedRule, Narrowed, NarrowedTool};
pub use skills_render::MAX_LISTED;

use crate::activation::commands::commands;
use crate::dialect::Dialect;
use crate::dialect::notice::{Notice, names};
use crate::dialect::resolution::read_typed;
use crate::listed::{id_of, missing_skills};
use crate::options::{AllowedTools, Options, Placeholders, ToolShape};
use crate::powers::beyond_lock;
use skills_arguments::{Typed, TypedArguments};
use skills_format::foreign::{CLIENT_SKILL_DIR, SKILL_DIR};
use skills_format::{ARGUMENTS_FILE, Fields, Text, ToolRule};
use skills_permit::{Starter, Tools, narrow};
use skills_render::{ARGUMENTS, Instructions, is_of_host};
use skills_runtime::{Error, ErrorKind, Skill};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The text that enters the conversation when a skill starts.
///
/// An activation depends on the skill, the arguments and the dialect, and not on the way the skill was
/// started: a mention, a slash command, a tool call and a scheduled run give the same bytes.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
/// use skills_session::activation::activate;
/// use skills_session::options::Options;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let skill = catalog.get("code-review").expect("a bundled skill");
/// let activation = activate(&Options::DEFAULT, &skill, "the parser")?;
/// assert_eq!(activation.text, "\
/// <skill_content name=\"code-review\" source=\"bundled\" directory=\"skill://bundled/code-review\">
/// Read the change, then say what is wrong.
///
/// ARGUMENTS: the parser
/// </skill_content>");
/// // The same as a tool call and its result.
/// let exchange = activation.exchange().expect("there is a skill tool");
/// assert_eq!(exchange.arguments, r#"{"arguments":"the parser","name":"code-review"}"#);
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Activation {
    /// The skill's id.
    pub skill: String,
    /// The name of the skill's source.
    pub source: String,
    /// The text that enters the conversation.
    pub text: String,
    /// The line before the text in the user's turn. Empty: no line.
    pub preamble: String,
    /// The note about this run, between the preamble and the text. Empty: no note. The host or the
    /// runtime sets the note; a skill cannot.
    pub note: String,
    /// The rules of the skill's `allowed-tools`, with the host's tool names. Empty: the skill declares
    /// no rules.
    pub allowed_tools: Cow<'static, [ToolRule]>,
    /// The rules of the skill's `disallowed-tools`, with the names that the skill uses and with the host's
    /// names.
    #[serde(skip_serializing_if = "<[ToolRule]>::is_empty")]
    pub disallowed_tools: Cow<'static, [ToolRule]>,
    /// The paths of the files beside the `SKILL.md`, relative to the skill's folder. Characters that end
    /// a line or that XML does not allow become U+FFFD.
    pub resources: Vec<Text>,
    /// The arguments, without white space at their ends. Of a skill with [typed
    /// arguments](skills_arguments), their canonical line.
    pub arguments: String,
    /// The arguments as they were given, if they are not `arguments`.
    #[serde(skip)]
    pub(crate) written: Option<Box<str>>,
    /// The commands in the body (`` !`cmd` ``) as written, before anything is inserted, at most 1,000. The
    /// runtime runs none. Empty for a skill of an MCP server, whose text must not choose a command.
    pub commands: Vec<BodyCommand>,
    /// The byte range of the `ARGUMENTS:` line in `text`. Empty: the text has no such line.
    #[serde(skip)]
    pub(crate) arguments_line: Range<usize>,
    /// The skills that the skill needs and that are not here.
    #[serde(skip)]
    pub(crate) missing_skills: Vec<String>,
    #[serde(skip)]
    tool: Option<ToolShape>,
    /// The starter of the skill: a person or the model. The starter decides how the skill narrows a
    /// session's tools, and changes no text.
    #[serde(skip)]
    pub(crate) started_by: Starter,
    /// `allowed_tools` are an approval: a person started the skill, and its source and its list are such
    /// that the person answers for them.
    #[serde(skip)]
    pub(crate) approves: bool,
    /// `allowed_tools` would be an approval if the list could be read strictly.
    #[serde(skip)]
    pub(crate) is_doubtful: bool,
    /// The rules of `allowed_tools` that approve nothing: a lock holds the skill to fewer powers.
    #[serde(skip)]
    pub(crate) beyond_lock: Cow<'static, [ToolRule]>,
}

/// A call of the skill tool and its result, in the form of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The tool's name.
    pub tool: String,
    /// The call's arguments: JSON with sorted keys and without white space.
    pub arguments: String,
    /// The call's result.
    pub result: String,
}

/// What the text of an activation depends on. Borrowed, so that a start copies no table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    pub(crate) dialect: &'a dyn Dialect,
    /// The values of the host's variables, by name without `$`.
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The host's tools: the text ends with a table of those that the skill names otherwise.
    pub(crate) tools: &'a Tools,
}

const NO_VARIABLES: &BTreeMap<String, String> = &BTreeMap::new();
const NO_TOOLS: &Tools = &Tools::NONE;

impl<'a> Choices<'a> {
    /// Makes the choices of a host without variables and tools.
    pub(crate) fn of(dialect: &'a dyn Dialect) -> Self {
        Self {
            dialect,
            variables: NO_VARIABLES,
            tools: NO_TOOLS,
        }
    }

    pub(crate) fn options(self) -> &'a Options {
        self.dialect.options()
    }

    /// Returns whether the skill of these fields limits the tools.
    pub(crate) fn limits(self, fields: &Fields) -> bool {
        let narrows = self.options().allowed_tools == AllowedTools::Narrows;
        narrows && !fields.allowed_tools.is_empty() || !fields.disallowed_tools.is_empty()
    }
}

/// Starts the skill, in no conversation. White space at the ends of the arguments is removed.
///
/// Does not check whether a person or the model may start the skill. The functions that resolve ids
/// check this: [`Dialect::resolve`], [`Session::run`](crate::Session::run) and the tools.
///
/// # Errors
///
/// - [`ErrorKind::NotFound`]: a file is missing.
/// - The errors of [`Skill::instructions`](skills_runtime::Skill::instructions). [`ErrorKind::Refused`] also if the values
///   of several placeholders have more than 1 MiB together. A single value can be longer.
///
/// # Cost
///
/// Reads the files of a folder's skill. A bundled skill costs a copy of its body.
pub fn activate(
    dialect: &dyn Dialect,
    skill: &Skill<'_>,
    arguments: &str,
) -> Result<Activation, Error> {
    activate_with(dialect, skill, arguments, NO_VARIABLES)
}

/// Starts a skill with the values of a struct. The text is the same as when a person types the values.
///
/// # Errors
///
/// [`ErrorKind::Arguments`]: the struct is of another skill, or a value is outside of its bounds (`maximum`),
/// which a Rust type does not know; the errors of [`activate`].
pub fn activate_typed<A: TypedArguments>(
    dialect: &dyn Dialect,
    skill: &Skill<'_>,
    arguments: &A,
) -> Result<Activation, Error> {
    if A::SKILL != skill.name() {
        let what = format_args!(
            "the arguments are of the skill '{}', and the skill is '{}'",
            A::SKILL,
            skill.name()
        );
        return Err(Error::new(ErrorKind::Arguments, what));
    }
    activate(dialect, skill, &arguments.line())
}

/// Does the same as [`activate`], and fills the host's variables. `variables` holds their values, by name
/// without `$`.
///
/// # Errors
///
/// The errors of [`activate`].
pub fn activate_with(
    dialect: &dyn Dialect,
    skill: &Skill<'_>,
    arguments: &str,
    variables: &BTreeMap<String, String>,
) -> Result<Activation, Error> {
    let given = dialect.options().arguments.given(arguments);
    let choices = Choices {
        variables,
        ..Choices::of(dialect)
    };
    let mut activation = start(skill, None, given, choices)?;
    // A caller of this function is not known to be a person.
    activation.approves = false;
    Ok(activation)
}

/// Starts a bundled skill with the values of a struct, without a catalog. The source is named `bundled`. A host that has
/// a catalog calls [`activate_typed`], which knows the name of the source and the disabled skills.
///
/// # Errors
///
/// The errors of [`activate_typed`].
pub fn activate_bundled<A: TypedArguments>(
    skill: Skill<'static>,
    arguments: &A,
) -> Result<Activation, Error> {
    activate_typed(&Options::DEFAULT, &skill, arguments)
}

/// Writes the note before a scheduled skill that a person runs by hand. Without the note, a model can
/// read the skill as a request to create a schedule. The bytes of the activation stay the same.
pub fn note_of_run_by_hand(name: &str) -> String {
    format!(
        "This is the existing scheduled skill {name}, run by hand now. It is not a request to create a \
         schedule. Carry out the instructions below and give the result. Do not activate \
         create-schedule, do not run a creation script, and do not add a schedule."
    )
}

/// Starts a skill for a person, whose start can approve tools. Every way of starting a skill
/// ends here, so that the bytes are equal: for the model, the caller then changes `started_by` and `approves`. A
/// known `id` is not looked up again. `given`: the arguments, or `None` if this way of starting carries none, and the types
/// of the skill are not asked.
pub(crate) fn start(
    skill: &Skill<'_>,
    id: Option<String>,
    given: Option<&str>,
    choices: Choices<'_>,
) -> Result<Activation, Error> {
    let read = skill.instructions()?;
    let options = choices.options();
    let id = id.unwrap_or_else(|| id_of(skill).into_owned());
    // Trimmed here, so that a mention, a command and a tool call give the same bytes.
    let arguments = given.map(str::trim);
    let fields = &*read.fields;
    let typed = arguments.map(|text| typed(skill, text, &read));
    let typed = typed.transpose()?.flatten();
    let written = arguments.unwrap_or_default();
    let arguments = typed.as_ref().map_or(written, |typed| &typed.line);
    let fill = |rules, widens| fill_rules(rules, options.placeholders, &read.folders.skill, widens);
    let disallowed_tools = fill(with_both_names(&fields.disallowed_tools, options), true);
    let starting = Starting {
        entry: skill,
        id: &id,
        arguments,
        read: &read,
        typed: typed.as_ref(),
        disallowed_tools: &disallowed_tools,
        options,
        variables: choices.variables,
        tools: choices.tools,
    };
    let text = choices.dialect.text(&starting)?;
    let preamble = choices.dialect.preamble(&starting);
    let filled = |rules| fill(options.tool_names.apply(rules), false);
    Ok(Activation {
        source: skill.source().to_owned(),
        text: text.text,
        arguments_line: text.arguments,
        preamble,
        note: String::new(),
        allowed_tools: filled(&fields.allowed_tools),
        arguments: arguments.to_owned(),
        written: (written != arguments).then(|| written.into()),
        // Files that a host handed over, as those of a server, run no command.
        commands: if !skill.is_bundled() && !is_of_folders(skill) {
            Vec::new()
        } else {
            let names = typed.as_ref().map(|typed| &*typed.names);
            let names = names.unwrap_or(&fields.arguments);
            commands(&read.body, options.placeholders, names)
        },
        missing_skills: missing_skills(skill),
        tool: options.tool.clone(),
        started_by: Starter::Person,
        approves: fields.may_approve && read.is_of_person,
        is_doubtful: !fields.may_approve && !fields.allowed_tools.is_empty() && read.is_of_person,
        beyond_lock: filled(&beyond_lock(skill, &fields.allowed_tools).into()),
        disallowed_tools,
        resources: read.resources,
        skill: id,
    })
}

/// Reads the values of typed arguments. `None`: the skill has no types.
fn typed(skill: &Skill<'_>, text: &str, read: &Instructions<'_>) -> Result<Option<Typed>, Error> {
    // The listing says whether there is a schema, so that a skill without one opens no further file.
    let has_schema = skill.is_bundled() || read.resources.iter().any(|path| path == ARGUMENTS_FILE);
    if !has_schema {
        return Ok(None);
    }
    read_typed(skill, &read.fields, text)
}

/// Returns whether the skill's source reads folders.
fn is_of_folders(skill: &Skill<'_>) -> bool {
    let source = skill.source();
    skill
        .catalog()
        .is_some_and(|catalog| catalog.folders().any(|(name, _)| name == source))
}

impl Activation {
    /// Narrows the host's tools to the tools that the skill's `allowed-tools` names, without the tools of
    /// its `disallowed-tools`. A skill without `allowed-tools` allows all tools.
    pub fn narrow<T: AsRef<str>>(&self, available: &[T]) -> Narrowed {
        let available = Tools::named(available.iter().map(AsRef::as_ref));
        narrow(&[&self.allowed_tools], &available).without(&self.disallowed_tools)
    }

    /// Returns the notice about the skills that are not here.
    pub(crate) fn missing_skills(&self) -> Option<Notice> {
        let (skill, missing) = (&self.skill, names(&self.missing_skills));
        let notice = format!("Skill '{skill}' needs missing skills: {missing}.");
        (!self.missing_skills.is_empty()).then_some(Notice::Text(notice))
    }

    /// Joins the preamble, the note and the text into one message.
    pub fn message(&self) -> String {
        joined(&[&self.preamble, &self.note, &self.text])
    }

    /// Returns the activation as a call of the skill tool with its result: the same bytes that the
    /// model's own call leaves in the conversation. The host supplies the id of the call.
    ///
    /// Returns `None` if no call can give this activation: there is no skill tool, or the tool
    /// takes no arguments and the activation has arguments.
    pub fn exchange(&self) -> Option<Exchange> {
        let tool = self.tool.as_ref()?;
        Some(Exchange {
            tool: tool.name.to_string(),
            arguments: tool.call(&self.skill, &self.arguments)?,
            result: self.text.clone(),
        })
    }
}

/// Returns the rules with the names that the skill uses, and with the names that the host maps these to, in any case:
/// a tool of either name is taken away.
#[expect(clippy::ptr_arg, reason = "borrowed rules stay borrowed")]
fn with_both_names(
    rules: &Cow<'static, [ToolRule]>,
    options: &Options,
) -> Cow<'static, [ToolRule]> {
    let mut ours: Vec<ToolRule> = Vec::new();
    for rule in rules.iter() {
        for (theirs, name) in options.tool_names.names() {
            let mapped = ToolRule {
                tool: name.clone(),
                pattern: rule.pattern.clone(),
            };
            if theirs.eq_ignore_ascii_case(&rule.tool) && !rules.contains(&mapped) {
                ours.push(mapped);
            }
        }
    }
    if ours.is_empty() {
        return rules.clone();
    }
    let mut both = rules.to_vec();
    both.append(&mut ours);
    both.into()
}

/// Joins the parts that are not empty, with an empty line between them.
pub(crate) fn joined(parts: &[&str]) -> String {
    let parts = parts.iter().copied().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Returns the names in the skill's `arguments` that take a word each, in the order of the words.
/// Numbers and names in capitals are left out, because these names stand for the host's variables.
pub fn argument_names<'c>(skill: &Skill<'c>) -> Vec<&'c str> {
    let listed = skill.fields().arguments.iter();
    let names = listed.map(|name| name.strip_prefix('$').unwrap_or(name));
    names
        .filter(|name| *name != ARGUMENTS && !is_of_host(name))
        .collect()
}

/// Joins values to the arguments of a skill. Each value is one word, with quotes if the word needs them.
///
/// ```
/// use skills_session::activation::join_arguments;
///
/// assert_eq!(join_arguments(["src/a.rs", "be brief", ""]), "src/a.rs 'be brief' ''");
/// ```
pub fn join_arguments<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let values: Vec<Cow<'v, str>> = values.into_iter().map(quoted).collect();
    values.join(" ")
}

fn quoted(value: &str) -> Cow<'_, str> {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\');
    if !value.is_empty() && !value.contains(is_special) {
        return value.into();
    }
    // Between single quotes no character is escaped, so a single quote of the value must stand outside
    // of them.
    format!("'{}'", value.replace('\'', r"'\''")).into()
}

/// Fills the skill's folder into the patterns of its rules. Rules without the folder stay borrowed.
///
/// `widens`: a rule whose folder cannot be filled becomes a rule of its whole tool. A rule that takes a tool away and
/// matches nothing would take nothing away.
fn fill_rules(
    rules: Cow<'static, [ToolRule]>,
    placeholders: Placeholders,
    folder: &str,
    widens: bool,
) -> Cow<'static, [ToolRule]> {
    let has_folder = |pattern: &Text| pattern.contains("SKILL_DIR}");
    if !rules
        .iter()
        .any(|rule| rule.pattern.as_ref().is_some_and(has_folder))
    {
        return rules;
    }
    let names: &[&str] = match placeholders {
        Placeholders::Guarded => &[CLIENT_SKILL_DIR, SKILL_DIR],
        Placeholders::Everywhere => &[CLIENT_SKILL_DIR],
        Placeholders::Numbered | Placeholders::None => &[],
    };
    // A folder named `*` would turn a rule for one script into a rule for many: the pattern then stays, and
    // matches nothing.
    let is_special =
        |c: char| c.is_control() || c.is_whitespace() || "*?[]{}()!\\\"'`$;&|<>,".contains(c);
    let names = if folder.contains(is_special) {
        &[]
    } else {
        names
    };
    let mut rules = rules.into_owned();
    for rule in &mut rules {
        let Some(pattern) = rule.pattern.take_if(|pattern| has_folder(pattern)) else {
            continue;
        };
        let fill =
            |pattern: Text, name: &&str| pattern.replace(&format!("${{{name}}}"), folder).into();
        let filled = names.iter().fold(pattern, fill);
        rule.pattern = (!widens || !filled.contains("SKILL_DIR}")).then_some(filled);
    }
    rules.into()
}

#[cfg(all(test, unix))]
mod properties;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod arguments_tests {
    use super::*;
    use proptest::prelude::*;
    use skills_format::text::words::words;

    proptest! {
        #[test]
        fn joined_values_are_the_words(values in prop::collection::vec(".{0,6}|[ '\"\\\\a\n]{0,6}", 0..5)) {
            let joined = join_arguments(values.iter().map(String::as_str));
            prop_assert_eq!(words(&joined), values);
        }
    }
}

#[cfg(test)]
mod rules_tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_filled_opens_nothing() {
        let rules = ToolRule::parse_list(
            "Read(${SKILL_DIR}/a.md) Bash(${CLAUDE_SKILL_DIR}/b.sh *) Read(c.md)",
        );
        let filled = |widens| {
            let rules = rules.clone().into();
            fill_rules(rules, Placeholders::Guarded, "/a folder", widens)
        };
        assert_eq!(*filled(false), *rules);
        assert_eq!(*filled(true), *ToolRule::parse_list("Read Bash Read(c.md)"));
    }
}
