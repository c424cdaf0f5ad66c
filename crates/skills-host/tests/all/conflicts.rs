//! What an install or an update finds in the place of a skill, and what it then does.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_host::ErrorKind;
use skills_host::git::Observer;
use skills_host::install::{
    Action, Chosen, Host, InstallOptions, Offer, OnConflict, Source, UpdateOptions, apply,
    locked_sources, plan_update,
};
use std::cell::Cell;
use std::fs;

fn options(on_conflict: OnConflict) -> InstallOptions {
    InstallOptions {
        on_conflict,
        ..InstallOptions::default()
    }
}

/// Writes a file of the folder of skills.
fn write(world: &World, path: &str, text: &str) {
    let path = world.target().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns the action for the skill `a`, and the reason if it is refused.
fn planned(world: &World, on_conflict: OnConflict) -> (Action, String) {
    let plan = world.plan(&world.url(), &["a"], &options(on_conflict));
    let reason = plan.skills[0].reason.clone();
    (
        plan.skills[0].action,
        reason.unwrap_or_default().to_string(),
    )
}

#[test]
fn a_git_repository_is_replaced_by_force_only_and_kept_in_the_trash() {
    let world = World::new();
    write(&world, "a/SKILL.md", "mine");
    write(&world, "a/.git/HEAD", "main");
    for on_conflict in [OnConflict::Refuse, OnConflict::Merge] {
        let (action, reason) = planned(&world, on_conflict);
        assert_eq!(action, Action::Refuse);
        assert!(
            reason.ends_with("a is a git repository of its own"),
            "{reason}"
        );
    }
    let plan = world.plan(&world.url(), &["a"], &options(OnConflict::Force));
    assert_eq!(actions(&plan), [("a", Action::Replace)]);
    world.apply(&plan);
    let trashed = world.data.trash().list().unwrap();
    let head = fs::read_to_string(trashed[0].folder.join(".git/HEAD"));
    assert_eq!(head.unwrap(), "main");
}

#[test]
fn a_skill_that_was_not_installed_is_kept() {
    let world = World::new();
    write(&world, "a/SKILL.md", "mine");
    let (action, reason) = planned(&world, OnConflict::Refuse);
    assert_eq!(action, Action::Refuse);
    assert_eq!(
        reason,
        "a skill of this name is in the folder and was not installed"
    );
    assert_eq!(planned(&world, OnConflict::Merge).0, Action::Refuse);
    assert_eq!(planned(&world, OnConflict::Force).0, Action::Replace);
    // Equal files only get their entry in the lock.
    fs::remove_dir_all(world.target()).unwrap();
    for path in ["SKILL.md", "scripts/run.sh"] {
        let text = fs::read_to_string(world.path("remote/skills/a").join(path)).unwrap();
        write(&world, &format!("a/{path}"), &text);
    }
    assert_eq!(planned(&world, OnConflict::Refuse).0, Action::Update);
}

#[test]
fn a_file_and_a_name_that_is_the_same_elsewhere_are_refused() {
    let world = World::new();
    write(&world, "a", "a file");
    for on_conflict in [OnConflict::Refuse, OnConflict::Force] {
        let (action, reason) = planned(&world, on_conflict);
        assert_eq!(action, Action::Refuse);
        assert!(reason.ends_with("a is a link or a file"), "{reason}");
    }
    fs::remove_file(world.target().join("a")).unwrap();
    write(&world, "A/SKILL.md", "mine");
    for on_conflict in [OnConflict::Refuse, OnConflict::Force] {
        let (action, reason) = planned(&world, on_conflict);
        assert_eq!(action, Action::Refuse);
        assert!(
            reason.contains("on some systems that is the same name"),
            "{reason}"
        );
    }
}

#[test]
fn a_skill_of_another_source_is_replaced_by_force_only() {
    let world = World::new();
    world.apply(&world.plan("remote", &["a"], &InstallOptions::default()));
    let (action, reason) = planned(&world, OnConflict::Merge);
    assert_eq!(action, Action::Refuse);
    assert!(
        reason.starts_with("the name is taken: it was installed from"),
        "{reason}"
    );
    assert_eq!(planned(&world, OnConflict::Force).0, Action::Replace);
}

#[test]
fn an_update_follows_neither_a_new_name_nor_a_source_that_nobody_allowed() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a", "b", "c"], &InstallOptions::default());
    world.apply(&plan);
    let file = world.path("remote/skills/a/SKILL.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("name: a", "name: renamed")).unwrap();
    fs::remove_dir_all(world.path("remote/skills/b")).unwrap();
    world.commit("second");
    let plan = world.update(OnConflict::Force);
    let told: Vec<_> = plan
        .skills
        .iter()
        .map(|skill| skill.reason.as_deref())
        .collect();
    let expected = [
        Some("its source has renamed it to `renamed`"),
        Some("its source no longer has it; it is kept"),
        None,
    ];
    assert_eq!(told, expected);
    assert_eq!(plan.changes().count(), 0);

    let plan = plan_update(&world.target(), &UpdateOptions::default(), world.host()).unwrap();
    let told = reason(&plan, 0);
    assert!(
        told.starts_with("it comes from a folder on your disk"),
        "{told}"
    );
    assert_eq!(plan.skills[0].action, Action::Refuse);
}

/// An observer of a user who cancels.
struct Cancelled;

impl Observer for Cancelled {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_cancelled_operation_changes_nothing_and_says_so() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a", "b"], &InstallOptions::default());
    let cancelled = Host {
        observer: &Cancelled,
        ..world.host()
    };
    let applied = apply(&plan, cancelled).unwrap();
    let kinds = applied
        .iter()
        .map(|done| done.error.as_ref().map(skills_host::Error::kind));
    assert_eq!(kinds.collect::<Vec<_>>(), [Some(ErrorKind::Cancelled); 2]);
    assert!(!world.target().join("a").exists());

    let source = Source::parse(&world.url(), world.folder.path()).unwrap();
    let error = Offer::fetch(source, cancelled).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);

    world.apply(&plan);
    let options = UpdateOptions {
        allows_local: true,
        ..UpdateOptions::default()
    };
    let error = plan_update(&world.target(), &options, cancelled).unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::Cancelled,
        "not an error of one skill"
    );
}

