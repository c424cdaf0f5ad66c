//! A turn: the meaning of a message, the messages that enter the conversation, and the agent's answer.

use crate::catalog::find;
use crate::catalog::skill::InstalledIndex;
use crate::commands::agent_settings::{AgentOptions, settings_shown};
use crate::commands::chat::answer::{Answer, answer};
use crate::commands::chat::console::Signals;
use crate::commands::chat::host::{Current, Host, report as report_failure};
use crate::commands::chat::shown::{self, Conversation, Fold, labelled, system_text, tool_call};
use crate::commands::improve::repair;
use crate::commands::list;
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use serde_json::{Value, json};
use skills_agent::agent::{
    AgentAnswer, AgentCommand, AgentFunction, AgentMessage, AgentRequest, AgentToolCall, TaskKind,
};
use skills_agent::improve::{Step, Trace};
use skills_format::mention::Refusal;
use skills_runtime::{Catalog, Notice as Mentioned, Outcome as Meaning, Surface};
use skills_session::activation::{Approved, Narrowed};
use skills_session::options::Tools;
use skills_session::resolve::{Dispatch, Effect, Request, Verdict};
use skills_session::session::{Message, TurnOutcome};
use skills_session::{Dialect as _, Notice};
use std::io::Write as _;

/// The maximum number of answers in a row that only call tools.
const MOST_ROUNDS: usize = 20;

/// A prompt: the conversation, its skills and its agent.
pub(crate) struct Talk<'t> {
    pub(crate) host: Host<'t>,
    pub(crate) conversation: Conversation,
    pub(crate) tools: &'t Tools,
    pub(crate) agent: Option<&'t AgentCommand>,
    pub(crate) agent_options: &'t AgentOptions,
    /// True once the prompt said that no agent is named.
    pub(crate) told_no_agent: bool,
    /// True if the agent failed in a turn.
    pub(crate) has_failed: bool,
}

/// The next step of the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    /// The message produced only notices, and was not sent.
    Unsent,
    /// The agent failed.
    Failed,
    Stop,
}

