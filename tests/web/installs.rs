//! Archives that are installed, updated and put back.

use crate::Test;
use crate::archive::{tar, zip};
use crate::server::Answer;
use crate::world::World;
use skills_format::Digest;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) const TESTS: &[Test] = &[
    (
        "an archive is installed, with its digest in the plan",
        installs,
    ),
    ("each kind of archive", kinds),
    ("an archive is updated, and put back", updates),
    ("a redirect to the same host is followed", same_host),
    ("a redirect to another host is followed", other_host),
    (
        "nothing of the user goes to the server",
        nothing_of_the_user,
    ),
    ("a folder of an archive", folder_of_archive),
];

fn installs() {
    let world = World::new(|_, _| Answer::Body(zip("lint", "Lint.")));
    let url = world.own("lint.zip");
    let digest = Digest::of(&zip("lint", "Lint."));
    let (shown, code) = world.run(&["install", &url, "--dry-run"]);
    assert!(
        shown.contains(&format!("from {url}\n    archive {digest}\n")),
        "{shown}"
    );
    assert_eq!(code, Some(0));
    world.is_untouched();
    let (shown, _) = world.run(&["install", &url, "--dry-run", "--format", "json"]);
    assert!(
        shown.contains(&format!("\"archive\": \"{digest}\"")),
        "{shown}"
    );
    let (shown, code) = world.run(&["install", &url, "--yes"]);
    assert!(shown.contains("installed lint"), "{shown}");
    assert_eq!(code, Some(0));
    let lock = world.text("home/.agents/skills/skills.lock");
    assert!(lock.contains(&format!("source = \"{url}\"")), "{lock}");
    assert!(
        world
            .text("home/.agents/skills/lint/SKILL.md")
            .ends_with("Lint.\n")
    );
    assert!(!world.path("home/.local/share/skills/tmp").exists());
}

fn kinds() {
    let world = World::new(|path, _| {
        Answer::Body(if path.contains(".tar.gz") || path.contains(".tgz") {
            tar("lint", "Lint.")
        } else {
            zip("lint", "Lint.")
        })
    });
    for end in ["zip", "tar.gz", "tgz", "skill", "ZIP"] {
        let (shown, code) = world.run(&["install", &world.own(&format!("a.{end}")), "--dry-run"]);
        assert!(
            shown.contains("lint in ~/.agents/skills: install"),
            "{end}: {shown}"
        );
        assert_eq!(code, Some(0));
    }
}

fn folder_of_archive() {
    let world = World::new(|_, _| Answer::Body(zip("lint", "Lint.")));
    let url = world.own("lint.zip//missing");
    let (shown, code) = world.run(&["install", &url]);
    assert!(
        shown.contains("there is no skill in missing of https://127.0.0.1"),
        "{shown}"
    );
    assert_eq!(code, Some(1));
}

fn updates() {
    static IS_NEW: AtomicBool = AtomicBool::new(false);
    let world = World::new(|_, _| {
        let is_new = IS_NEW.load(Ordering::Relaxed);
        Answer::Body(zip("lint", if is_new { "Lint better." } else { "Lint." }))
    });
    let (shown, code) = world.through_proxy(&["install", "https://a.example/lint.zip", "--yes"]);
    assert_eq!(code, Some(0), "{shown}");
    let (shown, _) = world.through_proxy(&["update", "--yes"]);
    assert!(
        shown.contains("lint in ~/.agents/skills: up to date"),
        "{shown}"
    );
    IS_NEW.store(true, Ordering::Relaxed);
    let (shown, code) = world.through_proxy(&["update", "--yes"]);
    assert!(shown.contains("updated lint"), "{shown}");
    assert_eq!(code, Some(0));
    // Without the store, the skill comes from its source, and the digest of the lock is compared.
    for folder in [".agents/skills/lint", ".local/share/skills/store"] {
        let folder = world.path("home").join(folder);
        writable(&folder);
        fs::remove_dir_all(folder).unwrap();
    }
    let (shown, code) = world.through_proxy(&["install", "--frozen", "--yes"]);
    assert!(shown.contains("installed lint"), "{shown}");
    assert_eq!(code, Some(0));
    let text = world.text("home/.agents/skills/lint/SKILL.md");
    assert!(text.ends_with("Lint better.\n"));
}

/// Makes the folders of the store writable, so that they can be removed.
fn writable(folder: &std::path::Path) {
    let mut permissions = fs::metadata(folder).unwrap().permissions();
    #[expect(clippy::permissions_set_readonly_false, reason = "a temporary folder")]
    permissions.set_readonly(false);
    fs::set_permissions(folder, permissions).unwrap();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            writable(&entry.path());
        }
    }
}

fn same_host() {
    let world = World::new(|path, _| match path {
        "/a.zip" => Answer::To("/b/../c.zip?of=here".to_owned()),
        _ => Answer::Body(zip("lint", "Lint.")),
    });
    let (shown, code) = world.run(&["install", &world.own("a.zip"), "--dry-run"]);
    assert!(
        shown.contains("lint in ~/.agents/skills: install"),
        "{shown}"
    );
    assert_eq!(code, Some(0));
    assert!(world.server.requests()[1].starts_with("GET /c.zip?of=here"));
}

fn other_host() {
    let world = World::new(|path, port| match path {
        "/a.zip" => Answer::To(format!("https://localhost:{port}/b.zip")),
        _ => Answer::Body(zip("lint", "Lint.")),
    });
    let url = world.own("a.zip");
    let (shown, code) = world.run(&["install", &url, "--yes"]);
    assert!(shown.contains("installed lint"), "{shown}");
    assert_eq!(code, Some(0));
    // The lock names the URL that was written.
    assert!(world.text("home/.agents/skills/skills.lock").contains(&url));
}

fn nothing_of_the_user() {
    let world = World::new(|path, _| match path {
        "/a.zip" => Answer::To("/b.zip".to_owned()),
        _ => Answer::Body(zip("lint", "Lint.")),
    });
    let (_, code) = world.run(&["install", &world.own("a.zip"), "--dry-run"]);
    assert_eq!(code, Some(0));
    let requests = world.server.requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        let names = request
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'));
        let names: Vec<&str> = names.map(|(name, _)| name).collect();
        assert_eq!(names, ["Host", "User-Agent", "Accept"]);
    }
}