#[test]
fn a_change_that_another_process_made_is_done() {
    let world = World::new();
    let plan = || world.plan(&world.url(), &["a"], &InstallOptions::default());
    let (first, second, third) = (plan(), plan(), plan());
    world.apply(&first);
    world.apply(&second);
    let edited = world.text("a/SKILL.md") + "By hand.\n";
    write(&world, "a/SKILL.md", &edited);
    let applied = apply(&third, world.host()).unwrap();
    let error = applied[0].error.as_ref().unwrap();
    assert!(
        error.to_string().ends_with("a was changed meanwhile"),
        "{error}"
    );
    assert_eq!(world.text("a/SKILL.md"), edited);
}

#[test]
fn all_skills_of_a_source_have_different_names() {
    let world = World::new();
    for folder in ["one", "two"] {
        fs::create_dir_all(world.path("remote/twins").join(folder)).unwrap();
        let to = world.path("remote/twins").join(folder).join("a");
        fs::create_dir(&to).unwrap();
        fs::copy(world.path("remote/skills/a/SKILL.md"), to.join("SKILL.md")).unwrap();
    }
    let plan = || {
        let source = Source::parse("remote/twins", world.folder.path()).unwrap();
        let offer = Offer::fetch(source, world.host()).unwrap();
        offer.plan(&Chosen::All, &world.target(), &InstallOptions::default())
    };
    // Copies with equal files are one skill.
    assert_eq!(plan().unwrap().skills.len(), 1);

    let other = world.path("remote/twins/two/a/SKILL.md");
    let text = fs::read_to_string(&other).unwrap();
    fs::write(&other, text + "Another body.\n").unwrap();
    let error = plan().unwrap_err();
    let help = error.remedy().unwrap().to_string();
    assert_eq!(help, "name one by its folder: one/a, two/a");
}

