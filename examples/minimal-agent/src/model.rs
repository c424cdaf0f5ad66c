//! A stand-in for a model: prints its input, and answers from a script. Each line of the script is an
//! answer: a text, or `call TOOL JSON`. Without a script every answer is empty.

use skills_runtime::activation::Narrowed;
use skills_runtime::session::{CallOutcome, Message, ToolError, ToolSpec, TurnOutcome};
use std::{env, fs, io, vec};

/// An answer of a model.
pub(crate) enum Reply {
    /// A call of a tool.
    Call {
        /// The tool's name.
        tool: String,
        /// The arguments as JSON, as the model wrote them.
        arguments: String,
    },
    /// A text, which ends the turn.
    Text(String),
    /// No answer: there was no turn.
    None,
}

/// The answers that the model still has.
pub(crate) struct Model {
    answers: vec::IntoIter<String>,
}

impl Model {
    /// Begins a conversation, with the tools for skills.
    pub(crate) fn open(system: &str, tools: &[ToolSpec]) -> io::Result<Self> {
        let script = env::args_os().nth(1);
        let script = script.map(fs::read_to_string).transpose()?;
        let answers: Vec<String> = script
            .iter()
            .flat_map(|text| text.lines())
            .map(str::to_owned)
            .collect();
        let tools: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        show("skill tools", &tools.join(" "));
        show("system", system);
        let answers = answers.into_iter();
        Ok(Self { answers })
    }

    /// Sends messages, and the names of the allowed tools. Without a message there is no turn.
    pub(crate) fn send(&mut self, messages: &[Message], tools: &Narrowed) -> Reply {
        if messages.is_empty() {
            return Reply::None;
        }
        self.continued(messages, tools)
    }

    /// Sends the result of a call.
    pub(crate) fn result(&mut self, called: Result<CallOutcome, ToolError>) -> Reply {
        match called {
            Ok(call) => {
                for notice in &call.turn.notices {
                    println!("! {notice}");
                }
                show("result", &call.result);
                self.continued(&call.turn.messages, &call.turn.tools)
            }
            Err(error) => {
                show("error", &error.to_string());
                self.answer()
            }
        }
    }

    /// Makes a call of one of the host's own tools, and sends the result.
    pub(crate) fn own(&mut self, tool: &str, arguments: &str, may_run: bool) -> Reply {
        if may_run {
            show("result", &format!("{tool} ran '{arguments}'"));
        } else {
            show("error", &format!("{tool} was not allowed to run"));
        }
        self.answer()
    }

    fn continued(&mut self, messages: &[Message], tools: &Narrowed) -> Reply {
        show_all(messages);
        let tools: Vec<&str> = tools.names().collect();
        show("tools", &tools.join(" "));
        self.answer()
    }

    fn answer(&mut self) -> Reply {
        let answer = self.answers.next().unwrap_or_default();
        let call = answer
            .strip_prefix("call ")
            .and_then(|call| call.split_once(' '));
        if let Some((tool, arguments)) = call {
            return Reply::Call {
                tool: tool.to_owned(),
                arguments: arguments.to_owned(),
            };
        }
        show("assistant", &answer);
        Reply::Text(answer)
    }

    /// Prints the messages of the skills that the last answer names. The model gets these messages with the
    /// next message.
    pub(crate) fn goes_on(answered: &TurnOutcome) {
        for notice in &answered.notices {
            println!("! {notice}");
        }
        show_all(&answered.messages);
    }
}

fn show_all(messages: &[Message]) {
    for message in messages {
        match message {
            Message::System { text } => show("system", text),
            Message::Exchange(call) => show(&call.tool, &call.result),
            message => show("user", message.text()),
        }
    }
}

fn show(role: &str, text: &str) {
    println!("[{role}] {text}");
}
