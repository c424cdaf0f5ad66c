//! A program of forty commands, the faults that a text about it can have, and lines without one.

use clap::{Arg, ArgAction, Command, value_parser};
use skills_clap::Fault;
use skills_runtime::{Bundle, include_skills};

static SKILLS: Bundle = include_skills!("tests/skills");

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

fn option(name: &'static str) -> Arg {
    Arg::new(name).long(name)
}

/// `tracker`, with eight groups of five commands.
fn tracker() -> Command {
    let leaf = |name: &'static str| {
        Command::new(name)
            .arg(flag("quiet").short('q'))
            .arg(
                option("format")
                    .short('f')
                    .value_parser(["json", "text", "table"]),
            )
            .arg(
                option("label")
                    .short('l')
                    .alias("tag")
                    .action(ArgAction::Append)
                    .value_delimiter(','),
            )
            .arg(option("since").num_args(0..=1).require_equals(true))
            .arg(flag("dry-run").visible_alias("check"))
    };
    let group = |name: &'static str| {
        let id = || Arg::new("id").num_args(1..);
        Command::new(name)
            .visible_aliases(match name {
                "issue" => Some("issues"),
                "release" => Some("rel"),
                _ => None,
            })
            .subcommand(leaf("list").alias("ls"))
            .subcommand(leaf("show").arg(id()))
            .subcommand(
                leaf("create")
                    .arg(Arg::new("title").required(true))
                    .arg(option("body")),
            )
            .subcommand(leaf("close").arg(id()))
            .subcommand(
                leaf("move").arg(Arg::new("from")).arg(Arg::new("to")).arg(
                    Arg::new("count")
                        .long("count")
                        .value_parser(value_parser!(i32))
                        .allow_negative_numbers(true),
                ),
            )
    };
    let groups = [
        "issue", "release", "board", "user", "team", "label", "hook", "page",
    ];
    Command::new("tracker")
        .version("1.0.0")
        .arg(option("config").short('c').global(true))
        .arg(
            Arg::new("verbose")
                .short('v')
                .long("verbose")
                .action(ArgAction::Count)
                .global(true),
        )
        .subcommands(groups.map(group))
        .subcommand(
            Command::new("run").arg(
                Arg::new("command")
                    .num_args(1..)
                    .trailing_var_arg(true)
                    .allow_hyphen_values(true),
            ),
        )
        .subcommand(
            Command::new("sync")
                .long_flag("sync")
                .short_flag('S')
                .arg(flag("force")),
        )
}

fn faults() -> Vec<Fault> {
    skills_clap::check(&SKILLS, &tracker()).map_or_else(|faults| faults.list, |()| Vec::new())
}

fn text_of(skill: &str, file: &str) -> String {
    let skill = SKILLS.get(skill).expect("a skill");
    let bytes = skill.read(file).expect("the file is baked").into_owned();
    String::from_utf8(bytes).expect("it is text")
}

/// Each wrong line of `wrong/SKILL.md` is followed by its fault: `` `tracker isue list`: column, message ``.
#[test]
fn every_planted_fault_is_found_at_its_place() {
    let mut expected = Vec::new();
    for (index, line) in text_of("wrong", "SKILL.md").lines().enumerate() {
        if let Some((before, fault)) = line.split_once(" ⟵ ") {
            let (word, message) = fault.split_once(": ").expect("a word and a message");
            let at = before.rfind(word).expect("the word stands in the line");
            let column = before[..at].chars().count() + 1;
            expected.push(format!("wrong/SKILL.md:{}:{column}: {message}", index + 1));
        }
    }
    let found: Vec<String> = faults()
        .iter()
        .filter(|fault| fault.path == "wrong/SKILL.md")
        .map(
            |Fault {
                 path,
                 line,
                 column,
                 message,
                 ..
             }| format!("{path}:{line}:{column}: {message}"),
        )
        .collect();
    assert_eq!(expected.len(), 33);
    assert_eq!(found.join("\n"), expected.join("\n"));
}

#[test]
fn right_lines_have_none() {
    let files = ["SKILL.md", "references/more.md", "references/all.md"];
    let texts = files.map(|file| text_of("right", file));
    let lines = texts.iter().flat_map(|text| text.lines());
    let lines = lines.filter(|line| line.contains("tracker")).count();
    assert!(lines >= 200, "{lines}");
    let of_right: Vec<Fault> = faults()
        .into_iter()
        .filter(|fault| fault.path.starts_with("right/"))
        .collect();
    assert_eq!(of_right, []);
}

#[test]
fn files_beside_a_skill_are_read_too() {
    let found = faults()
        .into_iter()
        .find(|fault| fault.path.starts_with("wrong/references"));
    let found = found.expect("it has a fault");
    assert_eq!(
        (found.path.as_str(), found.line, found.column),
        ("wrong/references/deep/NOTES.MD", 4, 11)
    );
}
