//! A stand-in for a model: prints what it gets, and answers from a script. Each line of the script is an
//! answer: a text, or `call TOOL JSON`. Without a script every answer is empty.

use serde_json::Value;
use skills_session::session::ToolSpec;
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

/// The stand-in.
pub(crate) struct Model {
    /// The answers that the model still has.
    answers: vec::IntoIter<String>,
    /// The number of messages that were printed.
    shown: usize,
    /// The system prompt of the last answer.
    system: String,
    /// The host's tools that were printed last.
    tools: String,
}

impl Model {
    /// Reads the script.
    pub(crate) fn open() -> io::Result<Self> {
        let script = env::args_os().nth(2);
        let script = script.map(fs::read_to_string).transpose()?;
        let lines = script.iter().flat_map(|text| text.lines());
        let answers: Vec<String> = lines.map(str::to_owned).collect();
        Ok(Self {
            answers: answers.into_iter(),
            shown: 0,
            system: String::new(),
            tools: String::new(),
        })
    }

    /// Sends the system prompt, the tools for skills, the names of the host's tools and all messages.
    pub(crate) fn answer<'t>(
        &mut self,
        system: &str,
        for_skills: &[ToolSpec],
        own: impl Iterator<Item = &'t str>,
        messages: &[Value],
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
        for message in messages.iter().skip(self.shown) {
            let text = |member: &str| message[member].as_str().unwrap_or_default();
            if text("role") != "assistant" {
                show(text("role"), text("content"));
            }
        }
        self.shown = messages.len();
        let answer = self.answers.next().unwrap_or_default();
        let call = answer
            .strip_prefix("call ")
            .and_then(|call| call.split_once(' '));
        match call {
            Some((tool, arguments)) => Reply::Call {
                tool: tool.to_owned(),
                arguments: arguments.to_owned(),
            },
            None => Reply::Text(answer),
        }
    }
}

fn show(role: &str, text: &str) {
    println!("[{role}] {text}");
}
