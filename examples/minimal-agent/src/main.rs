//! A host: skills of a project, of a person and of the program, in a conversation with a model.
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- replies.txt`
#![expect(clippy::print_stdout, reason = "the example talks on standard output")]
mod model;
use model::{Model, Reply};
use skills_runtime::options::ToolKind;
use skills_runtime::{Catalog, Profile};
use skills_store::{Conversation, News, Person, Question};
use std::{env, error::Error, io};

struct Terminal;

impl Person for Terminal {
    fn tell(&mut self, news: &News<'_>) {
        println!("! {news}");
    }

    fn agrees(&mut self, question: &Question<'_>) -> bool {
        println!("{question} (yes, no)");
        line().is_some_and(|line| line == "yes")
    }
}

/// Reads a line that the person types. Returns `None` at the end of the input.
fn line() -> Option<String> {
    io::stdin().lines().next()?.ok()
}

fn main() -> Result<(), Box<dyn Error>> {
    // Outside of every project: a trust.json that comes with a project would trust the project's skills.
    let home = env::home_dir().ok_or("no home folder")?;
    let folder = home.join(".minimal-agent");
    let sources = Catalog::builder()
        .untrusted("project", "project-skills")
        .directory("user", folder.join("skills"))
        .bundle("bundled", &bundled_skills::SKILLS);
    let mut talk = Conversation::open(&folder, sources, Profile::DEFAULT, Terminal)?;
    talk.session
        .set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    let mut model = Model::open()?;
    while let Some(line) = line() {
        let turn = talk.turn(&line)?;
        if let Some(call) = turn.call {
            println!("{} runs '{}'", call.tool, call.arguments);
        }
        model.add(&turn.messages);
        if turn.messages.is_empty() {
            continue;
        }
        loop {
            // Both change when a skill is added, enabled or trusted, or takes tools away.
            let profile = talk.session.profile();
            let system = talk.catalog.prompt(profile).text;
            let tools = talk.catalog.tools(profile);
            match model.answer(&system, &tools, talk.session.tools().names()) {
                Reply::Call { tool, arguments } => match talk.call(&tool, &arguments)? {
                    Some(called) => {
                        model.result(&called.result);
                        model.add(&called.messages);
                    }
                    // Here the arguments are the input: a path, or a command line.
                    None if talk.may_run(&tool, &arguments) => {
                        model.result(&format!("{tool} ran '{arguments}'"));
                    }
                    None => model.result(&format!("{tool} was not allowed to run")),
                },
                Reply::Text(text) => {
                    model.add(&talk.answered(&text)?);
                    break;
                }
            }
        }
    }
    Ok(())
}
