//! Activations: the texts that enter the conversation when skills start.
//!
//! [`Profile::activate`] makes an [`Activation`]. Hosts rarely call it: [`Resolution::start_all`] starts
//! the skills of a turn, and `Session::call` answers the model's calls. All three give the same bytes
//! for the same skill, arguments and profile.
//!
//! [`Resolution::start_all`]: crate::Resolution::start_all

pub(crate) mod arguments;
pub(crate) mod choices;
mod commands;
pub(crate) mod exchange;
pub(crate) mod given;
pub(crate) mod note;
mod rules;
mod starts;
pub(crate) mod template;
mod with;

pub use crate::text::shared::SharedText;
pub use commands::BodyCommand;
pub use exchange::Exchange;

pub use skills_permit::{Approved, Narrowed};

pub use arguments::{argument_names, join_arguments};
pub use note::note_of_run_by_hand;
pub use skills_permit::{ApprovedRule, NarrowedTool};

use crate::activation::choices::Choices;
use crate::activation::commands::commands;
use crate::activation::rules::{fill_rules, without_folders};
use crate::activation::template::Facts;
use crate::options::envelope::Envelope;
use crate::options::template::{Template, TemplateContent};
use crate::options::tool_shape::ToolShape;
use crate::profile::Profile;
use crate::resolve::dispatch::read_typed;
use crate::resolve::notice::Notice;
use crate::text::shared::SEPARATOR;
use skills_arguments::{Given, Typed};
use skills_format::{ARGUMENTS_FILE, Digest, SKILL_FILE, Text, ToolRule};
use skills_permit::{Starter, TablePlace, Tools, is_taken, narrow};
use skills_runtime::Entry;
use skills_runtime::activation::{Arguments, Folder, MAX_LISTED, TypedValues, Values, fill, open};
use skills_runtime::catalog::Checked;
use skills_runtime::catalog::ids::id_of;
use skills_runtime::source::SkillTrust;
use skills_runtime::source::SourceKind;
use skills_runtime::{Error, ErrorKind};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The text that enters the conversation when a skill starts.
///
/// An activation depends on the skill, the arguments and the profile, and not on the way the skill was
/// started: a mention, a slash command, a tool call and a scheduled run give the same bytes.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
/// use skills_session::Profile;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let skill = catalog.get("code-review").expect("a bundled skill");
/// let activation = Profile::DEFAULT.activate(&skill, "the parser")?;
/// assert_eq!(activation.text, "\
/// <skill_content name=\"code-review\" source=\"bundled\" directory=\"skill://bundled/code-review\">
/// Read the change, then say what is wrong.
///
/// ARGUMENTS: the parser
/// </skill_content>");
/// // The same as a tool call and its result.
/// let exchange = activation.exchange().expect("the profile has a skill tool");
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
    /// The text that enters the conversation. The session and the messages of a turn share it.
    pub text: SharedText,
    /// The line before the text in the user's turn. Empty: no line.
    pub preamble: Text,
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
    /// The digest of what the skill gives the model. `None`: no session asked for it.
    #[serde(skip)]
    pub(crate) given: Option<Digest>,
    /// The other files of a bundled skill. Empty: no session asked for them, or the skill is not bundled.
    #[serde(skip)]
    pub(crate) files: Vec<(String, Digest)>,
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

