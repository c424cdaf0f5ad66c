//! A model that starts a skill to get more tools than the previous skill allows. Tested through the library.

use crate::attack::Outcome;
use crate::case::Case;
use skills_runtime::Catalog;
use skills_session::Session;
use skills_session::activation::activate;
use skills_session::options::{AllowedTools, Options, ToolNames};

attacks![
    a_model_cannot_widen,
    a_model_can_narrow,
    a_person_can_widen,
    rules_that_name_no_tool_leave_no_tool,
];

/// The tools of the host.
const TOOLS: &[&str] = &["Read", "Bash", "Write"];

/// A skill that a model starts can only narrow the allowed tools further.
fn a_model_cannot_widen() -> Outcome {
    let mut turn = Turn::new()?;
    turn.person("read-only")?;
    turn.model("shell")?;
    let left = turn.left();
    ensure!(
        left.iter().all(|tool| tool == "Read"),
        "a model got {left:?}"
    );
    Ok(())
}

/// A skill that a model starts narrows the tools.
fn a_model_can_narrow() -> Outcome {
    let mut turn = Turn::new()?;
    turn.person("both")?;
    turn.model("read-only")?;
    ensure!(turn.left() == ["Read"], "left: {:?}", turn.left());
    Ok(())
}

/// Skills that a person starts together allow the tools of each of them.
fn a_person_can_widen() -> Outcome {
    let mut turn = Turn::new()?;
    turn.person("read-only")?;
    turn.person("shell")?;
    ensure!(turn.left() == ["Read", "Bash"], "left: {:?}", turn.left());
    Ok(())
}

/// A skill whose `allowed-tools` are unreadable, or are read under an invalid name, does not get every tool.
fn rules_that_name_no_tool_leave_no_tool() -> Outcome {
    for (rules, tools) in [
        ("(Read)", &[][..]),
        ("\"(Read) (Bash)\"", &[]),
        ("[\"(Read)\"]", &[]),
        ("[\"\"]", &[]),
        ("\",\"", &[]),
        ("[\" \", \",\"]", &[]),
        ("\"(x) Bash\"", &["Bash"]),
        ("\"Bash(git *\"", &[]),
        ("[\"Bash(git (log) *\"]", &[]),
        ("\"Bash(git *)x\"", &[]),
        ("\"Bash (git *)\"", &[]),
        ("\"Bash\u{ff08}git * \u{ff09}\"", &[]),
        ("\"Bash[git * ]\"", &[]),
        ("\"\"", TOOLS),
        ("[]", TOOLS),
        ("", TOOLS),
    ] {
        let mut turn = Turn::of(&[("odd", rules)])?;
        turn.person("odd")?;
        ensure!(turn.left() == tools, "{rules}: left: {:?}", turn.left());
        let mut saved = serde_json::to_value(turn.session.save())?;
        turn.session = restored(saved.clone())?;
        ensure!(turn.left() == tools, "{rules}, restored: {:?}", turn.left());
        if tools == ["Bash"] {
            saved["in_force"][0]["rules"] =
                serde_json::json!(["(x)", "", "Bash(git *", "Bash (ls)"]);
            turn.session = restored(saved)?;
            ensure!(turn.left().is_empty(), "damaged: {:?}", turn.left());
        }
    }
    for (theirs, ours) in [
        ("Bash", ""),
        ("", "Bash"),
        ("Bash", " "),
        ("Bash", "("),
        ("Bash", "B*"),
        ("no tool", "Bash"),
    ] {
        let names = ToolNames::new([(theirs, ours)]);
        ensure!(names.is_err(), "a profile may call {theirs} {ours}");
    }
    Ok(())
}

fn restored(saved: serde_json::Value) -> Outcome<Session> {
    let state = serde_json::from_value(saved)?;
    Ok(Session::restore(state, narrows()))
}

/// The profile of a host whose skills narrow the tools.
fn narrows() -> Options {
    Options {
        allowed_tools: AllowedTools::Narrows,
        ..Options::DEFAULT
    }
}

/// One turn of a conversation.
struct Turn {
    _case: Case,
    catalog: Catalog,
    session: Session,
}

impl Turn {
    fn new() -> Outcome<Self> {
        Self::of(&[
            ("read-only", "Read"),
            ("shell", "Bash"),
            ("both", "Read Bash"),
        ])
    }

    fn of(skills: &[(&str, &str)]) -> Outcome<Self> {
        let case = Case::new()?;
        for (name, tools) in skills {
            let folder = format!("home/.agents/skills/{name}");
            case.skill(&folder, &format!("allowed-tools: {tools}\n"), "Text.")?;
        }
        let builder = Catalog::builder().directory("user", case.path("home/.agents/skills"));
        Ok(Self {
            catalog: builder.load(),
            session: Session::new(narrows()),
            _case: case,
        })
    }

    fn person(&mut self, skill: &str) -> Outcome {
        let entry = self.catalog.get(skill).ok_or("no such skill")?;
        let activation = activate(&Options::DEFAULT, &entry, "")?;
        self.session.enter(&activation);
        Ok(())
    }

    fn model(&mut self, skill: &str) -> Outcome {
        let call = serde_json::json!({ "name": skill }).to_string();
        let (session, catalog) = (&mut self.session, &self.catalog);
        let called = session.call(catalog, "skill", &call);
        called.map_err(|error| error.to_string())?;
        Ok(())
    }

    fn left(&self) -> Vec<String> {
        let narrowed = self.session.narrow(TOOLS);
        narrowed.tools.into_iter().map(|tool| tool.tool).collect()
    }
}
