//! A skill that wants the host's gate to ask no question. Tested through the library.

use crate::attack::Outcome;
use crate::case::Case;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Surface};
use skills_session::Session;
use skills_session::options::{AllowedTools, Options, ToolKind};

attacks![
    a_skill_that_nobody_trusted_approves_nothing,
    a_replaced_list_approves_nothing,
    a_disguised_list_approves_nothing,
    a_plugin_approves_nothing,
    a_scheduled_skill_approves_nothing,
    a_model_approves_nothing,
    no_trick_is_admitted,
    what_takes_a_shell_away_leaves_no_approval,
];

const FOLDER: &str = "project/.agents/skills/x";

fn session() -> Session {
    let mut session = Session::new(Options::DEFAULT);
    session.set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    session
}

/// Returns how many rules a turn approves, and whether the skill started.
fn approved(catalog: &Catalog, text: &str) -> (usize, usize) {
    let turn = session().turn(catalog, text, Surface::User);
    (turn.approved.rules.len(), turn.started.len())
}

fn a_skill_that_nobody_trusted_approves_nothing() -> Outcome {
    let case = Case::new()?;
    case.skill(FOLDER, "allowed-tools: Bash\n", "Text.")?;
    let folder = case.path("project/.agents/skills");
    let untrusted = || Catalog::builder().untrusted("project", &folder);
    let waiting = untrusted().load();
    ensure!(approved(&waiting, "$x go") == (0, 0), "untrusted");
    let record = waiting.get("x").ok_or("no skill")?.trust_record()?;
    let trusted = untrusted().trusted([record]).load();
    ensure!(
        approved(&trusted, "$x go") == (1, 1),
        "trusted by its digest"
    );
    Ok(())
}

/// The rules come from the bytes that a person trusted.
fn a_replaced_list_approves_nothing() -> Outcome {
    let case = Case::new()?;
    case.skill(FOLDER, "allowed-tools: Read\n", "Text.")?;
    let folder = case.path("project/.agents/skills");
    let untrusted = || Catalog::builder().untrusted("project", &folder);
    let record = untrusted()
        .load()
        .get("x")
        .ok_or("no skill")?
        .trust_record()?;
    let catalog = untrusted().trusted([record]).load();
    // The same length and the same time: only the bytes differ.
    case.skill(FOLDER, "allowed-tools: Bash\n", "Text.")?;
    ensure!(
        approved(&catalog, "$x go") == (0, 0),
        "the list was replaced"
    );
    Ok(())
}

/// A list that a person reads as another key, or does not see at all.
fn a_disguised_list_approves_nothing() -> Outcome {
    for front in [
        "allowed_tools: Bash",
        "Allowed-Tools: Bash",
        "allowed\u{2010}tools: Bash",
        "allowed-\u{200b}tools: Bash",
        "allowed-tools: Read\nallowed-tools: Bash",
        "allowed-tools: Read\nallowed-to\u{43e}ls: Bash",
        "allowed-tools: Bash(git log:*",
        "allowed-tools: \"Ba\\u200bsh\"",
        "allowed-tools: '*'",
        "allowed-tools: 'sh*'",
        "allowed-tools: Bash\nother: [",
        "allowed-tools: not Bash",
        "allowed-tools: none Bash",
        "allowed-tools: Read\u{a0}Bash",
        "allowed-tools: \"Read\\u2028Bash\"",
        "license: MIT\rallowed-tools: Bash",
        "license: MIT\rx: y\nallowed-tools: Bash",
        "allowed-tools: Bash\n...",
    ] {
        let case = Case::new()?;
        case.skill("home/.agents/skills/x", &format!("{front}\n"), "Text.")?;
        let user = Catalog::builder().directory("user", case.path("home/.agents/skills"));
        let (rules, _) = approved(&user.load(), "$x go");
        ensure!(rules == 0, "{front:?} approves");
    }
    Ok(())
}

fn a_plugin_approves_nothing() -> Outcome {
    let case = Case::new()?;
    case.skill(
        "home/plugins/acme/skills/x",
        "allowed-tools: Bash\n",
        "Text.",
    )?;
    let catalog = Catalog::builder().plugins(case.path("home/plugins")).load();
    ensure!(approved(&catalog, "$x go") == (0, 1), "a plugin approves");
    Ok(())
}

