//! `skills test`: tests whether skills are found for the messages in trigger files.

use crate::catalog::options::ClientOptions;
use crate::commands::agent_settings::{AgentLine, AgentOptions};
use crate::commands::check::read::{named, open};
use crate::commands::install::session::Watcher;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde_json::{Value, json};
use skills_agent::agent::{AgentCommand, AgentMessage, AgentRequest, TaskKind};
use skills_format::{Diagnostic, command, prose};
use skills_host::git::Observer as _;
use skills_lint::render;
use skills_repository::repository::Settings;
use skills_repository::triggers::{Judge, Loaded, Text, Texts};
use skills_runtime::{Catalog, Skill};
use skills_session::Dialect as _;
use skills_session::options::Options;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// The answer of an agent that starts no skill.
const NONE: &str = "none";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Test {
    /// A repository, a folder of skills, or one skill, by path or name
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Pass if the expected skill is among the first N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    top: u16,
    /// Ask an agent instead: a command that reads the task and the messages from standard input, one JSON object a
    /// line, and prints names of skills. Paths in it are relative to the current folder. Without a value: `agent`
    /// in ~/.config/skills/config.toml
    #[arg(long, value_name = "COMMAND", conflicts_with = "top", num_args = 0..=1, default_missing_value = "")]
    agent: Option<String>,
    /// How often to ask the agent each prompt
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
  skills test --top 1 --format json
  skills test --client claude-code --context 200k
  skills test --agent 'my-agent --print' --runs 5

triggers.yaml, beside a SKILL.md or beside the folders of skills, lists the prompts:

  skill: release-notes      # not needed beside its SKILL.md
  should: [what changed since 1.4?, write the change log for this tag]
  should_not: [write a commit message]

trigger_tests.yaml (waza) and tests.yml (aigent) are read too. Without an agent, only words are compared, but a model \
decides by meaning: a prompt that passes can still fail with a model. With an agent, a prompt passes if more than half of \
its answers are right.";

/// The texts of a bundle, and what a client shows of its skills.
#[derive(Debug)]
struct Tested {
    folder: String,
    loaded: Loaded,
    /// The list of skills as the client of `--client` writes it.
    list: Option<String>,
    texts: Vec<Text>,
}

impl Test {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (bundles, faults) = self.collect(cx.env)?;
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
                "{skills} of {path} cannot be read, and was left out: see {}",
                command("check").word(path)
            ));
        }
        let top = usize::from(self.top);
        let agent = self.agent(cx.env)?;
        let mut judged = Vec::new();
        for bundle in bundles.iter().filter(|bundle| !bundle.texts.is_empty()) {
            if let Some(agent) = &agent {
                self.ask(agent, bundle, &mut judged, cx)?;
            } else {
                let judge = Judge::new(&bundle.loaded);
                for text in &bundle.texts {
                    let found = judge.judge(text, top);
                    let name = bundle.loaded.name(text.skill);
                    let detail = json!({ "place": found.place, "first": found.first });
                    judged.push(Judged::new(text, name, found.failure.as_ref(), detail));
                }
            }
        }
        let by = match &agent {
            None => json!({ "by": "words", "top": top }),
            Some(_) => json!({ "by": "agent", "runs": self.runs }),
        };
        report(judged, &faults, by, cx)
    }

    /// Reads the bundles, and the findings about their trigger files.
    fn collect(&self, env: &Environment) -> Result<(Vec<Tested>, Vec<Diagnostic>), Failure> {
        let path = named(self.path.clone(), env);
        let repository = open(&path, &Settings::default(), env)?;
        let (mut bundles, mut faults) = (Vec::new(), Vec::new());
        for bundle in &repository.bundles {
            let mut loaded = Loaded::read(&repository, bundle);
            let texts = Texts::read(&repository, bundle, &loaded);
            faults.extend(texts.faults);
            let client = self.client.client;
            let list = client.map(|named| loaded.cut(named, self.client.context).text());
            bundles.push(Tested {
                folder: bundle.path.clone(),
                loaded,
                list,
                texts: texts.all,
            });
        }
        Ok((bundles, faults))
    }

    fn agent(&self, env: &Environment) -> Result<Option<AgentCommand>, Failure> {
        let Some(named) = &self.agent else {
            return Ok(None);
        };
        let agent = Some(named.clone()).filter(|named| !named.is_empty());
        AgentOptions { agent }.command(env).map(Some)
    }

    /// Asks the agent for each text of a bundle which skills it would start.
    fn ask(
        &self,
        agent: &AgentCommand,
        bundle: &Tested,
        judged: &mut Vec<Judged>,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        let on_disk = cx.env.absolute(bundle.folder.as_ref());
        let catalog = Catalog::builder().directory("skills", on_disk).load();
        let list = bundle.list.clone().unwrap_or_else(|| list(&catalog, cx));
        let watcher = Watcher::new();
        let limit = Duration::from_secs(self.timeout);
        for case in &bundle.texts {
            let message = &case.trigger.text;
            let question = format!(
                "A person writes:\n\n{message}\n\nWhich of these skills would you start for this message? Answer \
                 with names of skills alone, one on a line, the best first; or with `{NONE}`. Start nothing."
            );
            let request = AgentRequest {
                task: TaskKind::Test,
                folder: cx.env.working_folder.clone(),
                limit_seconds: Some(self.timeout),
                messages: vec![
                    AgentMessage::new("system", list.clone()),
                    AgentMessage::new("user", question),
                ],
                ..AgentRequest::default()
            };
            let mut answers = Vec::new();
            for _ in 0..self.runs {
                watcher.progress(&format!("asking: {message}"));
                let line = AgentLine::new(message);
                let is_stopped = || watcher.is_cancelled();
                let answer = agent.answer(&request, limit, &is_stopped, &line.progress());
                drop(line);
                watcher.quiet();
                answers.push(named_skills(&answer?, &catalog));
            }
            let name = bundle.loaded.name(case.skill);
            let failure = wrong(name, case.trigger.should, &answers);
            let detail = json!({ "answers": answers });
            judged.push(Judged::new(case, name, failure.as_ref(), detail));
        }
        Ok(())
    }
}

