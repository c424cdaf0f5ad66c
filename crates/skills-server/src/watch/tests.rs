use super::*;
use std::fs;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

fn write(dir: &TempDir, path: &str, text: &str) {
    let path = dir.path().join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
}

fn skill(dir: &TempDir, folder: &str, description: &str) {
    let name = folder.rsplit('/').next().expect("a name");
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n\nText.\n");
    write(dir, &format!("{folder}/SKILL.md"), &text);
}

/// A host whose catalog follows its folders, and the number of its readings.
struct Host {
    dir: TempDir,
    now: Arc<Mutex<(Catalog, usize)>>,
    _watch: Watch,
}

fn load(dir: &TempDir) -> Catalog {
    let builder = Catalog::builder()
        .untrusted("project", dir.path().join("work/project/skills"))
        .directory("user", dir.path().join("home/.agents/skills"))
        .plugins(dir.path().join("data/plugins"));
    builder.reloadable().load()
}

impl Host {
    fn new(prepare: impl FnOnce(&TempDir)) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        prepare(&dir);
        let first = load(&dir);
        let now = Arc::new(Mutex::new((first.clone(), 0)));
        let of_watch = Arc::clone(&now);
        let watch = Watch::new(&first, move || {
            let mut now = of_watch.lock().expect("no panic");
            *now = (now.0.reload(), now.1 + 1);
            now.0.clone()
        });
        Self {
            dir,
            now,
            _watch: watch.expect("a watch"),
        }
    }

    /// Waits until the catalog equals a fresh load.
    fn settles(&self) -> Vec<String> {
        let shown = |catalog: &Catalog| -> Vec<String> {
            catalog
                .iter()
                .map(|it| format!("{it} {} {}", it.description(), it.is_trusted()))
                .collect()
        };
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let fresh = shown(&load(&self.dir));
            let now = shown(&self.now.lock().expect("no panic").0);
            if now == fresh {
                return now;
            }
            assert!(Instant::now() < end, "watched: {now:?}, fresh: {fresh:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn readings(&self) -> usize {
        self.now.lock().expect("no panic").1
    }
}

#[test]
fn roots_that_appear_later() {
    let host = Host::new(|_| {});
    skill(&host.dir, "home/.agents/skills/a", "A.");
    skill(&host.dir, "data/plugins/one/skills/b", "B.");
    skill(&host.dir, "work/project/skills/group/c", "C.");
    assert_eq!(
        host.settles(),
        ["project:c C. false", "user:a A. true", "one:b B. true"]
    );
}

#[test]
fn saves_moves_links_and_removals() {
    let user = "home/.agents/skills";
    let host = Host::new(|dir| {
        skill(dir, "home/.agents/skills/a", "A.");
        skill(dir, "elsewhere/group/c", "C.");
    });
    let path = |path: &str| host.dir.path().join(path);
    for round in 0..3 {
        fs::rename(path("elsewhere/group"), path(&format!("{user}/group"))).expect("moved");
        host.settles();
        let text = format!("Round {round}.");
        skill(&host.dir, &format!("{user}/group/c"), &text);
        host.settles();
        fs::rename(path(&format!("{user}/group")), path("elsewhere/group")).expect("moved");
        host.settles();
    }
    #[cfg(unix)]
    {
        let link = path(&format!("{user}/linked"));
        std::os::unix::fs::symlink(path("elsewhere/group"), link).expect("a link");
        host.settles();
        skill(&host.dir, "elsewhere/group/c", "Seen through the link.");
        host.settles();
    }
    fs::rename(path("home"), path("gone")).expect("moved");
    assert!(host.settles().is_empty());
    skill(&host.dir, &format!("{user}/new"), "New.");
    host.settles();
    fs::remove_dir_all(path("home")).expect("removed");
    host.settles();
    skill(&host.dir, &format!("{user}/newer"), "Newer.");
    assert_eq!(host.settles(), ["user:newer Newer. true"]);
}

#[test]
fn thousands_of_changes() {
    let host = Host::new(|dir| skill(dir, "home/.agents/skills/always", "Stays."));
    for n in 0..2_000 {
        let folder = format!("home/.agents/skills/{}s{}", ["", "group/"][n % 2], n % 37);
        if n % 5 == 4 {
            let _ = fs::remove_dir_all(host.dir.path().join(&folder));
        } else {
            skill(&host.dir, &folder, &format!("Change {n}."));
        }
    }
    host.settles();
}

#[test]
fn any_file_counts_and_what_is_not_watched_does_not() {
    let host = Host::new(|dir| {
        skill(dir, "home/.agents/skills/a", "A.");
        write(dir, "home/.agents/skills/a/notes/x.md", "x");
    });
    write(&host.dir, "elsewhere", "not watched");
    drop(load(&host.dir));
    thread::sleep(Duration::from_millis(400));
    assert_eq!(host.readings(), 0);
    for path in ["notes/x.md", "new/deep/y.md", "new/deep/y.md"] {
        let before = host.readings();
        write(&host.dir, &format!("home/.agents/skills/a/{path}"), "y");
        let end = Instant::now() + Duration::from_secs(20);
        while host.readings() == before {
            assert!(Instant::now() < end, "{path}");
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(400));
    }
}