impl Profile {
    /// Starts the skill. White space at the ends of the arguments is removed. Fills no variable of the host, such as
    /// `$FILE`: a session has them ([`Session::set_variable`](crate::Session::set_variable)).
    ///
    /// Does not check whether a person or the model may start the skill. The functions that resolve ids
    /// check this: [`Profile::resolve`],
    /// [`Session::run`](crate::Session::run) and the tools.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Untrusted`]: the source is not trusted, or a file has changed since it was trusted.
    /// - [`ErrorKind::Disabled`]: the skill is disabled.
    /// - [`ErrorKind::Ineligible`]: the host does not meet the skill's needs.
    /// - [`ErrorKind::NotFound`]: a file is missing; or the envelope is [`Envelope::Pointer`] and the
    ///   bundled skill has no path.
    /// - [`ErrorKind::TooLarge`]: the values of several placeholders have more than 1 MiB together. A
    ///   single value can be longer.
    /// - Any kind of [`Entry::body`](skills_runtime::Entry::body) and
    ///   [`Entry::resources`](skills_runtime::Entry::resources).
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill. A bundled skill costs a copy of its body.
    pub fn activate(&self, entry: &Entry<'_>, arguments: &str) -> Result<Activation, Error> {
        let given = Given::Text(arguments);
        let mut activation = start(entry, None, given, Choices::of(self))?;
        // A caller of this function is not known to be a person.
        activation.approves = false;
        Ok(activation)
    }

    /// Does the same as [`Profile::activate`], and fills the host's variables. `variables` holds their values, by name
    /// without `$`.
    ///
    /// # Errors
    ///
    /// The errors of [`Profile::activate`].
    pub fn activate_with(
        &self,
        entry: &Entry<'_>,
        arguments: &str,
        variables: &BTreeMap<String, String>,
    ) -> Result<Activation, Error> {
        let choices = Choices {
            variables,
            ..Choices::of(self)
        };
        let mut activation = start(entry, None, Given::Text(arguments), choices)?;
        activation.approves = false;
        Ok(activation)
    }
}

/// Does the same as [`Profile::activate`] for a person, whose start can approve tools. Every way of starting a skill
/// ends here, so that the bytes are equal: for the model, the caller then changes `started_by` and `approves`. A
/// known `id` is not looked up again.
pub(crate) fn start(
    entry: &Entry<'_>,
    id: Option<String>,
    given: Given<'_>,
    choices: Choices<'_>,
) -> Result<Activation, Error> {
    entry.check_startable()?;
    let id = id.unwrap_or_else(|| id_of(entry, choices.plugins()).into_owned());
    // Trimmed here, so that a mention, a command and a tool call give the same bytes.
    let arguments = match given {
        Given::Text(text) if choices.takes_arguments() => Some(text.trim()),
        // The message follows the activation. With arguments, the activation could not be written as a call of a
        // skill tool that takes no arguments: see `Activation::exchange`.
        _ => None,
    };
    // With a pointer the model reads the file itself, so the body is not needed. A skill that a
    // person trusted is read all the same, because the file must still be the trusted one.
    let is_read =
        choices.profile.envelope != Envelope::Pointer || entry.trust() == SkillTrust::Trusted;
    let checked = is_read.then(|| entry.checked()).transpose()?;
    let fields = checked
        .as_ref()
        .map_or(entry.fields(), |checked| &checked.fields);
    let resources = given::resource_paths(entry, checked.as_ref())?;
    let typed = arguments.map(|text| typed(entry, text, &fields.arguments, &resources));
    let typed = typed.transpose()?.flatten();
    let written = arguments.unwrap_or_default();
    let arguments = typed.as_ref().map_or(written, |typed| &typed.line);
    let folder = Folder::of(Some(*entry));
    let known = checked.as_ref().filter(|_| choices.is_session);
    let given = given::given(known, &resources, choices);
    let mut activation = Activation {
        skill: id,
        source: entry.source().name().to_owned(),
        text: SharedText::default(),
        preamble: preamble(entry, arguments, &choices.profile.preamble),
        note: String::new(),
        allowed_tools: fill_rules(
            choices.profile.tool_names.apply(&fields.allowed_tools),
            choices.profile.placeholders,
            &folder,
        ),
        disallowed_tools: without_folders(fill_rules(
            with_both_names(&fields.disallowed_tools, choices),
            choices.profile.placeholders,
            &folder,
        )),
        resources,
        arguments: arguments.to_owned(),
        written: (written != arguments).then(|| written.into()),
        commands: body_commands(entry, checked.as_ref(), typed.as_ref(), choices),
        arguments_line: 0..0,
        missing_skills: entry.missing_skills(),
        given,
        files: if choices.is_session {
            given::bundled_files(entry)
        } else {
            Vec::new()
        },
        tool: choices.profile.tool.clone(),
        started_by: Starter::Person,
        approves: fields.may_approve && is_of_person(entry),
        is_doubtful: !fields.may_approve && !fields.allowed_tools.is_empty() && is_of_person(entry),
        beyond_lock: fill_rules(
            choices
                .profile
                .tool_names
                .apply(&entry.beyond_lock(&fields.allowed_tools).into()),
            choices.profile.placeholders,
            &folder,
        ),
    };
    let filled = Filled {
        checked: checked.as_ref(),
        typed: typed.as_ref(),
        folder: &folder,
    };
    activation.write(entry, choices, &filled)?;
    Ok(activation)
}

