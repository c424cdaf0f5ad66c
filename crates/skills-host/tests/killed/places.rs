//! Kills operations over two folders of skills at every system call that writes, also between the two folders. Afterwards
//! each skill is whole in each folder; if one folder has the new version and the other one the old, the next command says so;
//! and `restore` makes both folders as they were.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]

use super::traced::{self, Counts, KILL, Traced};
use jiff::Timestamp;
use libtest_mimic::Trial;
use skills_host::git::{Git, Quiet};
use skills_host::install::{
    Chosen, Host, InstallOptions, LocalSources, Offer, OnConflict, Plan, Scope, Source, Undo,
    UpdateOptions, Wanted, apply_all, interrupted, plan_move, plan_undo, plan_uninstall,
    plan_updates, temporary_folder, undoable,
};
use skills_host::lock::read_lock;
use skills_host::{Error, ErrorKind};
use skills_store::files::clock::Clock;
use skills_store::files::data::DataFolder;
use skills_store::files::snapshot::Snapshot;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TRACED: Traced = Traced("places");
const OPERATIONS: [&str; 5] = ["install", "update", "uninstall", "move", "restore"];
const FOLDERS: [&str; 2] = ["one/skills", "two/skills"];

pub(crate) fn carried_out() -> bool {
    TRACED.carried_out(run)
}

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    [super::trial("places::every_point", every_point)].into_iter()
}

fn every_point() {
    let points = OPERATIONS.iter().flat_map(|operation| points(operation));
    let points = traced::try_all(points.collect(), &Point::attempt);
    println!("places: {} points", points.len());
}

struct Point {
    operation: &'static str,
    call: String,
    n: usize,
    counts: Counts,
    before: Arc<State>,
    after: Arc<State>,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} over two folders: {} {}",
            self.operation, self.call, self.n
        )
    }
}

fn points(operation: &'static str) -> Vec<Point> {
    let world = World::new(operation);
    let before = Arc::new(world.state());
    let counts = TRACED.counts(operation, world.folder.path(), &[]).unwrap();
    let after = Arc::new(world.state());
    assert_ne!(before, after, "{operation}");
    let points = counts.points(traced::step(3));
    let points = points.map(|(call, n)| Point {
        operation,
        call: call.to_owned(),
        n,
        counts: counts.clone(),
        before: Arc::clone(&before),
        after: Arc::clone(&after),
    });
    points.collect()
}

impl Point {
    fn attempt(&self) {
        let world = World::new(self.operation);
        let inject = format!("inject={}:{KILL}:when={}", self.call, self.n);
        let path = world.folder.path();
        let faults = [inject.as_str()];
        TRACED
            .with_faults(self.operation, path, &self.counts, &faults)
            .unwrap();
        // Reading the locks finishes the change of the killed process.
        let now = world.state();
        for (skill, found) in &now {
            let known = [self.before.get(skill), self.after.get(skill)];
            assert!(
                known.contains(&Some(found)),
                "{self}: {skill:?} is {found:?}, not of {known:?}"
            );
        }
        let data = world.data();
        with_host(&data, |host| {
            let told = interrupted(host).unwrap();
            if now != *self.before && now != *self.after {
                assert!(told.is_some(), "{self}: the half operation is not told");
            }
            let Some(last) = undoable(None, host).unwrap().into_iter().next() else {
                assert_eq!(now, *self.before, "{self}: there is no record");
                return;
            };
            let is_of_this = last.is_open || last.why == self.operation;
            if self.operation == "restore" {
                self.finish_restore(&world, is_of_this && !last.is_open, host);
            } else if is_of_this {
                undo(&world, Wanted::Operation(&last.id), host).unwrap();
                assert_eq!(world.state(), *self.before, "{self}: after `restore`");
            } else {
                assert_eq!(now, *self.before, "{self}: there is no record");
            }
        });
        if self.operation == "restore" || self.operation == "move" {
            return;
        }
        // The same command again makes both folders as they should be.
        run(self.operation, path).unwrap();
        assert_eq!(world.state(), *self.after, "{self}: again");
    }

    /// `restore` again never goes back to the operation before the killed one.
    fn finish_restore(&self, world: &World, is_done: bool, host: Host<'_>) {
        if !is_done {
            match undo(world, Wanted::Last, host) {
                Ok(_) => {}
                Err(error) => assert_eq!(error.kind(), ErrorKind::NotFound, "{self}: {error}"),
            }
        }
        assert_eq!(world.state(), *self.after, "{self}: restored again");
    }
}

