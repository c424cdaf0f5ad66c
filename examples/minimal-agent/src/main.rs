//! A host: skills of a project, of a person and of the program, in a conversation with a model.
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- replies.txt`
#![expect(clippy::print_stdout, reason = "the example talks on standard output")]
mod model;
use model::{Model, Reply};
use skills_runtime::options::{ToolKind, Tools};
use skills_runtime::resolve::Verdict;
use skills_runtime::{Catalog, Profile, Session, Surface};
use skills_store::Decisions;
use std::{error::Error, fs, io};
/// The session beside the conversation. This host keeps both in the working folder.
const SESSION: &str = "session.json";

fn main() -> Result<(), Box<dyn Error>> {
    let decisions = Decisions::in_folder(".");
    let sources = Catalog::builder().untrusted("project", "project-skills");
    let sources = sources.directory("user", "user-skills");
    let sources = sources.bundle("bundled", &bundled_skills::SKILLS);
    let loaded = decisions.load(sources.reloadable())?;
    let (mut catalog, mut known) = (loaded.catalog, loaded.diagnostics);
    let mut session = match fs::read(SESSION) {
        Ok(json) => Session::restore(serde_json::from_slice(&json)?, Profile::DEFAULT),
        Err(_) => Session::new(Profile::DEFAULT),
    };
    let tools = [("read_file", ToolKind::Read), ("shell", ToolKind::Shell)];
    session.set_tools(Tools::new(tools));
    let prompt = catalog.prompt(&session.profile().prompt()).text;
    let mut model = Model::open(&prompt, &catalog.tools(session.profile()))?;
    let mut lines = io::stdin().lines();
    while let Some(line) = lines.next() {
        let read = catalog.reload();
        for found in read.diagnostics.iter().filter(|it| !known.contains(it)) {
            println!("{found:#}");
        }
        (catalog, known) = (read.catalog, read.diagnostics);
        let turn = session.turn(&catalog, &line?, Surface::User);
        turn.notices.iter().for_each(|told| println!("! {told}"));
        if let Some(dispatch) = turn.dispatch {
            let reason = String::new();
            match dispatch.ask(&catalog, |tool, arguments| match tool {
                "shell" if !arguments.starts_with("rm ") => Verdict::Allowed,
                _ => Verdict::Refused { reason },
            }) {
                Ok(call) => println!("{} runs '{}'", call.tool, call.arguments),
                Err(refused) => println!("! {refused}"),
            }
        }
        if let Some(request) = turn.request {
            let told = decisions.carry_out(request, &mut catalog, |question| {
                println!("{question}\nTrust it? (yes, no)");
                matches!(lines.next(), Some(Ok(line)) if line == "yes")
            })?;
            for told in told {
                println!("! {told}");
            }
        }
        let mut reply = model.send(&turn.messages, &turn.tools);
        while let Reply::Call { tool, arguments } = reply {
            reply = model.result(session.call(&catalog, &tool, &arguments));
        }
        if let Reply::Text(text) = reply {
            Model::goes_on(&session.answered(&catalog, &text));
        }
        fs::write(SESSION, serde_json::to_vec(&session.save())?)?;
    }
    Ok(())
}
