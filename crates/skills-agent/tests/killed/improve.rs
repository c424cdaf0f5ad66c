//! Kills and fails a repair, its approval and a rollback at every system call that writes. Afterwards the skill is
//! completely the old or the new one, the next run is clean, and a waiting proposal survives.
//!
//! `strace` injects the kills and the errors. Without `strace` the test prints so and does nothing.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]
#![expect(
    clippy::disallowed_methods,
    reason = "the traced process ends with a code, and tests run git"
)]

use super::full::{Disk, Short};
use super::layer::{self, Layer};
use super::traced::{self, FAULTS, KILL, Traced, copy};
use jiff::Timestamp;
use libtest_mimic::Trial;
use skills_agent::improve::{
    AttemptOutcome, Improver, Proposal, Proposals, Site, Step, Task, Trace, attempt, rollback,
};
use skills_host::Error;
use skills_host::files::data::DataFolder;
use skills_host::files::snapshot::Snapshot;
use skills_host::git::{Git, Observer};
use skills_host::install::Host;
use skills_runtime::Catalog;
use skills_session::options::ToolNames;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPERATIONS: &[&str] = &[
    "propose",
    "automatic",
    "first",
    "approve",
    "reject",
    "rollback",
];

const TRACED: Traced = Traced("improve");

/// Carries out the operation for which a test started this process. Returns whether there was an operation.
pub(crate) fn carried_out() -> bool {
    let operate = |operation: &str, folder: &Path| {
        let folder = folder.to_owned();
        let world = World { folder };
        let mut words = operation.split(' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("check"), Some(operation), Some(old), Some(new)) => {
                let point = format!("{operation} on a full disk");
                world.check(operation, [&old.to_owned(), &new.to_owned()], &point);
                Ok(())
            }
            _ => world.operate(operation),
        }
    };
    TRACED.carried_out(operate)
}

/// Lists a test for each operation and fault.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    let series = OPERATIONS
        .iter()
        .flat_map(|operation| FAULTS.map(|fault| Series(operation, fault)));
    let trial =
        |series: Series| super::trial(format!("improve::{series}"), move || everywhere(&series));
    let full = OPERATIONS.iter().map(|operation| {
        super::trial(format!("improve::{operation}, full disk"), || {
            full(operation);
        })
    });
    let rejected = super::trial("improve::overlay", rejected_in_a_lower_layer);
    series.map(trial).chain(full).chain([rejected])
}

/// An operation, and the fault at its points.
struct Series(&'static str, &'static str);

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.0, self.1)
    }
}

/// The skill is the old or the new one, what follows is clean, and every proposal exists.
fn everywhere(series: &Series) {
    let &Series(operation, fault) = series;
    let step = traced::step(12);
    let folder = traced::folder().unwrap();
    // Proposals contain absolute paths, so each point uses the same folder again.
    let (template, place) = (folder.path().join("template"), folder.path().join("world"));
    let world = World::make(&place).unwrap();
    copy(&place, &template);
    let skill = World::skill(operation);
    let old = world.digest(skill);
    let layer = reset(&template, &place);
    let counts = TRACED.counts(operation, &place, &[]).unwrap();
    let new = world.digest(skill);
    drop(layer);
    let is_change = !matches!(operation, "propose" | "reject");
    assert_eq!(old != new, is_change, "{operation}");
    let mut points = 0;
    for (call, n) in counts.points(step) {
        let point = format!("{operation}, {call} {n}, {fault}");
        let _layer = reset(&template, &place);
        let inject = format!("inject={call}:{fault}:when={n}");
        let output = TRACED
            .with_faults(operation, &place, &counts, &[&inject])
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let is_named = said.is_empty() || said.contains('/') && said.contains("; ");
        assert!(is_named, "{point}: no file or no remedy: {said}");
        // A waiting proposal is named, also if something else failed.
        if fault != KILL && operation == "propose" && !said.is_empty() {
            let id = world.proposal("change").map(|proposal| proposal.id);
            assert!(
                id.is_none_or(|id| said.contains(&id)),
                "{point}: a proposal that nobody is told of: {said}"
            );
        }
        world.check(operation, [&old, &new], &point);
        world.check_committed(operation, &point);
        points += 1;
    }
    println!("{series}: {points}");
}

/// Resets the world: by a copy, or by a layer above the template.
fn reset(template: &Path, place: &Path) -> Option<Layer> {
    fs::remove_dir_all(place).unwrap();
    if layer::is_asked() {
        fs::create_dir(place).unwrap();
        return Some(Layer::over(template, place));
    }
    copy(template, place);
    None
}

