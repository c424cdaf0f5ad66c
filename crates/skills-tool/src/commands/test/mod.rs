//! `skills test`: tests whether skills are found for the messages in trigger files.

mod accuracy;
mod asked;
mod document;
mod report;
mod tested;
mod words;

use crate::catalog::clients::ClientOptions;
use crate::commands::agent_settings::{AgentInputOption, has_settings_agent, settings_shown};
use crate::commands::test::asked::Agent;
use crate::commands::test::report::{By, Report};
use crate::commands::test::tested::collect;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted};
use clap::Args;
use skills_format::{command, prose};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Test {
    /// A folder of skills, of a repository, or of one skill
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// The maximum rank of the expected skill
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    top: u16,
    /// Ask an agent instead: a command that reads the task and the messages from standard input, one JSON
    /// object a line, and prints names of skills. Paths in it are relative to the present folder. Without a
    /// value: `agent` of skills/config.toml in the folder of settings
    #[arg(long, value_name = "COMMAND", conflicts_with = "top", num_args = 0..=1, default_missing_value = "")]
    agent: Option<String>,
    #[command(flatten)]
    input: AgentInputOption,
    /// The number of answers of the agent for each prompt
    #[arg(long, value_name = "N", default_value_t = 3, requires = "agent", value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// The time limit of an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "agent", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    #[command(flatten)]
    client: ClientOptions,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills test
  skills test skills/release-notes
  skills test --top 1 --format json
  skills test --client claude-code --context 200k
  skills test --agent 'my-agent --print' --runs 5

triggers.yaml, beside a SKILL.md or beside the folders of skills, lists the prompts:

  skill: release-notes      # not needed beside its SKILL.md
  should: [what changed since 1.4?, write the change log for this tag]
  should_not: [write a commit message]

trigger_tests.yaml (waza) and tests.yml (aigent) are read too. Without an agent, only words are compared. A \
prompt of `should` passes if the skill is among the first --top skills. A prompt of `should_not` passes unless \
the skill is the first, a tenth ahead of the second, and has at least half of its words. A model decides by \
meaning: a prompt that passes can still fail with a model. With an agent, a prompt passes if more than half of \
its answers are right. With --client, \
only what the client shows of each skill counts, and an agent reads the list as that client writes it.";

impl Test {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (bundles, faults) = collect(&self.path, &self.client, cx.env)?;
        if faults.is_empty() && bundles.iter().all(|bundle| bundle.texts.is_empty()) {
            return Err(Failure::not_so(
                prose!("no file below {} lists prompts for skills", &self.path),
                "write triggers.yaml beside a SKILL.md: `should:` and a list of prompts",
            ));
        }
        for bundle in bundles.iter().filter(|bundle| bundle.loaded.unread > 0) {
            let skills = counted(bundle.loaded.unread, "skill");
            let path = &bundle.folder;
            cx.warning(prose!(
                "{skills} of {path} cannot be read, and took no part: see {}",
                command("check").word(path)
            ));
        }
        let agent = self.agent(cx.env)?;
        let by = match &agent {
            None => By::Words {
                top: usize::from(self.top),
            },
            Some(agent) => By::Agent { runs: agent.runs },
        };
        let mut judged = Vec::new();
        for bundle in bundles.iter().filter(|bundle| !bundle.texts.is_empty()) {
            judged.extend(match &agent {
                None => words::judge_all(bundle, usize::from(self.top)),
                Some(agent) => asked::judge_all(bundle, agent, cx)?,
            });
        }
        let report = Report::new(by, judged, faults);
        if cx.is_json {
            cx.json(&report.document())?;
        } else {
            report.print(cx)?;
            if agent.is_none() && has_settings_agent(cx.env) {
                let place = settings_shown(cx.env);
                cx.note(format!("--agent asks the agent of {place}"));
            }
        }
        Ok(if report.has_failed() {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    fn agent(&self, env: &Environment) -> Result<Option<Agent>, Failure> {
        let Some(named) = &self.agent else {
            return Ok(None);
        };
        let named = Some(named.as_str()).filter(|named| !named.is_empty());
        let command = self.input.found(named, env)?.ok_or_else(|| {
            let place = settings_shown(env);
            Failure::failed(
                "no agent is named",
                format_args!("use --agent COMMAND, or write agent = \"COMMAND\" into {place}"),
            )
        })?;
        Ok(Some(Agent {
            command,
            runs: self.runs,
            limit: Duration::from_secs(self.timeout),
        }))
    }
}