#[test]
fn changes_on_both_sides_are_merged_or_counted() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let edited = world.text("a/SKILL.md").replace("One.", "One, by hand.");
    write(&world, "a/SKILL.md", &edited);
    // Without a new version, force discards the changes.
    let plan = world.update(OnConflict::Force);
    assert_eq!(actions(&plan), [("a", Action::Replace)]);

    // Without the installed version nothing is merged.
    fs::rename(world.path("data/store"), world.path("away")).unwrap();
    world.skill("a", "One.\nTwo.\nThree.\nFour.\nFive, upstream.\n");
    world.commit("second");
    let plan = world.update(OnConflict::Merge);
    assert!(reason(&plan, 0).contains("is not in the store"));
    fs::rename(world.path("away"), world.path("data/store")).unwrap();
    let plan = world.update(OnConflict::Merge);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);

    write(&world, "a/scripts/run.sh", "by hand");
    write(&world, "a/new.md", "mine");
    write(&world, "a/notes.md", "mine");
    world.skill("a", "One, upstream.\nTwo.\nThree.\nFour.\nFive.\n");
    fs::write(world.path("remote/skills/a/new.md"), "theirs").unwrap();
    world.commit("third");
    // A file that both changed gets conflict markers, and a restore undoes the merge.
    let before = world.text("a/SKILL.md");
    let plan = world.update(OnConflict::Merge);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    let conflicts = plan.skills[0].conflicts.iter().map(|it| &*it.path);
    assert_eq!(conflicts.collect::<Vec<_>>(), ["SKILL.md", "new.md"]);
    world.apply(&plan);
    for path in ["a/SKILL.md", "a/new.md"] {
        let text = world.text(path);
        assert!(text.contains("<<<<<<< ours\n"), "{text}");
    }
    world.apply(&world.restore(&world.target(), None));
    assert_eq!(world.text("a/SKILL.md"), before);
    let plan = world.update(OnConflict::Force);
    assert_eq!(plan.skills[0].kept, ["notes.md"]);
    // Beside a file that cannot hold markers, nothing is merged.
    write(&world, "a/new.md", "mine\0");
    let plan = world.update(OnConflict::Merge);
    assert_eq!(actions(&plan), [("a", Action::Refuse)]);
    assert!(reason(&plan, 0).ends_with(", and 1 more"));
}

#[test]
fn a_tag_that_was_moved_is_not_followed() {
    let world = World::new();
    let source = format!("{}#v1", world.url());
    world.apply(&world.plan(&source, &["a"], &InstallOptions::default()));
    world.skill("a", "Moved.\n");
    world.commit("second");
    world.run(&["tag", "-f", "v1"]);
    assert_eq!(
        actions(&world.update(OnConflict::Refuse)),
        [("a", Action::Current)]
    );
}

#[test]
fn the_error_of_a_source_is_in_the_plan() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let sources = locked_sources(&world.target(), None, &[], false, world.host()).unwrap();
    assert_eq!(sources.len(), 1);
    fs::rename(world.path("remote"), world.path("away")).unwrap();
    let plan = world.update(OnConflict::Refuse);
    assert!(reason(&plan, 0).contains("does not appear to be a git repository"));
}

/// An observer of a user who cancels later.
#[derive(Default)]
struct Later(Cell<bool>);

impl Observer for Later {
    fn is_cancelled(&self) -> bool {
        self.0.get()
    }
}

#[test]
fn a_cancelled_plan_is_an_error_and_not_a_plan() {
    let world = World::new();
    let observer = Later::default();
    let host = Host {
        observer: &observer,
        ..world.host()
    };
    let source = Source::parse(&world.url(), world.folder.path()).unwrap();
    let offer = Offer::fetch(source, host).unwrap();
    offer.skills().unwrap();
    observer.0.set(true);
    let plan = offer.plan(&Chosen::All, &world.target(), &InstallOptions::default());
    assert_eq!(plan.unwrap_err().kind(), ErrorKind::Cancelled);
}

#[test]
fn a_name_is_looked_for_in_the_folder_of_that_name_first() {
    let world = World::new();
    for folder in ["x/a", "y/b"] {
        let to = world.path("remote/alike").join(folder);
        fs::create_dir_all(&to).unwrap();
        let text = fs::read_to_string(world.path("remote/skills/a/SKILL.md")).unwrap();
        // Two skills of one name: only by the name of its folder is one of them meant.
        fs::write(to.join("SKILL.md"), text + folder).unwrap();
    }
    let plan = world.plan("remote/alike", &["a"], &InstallOptions::default());
    assert_eq!(plan.skills[0].path.as_deref(), Some("x/a"));
    let source = Source::parse("remote/alike", world.folder.path()).unwrap();
    let offer = Offer::fetch(source, world.host()).unwrap();
    // The name of a folder finds the skill in it if no skill has the name itself.
    let chosen = Chosen::Named(vec!["b".to_owned()]);
    let plan = offer.plan(&chosen, &world.target(), &InstallOptions::default());
    assert_eq!(plan.unwrap().skills[0].path.as_deref(), Some("y/b"));
}

#[cfg(unix)]
#[test]
fn a_run_bit_of_git_is_installed() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let script = world.path("remote/skills/a/scripts/run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    world.commit("second");
    world.apply(&world.plan(&world.url(), &["a", "b"], &InstallOptions::default()));
    let mode = |name: &str| {
        let path = world.target().join(name).join("scripts/run.sh");
        fs::metadata(path).unwrap().permissions().mode() & 0o111
    };
    assert!(mode("a") != 0 && mode("b") == 0);
}
