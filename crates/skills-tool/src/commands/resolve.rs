//! `skills resolve`: prints the meaning of a message, as a host sees the message.

use crate::catalog::find;
use crate::catalog::options::CatalogArguments;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, one_line};
use clap::Args;
use serde_json::json;
use skills_profiles::Profile;
use skills_rank::margin;
use skills_runtime::{Catalog, Outcome as Meaning, Surface};
use skills_session::options::{Delivery, TaskPlace};
use skills_session::prompt::{Ranked, Ranker};
use skills_session::resolve::{Effect, Request, Verdict};
use skills_session::{Activation, Dialect as _, Notice, Resolution};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Resolve {
    /// The message; without it, standard input is read
    text: Option<String>,
    /// Treat the message as a model's, not a person's
    #[arg(long)]
    from_model: bool,
    /// Rank the skills by the words that they share with the message, instead
    #[arg(long, conflicts_with = "from_model")]
    rank: bool,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'
  skills resolve '/code-review the parser'
  git log -1 --format=%B | skills resolve --from-model
  skills resolve --rank 'what changed since the last version?'

A shell replaces $name between double quotes: write the message in single quotes.";

impl Resolve {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (catalog, profile) = self.catalog.open(&[], cx)?;
        let text = input::given(self.text.as_deref(), cx)?;
        if self.rank {
            return rank(&text, &catalog, cx);
        }
        let surface = if self.from_model {
            Surface::Model
        } else {
            Surface::User
        };
        let resolution = profile.resolve(&catalog, &text, surface);
        let (resolution, activations) = resolution.start_all(&text, &catalog, profile);
        cx.report(&resolution)?;
        print(&text, (&resolution, &activations), &catalog, profile, cx)?;
        let is_not_started = |notice: &Notice| {
            use Meaning::{Ambiguous, Refused, Unknown};
            matches!(
                notice.outcome(),
                Some(Unknown | Refused { .. } | Ambiguous { .. })
            )
        };
        Ok(Outcome::of(resolution.notices.iter().any(is_not_started)))
    }
}

/// Ranks the skills by words alone: those of the text with those of names, aliases, descriptions and tags. A model decides
/// by meaning, so this is not its choice.
fn rank(text: &str, catalog: &Catalog, cx: &mut Ctx) -> Result<Outcome, Failure> {
    /// The maximum number of printed skills. The document has all skills.
    const SHOWN: usize = 5;
    let ranked: Vec<Ranked> = Ranker::new(catalog).rank(text).collect();
    let margin = margin(ranked.iter().map(|skill| skill.score));
    cx.report(&json!({ "margin": margin, "ranked": ranked }))?;
    let mut table = Table::new(["SKILL", "SCORE", "WORDS"]);
    for skill in ranked.iter().take(SHOWN) {
        let words: Vec<_> = skill.terms.iter().map(|word| one_line(word)).collect();
        let score = format!("{:.2}", skill.score);
        table.push([one_line(&skill.id), score, words.join(", ")]);
    }
    table.print(cx)?;
    match &ranked[..] {
        [] => cx.note("no skill has a word of this text in its name, description or tags"),
        [_] => {}
        [first, second, ..] => {
            let percent = (100.0 * margin).round();
            let (first, second) = (one_line(&first.id), one_line(&second.id));
            cx.note(format!("{first} is {percent:.0}% ahead of {second}"));
        }
    }
    if ranked.len() > SHOWN {
        let more = ranked.len() - SHOWN;
        cx.note(format!("{more} more: --format json has all of them"));
    }
    Ok(Outcome::Done)
}

/// Prints for a person: the notices, the message to send, and the text for the model.
fn print(
    text: &str,
    (resolution, activations): (&Resolution, &[Activation]),
    catalog: &Catalog,
    profile: &Profile,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    for notice in &resolution.notices {
        let notice = cx.on_one_line(find::at_a_shell(notice));
        writeln!(cx, "{}", cx.strong(notice))?;
    }
    match &resolution.effect {
        // The call is printed and never made, so no gate has to allow it.
        Effect::Dispatch(dispatch) => {
            match dispatch.clone().ask(catalog, |_, _| Verdict::Allowed) {
                Ok(call) => {
                    labelled("Tool:", &one_line(&call.tool), cx)?;
                    labelled("Arguments:", &call.arguments, cx)?;
                }
                Err(refused) => labelled("Task:", &refused, cx)?,
            }
        }
        Effect::Request(meta) => labelled("For the program:", &asked(meta, profile), cx)?,
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
            match profile.options.task {
                TaskPlace::InSkill if activations.iter().any(is_in_skill) => {}
                TaskPlace::TypedFirst if !activations.is_empty() => {
                    labelled("Task:", text, cx)?;
                }
                _ => labelled("Task:", task, cx)?,
            }
        }
    }
    for activation in activations {
        writeln!(cx)?;
        if profile.options.delivery == Delivery::ToolCall
            && let Some(call) = activation.exchange()
        {
            labelled("Call:", &format!("{} {}", call.tool, call.arguments), cx)?;
        }
        cx.foreign(&activation.message())?;
        writeln!(cx)?;
    }
    Ok(())
}

fn labelled(label: &str, text: &str, cx: &mut Ctx) -> Result<(), Failure> {
    let text = text.trim_end_matches('\n');
    write!(cx, "{}", cx.strong(label))?;
    if !text.is_empty() {
        write!(cx, " ")?;
        cx.foreign(text)?;
    }
    writeln!(cx)?;
    Ok(())
}

/// Describes the request of `/skill` to the host.
fn asked(meta: &Request, profile: &Profile) -> String {
    match meta {
        Request::List if profile.lists_commands => "list the commands".to_owned(),
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
