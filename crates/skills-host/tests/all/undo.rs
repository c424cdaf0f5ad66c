//! Whole operations are undone, in every folder that they changed.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions};
use skills_host::ErrorKind;
use skills_host::git::Observer;
use skills_host::install::{
    Action, Host, InstallOptions, OnConflict, Plan, Scope, Undo, Wanted, apply, apply_all,
    can_undo, forget_lost, interrupted, plan_move, plan_undo, plan_uninstall, undoable,
    undoable_only_with,
};
use skills_store::files::folder::OpenFolder;
use skills_store::files::guard::Guard;
use skills_store::files::operation::{OperationRecord, OperationState};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

fn undo(world: &World, wanted: Wanted<'_>) -> Undo {
    plan_undo(&[world.target()], Scope::Whole, wanted, world.host()).unwrap()
}

fn carry_out(world: &World, undo: &Undo) {
    for plan in &undo.plans {
        world.apply(plan);
    }
}

fn install(world: &World, names: &[&str]) {
    world.apply(&world.plan(&world.url(), names, &InstallOptions::default()));
}

fn uninstall(world: &World, names: &[&str]) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let plan = plan_uninstall(&world.target(), &names, OnConflict::Refuse, world.host());
    world.apply(&plan.unwrap());
}

fn lock(world: &World) -> String {
    let text = fs::read_to_string(world.target().join("skills.lock"));
    // Without an entry, there is no lock.
    text.unwrap_or_else(|_| String::new())
}

#[test]
fn an_update_is_undone_whole_and_then_the_install() {
    let world = World::new();
    install(&world, &["a", "b", "c"]);
    let (old, before) = (world.text("a/SKILL.md"), lock(&world));
    fs::write(world.target().join("b/mine.md"), "mine").unwrap();
    for name in ["a", "b"] {
        world.skill(name, "Other.\n");
    }
    world.commit("second");
    world.apply(&world.update(OnConflict::Refuse));
    assert_ne!(world.text("a/SKILL.md"), old);
    let last = undo(&world, Wanted::Last);
    assert_eq!(last.of.why, "update");
    assert!(last.displaces);
    assert_eq!(
        actions(&last.plans[0]),
        [("a", Action::Restore), ("b", Action::Restore)]
    );
    carry_out(&world, &last);
    assert_eq!(world.text("a/SKILL.md"), old);
    assert_eq!(world.text("b/mine.md"), "mine");
    assert_eq!(lock(&world), before);
    // The next call goes further back, and does not undo the undoing.
    let last = undo(&world, Wanted::Last);
    assert_eq!(last.of.why, "install");
    assert_eq!(last.plans[0].skills[0].action, Action::Remove);
    carry_out(&world, &last);
    assert_eq!(lock(&world), "");
    assert!(!world.target().join("a").exists());
    let none = plan_undo(&[world.target()], Scope::Whole, Wanted::Last, world.host());
    assert_eq!(none.unwrap_err().kind(), ErrorKind::NotFound);
    // The undoing is an operation too, which its id undoes.
    let all = undoable(None, world.host()).unwrap();
    let id = all[0].id.clone();
    carry_out(&world, &undo(&world, Wanted::Operation(&id)));
    assert_eq!(lock(&world), before);
    assert_eq!(world.text("b/mine.md"), "mine");
}

#[test]
fn a_merge_gives_the_local_version_back() {
    let world = World::new();
    install(&world, &["a"]);
    let mine = world.text("a/SKILL.md").replace("Five.", "Five, mine.");
    fs::write(world.target().join("a/SKILL.md"), &mine).unwrap();
    world.skill("a", "One, new.\nTwo.\nThree.\nFour.\nFive.\n");
    world.commit("second");
    let plan = world.update(OnConflict::Merge);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    world.apply(&plan);
    assert_ne!(world.text("a/SKILL.md"), mine);
    carry_out(&world, &undo(&world, Wanted::Skill("a")));
    assert_eq!(world.text("a/SKILL.md"), mine);
}