/// On a full disk the skill is the old or the new one, and what follows is clean.
fn full(operation: &str) {
    let folder = traced::folder().unwrap();
    let [template, place, notes] =
        ["template", "world", "notes"].map(|name| folder.path().join(name));
    fs::create_dir(&notes).unwrap();
    let world = World::make(&place).unwrap();
    copy(&place, &template);
    let skill = World::skill(operation);
    let old = world.digest(skill);
    world.operate(operation).unwrap();
    let check = format!("check {operation} {old} {}", world.digest(skill));
    let disk = Disk {
        template: &template,
        place: &place,
        notes: &notes,
    };
    for short in [Short::Blocks, Short::Files] {
        let points = disk.fill(&TRACED, operation, &check, short, traced::step(16));
        println!("{operation}, full disk, {short:?}: {points}");
    }
}

/// A proposal that `reject` reports as removed is removed, also if its folder cannot be renamed.
fn rejected_in_a_lower_layer() {
    let script = "mount -t overlay overlay \
                  -o redirect_dir=off,lowerdir=$W/lower,upperdir=$W/upper,workdir=$W/work $W/data && exec \"$BIN\"";
    let folder = traced::folder().unwrap();
    let world = World::make(&folder.path().join("world")).unwrap();
    let place = &world.folder;
    let id = world.proposal("reject").unwrap().id;
    fs::rename(place.join("data"), place.join("lower")).unwrap();
    for name in ["data", "upper", "work"] {
        fs::create_dir(place.join(name)).unwrap();
    }
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", script]).env("W", place);
    command.env("BIN", std::env::current_exe().unwrap());
    let output = TRACED.ask(&mut command, "reject", place).output().unwrap();
    if !place.join("work/work").exists() {
        println!("skipped: no overlay can be mounted on this machine");
        return;
    }
    assert!(output.status.success(), "{output:?}");
    // A character device in the upper layer marks a removed folder.
    let gone = place.join("upper/proposals").join(id);
    let gone = Command::new("test").arg("-c").arg(gone).status();
    assert!(gone.unwrap().success());
}

/// Folders of skills, and the data folder.
struct World {
    folder: PathBuf,
}

/// An observer that prints all warnings.
struct Said;

impl Observer for Said {
    fn warning(&self, text: &str) {
        println!("{text}");
    }
}

/// An agent that knows one repair.
struct Scripted;

impl Improver for Scripted {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Error> {
        let file = task.folder.join("SKILL.md");
        let text = fs::read_to_string(&file).unwrap_or_default();
        fs::write(&file, text.replace("FileSearch", "Grep"))
            .map_err(|error| Error::io(&file, "cannot be written", error))?;
        Ok("changed: name the search tool".to_owned())
    }
}

impl World {
    /// Makes a skill for each operation: `approve`, `reject` and `waits` have a proposal, `rollback` was improved.
    fn make(folder: &Path) -> Result<Self, Error> {
        let world = Self {
            folder: folder.to_owned(),
        };
        for name in [
            "skills/change",
            "skills/approve",
            "skills/reject",
            "skills/waits",
            "skills/rollback",
            "other/first",
        ] {
            let place = folder.join(name);
            fs::create_dir_all(place.join("scripts")).unwrap();
            let name = place.file_name().unwrap().to_string_lossy();
            let text = format!(
                "---\nname: {name}\ndescription: Finds code. Use when asked to {name}.\n---\nCall FileSearch.\n"
            );
            fs::write(place.join("SKILL.md"), text).unwrap();
            fs::write(place.join("scripts/run.sh"), "echo hi\n").unwrap();
        }
        let mut git = Command::new("git");
        git.args(["init", "-q"]).arg(folder.join("skills"));
        assert!(git.status().unwrap().success());
        for name in ["approve", "reject", "waits"] {
            world.improve("skills", name, false)?;
        }
        world.improve("skills", "rollback", true)?;
        Ok(world)
    }

    /// Returns the skill that an operation changes.
    fn skill(operation: &str) -> &str {
        match operation {
            "propose" | "automatic" => "skills/change",
            "first" => "other/first",
            "approve" => "skills/approve",
            "reject" => "skills/reject",
            _ => "skills/rollback",
        }
    }

    fn digest(&self, skill: &str) -> String {
        let snapshot = Snapshot::read(&self.folder.join(skill)).unwrap();
        snapshot.digest().to_string()
    }

    fn data(&self) -> DataFolder {
        DataFolder::new(self.folder.join("data"))
    }

    fn improve(&self, folder: &str, name: &str, automatic: bool) -> Result<(), Error> {
        let user = self.folder.join(folder);
        let catalog = Catalog::builder().directory("user", &user).load();
        let (data, git) = (
            self.data(),
            Git::default().own(["skills", "other"].map(|name| self.folder.join(name))),
        );
        let site = Site {
            host: host(&data, &git),
            tool_names: &ToolNames::NONE,
            user: &user,
            automatic,
            instructions: "Repair it.",
        };
        let step = Step {
            tool: "FileSearch".to_owned(),
            input: None,
            error: Some("no such tool".to_owned()),
        };
        let Some(skill) = catalog.get(name) else {
            println!("{}/; it cannot be read", user.display());
            return Ok(());
        };
        let trace = Trace::new([name.to_owned()], vec![step]);
        let attempt = attempt(&site, &skill, &trace, &Scripted)?;
        let is_refused = attempt.record.outcome == AttemptOutcome::Refused;
        let is_said = !attempt.record.reason.is_empty();
        if is_refused || is_said || attempt.record.outcome == AttemptOutcome::Failed {
            // The reason of the attempt names the file.
            println!("{}/; {}", attempt.record.reason, attempt.help);
        }
        Ok(())
    }

