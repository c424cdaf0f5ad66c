//! Ignore files with patterns that make a careless matcher exponential, or overflow its stack.

use crate::attack::Outcome;
use crate::case::Case;
use crate::process::Ran;

attacks![
    many_stars_in_gitignore,
    many_stars_in_exclude,
    many_stars_in_include,
    a_bad_line_leaves_the_rest_in_force,
];

/// The commands that match patterns of git or cargo.
const COMMANDS: &[&[&str]] = &[&["check", "skills"], &["lock", "skills"]];

/// Hostile patterns, with a name for messages.
fn patterns() -> [(&'static str, String); 4] {
    [
        ("stars and a letter", format!("{}Q", "*".repeat(30))),
        ("letters between stars", format!("{}Q", "a*".repeat(30))),
        ("300,000 stars", "*".repeat(300_000)),
        ("100,000 folders", "**/".repeat(100_000)),
    ]
}

/// A `.gitignore` of any content neither hangs nor crashes `check`, `bundle` and `lock`.
fn many_stars_in_gitignore() -> Outcome {
    every_command(|case, pattern| case.write("project/.gitignore", format!("{pattern}\n")))
}

/// A `.git/info/exclude` of any content neither hangs nor crashes `check`, `bundle` and `lock`.
fn many_stars_in_exclude() -> Outcome {
    every_command(|case, pattern| case.write("project/.git/info/exclude", format!("{pattern}\n")))
}

/// An `include` in Cargo.toml of any content neither hangs nor crashes `check`, `bundle` and `lock`.
fn many_stars_in_include() -> Outcome {
    every_command(|case, pattern| case.write("project/Cargo.toml", manifest(pattern)))
}

/// A line that is not a usable pattern is skipped; the other lines of the file are in force.
fn a_bad_line_leaves_the_rest_in_force() -> Outcome {
    let case = project()?;
    let lines = format!("{}\nskills/greet/notes.md\n", "*".repeat(300_000));
    case.write("project/skills/greet/notes.md", "Notes.\n")?;
    case.write("project/.gitignore", lines)?;
    let told = case.run(&["check", "skills"])?;
    told.expect_any_code()?;
    ensure!(
        told.printed().contains("notes.md") || told.printed().contains(".gitignore"),
        "neither the bad line nor the ignored file is reported: {}",
        told.shown()
    );
    Ok(())
}

fn every_command(plant: impl Fn(&Case, &str) -> Outcome) -> Outcome {
    let mut broken = Vec::new();
    for (name, pattern) in patterns() {
        let case = project()?;
        plant(&case, &pattern)?;
        for command in COMMANDS {
            let ran = case.run(command).and_then(|ran| Ran::expect_any_code(&ran));
            if let Err(error) = ran {
                broken.push(format!("{name}: {}: {error}", command.join(" ")));
                // The other commands read the same file.
                break;
            }
        }
    }
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

/// A package in a repository, with a skill whose files have long names.
fn project() -> Outcome<Case> {
    let case = Case::new()?;
    case.write("project/.git/HEAD", "ref: refs/heads/main\n")?;
    case.write("project/Cargo.toml", manifest("/skills"))?;
    let long = "a".repeat(120);
    let body = format!("Read [the list]({long}.md).");
    case.skill("project/skills/greet", "", &body)?;
    case.write(format!("project/skills/greet/{long}.md"), "A list.\n")?;
    Ok(case)
}

fn manifest(include: &str) -> String {
    format!("[package]\nname = \"p\"\nversion = \"0.1.0\"\ninclude = [\"{include}\", \"/src\"]\n")
}
