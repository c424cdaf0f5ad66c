//! Checks that a watched catalog finally equals a fresh load.
#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{Disk, dump, ids, link, skill};
use skills_runtime::catalog::{State, Watch};
use skills_runtime::{Catalog, CatalogBuilder};
use std::fs;
use std::ops::Range;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn builder(disk: &Disk) -> CatalogBuilder {
    Catalog::builder()
        .untrusted("project", disk.path("work/project/skills"))
        .directory("user", disk.path("home/.agents/skills"))
        .plugins(disk.path("data/plugins"))
}

/// A host whose catalog follows its folders.
struct Host {
    catalog: Arc<Mutex<Catalog>>,
    _watch: Watch,
}

impl Host {
    /// Makes a host, and the receiver of the added, changed and removed skills of each delivery.
    fn new(catalog: &Catalog) -> (Self, Receiver<[Vec<String>; 3]>) {
        let (send, deliveries) = channel();
        let current = Arc::new(Mutex::new(catalog.clone()));
        let catalog_of_host = Arc::clone(&current);
        let watch = catalog.watch(move |change| {
            let mut catalog = current.lock().expect("no panic");
            let reloaded = catalog.apply(&change);
            *catalog = reloaded.catalog;
            let _ = send.send([reloaded.added, reloaded.changed, reloaded.removed]);
        });
        let host = Self {
            catalog: catalog_of_host,
            _watch: watch.expect("a watch"),
        };
        (host, deliveries)
    }

    fn catalog(&self) -> Catalog {
        self.catalog.lock().expect("no panic").clone()
    }

    /// Replaces the catalog, as a host does for `/skill disable` and `/skill trust`.
    fn change(&self, change: impl FnOnce(&Catalog) -> Catalog) {
        let mut catalog = self.catalog.lock().expect("no panic");
        *catalog = change(&catalog);
    }
}

fn watch(disk: &Disk) -> (Host, Receiver<[Vec<String>; 3]>) {
    Host::new(&builder(disk).load().catalog)
}

/// Waits for a delivery that names skills.
fn delivered(deliveries: &Receiver<[Vec<String>; 3]>) -> [Vec<String>; 3] {
    loop {
        let delivery = deliveries.recv_timeout(Duration::from_secs(20));
        let delivery = delivery.expect("a delivery");
        if delivery.iter().any(|ids| !ids.is_empty()) {
            return delivery;
        }
    }
}