impl Talk<'_> {
    /// Handles a message as a host does.
    pub(crate) fn turn(
        &mut self,
        text: &str,
        signals: &Signals,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let current = self.host.live.current();
        // Before the turn: a misspelt command must not enter the conversation.
        if let Some((name, near)) = unknown_command(text, &current) {
            report(&near, &current.catalog, cx)?;
            cx.failure(&Failure::failed(
                format_args!("no command is called /{}", one_line(name)),
                "/help lists the commands; begin with a space to send it as a message",
            ));
            // Not put back on the line: the next message would be typed behind it, and sent with it. The history has it.
            return Ok(Next::GoOn);
        }
        let outcome = self.conversation.turn(text, &current);
        report(&outcome.notices, &current.catalog, cx)?;
        if let Some(dispatch) = &outcome.dispatch
            && self.dispatch(dispatch, signals, cx)? == Next::Stop
        {
            return Ok(Next::Stop);
        }
        if let Some(request) = outcome.request.clone() {
            self.carry_out(request, cx)?;
        }
        if outcome.messages.is_empty() {
            let is_answered = outcome.dispatch.is_some() || outcome.request.is_some();
            let is_unsent = !is_answered && !outcome.notices.is_empty() && !text.starts_with('/');
            if is_unsent {
                cx.note("(not sent)");
                return Ok(Next::Unsent);
            }
            return Ok(Next::GoOn);
        }
        let system = system_text(&current);
        self.show(text, &outcome, cx)?;
        self.answer((outcome.tools, outcome.approved), &system, signals, cx)
    }

    fn show(&self, typed: &str, outcome: &TurnOutcome, cx: &mut Ctx) -> Result<(), Failure> {
        // With an agent, the person has just typed this text.
        let is_shown = |message: &&Message| {
            self.agent.is_none() || !matches!(message, Message::User { text } if text == typed)
        };
        let messages: Vec<Message> = outcome.messages.iter().filter(is_shown).cloned().collect();
        shown::messages(&messages, Fold::Folded, cx)?;
        shown::tools(self.tools, &outcome.tools, &outcome.approved, cx)
    }

    /// Sends the conversation to the agent, prints its answer, and answers its calls of skill tools.
    fn answer(
        &mut self,
        (mut tools, mut approved): (Narrowed, Approved),
        system: &str,
        signals: &Signals,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let Some(agent) = self.agent else {
            if !std::mem::replace(&mut self.told_no_agent, true) {
                let place = settings_shown(self.host.env);
                cx.note(format!(
                    "no agent is set: messages are shown, not sent. To set one: \
                     `--agent COMMAND`, or agent = \"COMMAND\" in {place}"
                ));
            }
            return Ok(Next::GoOn);
        };
        let mut steps = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let messages = self.conversation.for_agent(system);
            let request = self.request(&tools, &approved, messages);
            // An empty line separates the answer from the messages.
            writeln!(cx)?;
            let text = match answer(agent, &request, signals, cx)? {
                Answer::Whole(text) => text,
                Answer::Ended(text) => {
                    self.conversation.broke_off(text);
                    return Ok(Next::GoOn);
                }
                Answer::Failed(text) => {
                    self.conversation.broke_off(text);
                    return Ok(Next::Failed);
                }
                Answer::Stopped => return Ok(Next::Stop),
            };
            let Some(answer) = AgentAnswer::parse(&text) else {
                self.start_named(text, cx)?;
                return Ok(self.repair(steps, cx));
            };
            steps.extend(answer.steps);
            let content = answer.content.unwrap_or_default();
            if answer.tool_calls.is_empty() {
                self.start_named(content, cx)?;
                return Ok(self.repair(steps, cx));
            }
            self.conversation.broke_off(content);
            for call in answer.tool_calls {
                let step = self.call(call, cx)?;
                steps.push(step);
            }
            (tools, approved) = self.conversation.tools();
        }
        cx.warning(format_args!(
            "the agent called tools {MOST_ROUNDS} times in a row, and gave no answer"
        ));
        Ok(Next::Failed)
    }

    fn request(
        &self,
        tools: &Narrowed,
        approved: &Approved,
        messages: Vec<AgentMessage>,
    ) -> AgentRequest {
        let left: Vec<String> = tools.tools.iter().map(shown::written).collect();
        let approved = approved_rules(approved);
        let current = self.host.live.current();
        let specs = current.profile.tools(&current.catalog);
        AgentRequest {
            task: TaskKind::Chat,
            folder: self.host.env.working_folder.clone(),
            variables: vec![
                ("SKILLS_TOOLS".to_owned(), left.join(",")),
                ("SKILLS_APPROVED".to_owned(), approved.to_string()),
            ],
            tools: Some(left),
            approved: Some(approved),
            skill_tools: specs.iter().map(|spec| json!(spec)).collect(),
            messages,
            ..AgentRequest::default()
        }
    }

    /// Answers a call of a skill tool. The result enters the conversation.
    fn call(&mut self, call: AgentToolCall, cx: &mut Ctx) -> Result<Step, Failure> {
        let AgentFunction { name, arguments } = &call.function;
        labelled("call", &format!("{name} {arguments}"), Fold::Folded, cx)?;
        let current = self.host.live.current();
        let called = self.conversation.call(call.clone(), &current);
        let (result, error) = match called {
            Ok(outcome) => {
                report(&outcome.turn.notices, &current.catalog, cx)?;
                (outcome.result.clone(), None)
            }
            Err(error) => (error.to_string(), Some(error.to_string())),
        };
        labelled("result", &result, Fold::Folded, cx)?;
        Ok(Step {
            tool: call.function.name,
            input: Some(call.function.arguments),
            error,
        })
    }

    /// Hands the steps of a turn to the repair of the skills that were active, if a step failed.
    fn repair(&self, steps: Vec<Step>, cx: &mut Ctx) -> Next {
        let skills = self.conversation.active();
        let trace = Trace::new(skills, steps);
        if trace.errors().next().is_some() && !trace.skills.is_empty() {
            report_failure(
                repair(&trace, &self.host.options, self.agent_options, cx),
                cx,
            );
        }
        Next::GoOn
    }

    /// Starts the skills that an answer mentions, for the next turn.
    fn start_named(&mut self, answer: String, cx: &mut Ctx) -> Result<(), Failure> {
        let current = self.host.live.current();
        let outcome = self.conversation.answered(answer, &current);
        report(&outcome.notices, &current.catalog, cx)?;
        shown::messages(&outcome.messages, Fold::Folded, cx)?;
        if outcome.started.is_empty() {
            return Ok(());
        }
        shown::tools(self.tools, &outcome.tools, &outcome.approved, cx)
    }

    /// Has the agent make the tool call of a slash command, with no turn of its model. Without an agent, prints the call.
    fn dispatch(
        &mut self,
        dispatch: &Dispatch,
        signals: &Signals,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let catalog = self.host.catalog();
        let (tools, approved) = self.conversation.tools();
        let gate = |tool: &str, input: &str| match self.agent {
            Some(_) if !self.tools.iter().any(|(name, _)| name == tool) => Verdict::Unknown,
            Some(_) => tools.allows(tool, input).into(),
            None => Verdict::Allowed,
        };
        let call = match dispatch.clone().ask(&catalog, gate) {
            Ok(call) => call,
            Err(refused) => {
                cx.warning(refused);
                return Ok(Next::GoOn);
            }
        };
        let text = format!("{} {}", one_line(&call.tool), call.arguments);
        labelled("call", text.trim_end(), Fold::Whole, cx)?;
        let Some(agent) = self.agent else {
            let note = "a client calls this tool now, without asking the model";
            labelled("", note, Fold::Whole, cx)?;
            return Ok(Next::GoOn);
        };
        let arguments = json!({
            "command": call.arguments,
            "commandName": dispatch.name,
            "skillName": dispatch.skill,
        });
        let messages = vec![tool_call("dispatch", &call.tool, &arguments.to_string())];
        let request = self.request(&tools, &approved, messages);
        match answer(agent, &request, signals, cx)? {
            Answer::Stopped => return Ok(Next::Stop),
            Answer::Failed(_) => {
                self.has_failed = true;
                let step = Step {
                    tool: call.tool,
                    input: Some(call.arguments),
                    error: Some("the agent could not make the call".to_owned()),
                };
                let trace = Trace::new([dispatch.skill.clone()], vec![step]);
                repair(&trace, &self.host.options, self.agent_options, cx)?;
            }
            Answer::Whole(_) | Answer::Ended(_) => {}
        }
        Ok(Next::GoOn)
    }

    /// Carries out a request of `/skill`.
    fn carry_out(&mut self, request: Request, cx: &mut Ctx) -> Result<(), Failure> {
        match request {
            Request::List => {
                let current = self.host.live.current();
                let (catalog, profile) = (&current.catalog, &current.profile);
                if profile.lists_commands {
                    let commands = profile.commands(catalog);
                    return list::slash(&commands, cx);
                }
                let installed = InstalledIndex::new(catalog, cx);
                list::table(catalog, None, &installed, cx)
            }
            request => {
                let notices = self.host.carry_out(request, cx)?;
                report(&notices, &self.host.catalog(), cx)
            }
        }
    }
}