#[test]
fn an_uninstall_of_several_comes_back_without_a_question() {
    let world = World::new();
    install(&world, &["a", "b", "c"]);
    let before = lock(&world);
    uninstall(&world, &["a", "b"]);
    // One of the two alone, then the rest of the operation.
    let one = undo(&world, Wanted::Skill("b"));
    assert!(!one.displaces);
    carry_out(&world, &one);
    assert!(world.target().join("b").exists());
    let rest = undo(&world, Wanted::Last);
    assert!(!rest.displaces);
    // What was restored alone is no part of the rest.
    assert_eq!(actions(&rest.plans[0]), [("a", Action::Restore)]);
    carry_out(&world, &rest);
    assert_eq!(lock(&world), before);
}

/// What a killed process leaves of a skill that it deletes goes to the trash too.
#[test]
fn a_part_in_the_trash_is_not_taken_for_the_skill() {
    let world = World::new();
    install(&world, &["a"]);
    fs::write(world.target().join("a/mine.md"), "mine").unwrap();
    world.skill("a", "Other.\n");
    world.commit("second");
    world.apply(&world.update(OnConflict::Force));
    for trashed in world.host().data.trash().list().unwrap() {
        fs::remove_file(trashed.folder.join("SKILL.md")).unwrap();
    }
    let last = undo(&world, Wanted::Last);
    assert_eq!(actions(&last.plans[0]), [("a", Action::Refuse)]);
}

/// The first skill of a plan is edited before the plan is applied, so that its change fails.
fn failing(world: &World, plan: &Plan) {
    let name = &plan.skills[0].name;
    fs::write(world.target().join(name).join("SKILL.md"), "edited").unwrap();
    let applied = apply(plan, world.host()).unwrap();
    assert!(applied[0].error.is_some(), "{applied:?}");
}

#[test]
fn an_operation_that_failed_before_it_changed_something_does_not_stand_in_the_way() {
    let world = World::new();
    install(&world, &["a", "b"]);
    world.skill("a", "Two.\n");
    world.skill("b", "Two.\n");
    world.commit("second");
    failing(&world, &world.update(OnConflict::Refuse));
    // `b` was updated, and `a` was not.
    let last = undo(&world, Wanted::Last);
    assert_eq!(last.of.why, "update");
    let changed = last.plans[0].changes().map(|skill| skill.name.as_str());
    assert_eq!(changed.collect::<Vec<_>>(), ["b"]);
    let of_skill = undo(&world, Wanted::Skill("a"));
    assert_eq!(of_skill.of.why, "install");
}

#[test]
fn a_failed_change_to_the_same_version_does_not_stand_in_the_way() {
    let world = World::new();
    install(&world, &["a"]);
    // Nothing else has a copy of the local changes.
    fs::write(world.target().join("a/SKILL.md"), "mine").unwrap();
    failing(&world, &world.update(OnConflict::Force));
    let before = undo(&world, Wanted::Last);
    assert_eq!(before.of.why, "install", "{:?}", before.plans);
    assert_eq!(world.text("a/SKILL.md"), "edited");
}

#[test]
fn what_was_changed_since_goes_to_the_trash() {
    let world = World::new();
    install(&world, &["a"]);
    fs::write(world.target().join("a/SKILL.md"), "mine").unwrap();
    let last = undo(&world, Wanted::Last);
    assert!(last.displaces);
    let note = last.plans[0].skills[0].note.as_deref().unwrap();
    assert!(note.contains("changed since"), "{note}");
    carry_out(&world, &last);
    let trashed = world.data.trash().list().unwrap();
    let text = fs::read_to_string(trashed[0].folder.join("SKILL.md")).unwrap();
    assert_eq!(text, "mine");
}

#[test]
fn an_operation_over_two_folders_is_undone_in_both_or_in_one() {
    for scope in [Scope::Whole, Scope::Only] {
        let world = World::new();
        let other: PathBuf = world.path("other/skills");
        let here = world.plan(&world.url(), &["a"], &InstallOptions::default());
        let mut there = here.clone();
        there.target.clone_from(&other);
        for applied in apply_all(&[here, there], world.host()) {
            applied.unwrap();
        }
        assert!(other.join("a/SKILL.md").exists());
        let undo = plan_undo(&[world.target()], scope, Wanted::Last, world.host()).unwrap();
        for plan in &undo.plans {
            apply(plan, world.host()).unwrap();
        }
        assert!(!world.target().join("a").exists());
        assert_eq!(other.join("a").exists(), scope == Scope::Only);
    }
}