/// Waits until the watched catalog equals a fresh load.
fn settles(disk: &Disk, watch: &Host) {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let now = dump(&watch.catalog(), &[]);
        let fresh = dump(&builder(disk).load().catalog, &[]);
        if now == fresh {
            return;
        }
        assert!(Instant::now() < end, "watched:\n{now}\nfresh:\n{fresh}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn roots_that_appear_later() {
    let disk = Disk::new();
    let (watch, deliveries) = watch(&disk);
    assert_eq!(ids(&watch.catalog()), [""; 0]);
    disk.skill("home/.agents/skills/a");
    disk.skill("data/plugins/one/skills/b");
    disk.skill("work/project/skills/group/c");
    settles(&disk, &watch);
    assert_eq!(ids(&watch.catalog()), ["project:c", "user:a", "one:b"]);
    let [added, ..] = deliveries.recv().expect("a delivery");
    assert!(!added.is_empty());
}

#[test]
fn saves_moves_and_removals() {
    let disk = Disk::new();
    let user = "home/.agents/skills";
    disk.skill(&format!("{user}/a"));
    disk.skill(&format!("{user}/b"));
    disk.skill("elsewhere/group/c");
    let (watch, deliveries) = watch(&disk);
    let saved = disk.write(
        &format!("{user}/a/.SKILL.md.swp"),
        skill("a", "saved by rename"),
    );
    fs::rename(saved, disk.path(&format!("{user}/a/SKILL.md"))).expect("saved");
    let delivery = deliveries
        .recv_timeout(Duration::from_secs(20))
        .expect("a delivery");
    assert_eq!(delivery, [vec![], vec!["user:a".to_owned()], vec![]]);
    for round in 0..3 {
        fs::rename(
            disk.path("elsewhere/group"),
            disk.path(&format!("{user}/group")),
        )
        .expect("moved");
        settles(&disk, &watch);
        disk.write(
            &format!("{user}/group/c/SKILL.md"),
            skill("c", &format!("round {round}")),
        );
        settles(&disk, &watch);
        fs::rename(
            disk.path(&format!("{user}/group")),
            disk.path("elsewhere/group"),
        )
        .expect("moved");
        settles(&disk, &watch);
        disk.write("elsewhere/group/c/SKILL.md", skill("c", "unseen"));
    }
    link(
        disk.path("elsewhere/group"),
        disk.path(&format!("{user}/linked")),
    );
    settles(&disk, &watch);
    disk.write(
        "elsewhere/group/c/SKILL.md",
        skill("c", "seen through the link"),
    );
    settles(&disk, &watch);
    fs::rename(disk.path("home"), disk.path("gone")).expect("moved");
    settles(&disk, &watch);
    assert_eq!(ids(&watch.catalog()), [""; 0]);
    disk.skill(&format!("{user}/new"));
    settles(&disk, &watch);
    fs::remove_dir_all(disk.path("home")).expect("gone");
    settles(&disk, &watch);
    disk.skill(&format!("{user}/newer"));
    settles(&disk, &watch);
    assert_eq!(ids(&watch.catalog()), ["user:newer"]);
}

#[test]
fn thousands_of_changes() {
    let disk = Disk::new();
    disk.skill("home/.agents/skills/always");
    let (watch, _deliveries) = watch(&disk);
    for n in 0..5_000 {
        let name = format!("s{}", n % 37);
        let dir = format!("home/.agents/skills/{}{name}", ["", "group/"][n % 2]);
        if n % 5 == 4 {
            let _ = fs::remove_dir_all(disk.path(&dir));
        } else {
            disk.write(
                &format!("{dir}/SKILL.md"),
                skill(&name, &format!("change {n}")),
            );
        }
    }
    settles(&disk, &watch);
}

#[test]
fn trust_that_ends() {
    let disk = Disk::new();
    disk.skill("work/project/skills/a");
    disk.write("work/project/skills/a/scripts/deep/run.sh", "echo 1");
    let record = builder(&disk)
        .load()
        .catalog
        .get("project:a")
        .expect("listed")
        .trust_record()
        .expect("a record");
    let catalog = builder(&disk).trusted([record]).load().catalog;
    assert!(catalog.get("a").expect("listed").is_trusted());
    let (host, deliveries) = Host::new(&catalog);
    disk.write("work/project/skills/a/scripts/deep/run.sh", "echo 22");
    let [_, changed, _] = delivered(&deliveries);
    assert_eq!(changed, ["project:a"]);
    assert!(!host.catalog().get("a").expect("listed").is_trusted());
}

/// Checks that a change of another skill reverts nothing that the host disabled or trusted while it
/// watched.
#[test]
fn state_and_trust_of_the_host_stay() {
    let disk = Disk::new();
    disk.skill("work/project/skills/deploy");
    disk.write("work/project/skills/deploy/scripts/run.sh", "echo 1");
    disk.skill("home/.agents/skills/shout");
    disk.skill("home/.agents/skills/other");
    let (host, deliveries) = watch(&disk);
    host.change(|catalog| catalog.with_state(["shout"].into_iter().collect::<State>()));
    let other = "home/.agents/skills/other/SKILL.md";
    disk.write(other, skill("other", "changed once"));
    assert_eq!(delivered(&deliveries)[1], ["user:other"]);
    assert!(!host.catalog().get("shout").expect("listed").is_enabled());

    host.change(|catalog| {
        let question = catalog.trust_question("deploy").expect("a question");
        catalog.trusting(question.record).catalog
    });
    disk.write(other, skill("other", "changed another time"));
    assert_eq!(delivered(&deliveries)[1], ["user:other"]);
    let catalog = host.catalog();
    assert!(!catalog.get("shout").expect("listed").is_enabled());
    assert!(catalog.get("deploy").expect("trusted").is_trusted());

    disk.write("work/project/skills/deploy/scripts/run.sh", "echo 22");
    assert_eq!(delivered(&deliveries)[1], ["project:deploy"]);
    assert!(!host.catalog().get("deploy").expect("listed").is_trusted());
}

/// The first change too, whose catalog was not made reloadable: it holds neither the text nor the time of a file.
#[test]
fn a_change_of_the_text_alone_names_the_skill() {
    let disk = Disk::new();
    disk.skill("home/.agents/skills/a");
    disk.skill("home/.agents/skills/b");
    let (watch, deliveries) = watch(&disk);
    let written = fs::read_to_string(disk.path("home/.agents/skills/a/SKILL.md")).expect("a file");
    for round in 0..2 {
        disk.write(
            "home/.agents/skills/a/SKILL.md",
            format!("{written}\nMore: {round}\n"),
        );
        assert_eq!(
            delivered(&deliveries),
            [vec![], vec!["user:a".to_owned()], vec![]]
        );
        settles(&disk, &watch);
    }
    let schema = r#"{"type": "object", "properties": {"to": {"type": "string"}}}"#;
    disk.write("home/.agents/skills/b/arguments.schema.json", schema);
    assert_eq!(
        delivered(&deliveries),
        [vec![], vec!["user:b".to_owned()], vec![]]
    );
}

/// Each file of each skill, also of a source that needs no trust, and in folders that appear later.
#[test]
fn any_file_is_delivered_to_who_asks() {
    let disk = Disk::new();
    disk.skill("home/.agents/skills/a");
    disk.write("home/.agents/skills/a/notes/x.md", "x");
    let catalog = builder(&disk).load().catalog;
    let (send, deliveries) = channel();
    let before = catalog.clone();
    let watch = catalog.watch_files(move |change| {
        let _ = send.send(before.apply(&change).is_unchanged());
    });
    let _watch = watch.expect("a watch");
    for (path, text) in [
        ("notes/x.md", "y"),
        ("new/deep/y.md", "y"),
        ("new/deep/y.md", "z"),
    ] {
        disk.write(&format!("home/.agents/skills/a/{path}"), text);
        let delivery = deliveries.recv_timeout(Duration::from_secs(20));
        assert_eq!(delivery, Ok(true), "{path}");
        // A folder that appears is delivered, and then watched.
        while deliveries.recv_timeout(Duration::from_millis(500)).is_ok() {}
    }
}

#[test]
fn nothing_is_delivered_for_nothing() {
    let disk = Disk::new();
    disk.skill("home/.agents/skills/a");
    let (watch, deliveries) = watch(&disk);
    disk.write("home/.agents/skills/a/notes.md", "no part of the catalog");
    disk.write("elsewhere", "not watched");
    drop(builder(&disk).load());
    std::thread::sleep(Duration::from_millis(400));
    drop(watch);
    assert_eq!(deliveries.iter().count(), 0);
}

/// Checks that a file that is written in two steps is never reported as removed in between.
#[test]
fn a_skill_that_is_half_written_is_not_removed() {
    // In parallel, because most of the time is waiting.
    std::thread::scope(|scope| {
        for rounds in [0..20, 20..40, 40..60] {
            scope.spawn(|| half_written(rounds));
        }
    });
}

fn half_written(rounds: Range<u64>) {
    let disk = Disk::new();
    let file = "home/.agents/skills/a/SKILL.md";
    disk.skill("home/.agents/skills/a");
    let (watch, deliveries) = watch(&disk);
    let mut stalled = 0;
    for round in rounds {
        let whole = skill("a", &format!("round {round}"));
        let began = Instant::now();
        disk.write(file, &whole[..whole.len() / 3]);
        std::thread::sleep(Duration::from_millis(2));
        disk.write(file, &whole);
        // A writer that pauses until the folders settle has written half a skill.
        stalled += usize::from(began.elapsed() > Duration::from_millis(80));
        // The second half is written while the folders are read.
        std::thread::sleep(Duration::from_millis(98 + round % 8));
        // Folders that are written without a pause for five seconds are delivered in their current
        // version.
        if round % 10 == 9 {
            settles(&disk, &watch);
        }
    }
    drop(watch);
    let removed = deliveries
        .iter()
        .filter(|[.., removed]| !removed.is_empty());
    let removed = removed.count();
    assert!(removed <= stalled, "{removed} times, {stalled} stalled");
}
