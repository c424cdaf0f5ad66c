//! `skills resolve`: prints the meaning of a message, as a host sees the message.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::as_read::FileReader;
use crate::catalog::find;
use crate::catalog::itself::{Program, To};
use crate::environment::Environment;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::{Args, ValueEnum};
use serde::Serialize;
use skills_format::prose;
use skills_runtime::options::Listing;
use skills_runtime::profile::{Delivery, TaskPlace};
use skills_runtime::resolve::{Effect, Request, Verdict};
use skills_runtime::{Activation, Catalog, Notice, Profile, Resolution};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Resolve {
    /// The message; without it, standard input is read
    text: Option<String>,
    /// Where the message comes from
    #[arg(long, value_enum, default_value_t)]
    surface: Surface,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'
  skills resolve '/code-review the parser'
  skills resolve --format json 'please use $code-reveiw'
  git log -1 --format=%B | skills resolve --surface model

A shell replaces $name between double quotes: write the message in single quotes.";

/// Where a message comes from.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Surface {
    /// A person typed it to the agent
    #[default]
    User,
    /// A model wrote it
    Model,
}

impl From<Surface> for skills_runtime::Surface {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::User => Self::User,
            Surface::Model => Self::Model,
        }
    }
}

/// `resolve --format json`
#[derive(Serialize)]
struct ResolveDocument<'r> {
    schema: u32,
    #[serde(flatten)]
    resolution: &'r Resolution,
}

impl Resolve {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let OpenCatalog {
            catalog,
            profile,
            format,
        } = self.catalog.open(&[], environment, output)?;
        let text = input::given(self.text.as_deref(), output)?;
        let resolution = catalog.resolve(&text, self.surface.into(), profile);
        let (resolution, activations) = resolution.start_all(&text, &catalog, profile);
        match format {
            Format::Text => print(
                &text,
                (&resolution, &activations),
                &catalog,
                profile,
                output,
            )?,
            Format::Json => output.json(&ResolveDocument {
                schema: 1,
                resolution: &resolution,
            })?,
        }
        Ok(Outcome::Done)
    }
}

/// Prints for a person: the notices, the message to send, and the text for the model.
fn print(
    text: &str,
    (resolution, activations): (&Resolution, &[Activation]),
    catalog: &Catalog,
    profile: &Profile,
    output: &mut Output,
) -> Result<(), Failure> {
    for notice in &resolution.notices {
        let notice = output.on_one_line(find::at_a_shell(catalog, notice));
        writeln!(output, "{}", output.strong(notice))?;
    }
    if let Some(near) = near_command(text, resolution, catalog, profile) {
        let near = find::at_a_shell(catalog, &near);
        output.note(prose!(
            "{} A host reports this if its own commands are known to the library.",
            near
        ));
    }
    if let Some(program) = Program::of(profile) {
        of_program(program, resolution, catalog, output);
    }
    if let Some(reader) = FileReader::of(profile) {
        let started = activations.iter().filter_map(|it| catalog.get(&it.skill));
        started.for_each(|entry| reader.report_start(&entry, output));
    }
    match &resolution.effect {
        // The call is printed and never made, so no gate has to allow it.
        Effect::Dispatch(dispatch) => {
            match dispatch.clone().ask(catalog, |_, _| Verdict::Allowed) {
                Ok(call) => {
                    labelled("Tool:", &one_line(&call.tool), output)?;
                    labelled("Arguments:", &call.arguments, output)?;
                }
                Err(refused) => labelled("Task:", &refused.to_string(), output)?,
            }
        }
        Effect::Request(meta) => labelled("For the host:", &asked(meta, profile), output)?,
        // The notice gives the reason. Nothing is called, and nothing is sent.
        Effect::NotCalled(_) => {}
        Effect::Plain
        | Effect::Activate
        | Effect::ChooseOne
        | Effect::Command
        | Effect::Refused(_) => {
            let task = &*resolution.task;
            let is_in_skill = |activation: &Activation| match &*activation.arguments {
                "" => task.starts_with('/'),
                arguments => arguments == task.trim(),
            };
            match profile.task {
                TaskPlace::InSkill if activations.iter().any(is_in_skill) => {}
                TaskPlace::TypedFirst if !activations.is_empty() => {
                    labelled("Task:", text, output)?;
                }
                _ => labelled("Task:", task, output)?,
            }
        }
    }
    for activation in activations {
        writeln!(output)?;
        if profile.delivery == Delivery::ToolCall
            && let Some(call) = activation.exchange()
        {
            labelled(
                "Call:",
                &format!("{} {}", call.tool, call.arguments),
                output,
            )?;
        }
        output.foreign(&activation.message())?;
        writeln!(output)?;
    }
    Ok(())
}

/// Returns the notice about a slash command that is nearly that of a skill. Of a host without known commands the resolution
/// has none, since the text can be a command of the host. Here the person asks what the text means.
fn near_command(
    text: &str,
    resolution: &Resolution,
    catalog: &Catalog,
    profile: &Profile,
) -> Option<Notice> {
    if resolution.effect != Effect::Plain || !text.trim_start().starts_with('/') {
        return None;
    }
    let of_host = profile.clone().with(|profile| {
        // Reserved in any case: the commands of the host count as known.
        profile.commands.reserved = vec!["skill".into()].into();
    });
    let again = catalog.resolve(text, resolution.surface, &of_host);
    let is_near = |notice: &Notice| {
        matches!(
            notice,
            Notice::Suggestion { id, .. } | Notice::Ambiguous { id, .. } if id.starts_with('/')
        )
    };
    let is_new = |notice: &Notice| !resolution.notices.contains(notice);
    again
        .notices
        .into_iter()
        .find(|it| is_near(it) && is_new(it))
}

/// Reports the skills that are closed here, and that the program of the profile would start.
fn of_program(program: Program, resolution: &Resolution, catalog: &Catalog, output: &mut Output) {
    for notice in &resolution.notices {
        let (skill, to) = match notice {
            Notice::NotInvocable {
                skill,
                mark: Some(_),
            } => (skill, To::Person),
            Notice::NotInvocable { skill, mark: None } => (skill, To::Model),
            _ => continue,
        };
        if let Some(entry) = catalog.get(skill) {
            program.report_start(&entry, to, output);
        }
    }
}

fn labelled(label: &str, text: &str, output: &mut Output) -> Result<(), Failure> {
    let text = text.trim_end_matches('\n');
    write!(output, "{}", output.strong(label))?;
    if !text.is_empty() {
        write!(output, " ")?;
        output.foreign(text)?;
    }
    writeln!(output)?;
    Ok(())
}

/// Describes the request of `/skill` to the host.
fn asked(meta: &Request, profile: &Profile) -> String {
    match meta {
        Request::List if profile.commands.listing == Listing::Commands => {
            "list the commands".to_owned()
        }
        Request::List => "list the skills".to_owned(),
        Request::Enable { id } => format!("enable {id}"),
        Request::Disable { id } => format!("disable {id}"),
        Request::Trust { id } => format!("trust {id}"),
        Request::Stop { id: None } => "stop all skills".to_owned(),
        Request::Stop { id: Some(id) } => format!("stop {id}"),
        Request::Run { id, arguments } => format!("run {id} {arguments}").trim_end().to_owned(),
        Request::Untrust { id } => format!("untrust {id}"),
        Request::Help { verb: Some(verb) } => format!("{verb} what? write /skill {verb} ID"),
        Request::Help { verb: None } => "explain the requests".to_owned(),
        _ => "a request that is newer than this program".to_owned(),
    }
}