#[test]
fn a_move_is_undone_in_both_folders() {
    let world = World::new();
    install(&world, &["a"]);
    let before = lock(&world);
    let other = world.path("other/skills");
    let plan = plan_move(
        "a",
        &world.target(),
        &other,
        OnConflict::Refuse,
        world.host(),
    );
    plan.unwrap().apply(world.host()).unwrap();
    assert!(!world.target().join("a").exists());
    carry_out(&world, &undo(&world, Wanted::Last));
    assert!(!other.join("a").exists());
    assert_eq!(lock(&world), before);
    assert!(world.target().join("a/SKILL.md").exists());
}

/// Without `--to`, one name undoes its whole move, also into a folder that no client has.
#[test]
fn a_name_undoes_both_halves_of_a_move() {
    let world = World::new();
    install(&world, &["a"]);
    let (host, before) = (world.host(), lock(&world));
    let other = world.path("other/skills");
    let plan = plan_move("a", &world.target(), &other, OnConflict::Refuse, host);
    plan.unwrap().apply(host).unwrap();
    let half = plan_undo(&[world.target()], Scope::Only, Wanted::Skill("a"), host).unwrap();
    assert_eq!(half.left, std::slice::from_ref(&other));
    carry_out(&world, &undo(&world, Wanted::Skill("a")));
    assert!(!other.join("a").exists());
    assert_eq!(lock(&world), before);
}

/// A second call would undo the install: it says what was restored, and the ids for both directions.
#[test]
fn a_skill_is_restored_once_and_back_and_forth_by_id() {
    let world = World::new();
    install(&world, &["a"]);
    fs::write(world.target().join("a/mine.md"), "mine").unwrap();
    uninstall(&world, &["a"]);
    let is_mine = || world.target().join("a/mine.md").exists();
    carry_out(&world, &undo(&world, Wanted::Skill("a")));
    assert!(is_mine());
    let (targets, scope) = ([world.target()], Scope::Whole);
    let error = plan_undo(&targets, scope, Wanted::Skill("a"), world.host()).unwrap_err();
    assert!(error.to_string().contains("restored already"), "{error}");
    for _ in 0..2 {
        let id = undoable(None, world.host()).unwrap()[0].id.clone();
        carry_out(&world, &undo(&world, Wanted::Operation(&id)));
        assert!(!is_mine());
        // The uninstall counts again, and its version is still in the trash.
        carry_out(&world, &undo(&world, Wanted::Last));
        assert!(is_mine());
    }
}

/// What needs the trash is named before, and what can be undone without it stays.
#[test]
fn an_empty_trash_keeps_what_can_be_undone() {
    let world = World::new();
    install(&world, &["a"]);
    fs::write(world.target().join("a/mine.md"), "mine").unwrap();
    world.skill("a", "Other.\n");
    world.commit("second");
    world.apply(&world.update(OnConflict::Force));
    let lost = undoable_only_with(|_| true, world.host()).unwrap();
    let whys: Vec<&str> = lost.iter().map(|lost| lost.why.as_str()).collect();
    assert_eq!(whys, ["update"]);
    world.data.trash().empty(None).unwrap();
    forget_lost(&lost[0], world.host()).unwrap();
    assert_eq!(undo(&world, Wanted::Last).of.why, "install");
}

#[test]
#[cfg_attr(
    windows,
    ignore = "Windows does not remove the store, whose files are read-only"
)]
fn what_cannot_be_restored_names_the_operation_before_it() {
    let world = World::new();
    install(&world, &["a", "b"]);
    uninstall(&world, &["a"]);
    world.data.trash().empty(None).unwrap();
    fs::remove_dir_all(world.path("data/store")).unwrap();
    let last = undo(&world, Wanted::Last);
    assert_eq!(actions(&last.plans[0]), [("a", Action::Refuse)]);
    let before = last.before.unwrap();
    let install = undo(&world, Wanted::Operation(&before.id));
    assert_eq!(install.of.why, "install");
    carry_out(&world, &install);
    assert!(!world.target().join("b").exists());
}

#[test]
#[cfg_attr(
    windows,
    ignore = "Windows does not remove the store, whose files are read-only"
)]
fn what_is_lost_is_refused() {
    let world = World::new();
    install(&world, &["a"]);
    uninstall(&world, &["a"]);
    world.data.trash().empty(None).unwrap();
    // The store still has exactly its files.
    assert_eq!(
        actions(&undo(&world, Wanted::Last).plans[0]),
        [("a", Action::Restore)]
    );
    fs::remove_dir_all(world.path("data/store")).unwrap();
    let last = undo(&world, Wanted::Last);
    assert_eq!(actions(&last.plans[0]), [("a", Action::Refuse)]);
}

