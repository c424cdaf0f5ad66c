//! A host: skills of a project, of a person and of the program, in a conversation with a model.
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- replies.txt`
#![expect(clippy::print_stdout, reason = "the example talks on standard output")]
mod model;
use model::{Model, Reply};
use skills_runtime::resolve::{Meta, Verdict};
use skills_runtime::{Catalog, Profile, Session, Surface};
use std::{error::Error, io};
fn main() -> Result<(), Box<dyn Error>> {
    let profile = Profile::DEFAULT;
    let sources = Catalog::builder().untrusted("project", "project-skills");
    let sources = sources.directory("user", "user-skills");
    let sources = sources.bundle("bundled", &bundled_skills::SKILLS);
    let mut catalog = sources.load().catalog;
    let mut session = Session::new(&profile);
    session.set_tools(["read_file", "shell"]);
    let mut model = Model::open(&catalog.prompt(&profile.prompt()).text)?;
    let mut lines = io::stdin().lines();
    while let Some(line) = lines.next() {
        catalog = catalog.reload().catalog;
        let turn = session.turn(&catalog, &line?, Surface::User, &profile);
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
        // A real host stores the state and the trust record.
        let mut state = catalog.state().clone();
        match turn.request {
            None => {}
            Some(Meta::Enable { id }) => println!("{:?}", catalog.enable(&mut state, &id)),
            Some(Meta::Disable { id }) => println!("{:?}", catalog.disable(&mut state, &id)),
            Some(Meta::Trust { id }) => match catalog.trust_question(&id) {
                Err(error) => println!("! {error:#}"),
                Ok(question) => {
                    println!("{question}\nTrust it? (yes, no)");
                    if lines.next().transpose()?.as_deref() == Some("yes") {
                        catalog = catalog.trusting(question.record).catalog;
                    }
                }
            },
            Some(_) => println!("{:?}", catalog.commands(&profile.command_policy())),
        }
        catalog = catalog.with_state(state);
        let mut reply = model.send(&turn.messages, &turn.tools);
        while let Reply::Call { tool, arguments } = reply {
            let called = session.call(&catalog, &tool, &arguments, &profile);
            reply = model.result(called);
        }
        let Reply::Text(text) = reply else { continue };
        Model::goes_on(&session.answered(&catalog, &text, &profile));
    }
    Ok(())
}