/// Returns the name that a message uses as a command, if no command has this name, and the notices that offer near names.
fn unknown_command<'t>(text: &'t str, current: &Current) -> Option<(&'t str, Vec<Notice>)> {
    let word = text.strip_prefix('/')?.split_whitespace().next()?;
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    // A path such as `/usr/bin` is a message, not a command.
    if !word.chars().all(is_letter) {
        return None;
    }
    let resolution = current
        .profile
        .resolve(&current.catalog, text, Surface::User);
    let is_near = |notice: &Notice| matches!(notice, Notice::Outcome(Mentioned { id, outcome: Meaning::Ambiguous { .. } }) if id.trim_start_matches('/') == word);
    let (near, others): (Vec<_>, Vec<_>) = resolution.notices.into_iter().partition(is_near);
    let is_unknown = resolution.effect == Effect::Plain
        && others.iter().all(|notice| *notice == Notice::unknown(word));
    is_unknown.then_some((word, near))
}

/// Prints notices for the person.
pub(crate) fn report(notices: &[Notice], catalog: &Catalog, cx: &mut Ctx) -> Result<(), Failure> {
    for notice in notices {
        let words = noticed(notice, catalog);
        writeln!(cx, "{}", cx.strong(one_line(&words)))?;
    }
    Ok(())
}

/// Formats a notice. A skill that has changed since it was trusted gets its own wording.
fn noticed(notice: &Notice, catalog: &Catalog) -> String {
    if let Some(Meaning::Refused {
        skill,
        why: Refusal::Untrusted { .. },
    }) = notice.outcome()
        && let Ok(entry) = find::find(catalog, skill)
        && let Some((_, Some(changes))) = entry.trusted_record()
    {
        return format!(
            "Skill '{skill}' has changed since you trusted it: {changes}. /skills shows the difference; \
             /skill trust {skill} trusts it as it is."
        );
    }
    notice.to_string()
}

/// Writes the approved rules as JSON, each with the host's name of the tool: an agent that cannot read a rule asks.
fn approved_rules(approved: &Approved) -> Value {
    let rules = approved.rules.iter();
    let rules = rules.map(
        |rule| json!({ "tool": rule.tool, "rule": rule.rule.to_string(), "skill": rule.skill }),
    );
    rules.collect()
}