/// Also when a person runs it by hand: nobody wrote the list at that moment.
fn a_scheduled_skill_approves_nothing() -> Outcome {
    let case = Case::new()?;
    let folder = "home/scheduler/tidy-0123abcd";
    case.skill(folder, "allowed-tools: Bash\n", "Text.")?;
    let folder = case.path("home/scheduler");
    let builder = skills_session::scheduled::with_folder(Catalog::builder(), folder);
    let catalog = builder.load();
    let mut profile = Profile::named("agenvoy").ok_or("no such profile")?.clone();
    profile.options.allowed_tools = AllowedTools::Approves;
    let mut session = Session::new(profile);
    session.set_tools([("shell", ToolKind::Shell)]);
    let turn = session.turn(&catalog, "/sched-tidy-0123abcd", Surface::User);
    ensure!(turn.started.len() == 1, "not started: {:?}", turn.notices);
    ensure!(turn.approved.rules.is_empty(), "a scheduled skill approves");
    Ok(())
}

/// Neither by a call, nor in an answer, nor in a plan.
fn a_model_approves_nothing() -> Outcome {
    let case = Case::new()?;
    case.skill("home/.agents/skills/x", "allowed-tools: Bash\n", "Text.")?;
    let user = Catalog::builder().directory("user", case.path("home/.agents/skills"));
    let catalog = user.load();
    ensure!(approved(&catalog, "$x go") == (1, 1), "a person starts it");
    let mut session = session();
    session.turn(&catalog, "hello", Surface::User);
    let called = session.call(&catalog, "skill", r#"{"name": "x"}"#);
    let called = called.map_err(|error| error.to_string())?;
    ensure!(
        !called.turn.started.is_empty() && called.turn.approved.rules.is_empty(),
        "a call"
    );
    let plan = session.turn(&catalog, "First $x.", Surface::Model);
    ensure!(plan.approved.rules.is_empty(), "a plan");
    let answered = session.answered(&catalog, "Then $x.");
    ensure!(answered.approved.rules.is_empty(), "an answer");
    let next = session.turn(&catalog, "go on", Surface::User);
    ensure!(next.approved.rules.is_empty(), "the turn after it");
    Ok(())
}

/// A model that writes a call so that a gate takes it for an approved one.
fn no_trick_is_admitted() -> Outcome {
    let case = Case::new()?;
    let list = "allowed-tools: Bash(git log:*) Read(src/**)\n";
    case.skill("home/.agents/skills/x", list, "Text.")?;
    let user = Catalog::builder().directory("user", case.path("home/.agents/skills"));
    let turn = session().turn(&user.load(), "$x go", Surface::User);
    ensure!(
        turn.approved.admits("shell", "git log -1"),
        "an ordinary call"
    );
    ensure!(
        turn.approved.admits("read_file", "src/a.rs"),
        "an ordinary path"
    );
    for (tool, input) in [
        ("shell", "git log; rm -rf ."),
        ("shell", "git log $(rm -rf .)"),
        ("shell", "git -c core.pager=!x log"),
        ("shell", "git log --output=.bashrc"),
        ("shell", "git log\nrm -rf ."),
        ("shell", "git push"),
        ("shell", "src/a.rs"),
        ("read_file", "src/../.ssh/id"),
        ("read_file", "git log"),
        ("write_file", "src/a.rs"),
    ] {
        ensure!(!turn.approved.admits(tool, input), "{tool} {input:?}");
    }
    Ok(())
}

/// An author takes the shell away in a form that is not a plain name, and the approval of the same skill stays.
fn what_takes_a_shell_away_leaves_no_approval() -> Outcome {
    for taken in [
        "Bash",
        "BASH",
        "Shell",
        "SHELL",
        "Bash*",
        "\"`Bash`\"",
        "\"'Bash'\"",
        "Bash;Write",
        "Bash|Write",
        "Bash:*",
        "'Bash[git]'",
        "'{Bash}'",
        "'*sh'",
        "B*sh",
        "Bash.",
        "B\u{430}sh",
        "\"Ba\\u200bsh\"",
    ] {
        let case = Case::new()?;
        let list = format!("allowed-tools: Bash\ndisallowed-tools: {taken}\n");
        case.skill("home/.agents/skills/x", &list, "Text.")?;
        let user = Catalog::builder().directory("user", case.path("home/.agents/skills"));
        let turn = session().turn(&user.load(), "$x go", Surface::User);
        ensure!(turn.started.len() == 1, "{taken}: not started");
        ensure!(turn.approved.rules.is_empty(), "{taken}: still approved");
        let mut left = turn.tools.tools.iter();
        ensure!(
            left.all(|left| left.tool != "shell"),
            "{taken}: still there"
        );
    }
    Ok(())
}
