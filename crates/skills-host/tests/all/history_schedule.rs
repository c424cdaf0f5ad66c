//! Changes of schedules are committed if their folder has a history.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use crate::world::{World, git, log};
use jiff::Timestamp;
use skills_host::schedule::{
    Commit, Limit, Missed, NewSchedule, ScheduleChange, ScheduleName, Scheduler, TaskWords,
    TimeWords, Zone,
};
use skills_runtime::Profile;
use skills_store::files::trash::Trash;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn changes_of_schedules_are_committed() {
    let world = World::new();
    let skills = world.path("config/skills");
    fs::create_dir_all(&skills).unwrap();
    fs::write(skills.join("config.toml"), "agent = \"x\"\n").unwrap();
    let scheduled = Scheduled::new(&world, &skills);
    // Without a repository nothing is done.
    scheduled.add("early");
    assert!(!skills.join(".git").exists());
    git(&skills, &["init", "-q", "-b", "main"]);
    let name = scheduled.add("daily");
    assert_eq!(log(&skills), [format!("schedule add: {name}")]);
    let file = skills.join("scheduler").join(&name).join("SKILL.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("Do it.", "Do it well.")).unwrap();
    scheduled.set(&name);
    scheduled.scheduler.remove(&name, scheduled.now).unwrap();
    scheduled.commit(&name, Commit::Change("schedule remove"));
    let all = ["schedule add", "by hand", "schedule set", "schedule remove"];
    assert_eq!(log(&skills), all.map(|why| format!("{why}: {name}")));
    let show = |what: &str| git(&skills, &["show", "--stat=200", "--format=", what]);
    let by_hand = show("HEAD~2");
    assert!(by_hand.contains("SKILL.md") && !by_hand.contains("schedules.json"));
    assert!(!show("HEAD~1").contains("SKILL.md") && show("HEAD~1").contains("schedules.json"));
    assert!(show("HEAD").contains("SKILL.md") && show("HEAD").contains("schedules.json"));
    // The rest of the folder is not committed.
    let status = git(&skills, &["status", "--porcelain"]);
    assert!(
        status.contains("?? config.toml") && status.contains("?? scheduler/"),
        "{status}"
    );
}

#[test]
fn a_repository_that_lies_further_up_is_left_alone() {
    let world = World::new();
    let skills = world.path("config/skills");
    fs::create_dir_all(skills.join("scheduler")).unwrap();
    git(&world.path("config"), &["init", "-q", "-b", "main"]);
    let scheduled = Scheduled::new(&world, &skills);
    scheduled.add("daily");
    let found = Command::new("git")
        .args(["rev-parse", "HEAD"])
        .current_dir(&skills)
        .output();
    assert!(!found.unwrap().status.success(), "nothing is committed");
    // The folder of scheduled skills can be a repository of its own.
    let own = skills.join("scheduler");
    git(&own, &["init", "-q", "-b", "main"]);
    let name = scheduled.add("weekly");
    assert_eq!(log(&own), [format!("schedule add: {name}")]);
}

/// The schedules of a folder, changed like a program does.
struct Scheduled<'w> {
    world: &'w World,
    scheduler: Scheduler,
    now: Timestamp,
}

impl<'w> Scheduled<'w> {
    fn new(world: &'w World, skills: &Path) -> Self {
        let trash = Trash::new(world.path("trash"));
        let (folder, runs) = (skills.join("scheduler"), world.path("runs"));
        Self {
            world,
            scheduler: Scheduler::new(folder, runs, trash, Profile::DEFAULT),
            now: "2026-05-04T09:00:00Z".parse().unwrap(),
        }
    }

    fn commit(&self, name: &str, commit: Commit<'_>) {
        let host = self.world.host();
        self.scheduler
            .commit(name, commit, host.git, &self.now, host.observer);
    }

    fn add(&self, short: &str) -> ScheduleName {
        let zone = Zone::named("UTC").unwrap();
        let (task, output) = ("Do it.", None);
        let new = NewSchedule {
            words: TaskWords {
                short,
                task,
                output,
            },
            time: Some(TimeWords::Cron("0 9 * * *")),
            zone: &zone,
            missed: Missed::Skip,
            limit: Limit::DEFAULT,
        };
        let draft = self.scheduler.draft(&new, self.now).unwrap();
        self.scheduler.add(&draft).unwrap();
        let name = draft.schedule.name;
        self.commit(&name, Commit::Change("schedule add"));
        name
    }

    fn set(&self, name: &str) {
        self.commit(name, Commit::ByHand);
        let change = ScheduleChange {
            time: Some(TimeWords::Cron("30 8 * * *")),
            ..ScheduleChange::default()
        };
        self.scheduler.set(name, &change, self.now).unwrap();
        self.commit(name, Commit::Change("schedule set"));
    }
}
