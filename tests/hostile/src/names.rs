//! Skills with one name, with an invalid name, and seals of misspelt names.

use crate::attack::Outcome;
use crate::case::{Case, text};

attacks![
    the_folder_with_the_name_wins,
    a_skill_with_an_allowed_name_is_never_dropped,
    a_seal_of_an_unknown_skill_is_an_error,
];

/// Of two skills with one name in a source, the skill whose folder has the name wins; the other is
/// reported.
fn the_folder_with_the_name_wins() -> Outcome {
    for other in ["aaa-helper", "zzz-helper", "aaa/deploy"] {
        let case = Case::new()?;
        case.skill("home/.agents/skills/deploy", "", "The genuine text.")?;
        let text = text("deploy", "", "The other text.");
        case.write(format!("home/.agents/skills/{other}/SKILL.md"), text)?;
        let shown = case.run(&["inspect", "activate", "deploy"])?;
        shown.expect(0)?;
        ensure!(
            shown.stdout.contains("The genuine text."),
            "`{other}` took the name: {}",
            shown.shown()
        );
        let list = case.run(&["list", "-v"])?;
        ensure!(
            list.stderr.contains(other),
            "`{other}` is not reported: {}",
            list.stderr
        );
    }
    Ok(())
}

/// `bundle` and `lock` never leave out a skill and end with exit code 0.
fn a_skill_with_an_allowed_name_is_never_dropped() -> Outcome {
    let case = Case::new()?;
    case.skill("project/skills/good", "", "Text.")?;
    case.skill("project/skills/Bad_Name", "", "Text.")?;
    case.write("project/skills/skills.toml", "allow = [\"name-form\"]\n")?;
    for command in [
        &["check", "skills", "--allow", "name-form"][..],
        &["lock", "skills"],
    ] {
        let ran = case.run(command)?;
        let is_whole = match command {
            ["lock", ..] => std::fs::read_to_string(case.path("project/skills/skills.lock"))
                .is_ok_and(|lock| lock.contains("Bad_Name")),
            ["check", ..] => ran.printed().contains("2 skills"),
            _ => ran.stdout.contains("Bad_Name"),
        };
        let is_told = matches!(ran.code, Some(1 | 2)) && ran.printed().contains("Bad_Name");
        ensure!(
            is_whole || is_told,
            "{}: dropped: {}",
            command.join(" "),
            ran.shown()
        );
    }
    Ok(())
}

/// A seal in `skills.toml` for an unknown skill is an error, with the skill of the nearest name.
fn a_seal_of_an_unknown_skill_is_an_error() -> Outcome {
    let case = Case::new()?;
    case.skill("project/skills/code-review", "", "Text.")?;
    case.write("project/skills/skills.toml", "sealed = [\"code-reveiw\"]\n")?;
    for command in [&["check", "skills"][..], &["lock", "skills"]] {
        let ran = case.run(command)?;
        ran.expect_any(&[1, 2])?;
        ensure!(
            ran.printed().contains("code-review"),
            "no near name: {}",
            ran.shown()
        );
    }
    Ok(())
}