    fn proposal(&self, skill: &str) -> Option<Proposal> {
        let all = Proposals::of(&self.data()).list().unwrap();
        all.into_iter()
            .find(|proposal| proposal.record.skill == skill)
    }

    fn operate(&self, operation: &str) -> Result<(), Error> {
        let (data, git) = (
            self.data(),
            Git::default().own(["skills", "other"].map(|name| self.folder.join(name))),
        );
        let proposals = Proposals::of(&data);
        let host = host(&data, &git);
        match operation {
            "propose" => self.improve("skills", "change", false),
            "automatic" => self.improve("skills", "change", true),
            "first" => self.improve("other", "first", true),
            "rollback" => {
                let skills = self.folder.join("skills");
                rollback(&skills, "rollback", None, host).map(drop)
            }
            operation => {
                let Some(proposal) = self.proposal(operation) else {
                    return Ok(());
                };
                if operation == "approve" {
                    proposals.approve(&proposal, host).map(drop)
                } else {
                    proposals.reject(&proposal)
                }
            }
        }
    }

    /// Checks the world after a killed or failed operation.
    fn check(&self, operation: &str, known: [&String; 2], point: &str) {
        let skill = Self::skill(operation);
        let now = self.whole(skill, point);
        assert!(known.contains(&&now), "{point}: neither old nor new");
        // A proposal survives, with the bytes that it was made with.
        for name in ["waits", "approve", "reject"] {
            let proposal = self.proposal(name);
            if name == operation {
                continue;
            }
            let proposal = proposal.unwrap_or_else(|| panic!("{point}: {name} is gone"));
            assert!(!proposal.is_stale(), "{point}");
            let difference = Proposals::of(&self.data()).difference(&proposal);
            assert_eq!(difference.unwrap().len(), 1, "{point}");
        }
        // The next run is clean. A completed rollback is not made twice.
        let is_open = || now != *known[1] || !self.status(skill, point).is_empty();
        if operation != "rollback" || is_open() {
            self.operate(operation).unwrap();
        } else {
            self.improve("skills", "change", true).unwrap();
        }
        let now = self.whole(skill, point);
        assert_eq!(now, *known[1], "{point}: the next run");
        match operation {
            "propose" => assert!(self.proposal("change").is_some(), "{point}"),
            "approve" | "reject" => {
                assert!(self.proposal(operation).is_none(), "{point}");
                // The next proposal removes the rest of a removed one.
                self.improve("skills", "change", false).unwrap();
            }
            _ => {}
        }
        // Every existing folder is listed.
        let listed = Proposals::of(&self.data()).list().unwrap().len();
        let names = fs::read_dir(self.folder.join("data/proposals")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name());
        let there = names.filter(|name| !name.to_string_lossy().starts_with('.'));
        assert_eq!(there.count(), listed, "{point}");
        let left = [".part", ".new", "~", ".gone", ".skills-work", "tmp"];
        let mut left = traced::leftovers(&self.folder, &left);
        // Incomplete files of git belong to git, and `git gc` removes them.
        left.retain(|path| !path.contains("/.git/objects/"));
        assert_eq!(left, Vec::<String>::new(), "{point}");
    }

    /// Checks that the change is committed. On a full disk git cannot commit: this is reported, and the change stays.
    fn check_committed(&self, operation: &str, point: &str) {
        if operation != "propose" && operation != "reject" {
            assert_eq!(self.status(Self::skill(operation), point), "", "{point}");
        }
    }

    fn whole(&self, skill: &str, point: &str) -> String {
        let snapshot = Snapshot::read(&self.folder.join(skill));
        let snapshot = snapshot.unwrap_or_else(|error| panic!("{point}: {error}"));
        snapshot.digest().to_string()
    }

    /// Returns git's status of the skill: empty if the skill is committed.
    fn status(&self, skill: &str, point: &str) -> String {
        let (folder, name) = skill.split_once('/').unwrap();
        let mut git = Command::new("git");
        git.arg("-C").arg(self.folder.join(folder));
        let output = git.args(["status", "--porcelain", "--", name]).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{point}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn host<'h>(data: &'h DataFolder, git: &'h Git) -> Host<'h> {
    Host {
        data,
        git,
        clock: &Timestamp::UNIX_EPOCH,
        observer: &Said,
    }
}