/// Returns why most answers are wrong, and the help.
fn wrong(skill: &str, should: bool, answers: &[NamedSkills]) -> Option<(String, &'static str)> {
    let all = answers.len();
    let names_it = |names: &&Vec<String>| names.iter().any(|name| name == skill);
    let named = answers.iter().flatten().filter(names_it).count();
    let unclear = answers.iter().filter(|answer| answer.is_none()).count();
    let right = if should { named } else { all - named - unclear };
    if 2 * right > all {
        return None;
    }
    if 2 * unclear >= all {
        let fact = format!("{unclear} of {all} answers are not names of skills or `none`");
        let help = "the agent must print names of skills, one on a line, or `none`";
        return Some((fact, help));
    }
    let skill = one_line(skill);
    let unclear_too = match unclear {
        0 => String::new(),
        unclear => format!("; {unclear} did not contain only names"),
    };
    let help = if should {
        "say in the description when the skill is meant, in words that people use"
    } else {
        "say in the description when the skill is not meant"
    };
    Some((
        format!("{named} of {all} answers name {skill}{unclear_too}"),
        help,
    ))
}

/// Reads the names in an answer. Returns `None` if a line is not the name of a skill.
fn named_skills(answer: &str, catalog: &Catalog) -> NamedSkills {
    let is_mark = |c: char| c.is_whitespace() || "-*`'\"$/.".contains(c);
    let lines = answer.lines().map(|line| line.trim_matches(is_mark));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let names = lines
        .into_iter()
        .filter(|line| !line.eq_ignore_ascii_case(NONE));
    let known = |name| catalog.get(name).filter(Skill::is_trusted);
    names
        .map(|name| Some(known(name)?.name().to_owned()))
        .collect()
}

fn list(catalog: &Catalog, cx: &mut Ctx) -> String {
    let rendered = Options::DEFAULT.list(catalog);
    if !rendered.omitted.is_empty() {
        cx.warning(format!(
            "the list of skills that the agent reads has no room for {}: see `skills prompt`",
            rendered.omitted.join(", ")
        ));
    }
    rendered.text
}

/// The skills that an answer names. `None` for an answer that is something else.
type NamedSkills = Option<Vec<String>>;

/// A text, and whether its skill was found.
struct Judged {
    passed: bool,
    finding: Diagnostic,
    document: Value,
}

/// Reports what a test found. `by` says how the texts were judged.
fn report(
    mut cases: Vec<Judged>,
    faults: &[Diagnostic],
    mut by: Value,
    cx: &mut Ctx,
) -> Result<Outcome, Failure> {
    cases.sort_by_cached_key(|it| (it.finding.path.clone(), it.finding.start.offset));
    let failed = cases.iter().filter(|case| !case.passed);
    let failed: Vec<&Diagnostic> = failed.map(|case| &case.finding).collect();
    let passed = cases.len() - failed.len();
    by["passed"] = passed.into();
    by["failed"] = failed.len().into();
    by["cases"] = cases.iter().map(|case| case.document.clone()).collect();
    by["faults"] = json!(faults);
    cx.report(&by)?;
    let findings = faults.iter().chain(failed.iter().copied());
    let mut findings: Vec<Diagnostic> = findings.cloned().collect();
    Diagnostic::sort(&mut findings);
    cx.foreign(&render::concise(&findings))?;
    if !findings.is_empty() {
        writeln!(cx)?;
    }
    let texts = counted(cases.len(), "prompt");
    writeln!(cx, "{texts}: {passed} passed, {} failed", failed.len())?;
    if !faults.is_empty() {
        let faults = counted(faults.len(), "problem");
        writeln!(cx, "{faults} in the files that list them")?;
    }
    let helps = failed.iter().map(|finding| &finding.help);
    for help in helps.collect::<BTreeSet<_>>() {
        cx.help(help);
    }
    if by["by"] == "words" {
        cx.note("only words were compared: a model decides by meaning");
    }
    Ok(Outcome::of(!findings.is_empty()))
}

impl Judged {
    fn new(
        case: &Text,
        skill: &str,
        failure: Option<&(String, &str)>,
        mut document: Value,
    ) -> Self {
        let finding = match failure {
            Some((message, help)) => case.finding(message, help),
            None => case.place.clone(),
        };
        document["path"] = json!(finding.path);
        document["line"] = json!(finding.start.line);
        document["column"] = json!(finding.start.column);
        document["skill"] = json!(skill);
        document["text"] = json!(case.trigger.text);
        document["should"] = json!(case.trigger.should);
        document["passed"] = json!(failure.is_none());
        document["message"] = json!(failure.map(|_| finding.message.to_string()));
        Self {
            passed: failure.is_none(),
            finding,
            document,
        }
    }
}
