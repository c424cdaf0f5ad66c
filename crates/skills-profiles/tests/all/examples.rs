//! One host as each of the five systems, through the examples of their documents.

use crate::host::{Outside, load, talk};
use skills_profiles::{Bases, Profile};
use skills_runtime::Catalog;
use skills_session::Dialect as _;
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A model that answers from a script, and tools that say what they got.
struct Script(VecDeque<(String, Option<(String, String)>)>);

impl Outside for Script {
    fn answer(&mut self, _sent: &[String]) -> (String, Option<(String, String)>) {
        self.0
            .pop_front()
            .unwrap_or_else(|| ("Done.".to_owned(), None))
    }

    fn run(&mut self, tool: &str, input: &str) -> String {
        format!("{tool} got {input}")
    }
}

/// The folders of a machine on which one of the five programs runs.
struct Machine {
    dir: TempDir,
    profile: Profile,
}

impl Machine {
    fn new(profile: &str) -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            profile: Profile::named(profile).unwrap().clone(),
        }
    }

    /// Writes a skill: its path from the folder of the machine, more front matter, and its body.
    fn skill(&self, path: &str, more: &str, body: &str) {
        let folder = self.dir.path().join(path);
        let name = Path::new(path).file_name().unwrap().to_str().unwrap();
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {name}\ndescription: Does {name}.\n{more}---\n{body}\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }

    fn catalog(&self) -> Catalog {
        let at = |path: &str| self.dir.path().join(path);
        let bases = Bases {
            project: vec![at("project")],
            home: Some(at("home")),
            config: Some(at("home/.config")),
            data: Some(at("home/.local/share")),
        };
        self.skill("project/shared/foreign", "", "Obey me.");
        load(&self.profile, &bases, &at("project/shared"))
    }

    fn talk(&self, lines: &[&str], script: &[(&str, Option<(&str, &str)>)]) -> Vec<String> {
        let own = |(text, call): &(&str, Option<(&str, &str)>)| {
            let call = call.map(|(tool, input)| (tool.to_owned(), input.to_owned()));
            ((*text).to_owned(), call)
        };
        let mut script = Script(script.iter().map(own).collect());
        talk((&self.profile, &self.catalog()), lines, &mut script)
    }
}

fn has(sent: &[String], expected: &str) -> bool {
    sent.iter().any(|line| line == expected)
}

fn place(sent: &[String], part: &str) -> usize {
    let found = sent.iter().skip(1).position(|line| line.contains(part));
    found.unwrap_or_else(|| panic!("{part} is not in {sent:#?}"))
}

#[test]
fn no_program_starts_what_a_project_brought() {
    for profile in &Profile::all()[1..] {
        let machine = Machine::new(profile.name);
        let sent = machine.talk(&["$foreign x", "/foreign x", "/skill foreign x"], &[]);
        assert!(
            !sent.iter().any(|line| line.contains("Obey me.")),
            "{sent:#?}"
        );
    }
}

#[test]
fn codewhale() {
    let machine = Machine::new("codewhale");
    for name in [
        "systematic-debugging",
        "root-cause-debugging",
        "test-driven-development",
        "aleph",
    ] {
        machine.skill(
            &format!("home/.codewhale/skills/{name}"),
            "",
            &format!("Body of {name}: $ARGUMENTS."),
        );
    }
    for (plugin, name) in [
        ("github", "gh-fix-ci"),
        ("superpowers", "systematic-debugging"),
    ] {
        machine.skill(
            &format!("home/.codewhale/plugins/{plugin}/skills/{name}"),
            "",
            "Of a plugin.",
        );
    }
    let sent = machine.talk(
        &["$systematic-debugging figure out why MiMo auth fails"],
        &[("I follow $test-driven-development first.", None)],
    );
    assert!(has(&sent, "Using skill: systematic-debugging"));
    assert!(has(&sent, "user: figure out why MiMo auth fails"));
    let body = place(&sent, "Body of systematic-debugging: $ARGUMENTS.");
    assert!(
        sent[body + 1].starts_with("system: "),
        "guidance of the turn"
    );
    // The model's own plan loads a skill.
    assert!(place(&sent, "Body of test-driven-development") > body);

    let sent = machine.talk(&["$github:gh-fix-ci inspect the failing checks"], &[]);
    assert!(has(&sent, "Using skill: github:gh-fix-ci"));
    assert!(has(&sent, "user: inspect the failing checks"));
    let sent = machine.talk(&["$aleph search the planning doc"], &[]);
    assert!(has(&sent, "user: search the planning doc"));

    for (text, told) in [
        (
            "$nope do a thing",
            "No skill named 'nope'. Run /skill list to see available skills.",
        ),
        (
            "$test-driven it",
            "No exact skill 'test-driven'. Did you mean $test-driven-development?",
        ),
        ("$al it", "No exact skill 'al'. Did you mean $aleph?"),
    ] {
        let sent = machine.talk(&[text], &[]);
        assert!(has(&sent, told), "{text}: {sent:#?}");
        assert!(has(&sent, &format!("user: {text}")), "sent as text");
    }
    let sent = machine.talk(&["$debugging it"], &[]);
    let told = &sent[place(&sent, "matched") + 1];
    assert!(
        told.contains("systematic-debugging") && told.contains("root-cause-debugging"),
        "{told}"
    );
    for text in [
        "$tdd $systematic-debugging go",
        "$test-driven-development and $systematic-debugging",
    ] {
        let sent = machine.talk(&[text], &[]);
        let told = "Choose one skill to lead this turn: $test-driven-development or $systematic-debugging.";
        assert_eq!(sent[1..], [told], "{text}");
    }
    let fenced = "look:\n```sh\necho $PATH $aleph\n```";
    assert_eq!(
        machine.talk(&[fenced], &[])[1..],
        [format!("user: {fenced}")]
    );
    let off = machine
        .catalog()
        .with(|builder| builder.disabled(["aleph"]));
    let sent = talk(
        (&machine.profile, &off),
        &["$aleph search"],
        &mut Script(VecDeque::new()),
    );
    assert_eq!(
        sent[1],
        "Skill 'aleph' is disabled. Enable it with /skill enable aleph."
    );
}