/// Returns whether a person answers for the skill: it is part of the program, lies in a folder of the
/// person, or was trusted by the digests of its files.
fn is_of_person(entry: &Entry<'_>) -> bool {
    match (entry.source().kind(), entry.trust()) {
        // Text that was read from the folder of a bundle is not the text that was built.
        (SourceKind::Bundle, _) => entry.is_built_in(),
        (SourceKind::Folder | SourceKind::Plugin, SkillTrust::Trusted) => true,
        // A folder that no link may leave is a project's, also if the host trusts all projects.
        (SourceKind::Folder, SkillTrust::Always) => entry.follows_links(),
        // A server, a plugin and what the host trusts as a whole: no person has looked.
        _ => false,
    }
}

fn body_commands(
    entry: &Entry<'_>,
    checked: Option<&Checked<'_>>,
    typed: Option<&Typed>,
    choices: Choices<'_>,
) -> Vec<BodyCommand> {
    let checked = checked.filter(|_| entry.remote().is_none());
    checked.map_or_else(Vec::new, |Checked { body, fields, .. }| {
        let names = typed.map_or(&*fields.arguments, |typed| &typed.names);
        commands(body, choices.profile.placeholders, names)
    })
}

/// Reads the values of typed arguments. `None`: the skill has no types.
fn typed(
    entry: &Entry<'_>,
    text: &str,
    listed: &[Text],
    resources: &[Text],
) -> Result<Option<Typed>, Error> {
    // The listing says whether there is a schema, so that a skill without one opens no further file.
    let has_schema = match entry.bundled() {
        Some(skill) => skill.typed_arguments().is_some(),
        None => resources.iter().any(|path| path == ARGUMENTS_FILE),
    };
    let schema = has_schema
        .then(|| entry.schema(listed))
        .transpose()?
        .flatten();
    schema
        .map(|schema| read_typed(&schema, text, entry))
        .transpose()
}

/// The sources of the values that fill the text of a skill.
struct Filled<'a> {
    checked: Option<&'a Checked<'a>>,
    typed: Option<&'a Typed>,
    folder: &'a Folder<'a>,
}