/// The digest and the locked digest of each skill of each folder.
type State = BTreeMap<(usize, String), (Option<String>, Option<String>)>;

struct World {
    folder: tempfile::TempDir,
}

impl World {
    /// Makes the folders before an operation.
    fn new(operation: &str) -> Self {
        let world = Self {
            folder: traced::folder().unwrap(),
        };
        world.source("One.\n");
        let path = world.folder.path();
        if operation == "install" {
            return world;
        }
        if operation == "move" {
            run("install one", path).unwrap();
            return world;
        }
        run("install", path).unwrap();
        if operation == "update" || operation == "restore" {
            world.source("Two.\n");
            fs::write(path.join(FOLDERS[1]).join("b/mine.md"), "mine").unwrap();
        }
        if operation == "restore" {
            run("update", path).unwrap();
        }
        world
    }

    fn source(&self, body: &str) {
        for name in ["a", "b"] {
            let folder = self.folder.path().join("source").join(name);
            fs::create_dir_all(&folder).unwrap();
            let text = format!(
                "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\n{body}"
            );
            fs::write(folder.join("SKILL.md"), text).unwrap();
        }
    }

    fn data(&self) -> DataFolder {
        DataFolder::new(self.folder.path().join("data"))
    }

    fn targets(&self) -> [PathBuf; 2] {
        FOLDERS.map(|folder| self.folder.path().join(folder))
    }

    /// Returns every skill that is or was in a folder.
    fn state(&self) -> State {
        let mut state = State::new();
        for (at, target) in self.targets().iter().enumerate() {
            let lock = read_lock(target, &self.data()).unwrap();
            for name in ["a", "b"] {
                let there = Snapshot::read(&target.join(name)).ok();
                let locked = lock.skills.get(name);
                state.insert(
                    (at, name.to_owned()),
                    (
                        there.map(|now| now.digest().to_string()),
                        locked.map(|locked| locked.digest.to_string()),
                    ),
                );
            }
        }
        state
    }
}

fn undo(world: &World, wanted: Wanted<'_>, host: Host<'_>) -> Result<Undo, Error> {
    let undo = plan_undo(&world.targets(), Scope::Whole, wanted, host)?;
    done(&undo.plans, host)?;
    Ok(undo)
}

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

fn with_host<T>(data: &DataFolder, call: impl FnOnce(Host<'_>) -> T) -> T {
    let git = Git::default();
    call(Host {
        data,
        git: &git,
        clock: &SystemClock,
        observer: &Quiet,
    })
}

/// Runs an operation, like a program does.
fn run(operation: &str, world: &Path) -> Result<(), Error> {
    let data = DataFolder::new(world.join("data"));
    let [one, two] = FOLDERS.map(|folder| world.join(folder));
    with_host(&data, |host| match operation {
        "install" | "install one" => {
            let temporary = temporary_folder(&data);
            let offer = Offer::fetch(Source::parse("source", world)?, &temporary, host)?;
            let options = InstallOptions::default();
            let targets = if operation == "install" {
                vec![one, two]
            } else {
                vec![one]
            };
            let plans = targets
                .iter()
                .map(|target| offer.plan(&Chosen::All, target, &options));
            done(&plans.collect::<Result<Vec<Plan>, _>>()?, host)
        }
        "update" => {
            let mut options = UpdateOptions::default();
            options.local = LocalSources::Allow;
            let folders = [(one, options.clone()), (two, options)];
            let plans = plan_updates(&folders, host).into_iter();
            done(&plans.collect::<Result<Vec<Plan>, _>>()?, host)
        }
        "uninstall" => {
            let plans = [one, two].map(|target| {
                let lock = read_lock(&target, &data)?;
                let names: Vec<String> = lock.skills.into_keys().collect();
                plan_uninstall(&target, &names, OnConflict::Refuse, host)
            });
            done(&plans.into_iter().collect::<Result<Vec<Plan>, _>>()?, host)
        }
        "move" => plan_move("a", &one, &two, OnConflict::Refuse, host)?.apply(host),
        _ => {
            let undo = plan_undo(&[one, two], Scope::Whole, Wanted::Last, host)?;
            done(&undo.plans, host)
        }
    })
}

fn done(plans: &[Plan], host: Host<'_>) -> Result<(), Error> {
    for applied in apply_all(plans, host) {
        let failed = applied?.into_iter().find_map(|applied| applied.error);
        failed.map_or(Ok(()), Err)?;
    }
    Ok(())
}