/// An operation of another process, which ends when somebody waits for it.
struct Running<'r> {
    world: &'r World,
    record: RefCell<Option<(OperationRecord, Guard)>>,
}

impl Observer for Running<'_> {
    fn waiting(&self, _: &Path, _: &str) {
        let (record, guard) = self.record.take().unwrap();
        let operations = self.world.data.operations();
        operations.end(record, OperationState::Done).unwrap();
        drop(guard);
    }
}

#[test]
fn an_operation_that_runs_is_waited_for() {
    let world = World::new();
    install(&world, &["a"]);
    let operations = world.data.operations();
    let mut all = operations.all().unwrap().into_values();
    let record = all.next().unwrap().remove(0);
    operations
        .end(record.clone(), OperationState::Begun)
        .unwrap();
    let folder = OpenFolder::open(&world.target()).unwrap();
    let guard = Guard::wait_in(&folder, ".skills-work", "lock", &|_, _| {}).unwrap();
    let observer = Running {
        world: &world,
        record: RefCell::new(Some((record, guard))),
    };
    let host = Host {
        observer: &observer,
        ..world.host()
    };
    let undo = plan_undo(&[world.target()], Scope::Whole, Wanted::Last, host).unwrap();
    assert!(observer.record.borrow().is_none());
    assert!(!undo.of.is_open, "it was running, and not interrupted");
}

/// The record of an operation that runs is that of one whose process was killed. The hold of the folder tells them apart.
#[test]
fn an_operation_that_runs_is_not_listed_as_interrupted() {
    let world = World::new();
    for name in ["a", "b", "c"] {
        install(&world, &[name]);
    }
    let operations = world.data.operations();
    let records: Vec<OperationRecord> = operations.all().unwrap().into_values().flatten().collect();
    for record in &records {
        let record = record.clone();
        operations.end(record, OperationState::Begun).unwrap();
    }
    let states = || {
        let all = undoable(None, world.host()).unwrap();
        all.iter().map(|it| it.is_running).collect::<Vec<_>>()
    };
    assert_eq!(states(), [false, false, false]);
    assert!(can_undo(
        &undoable(None, world.host()).unwrap()[0],
        world.host()
    ));
    let folder = OpenFolder::open(&world.target()).unwrap();
    let guard = Guard::wait_in(&folder, ".skills-work", "lock", &|_, _| {}).unwrap();
    // All three are of this process, which holds the folder: the last one is the holder's.
    assert_eq!(states(), [true, false, false]);
    let all = undoable(None, world.host()).unwrap();
    assert!(!can_undo(&all[0], world.host()));
    assert!(interrupted(world.host()).unwrap().is_none());
    // Of another process than the last two: these wait, and the first one was interrupted.
    for (at, record) in records.iter().enumerate() {
        let process = if at == 1 { std::process::id() } else { 1 };
        let mut other = record.clone();
        let mut parts: Vec<&str> = record.id.split('-').collect();
        let process = process.to_string();
        parts[1] = &process;
        other.id = parts.join("-");
        operations.forget(record).unwrap();
        operations.end(other, OperationState::Begun).unwrap();
    }
    assert_eq!(states(), [true, true, false]);
    drop(guard);
    assert_eq!(states(), [false, false, false]);
}

/// The list of operations names one that can be undone as its example.
#[test]
fn an_operation_that_failed_before_it_changed_anything_cannot_be_undone() {
    let world = World::new();
    install(&world, &["a"]);
    let all = undoable(None, world.host()).unwrap();
    assert!(can_undo(&all[0], world.host()));
    uninstall(&world, &["a"]);
    let operations = world.data.operations();
    let mut record = operations
        .all()
        .unwrap()
        .remove(&all[0].id)
        .unwrap()
        .remove(0);
    record.id = record.id.replace('2', "3");
    operations.end(record, OperationState::Failed).unwrap();
    let all = undoable(None, world.host()).unwrap();
    assert!(
        all.iter()
            .any(|it| it.has_failed && !can_undo(it, world.host()))
    );
    assert_eq!(
        all.iter().filter(|it| can_undo(it, world.host())).count(),
        1
    );
}