impl Activation {
    /// Writes the text, after the preamble that stands before it in a message of the user. The body is
    /// copied here and nowhere else, so that a long skill is in memory once.
    fn write(
        &mut self,
        entry: &Entry<'_>,
        choices: Choices<'_>,
        filled: &Filled<'_>,
    ) -> Result<(), Error> {
        let body = filled.checked.map_or(0, |checked| checked.body.len());
        let listed = self.resources.iter().take(MAX_LISTED);
        let paths: usize = listed.map(|path| path.len() + 1).sum();
        let mut out = String::with_capacity(
            self.preamble.len() + body + self.arguments.len() + paths + SLACK,
        );
        if !self.preamble.is_empty() {
            out.push_str(&self.preamble);
            out.push_str(SEPARATOR);
        }
        let start = out.len();
        if let Envelope::Template(template) = &choices.profile.envelope {
            let line = self.push_template(&mut out, template, entry, choices, filled)?;
            self.arguments_line = line.start - start..line.end - start;
            self.text = SharedText::end_of(out, start);
            return Ok(());
        }
        let opened = (choices.profile.envelope == Envelope::Tagged).then(|| {
            let directory = entry.catalog().places().directory(entry);
            let attributes = [
                ("name", entry.name()),
                ("source", self.source.as_str()),
                ("directory", directory.as_deref().unwrap_or_default()),
            ];
            let attributes = match directory {
                Some(_) => attributes.as_slice(),
                None => attributes.get(..2).unwrap_or_default(),
            };
            open(&mut out, attributes)
        });
        let placed = self.push_content(&mut out, entry, choices, filled)?;
        let before = out.len() - start;
        if placed == Arguments::NotPlaced && !self.arguments.is_empty() {
            out.push_str("\n\nARGUMENTS: ");
            out.push_str(&self.arguments);
        }
        let line = before..out.len() - start;
        let moved = opened.map_or(0, |opened| opened.close(&mut out, &self.resources));
        self.arguments_line = line.start + moved..line.end + moved;
        self.text = SharedText::end_of(out, start);
        Ok(())
    }

    /// Appends the instructions in a template. Returns the place of the text for the arguments.
    fn push_template(
        &self,
        out: &mut String,
        template: &Template,
        entry: &Entry<'_>,
        choices: Choices<'_>,
        filled: &Filled<'_>,
    ) -> Result<Range<usize>, Error> {
        let directory = filled.folder.skill().ok_or_else(|| nowhere(entry))?;
        let file = [directory, "/", entry.file_name().unwrap_or(SKILL_FILE)].concat();
        let facts = Facts {
            name: entry.name(),
            directory,
            file: &file,
            arguments: &self.arguments,
        };
        let opened = template::Opened::new(out, template, &facts);
        let is_whole = template.content == TemplateContent::File;
        let whole = filled.checked.filter(|_| is_whole);
        let placed = match whole.and_then(|checked| checked.file.as_deref()) {
            Some(whole) => {
                out.push_str(&String::from_utf8_lossy(whole));
                Arguments::NotPlaced
            }
            None => self.push_content(out, entry, choices, filled)?,
        };
        let before = out.len();
        if placed == Arguments::NotPlaced && !self.arguments.is_empty() {
            template::push_arguments(out, template, &self.arguments);
        }
        let line = before..out.len();
        let moved = opened.close(out, &self.resources);
        Ok(line.start + moved..line.end + moved)
    }

    /// Appends the body with its arguments, or the pointer to the file, and the table of the tools' names.
    fn push_content(
        &self,
        out: &mut String,
        entry: &Entry<'_>,
        choices: Choices<'_>,
        filled: &Filled<'_>,
    ) -> Result<Arguments, Error> {
        let placed = match (&choices.profile.envelope, filled.checked) {
            (Envelope::Pointer, _) | (_, None) => {
                let place = entry.catalog().places().file(entry);
                let place = place.ok_or_else(|| nowhere(entry))?;
                for part in ["Use the skill ", &*self.skill, ": read ", &*place] {
                    out.push_str(part);
                }
                out.push_str(" and follow it.");
                Arguments::NotPlaced
            }
            (_, Some(Checked { body, fields, .. })) => {
                let values = Values {
                    placeholders: choices.profile.placeholders,
                    arguments: &self.arguments,
                    typed: filled.typed.map(|typed| TypedValues {
                        names: &typed.names,
                        values: &typed.values,
                        by_position: typed.by_position,
                    }),
                    variables: choices.variables,
                    listed: &fields.arguments,
                    folder: filled.folder,
                };
                #[cfg(test)]
                crate::text::counted::COPIES.with(|count| count.update(|count| count + 1));
                fill(out, body, &values).ok_or_else(|| entry.too_long())?
            }
        };
        let names = &choices.profile.tool_names;
        if names.place == TablePlace::Activation {
            let fields = filled
                .checked
                .map_or(entry.fields(), |checked| &checked.fields);
            let rules = fields.allowed_tools.iter().chain(&*fields.disallowed_tools);
            let in_lists = rules.map(|rule| &*rule.tool);
            let body = filled.checked.map_or("", |checked| &*checked.body);
            // What `allowed-tools` leaves is not asked: with skills that narrow, it depends on the others that a
            // person starts.
            let of_skill = &self.disallowed_tools;
            names.push_table_of(out, choices.tools, in_lists, body, |tool, kind| {
                is_taken(of_skill, tool, kind)
            });
        }
        Ok(placed)
    }

