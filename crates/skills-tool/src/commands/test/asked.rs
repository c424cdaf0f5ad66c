//! The answers of an agent: the skills that the agent would start for a message.

use crate::commands::agent_settings::AgentLine;
use crate::commands::install::session::Watcher;
use crate::commands::test::report::{Detail, Judged};
use crate::commands::test::tested::Tested;
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use skills_format::prose;
use skills_host::agent::{AgentCommand, AgentMessage, AgentRequest, TaskKind};
use skills_host::git::Observer as _;
use skills_runtime::{Catalog, Entry};
use skills_session::Profile;
use std::path::PathBuf;
use std::time::Duration;

/// The word for no skill.
const NONE: &str = "none";

/// An agent, and the options of its questions.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) command: AgentCommand,
    /// The number of questions for each message.
    pub(super) runs: u16,
    /// The maximum time for an answer.
    pub(super) limit: Duration,
}

/// The skills that an agent would start. `None` for an answer that is not a list of names.
type NamedSkills = Option<Vec<String>>;

/// Asks an agent about every message of a bundle.
pub(super) fn judge_all(
    bundle: &Tested,
    agent: &Agent,
    cx: &mut Ctx,
) -> Result<Vec<Judged>, Failure> {
    let asked = AskedAgent::new(agent, bundle, cx);
    let cases = bundle.texts.iter();
    cases
        .map(|case| {
            let answers = asked.ask(&case.trigger.text)?;
            let failure = wrong(
                bundle.loaded.name(case.skill),
                case.trigger.should,
                &answers,
            );
            Ok(Judged::new(
                case,
                bundle,
                failure,
                Detail::Agent { answers },
            ))
        })
        .collect()
}

/// Returns why a message failed, and the help. A message fails when at least half of its answers are wrong.
fn wrong(skill: &str, should: bool, answers: &[NamedSkills]) -> Option<(String, &'static str)> {
    let all = answers.len();
    let named = answers
        .iter()
        .flatten()
        .filter(|names| names.iter().any(|name| name == skill))
        .count();
    let unclear = answers.iter().filter(|answer| answer.is_none()).count();
    let right = if should { named } else { all - named - unclear };
    if 2 * right > all {
        return None;
    }
    let skill = one_line(skill);
    let unclear_too = match unclear {
        0 => String::new(),
        unclear => format!("; {unclear} answered something else than names"),
    };
    let message = format!("{named} of {all} answers name {skill}{unclear_too}");
    let help = match (unclear, should) {
        (unclear, _) if 2 * unclear >= all => {
            "the agent must print names of skills, one on a line, or `none`"
        }
        (_, true) => "say in the description when the skill is meant, in words that people use",
        (_, false) => "say in the description when the skill is not meant",
    };
    Some((message, help))
}

/// An agent with the skills of one folder.
struct AskedAgent<'a> {
    agent: &'a Agent,
    catalog: Catalog,
    text: String,
    /// The folder in which the agent starts.
    folder: Option<PathBuf>,
    watcher: Watcher,
}

impl<'a> AskedAgent<'a> {
    /// Loads the skills of a folder, and the list of skills for the agent.
    fn new(agent: &'a Agent, bundle: &Tested, cx: &mut Ctx) -> Self {
        let on_disk = cx.env.absolute(bundle.folder.as_ref());
        let catalog = Catalog::builder()
            .directory("skills", on_disk)
            .load()
            .catalog;
        let text = bundle.list.clone().unwrap_or_else(|| list(&catalog, cx));
        Self {
            agent,
            catalog,
            text,
            folder: cx.env.working_folder.clone(),
            watcher: Watcher::new(),
        }
    }

    /// Returns the answers to a message, one for each run.
    fn ask(&self, message: &str) -> Result<Vec<NamedSkills>, Failure> {
        (1..=self.agent.runs)
            .map(|_| self.ask_once(message))
            .collect()
    }

    fn ask_once(&self, message: &str) -> Result<NamedSkills, Failure> {
        self.watcher.progress(&format!("asking: {message}"));
        let is_stopped = || self.watcher.is_cancelled();
        let line = AgentLine::new(message);
        let answer = self.agent.command.answer(
            &self.request(message),
            self.agent.limit,
            &is_stopped,
            &line.progress(),
        );
        drop(line);
        self.watcher.quiet();
        let answer = answer?;
        Ok(self.read(&answer))
    }

    fn request(&self, message: &str) -> AgentRequest {
        let question = format!(
            "A person writes:\n\n{message}\n\nWhich of these skills would you start for this message? Answer \
             with names of skills alone, one on a line, the best first; or with `{NONE}`. Start nothing."
        );
        AgentRequest {
            task: TaskKind::Test,
            folder: self.folder.clone(),
            limit: Some(self.agent.limit),
            messages: vec![
                AgentMessage::new("system", self.text.clone()),
                AgentMessage::new("user", question),
            ],
            ..AgentRequest::default()
        }
    }

    /// Parses names, one on each line. Characters of lists, code and mentions around a name are ignored.
    fn read(&self, answer: &str) -> NamedSkills {
        let is_mark = |c: char| c.is_whitespace() || "-*`'\"$/.".contains(c);
        let lines: Vec<&str> = answer
            .lines()
            .map(|line| line.trim_matches(is_mark))
            .filter(|line| !line.is_empty())
            .collect();
        if lines.is_empty() {
            return None;
        }
        let names = lines
            .into_iter()
            .filter(|line| !line.eq_ignore_ascii_case(NONE));
        names
            .map(|name| {
                let entry = self.catalog.get(name).filter(Entry::is_trusted)?;
                Some(entry.name().to_owned())
            })
            .collect()
    }
}

/// Returns the list of skills for an agent, in the format of the default profile.
fn list(catalog: &Catalog, cx: &mut Ctx) -> String {
    let rendered = Profile::DEFAULT.prompt(catalog);
    if !rendered.omitted.is_empty() {
        cx.warning(prose!(
            "the list of skills that the agent reads has no room for {}: see `skills prompt`",
            rendered.omitted.join(", ")
        ));
    }
    rendered.text
}
