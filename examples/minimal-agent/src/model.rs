//! A stand-in for a model: prints what it gets, and answers from a script. Each line of the script is an
//! answer: a text, or `call TOOL JSON`. Without a script every answer is empty.

use skills_runtime::session::{Message, ToolSpec};
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
}

/// A conversation with the stand-in.
pub(crate) struct Model {
    /// The messages so far, which a real model gets with each request.
    conversation: Vec<String>,
    /// The answers that the model still has.
    answers: vec::IntoIter<String>,
    /// The system prompt of the last answer.
    system: String,
    /// The host's tools that were printed last.
    tools: String,
}

impl Model {
    /// Begins a conversation.
    pub(crate) fn open() -> io::Result<Self> {
        let script = env::args_os().nth(1);
        let script = script.map(fs::read_to_string).transpose()?;
        let lines = script.iter().flat_map(|text| text.lines());
        let answers: Vec<String> = lines.map(str::to_owned).collect();
        Ok(Self {
            conversation: Vec::new(),
            answers: answers.into_iter(),
            system: String::new(),
            tools: String::new(),
        })
    }

    /// Adds messages to the conversation.
    pub(crate) fn add(&mut self, messages: &[Message]) {
        for message in messages {
            match message {
                Message::System { text } => self.show("system", text),
                Message::Exchange(call) => self.show(&call.tool, &call.result),
                message => self.show("user", message.text()),
            }
        }
    }

    /// Adds the result of the last call.
    pub(crate) fn result(&mut self, text: &str) {
        self.show("result", text);
    }

    /// Sends the conversation with the system prompt, the tools for skills and the names of the host's tools.
    pub(crate) fn answer<'t>(
        &mut self,
        system: &str,
        for_skills: &[ToolSpec],
        own: impl Iterator<Item = &'t str>,
    ) -> Reply {
        if self.system.is_empty() {
            let names: Vec<&str> = for_skills.iter().map(|tool| &*tool.name).collect();
            show("skill tools", &names.join(" "));
            show("system prompt", system);
        } else if self.system != system {
            show("system prompt", "has changed");
        }
        system.clone_into(&mut self.system);
        let tools = own.collect::<Vec<_>>().join(" ");
        if self.tools != tools {
            show("tools", &tools);
            self.tools = tools;
        }
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
        self.show("assistant", &answer);
        Reply::Text(answer)
    }
}

impl Model {
    fn show(&mut self, role: &str, text: &str) {
        show(role, text);
        self.conversation.push(format!("[{role}] {text}"));
    }
}

fn show(role: &str, text: &str) {
    println!("[{role}] {text}");
}