    /// Narrows the host's tools to the tools that the skill's `allowed-tools` names, without the tools of
    /// its `disallowed-tools`. A skill without `allowed-tools` allows all tools.
    pub fn narrow<T: AsRef<str>>(&self, available: &[T]) -> Narrowed {
        let available = Tools::named(available.iter().map(AsRef::as_ref));
        narrow(&[&self.allowed_tools], &available).without(&self.disallowed_tools)
    }

    /// Returns the notice about the skills that are not here.
    pub(crate) fn missing_skills_notice(&self) -> Option<Notice> {
        (!self.missing_skills.is_empty()).then(|| Notice::MissingSkills {
            skill: self.skill.clone(),
            missing: self.missing_skills.clone(),
        })
    }

    /// Joins the preamble, the note and the text into one message.
    pub fn message(&self) -> String {
        self.text.led_by(&lead(&self.preamble, &self.note)).into()
    }

    /// Returns the activation as a call of the skill tool with its result: the same bytes that the
    /// model's own call leaves in the conversation. The host supplies the id of the call.
    ///
    /// Returns `None` if no call can give this activation: the profile has no skill tool, or the tool
    /// takes no arguments and the activation has arguments.
    pub fn exchange(&self) -> Option<Exchange> {
        let tool = self.tool.as_ref()?;
        Some(Exchange {
            tool: tool.name.to_string(),
            arguments: tool.call(&self.skill, &self.arguments)?,
            result: self.text.clone(),
        })
    }

    /// Returns the parts of the text before and after the `ARGUMENTS:` line.
    pub(crate) fn without_arguments(&self) -> (&str, &str) {
        let Range { start, end } = self.arguments_line;
        (
            self.text.get(..start).unwrap_or_default(),
            self.text.get(end..).unwrap_or_default(),
        )
    }
}

/// Returns the rules with the names that the skill uses, and with the names that the host maps these to, in any case:
/// a tool of either name is taken away.
#[expect(clippy::ptr_arg, reason = "borrowed rules stay borrowed")]
fn with_both_names(
    rules: &Cow<'static, [ToolRule]>,
    choices: Choices<'_>,
) -> Cow<'static, [ToolRule]> {
    let mut ours: Vec<ToolRule> = Vec::new();
    for rule in rules.iter() {
        for (theirs, name) in choices.profile.tool_names.names() {
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

/// Returns the line before an activation, with the name and the arguments of the skill.
fn preamble(entry: &Entry<'_>, arguments: &str, text: &Text) -> Text {
    if !text.contains('{') {
        return text.clone();
    }
    let facts = Facts {
        name: entry.name(),
        directory: "",
        file: "",
        arguments,
    };
    template::preamble(text, &facts).into()
}

/// The bytes of tags, and of what stands between the parts of a text.
const SLACK: usize = 256;

/// Joins what stands before the text of a skill in a message of the user.
pub(crate) fn lead(preamble: &str, note: &str) -> String {
    let parts = [preamble, note].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(SEPARATOR)
}

fn nowhere(entry: &Entry<'_>) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format_args!(
            "skill '{}' has no file on disk, and the model reads files by path",
            entry.qualified_id()
        ),
    )
}

// Windows does not allow folders with these names.
#[cfg(all(test, unix))]
mod properties;
#[cfg(test)]
mod tests;
