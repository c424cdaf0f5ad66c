//! A `schedules.json`, records and a trash that another program wrote.

use crate::attack::{Outcome, skipped};
use crate::case::Case;
use crate::process::Ran;
use crate::strace;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

attacks![
    names_and_ids_lead_nowhere,
    a_record_speaks_for_its_own_schedule,
    the_trash_keeps_a_skill_without_a_record,
    a_pipe_in_the_place_of_the_file_is_named,
    pipes_in_the_places_of_records_are_not_waited_for,
    large_records_are_not_read,
    no_zone_of_the_machine_is_written_down,
    a_run_without_threads_ends,
];

const FILE: &str = "home/.config/skills/schedules.json";
/// The records of the default profile.
const RUNS: &str = "home/.local/share/skills/runs/skills";
const SCHEDULED: &str = "home/.config/skills/scheduler";
const ID: &str = "20261123T180000000Z";

/// No name and no run id in `schedules.json` makes a path outside of the folders of schedules and of records. The file
/// is damaged, and the error names the place and the next step.
fn names_and_ids_lead_nowhere() -> Outcome {
    let case = Case::new()?;
    let outside = case.path("outside").to_string_lossy().into_owned();
    let names = [
        outside.as_str(),
        "../../../outside",
        "..",
        ".",
        "",
        "a/b",
        "a\u{1b}[31m",
    ];
    let ids = [
        &format!("{outside}/doc"),
        "../../../../../outside/planted",
        "",
        "20261123T180000000Z/../x",
    ];
    let with_name = names.map(|name| json!({"name": name, "running": running(ID)}));
    let with_id = ids.map(|id| json!({"name": "good-12345678", "running": running(id)}));
    for schedule in with_name.into_iter().chain(with_id) {
        case.clear()?;
        for n in 0..60 {
            case.write(format!("outside/doc{n}.json"), "{}")?;
        }
        fs::create_dir_all(case.path(SCHEDULED))?;
        write(&case, &schedule)?;
        let name = schedule["name"].as_str().unwrap_or_default();
        for arguments in [
            [].as_slice(),
            &["log", name],
            &[name],
            &[name, "--limit", "5m"],
            &["run", name, "--agent", "cat"],
            &["remove", name],
        ] {
            let ran = case.run(&[&["schedule"], arguments].concat())?;
            ran.expect_any_code()?;
            if arguments.is_empty() {
                ran.expect(2)?;
                let told =
                    ran.stderr.contains("schedules[0]") && ran.stderr.contains("correct the file");
                ensure!(told, "{schedule}: {}", ran.shown());
            }
        }
        a_moment_of_the_daemon(&case)?.expect_any_code()?;
        let left = fs::read_dir(case.path("outside"))?.count();
        ensure!(left == 60, "{schedule}: {left} files are left of 60");
    }
    Ok(())
}

/// The record of a run that names another schedule moves no skill of the other schedule.
fn a_record_speaks_for_its_own_schedule() -> Outcome {
    let case = Case::new()?;
    let other = json!({"name": "other-12345678", "at": "2026-11-23T18:00:00Z",
        "handled": "2027-01-01T00:00:00Z", "running": running(ID)});
    case.skill(&format!("{SCHEDULED}/other-12345678"), "", "Text.")?;
    let mine = json!({"name": "mine-12345678", "running": running(ID)});
    write_all(&case, &[mine, other])?;
    let record = json!({"version": 1, "id": ID, "name": "other-12345678", "due": "2026-11-23T18:00:00Z",
        "start": "2026-11-23T18:00:00Z", "end": "2026-11-23T18:00:01Z", "outcome": "ok"});
    let path = format!("{RUNS}/mine-12345678/{ID}.json");
    case.write(path, record.to_string())?;
    // A run records first what became of the run before it.
    let ran = case.run(&["schedule", "run", "mine", "--agent", "cat"])?;
    ran.expect_any_code()?;
    let skill = case.path(SCHEDULED).join("other-12345678/SKILL.md");
    ensure!(skill.exists(), "the skill of another schedule was moved");
    Ok(())
}