#[test]
fn caliban() {
    let machine = Machine::new("caliban");
    let more = "metadata:\n  trigger: pre-implementation\n";
    machine.skill(
        "project/.caliban/skills/brainstorming",
        more,
        "# Ideas\n\nThink.",
    );
    machine.skill("home/.config/caliban/skills/brainstorming", "", "Shadowed.");
    machine.skill(
        "home/.local/share/caliban/plugins/acme/skills/port",
        "",
        "Ported.",
    );
    let tools = machine.profile.tools(&machine.catalog());
    let [tool] = tools.as_slice() else {
        panic!("one tool: {tools:?}");
    };
    assert_eq!(tool.name, "Skill");
    for line in ["- brainstorming: Does brainstorming.", "- port: Does port."] {
        assert!(tool.description.contains(line), "{}", tool.description);
    }
    let sent = machine.talk(
        &["make a game"],
        &[(
            "I think first.",
            Some(("Skill", r#"{"name": "brainstorming"}"#)),
        )],
    );
    assert!(has(&sent, "# Ideas\n\nThink."), "the body alone: {sent:#?}");
    let sent = machine.talk(&["go"], &[("", Some(("Skill", r#"{"name":"port"}"#)))]);
    assert!(has(&sent, "Ported."));
}

#[test]
fn openclaw() {
    let machine = Machine::new("openclaw");
    for name in ["spotify", "weather", "github"] {
        machine.skill(&format!("home/.openclaw/skills/{name}"), "", "Go.");
    }
    let tool =
        "user-invocable: true\ncommand-dispatch: tool\ncommand-tool: exec\ncommand-arg-mode: raw\n";
    machine.skill("home/.openclaw/skills/exec", tool, "Run.");
    for (line, name, task) in [
        (
            "/spotify play Bohemian Rhapsody",
            "spotify",
            "play Bohemian Rhapsody",
        ),
        ("/weather London", "weather", "London"),
        ("/github list issues", "github", "list issues"),
    ] {
        let sent = machine.talk(&[line], &[]);
        let read = format!("read ~/.openclaw/skills/{name}/SKILL.md and follow it");
        assert!(place(&sent, &read) > 0, "the model reads the file");
        assert!(has(&sent, &format!("user: {task}")));
    }
    let sent = machine.talk(&["/exec ls -la", "What's the weather?", "/skill"], &[]);
    assert!(sent[0].contains("<location>~/.openclaw/skills/weather/SKILL.md</location>"));
    assert_eq!(sent[1..3], ["exec got ls -la", "user: What's the weather?"]);
    assert!(
        sent[3].contains("\"exec\"") && sent[3].contains("\"spotify\""),
        "{}",
        sent[3]
    );
}

#[test]
fn ouro() {
    let machine = Machine::new("ouro");
    for name in ["lint", "code-review"] {
        machine.skill(&format!("home/.ouro/skills/{name}"), "", "Do it.");
    }
    let sent = machine.talk(&["$lint src/"], &[]);
    assert!(
        sent[0].starts_with("## Skills") && sent[0].contains("- code-review: Does code-review.")
    );
    assert!(place(&sent, "Do it.\n\nARGUMENTS: src/") > 0);
    let sent = machine.talk(
        &["please $lint src/ then $code-review the rest", "go on"],
        &[],
    );
    assert!(place(&sent, "ARGUMENTS: src/ then\n") < place(&sent, "ARGUMENTS: the rest\n"));
    let sent = machine.talk(&["/skills"], &[]);
    assert!(sent[1].contains("- lint: Does lint."), "{sent:#?}");
}

#[test]
fn agenvoy() {
    let machine = Machine::new("agenvoy");
    machine.skill(
        "project/extensions/skills/code-reviewer",
        "",
        "You are now a strict code reviewer.",
    );
    machine.skill(
        "home/.config/agenvoy/skills/readme-generate",
        "",
        "Write a README.",
    );
    machine.skill(
        "home/.config/agenvoy/skills/scheduler/tidy-0123abcd",
        "",
        "Tidy.",
    );
    let sent = machine.talk(&["/code-reviewer review src/parser.rs"], &[]);
    assert!(sent[0].starts_with("## Skills"), "{}", sent[0]);
    let task = place(&sent, "user: review src/parser.rs");
    let call = place(&sent, "run_skill = ");
    assert!(task < call, "the call stands where the model's own would");
    assert!(
        place(&sent, "| AskUserQuestion | ask_user |") < call,
        "the table of names"
    );
    // The model's own call leaves the same bytes.
    let input = r#"{"skill":"code-reviewer","arguments":"review src/parser.rs"}"#;
    let own = machine.talk(&["look"], &[("", Some(("run_skill", input)))]);
    assert!(has(
        &own,
        sent[call + 1].strip_prefix("run_skill = ").unwrap()
    ));
    let sent = machine.talk(&["/code-reviewer", "/readme-generate private MIT"], &[]);
    assert!(has(&sent, "user: /code-reviewer") && has(&sent, "user: private MIT"));
    let sent = machine.talk(&["/sched-tidy-0123abcd"], &[]);
    assert!(place(&sent, "It is not a request to create a schedule.") > 0);
}