/// No command removes a skill in the trash whose record cannot be read; `trash` reports it.
fn the_trash_keeps_a_skill_without_a_record() -> Outcome {
    let case = Case::new()?;
    let part = "home/.local/share/skills/trash/.part-again-1";
    case.write(format!("{part}/skill/precious"), "")?;
    case.write(format!("{part}/entry.json"), r#"{"version":1,"name":"/x"}"#)?;
    let add = "schedule sweep --task Sweep. --in 3h --timezone UTC";
    let add: Vec<&str> = add.split(' ').collect();
    case.run(&add)?.expect(0)?;
    case.run(&["schedule", "remove", "sweep"])?.expect(0)?;
    case.run(&["restore", "--empty", "--yes"])?.expect(0)?;
    let ran = case.run(&["restore", "--list"])?;
    ensure!(
        case.path(part).join("skill/precious").exists(),
        "it is gone"
    );
    ensure!(ran.stderr.contains(".part-again-1"), "{}", ran.shown());
    Ok(())
}

/// A pipe in the place of `schedules.json` is not waited for, and the help names it.
fn a_pipe_in_the_place_of_the_file_is_named() -> Outcome {
    let case = Case::new()?;
    fs::create_dir_all(case.path(SCHEDULED))?;
    Ran::of(case.command_of("mkfifo").arg(case.path(FILE)))?.expect(0)?;
    let ran = case.run(&["schedule"])?;
    ran.expect(2)?;
    ensure!(ran.stderr.contains("in the place of"), "{}", ran.shown());
    Ok(())
}

/// Pipes in the places of a record and of a schedule's skill are not waited for, and are named.
fn pipes_in_the_places_of_records_are_not_waited_for() -> Outcome {
    planted(|case, path| Ran::of(case.command_of("mkfifo").arg(path))?.expect(0))
}

/// Files of a gigabyte in the same places are not read, and are named. Each is a hole of the disk.
fn large_records_are_not_read() -> Outcome {
    planted(|_, path| Ok(fs::File::create(path)?.set_len(1 << 30)?))
}

fn planted(plant: impl Fn(&Case, &Path) -> Outcome) -> Outcome {
    let case = Case::new()?;
    let add = "schedule sweep --task Sweep. --in 3h --timezone UTC";
    let add: Vec<&str> = add.split(' ').collect();
    case.run(&add)?.expect(0)?;
    let list = case.json(&["schedule"])?;
    let name = list["schedules"][0]["name"].as_str().unwrap_or_default();
    let record = format!("{RUNS}/{name}/{ID}.json");
    let skill = format!("{SCHEDULED}/{name}/SKILL.md");
    fs::remove_file(case.path(&skill))?;
    for path in [&record, &skill] {
        let path = case.path(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        plant(&case, &path)?;
    }
    for (arguments, code, named) in [
        (["schedule", "log", name].as_slice(), 0, ID),
        (&["schedule", name], 0, "its skill cannot be read"),
        (&add, 1, "sweep"),
    ] {
        let ran = case.run(arguments)?;
        ran.expect(code)?;
        ensure!(ran.stderr.contains(named), "{}", ran.shown());
    }
    Ok(())
}

/// A zone is written down by its name, so no name is accepted that means another zone on each machine.
fn no_zone_of_the_machine_is_written_down() -> Outcome {
    let case = Case::new()?;
    for zone in ["localtime", "posixrules", "LocalTime"] {
        let add = "schedule sweep --task Sweep. --in 3h --timezone";
        let add: Vec<&str> = add.split(' ').chain([zone]).collect();
        let ran = case.run(&add)?;
        ensure!(ran.code == Some(2), "{zone}: {}", ran.shown());
    }
    Ok(())
}

/// A run ends, and does not panic, whichever thread or process cannot be started. Its record says why.
fn a_run_without_threads_ends() -> Outcome {
    if let Some(reason) = strace::missing() {
        return skipped(&reason);
    }
    let case = Case::new()?;
    let add = "schedule sweep --task Sweep. --in 3h --timezone UTC";
    let add: Vec<&str> = add.split(' ').collect();
    case.run(&add)?.expect(0)?;
    for first in 1..=6 {
        for when in [format!("{first}"), format!("{first}+")] {
            let mut command = case.command_of("strace");
            let inject = format!("inject=?clone,?clone3:error=EAGAIN:when={when}");
            command.args(["-o", "/dev/null", "-e", &inject]);
            command.arg(crate::program::file()?);
            command.args(["schedule", "run", "sweep", "--agent", "cat"]);
            // A run that hangs is an error.
            Ran::of(&mut command)?.expect_any_code()?;
        }
    }
    let runs = case.json(&["schedule", "log", "sweep"])?;
    let runs = runs["runs"].as_array().map_or(0, Vec::len);
    ensure!(runs == 12, "{runs} records of 12 runs");
    Ok(())
}

fn running(id: &str) -> Value {
    json!({"id": id, "due": null, "start": "2026-11-23T18:00:00Z"})
}

fn write(case: &Case, schedule: &Value) -> Outcome {
    write_all(case, std::slice::from_ref(schedule))
}

/// Writes schedules, each over the fields of a schedule that runs once a year.
fn write_all(case: &Case, schedules: &[Value]) -> Outcome {
    let whole = |schedule: &Value| {
        let mut whole = json!({"timezone": "UTC", "added": "2026-11-23T18:00:00Z",
            "handled": "2026-11-23T18:00:00Z"});
        if schedule.get("at").is_none() {
            whole["cron"] = "0 0 1 1 *".into();
        }
        for (key, value) in schedule.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        whole
    };
    let all: Vec<Value> = schedules.iter().map(whole).collect();
    let text = json!({"version": 1, "schedules": all}).to_string();
    case.write(FILE, text)
}

/// Runs the daemon, and asks it to end after a second.
fn a_moment_of_the_daemon(case: &Case) -> Outcome<Ran> {
    let mut command = case.command_of("timeout");
    command.args(["--preserve-status", "-s", "INT", "1"]);
    command.arg(crate::program::file()?);
    command.args(["schedule", "daemon", "--agent", "cat"]);
    Ran::of(&mut command)
}
