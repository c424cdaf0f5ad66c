//! Checks faulty folders: each fault gives one diagnostic, no other skill is lost, and no read waits.

#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{Disk, ids, link, skill};
use skills_format::Severity;
use skills_runtime::{Catalog, ErrorKind};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// Loads the folder `user`. The skill `good` must always be found.
fn load(disk: &Disk) -> Catalog {
    disk.skill("user/good");
    Catalog::builder()
        .directory("user", disk.path("user"))
        .load()
}

/// Loads, and expects `good` and exactly these findings.
fn expect(disk: &Disk, lines: &[&str]) -> Catalog {
    let loaded = load(disk);
    assert!(loaded.get("good").is_some());
    assert_eq!(disk.lines(loaded.diagnostics()), lines);
    loaded
}

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

#[test]
fn roots_that_are_missing_or_files_or_links_to_nothing() {
    let disk = Disk::new();
    disk.write("file", "text");
    link("nothing", disk.path("link"));
    let loaded = Catalog::builder()
        .directory("missing", disk.path("missing/skills"))
        .directory("file", disk.path("file"))
        .directory("below", disk.path("file/skills"))
        .directory("link", disk.path("link"))
        .plugins(disk.path("plugins"))
        .plugins(disk.path("file"))
        .load();
    assert_eq!(loaded.iter().count(), 0);
    assert_eq!(
        disk.lines(loaded.diagnostics()),
        [
            "file: warning[unreadable]: it is not a folder",
            "file/skills: warning[unreadable]: it is not a folder",
        ]
    );
}

#[test]
fn a_root_that_is_a_skill() {
    let disk = Disk::new();
    disk.skill("one");
    disk.write("one/notes/1/2/3/4/5/6/7/deep.md", "Deep.");
    link("nowhere", disk.path("one/notes/link"));
    let loaded = Catalog::builder()
        .directory("user", disk.path("one"))
        .load();
    assert_eq!(ids(&loaded), ["user:one"]);
    assert!(
        loaded.diagnostics().is_empty(),
        "{:#?}",
        loaded.diagnostics()
    );
}

#[test]
fn a_skill_at_the_root_hides_no_skill() {
    let disk = Disk::new();
    disk.skill("one");
    disk.write("one/notes.md", "N.");
    disk.skill("one/group/two");
    disk.write("one/group/two/notes.md", "N.");
    disk.skill("one/group/two/deeper");
    disk.skill("linked/three");
    link(disk.path("linked/three"), disk.path("one/three"));
    let catalog = Catalog::builder()
        .directory("user", disk.path("one"))
        .reloadable();
    let loaded = catalog.load();
    assert_eq!(ids(&loaded), ["user:one", "user:three", "user:two"]);
    assert_eq!(
        disk.lines(loaded.diagnostics()),
        [
            "one/SKILL.md:1:1: warning[nested-skill]: it is loaded as a skill; the skills in its folder are read too: `group/two`, `three`"
        ]
    );
    let files = |catalog: &Catalog, name: &str| -> Vec<String> {
        let entry = catalog.get(name).expect("a skill");
        entry
            .files()
            .expect("files")
            .into_iter()
            .skip(1)
            .map(|file| file.path.into_owned())
            .collect()
    };
    assert_eq!(files(&loaded, "one"), ["notes.md"]);
    assert_eq!(files(&loaded, "two"), ["deeper/SKILL.md", "notes.md"]);
    let one = loaded.get("one").expect("a skill");
    for path in [
        "group/two/notes.md",
        "./group/two/notes.md",
        "three/SKILL.md",
    ] {
        let error = one.read(path).expect_err("a file of another skill");
        assert_eq!(error.kind(), ErrorKind::NotFound, "{path}");
    }
    // The files of a folder are the skill's own again once no skill lies there.
    fs::remove_file(disk.path("one/three")).expect("a link");
    fs::remove_dir_all(disk.path("one/group/two/deeper")).expect("a folder");
    fs::remove_file(disk.path("one/group/two/SKILL.md")).expect("a file");
    let alone = loaded.reload();
    assert_eq!(ids(&alone), ["user:one"]);
    assert_eq!(
        alone.changes_since(&loaded).removed,
        ["user:three", "user:two"]
    );
    assert!(alone.diagnostics().is_empty(), "{:#?}", alone.diagnostics());
    assert_eq!(files(&alone, "one"), ["group/two/notes.md", "notes.md"]);
    disk.skill("one/group/two");
    let again = alone.reload();
    assert_eq!(again.changes_since(&alone).added, ["user:two"]);
    assert_eq!(files(&again, "one"), ["notes.md"]);
}

#[test]
fn a_root_file_that_is_no_skill_hides_no_skill() {
    let disk = Disk::new();
    let file = disk.write("one/SKILL.md", "---\nname: [bad\n---\n");
    disk.skill("one/two");
    let load = || {
        Catalog::builder()
            .directory("user", disk.path("one"))
            .load()
    };
    let loaded = load();
    assert_eq!(ids(&loaded), ["user:two"]);
    let lines = disk.lines(loaded.diagnostics());
    let found = "one/SKILL.md:1:1: warning[nested-skill]: it is not loaded as a skill; the skills in its folder are read too: `two`";
    assert!(lines.iter().any(|line| line == found), "{lines:#?}");
    fs::write(&file, "---\ndescription: Does much. Use often.\n---\n").expect("a file");
    let loaded = load();
    assert_eq!(ids(&loaded), ["user:two"]);
    let lines = disk.lines(loaded.diagnostics());
    let found = "one/SKILL.md:1:1: warning[nested-skill]: it has no name and is not loaded as a skill; the skills in its folder are read too: `two`";
    assert!(lines.iter().any(|line| line == found), "{lines:#?}");
    fs::remove_file(&file).expect("a file");
    disk.write("one/skill.md", skill("one", "x"));
    assert_eq!(ids(&load()), ["user:one", "user:two"]);
}

#[test]
fn a_skill_at_the_root_is_trusted_for_its_own_files() {
    let disk = Disk::new();
    disk.skill("one");
    disk.write("one/notes.md", "N.");
    disk.skill("one/two");
    disk.write("one/two/notes.md", "N.");
    let builder = || Catalog::builder().untrusted("project", disk.path("one"));
    let catalog = builder().load();
    let record = catalog
        .get("one")
        .expect("a skill")
        .trust_record()
        .expect("a record");
    let paths: Vec<_> = record
        .files()
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert_eq!(paths, ["SKILL.md", "notes.md"]);
    let trusts = |record: &skills_runtime::source::TrustRecord| {
        let catalog = builder().trusted([record.clone()]).load();
        let one = catalog.get("one").expect("a skill");
        (one.is_trusted(), one.body().is_ok())
    };
    disk.write("one/two/notes.md", "Changed.");
    assert_eq!(trusts(&record), (true, true));
    // Without its `SKILL.md` the folder belongs to the outer skill, and nobody trusted it.
    fs::remove_file(disk.path("one/two/SKILL.md")).expect("a file");
    assert!(!trusts(&record).0);
}

#[test]
fn what_is_no_file() {
    let disk = Disk::new();
    pipe(&disk.path("user/pipe/SKILL.md"));
    fs::create_dir_all(disk.path("user/folder/SKILL.md/inner")).expect("folders");
    disk.skill("user/folder/beside");
    for (name, device) in [
        ("null", "/dev/null"),
        ("zero", "/dev/zero"),
        ("tty", "/dev/tty"),
    ] {
        fs::create_dir_all(disk.path("user").join(name)).expect("folders");
        link(device, disk.path("user").join(name).join("SKILL.md"));
    }
    fs::create_dir_all(disk.path("user/socket")).expect("folders");
    let _socket = UnixListener::bind(disk.path("user/socket/SKILL.md")).expect("a socket");
    let loaded = load(&disk);
    assert_eq!(ids(&loaded), ["user:beside", "user:good"]);
    let rules: Vec<_> = loaded
        .diagnostics()
        .iter()
        .map(|d| d.rule.as_str())
        .collect();
    assert_eq!(rules, ["not-a-file"; 6], "{:#?}", loaded.diagnostics());
}

#[test]
fn a_pipe_with_a_skill_in_it() {
    let disk = Disk::new();
    let path = disk.path("user/pipe/SKILL.md");
    pipe(&path);
    let mut both_ends = fs::File::options()
        .read(true)
        .write(true)
        .open(&path)
        .expect("a pipe");
    both_ends
        .write_all(skill("pipe", "Never read.").as_bytes())
        .expect("written");
    expect(
        &disk,
        &["user/pipe/SKILL.md:1:1: warning[not-a-file]: it is not a regular file"],
    );
}

#[test]
fn links() {
    let disk = Disk::new();
    disk.skill("elsewhere/linked");
    disk.skill("elsewhere/many/one");
    disk.write("elsewhere/file.md", skill("by-file", "A linked file."));
    fs::create_dir_all(disk.path("user/by-file")).expect("folders");
    fs::create_dir_all(disk.path("user/dangling")).expect("folders");
    disk.skill("user/dangling/below");
    let user = |name: &str| disk.path("user").join(name);
    link(disk.path("elsewhere/linked"), user("linked"));
    link(disk.path("elsewhere/many"), user("many"));
    link(disk.path("elsewhere/file.md"), user("by-file/SKILL.md"));
    link("nothing", user("dangling/SKILL.md"));
    link("nothing", user("gone"));
    link("good", user("twice"));
    link("good/SKILL.md", user("README.md"));
    link(".", user("here"));
    link("..", user("up"));
    link("loop-b", user("loop-a"));
    link("loop-a", user("loop-b"));
    let loaded = load(&disk);
    assert_eq!(
        ids(&loaded),
        [
            "user:below",
            "user:by-file",
            "user:good",
            "user:linked",
            "user:one"
        ]
    );
    let lines = disk.lines(loaded.diagnostics());
    let brief: Vec<_> = lines
        .iter()
        .filter_map(|line| {
            line.split_once("]: ")
                .map(|(place, _)| place.replace(":1:1", ""))
        })
        .collect();
    assert_eq!(
        brief,
        [
            "user/dangling/SKILL.md: warning[link-broken",
            "user/gone: warning[link-broken",
            "user/here: info[link-repeated",
            "user/loop-a: warning[unreadable",
            "user/loop-b: warning[unreadable",
            "user/twice: info[link-repeated",
            "user/up/elsewhere/linked: info[link-repeated",
            "user/up/elsewhere/many: info[link-repeated",
            "user/up/user: info[link-repeated",
        ]
    );
}

#[test]
fn links_of_strangers_stay_in_their_root() {
    let disk = Disk::new();
    disk.skill("secret/outside");
    disk.skill("project/skills/inside");
    disk.write("secret/SKILL.md", skill("secret", "Not to be seen."));
    let project = |name: &str| disk.path("project/skills").join(name);
    fs::create_dir_all(project("by-file")).expect("folders");
    link("inside", project("within"));
    link("../../secret", project("out"));
    link(disk.path("secret/outside"), project("absolute"));
    link("../../../secret/SKILL.md", project("by-file/SKILL.md"));
    link("/", project("root"));
    link("../../gone", project("gone"));
    let loaded = Catalog::builder()
        .untrusted("project", disk.path("project/skills"))
        .load();
    assert_eq!(ids(&loaded), ["project:inside"]);
    let lines = disk.lines(loaded.diagnostics());
    let lines: Vec<_> = lines
        .iter()
        .filter_map(|line| line.split(": ").next().zip(line.split(['[', ']']).nth(1)))
        .collect();
    assert_eq!(
        lines,
        [
            ("project/skills", "untrusted"),
            ("project/skills/absolute", "link-escape"),
            ("project/skills/by-file/SKILL.md:1:1", "link-escape"),
            ("project/skills/gone", "link-broken"),
            ("project/skills/out", "link-escape"),
            ("project/skills/root", "link-escape"),
            ("project/skills/within", "link-repeated"),
        ]
    );
    link("../secret", disk.path("project/linked"));
    let loaded = Catalog::builder()
        .untrusted("project", disk.path("project/linked"))
        .load();
    assert_eq!(ids(&loaded), [""; 0]);
    assert_eq!(loaded.diagnostics()[0].rule.as_str(), "link-escape");
}

#[test]
fn names_in_another_case() {
    let disk = Disk::new();
    disk.write("user/lower/skill.md", skill("lower", "In lower case."));
    disk.write("user/both/SKILL.md", skill("both", "The right one."));
    disk.write("user/both/skill.md", skill("other", "A file of both."));
    disk.write("user/mixed/Skill.md", skill("mixed", "In mixed case."));
    disk.write(
        "user/twins/Twin/SKILL.md",
        skill("twin", "A name in two cases."),
    );
    disk.write(
        "user/twins/twin/SKILL.md",
        skill("twin", "A name in two cases."),
    );
    let loaded = expect(
        &disk,
        &[
            "user/lower/skill.md:1:1: warning[file-name]: `skill.md` is read as `SKILL.md`",
            "user/mixed/Skill.md:1:1: warning[file-name]: `Skill.md` is read as `SKILL.md`",
            "user/twins/Twin/SKILL.md:1:1: warning[shadowed]: `twin` is also the name of `user/twins/twin/SKILL.md`, whose folder has the name",
            "user/twins/Twin/SKILL.md:2:7: warning[name-mismatch]: the skill is named `twin`, its folder `Twin`",
        ],
    );
    let entry = loaded.get("lower").expect("a skill");
    assert!(entry.place().ends_with("/lower/skill.md"));
    assert_eq!(entry.body().expect("a body"), "The body of lower.");
    assert_eq!(entry.files().expect("files").len(), 1);
    assert_eq!(
        loaded.get("both").expect("a skill").description(),
        "The right one."
    );
}

#[test]
fn large_files() {
    let disk = Disk::new();
    let long = format!(
        "---\nname: long\n{}description: x\n---\nBody.\n",
        "# comment\n".repeat(5000)
    );
    disk.write("user/long/SKILL.md", &long);
    disk.write(
        "user/endless/SKILL.md",
        format!("---\nname: endless\n{}", "# comment\n".repeat(8000)),
    );
    disk.write("user/open/SKILL.md", "---\nname: open\ndescription: x\n");
    let grown = disk.write("user/grown/SKILL.md", skill("grown", "Small as yet."));
    let long_body = format!(
        "{}{}",
        skill("sparse", "A gigabyte."),
        "Go on.\n".repeat(1000)
    );
    let sparse = disk.write("user/sparse/SKILL.md", long_body);
    fs::File::options()
        .write(true)
        .open(sparse)
        .expect("a file")
        .set_len(1 << 30)
        .expect("room");
    let zeros = disk.write("user/zeros/SKILL.md", "");
    fs::File::create(zeros)
        .expect("a file")
        .set_len(1 << 30)
        .expect("room");
    let loaded = expect(
        &disk,
        &[
            "user/endless/SKILL.md:1:1: warning[frontmatter-unterminated]: no line `---` closes the front matter; text that looks like fields is used instead",
            "user/endless/SKILL.md:2:1: error[description-missing]: no description, and no paragraph in the body; the skill is skipped",
            "user/open/SKILL.md:1:1: warning[frontmatter-unterminated]: no line `---` closes the front matter; text that looks like fields is used instead",
            "user/sparse/SKILL.md:1:1: error[too-large]: the file has 1073741824 bytes; the maximum is 1048576; the skill is skipped",
            "user/zeros/SKILL.md:1:1: error[too-large]: the file has 1073741824 bytes; the maximum is 1048576; the skill is skipped",
        ],
    );
    fs::File::options()
        .write(true)
        .open(grown)
        .expect("a file")
        .set_len(1 << 30)
        .expect("room");
    let error = loaded
        .get("grown")
        .expect("a skill")
        .body()
        .expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(
        loaded.get("long").expect("a skill").body().expect("a body"),
        "Body."
    );
}

#[test]
fn front_matter_of_many_lengths() {
    let disk = Disk::new();
    for length in 4080..4110 {
        let name = format!("a{length}");
        let head = format!("---\nname: {name}\ndescription: ");
        let fill = "ä".repeat((length - head.len() - 5) / 2);
        disk.write(
            &format!("user/{name}/SKILL.md"),
            format!("{head}{fill}\n---\n\u{fffd}body\n"),
        );
    }
    let loaded = load(&disk);
    assert_eq!(loaded.iter().count(), 31);
    for entry in loaded.iter().filter(|entry| entry.name() != "good") {
        assert_eq!(entry.body().expect("a body"), "\u{fffd}body");
    }
}

#[test]
fn what_is_salvaged_is_listed_as_it_is_activated() {
    let disk = Disk::new();
    let bare = "name: bare\ndescription: No lines.\n\nThe body.\n";
    disk.write(
        "user/bare/SKILL.md",
        format!("{bare}{}", "More. ".repeat(2000)),
    );
    let loaded = load(&disk);
    assert_eq!(ids(&loaded), ["user:bare", "user:good"]);
    for entry in &loaded {
        assert!(entry.body().expect("a body").starts_with("The body"));
    }
}

#[test]
fn bytes_that_are_no_text() {
    let disk = Disk::new();
    disk.write(
        "user/head/SKILL.md",
        b"---\nname: head\ndescription: \xff\n---\n",
    );
    disk.write(
        "user/body/SKILL.md",
        b"---\nname: body\ndescription: x\n---\n\xff\n",
    );
    disk.write("user/empty/SKILL.md", b"");
    expect(
        &disk,
        &[
            "user/body/SKILL.md:5:1: error[not-utf8]: the file is not UTF-8; the skill is skipped",
            "user/empty/SKILL.md:1:1: error[frontmatter-missing]: the file does not begin with front matter; the skill is skipped",
            "user/head/SKILL.md:3:14: error[not-utf8]: the file is not UTF-8; the skill is skipped",
        ],
    );
}

#[test]
fn a_description_from_the_body() {
    let disk = Disk::new();
    let text = |body: &str| format!("---\nname: x\n---\n{body}");
    let far = format!("{}The first paragraph.\n", "# A heading\n\n".repeat(1000));
    disk.write("user/x/SKILL.md", text(&far));
    disk.write(
        "user/y/SKILL.md",
        text("# Only a heading\n").replace("name: x", "name: y"),
    );
    let loaded = load(&disk);
    assert_eq!(ids(&loaded), ["user:good", "user:x"]);
    assert_eq!(
        loaded.get("x").expect("a skill").description(),
        "The first paragraph."
    );
    let rules: Vec<_> = loaded
        .diagnostics()
        .iter()
        .map(|d| (d.rule.as_str(), d.severity))
        .collect();
    assert_eq!(
        rules,
        [
            ("description-missing", Severity::Warning),
            ("description-missing", Severity::Error)
        ]
    );
}

#[test]
fn folders_that_are_left_alone() {
    let disk = Disk::new();
    for folder in [".git", ".hidden", "node_modules", "target", "group/target"] {
        disk.skill(&format!("user/{folder}/lost"));
    }
    disk.skill(".agents/skills/a");
    expect(&disk, &[]);
    let hidden = Catalog::builder()
        .directory("user", disk.path(".agents/skills"))
        .load();
    assert_eq!(ids(&hidden), ["user:a"]);
}

#[test]
fn unreadable() {
    let disk = Disk::new();
    let file = disk.skill("user/file").join("SKILL.md");
    disk.skill("user/folder/inner");
    let folder = disk.path("user/folder");
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    set(&file, 0o000);
    set(&folder, 0o000);
    let is_told = fs::read(&file).is_err();
    let loaded = load(&disk);
    set(&folder, 0o755);
    assert!(loaded.get("good").is_some());
    if is_told {
        let rules: Vec<_> = loaded
            .diagnostics()
            .iter()
            .map(|d| d.rule.as_str())
            .collect();
        assert_eq!(rules, ["unreadable", "unreadable"]);
    }
}

#[test]
fn depth_is_bounded_and_told() {
    let disk = Disk::new();
    disk.skill("user/1/2/3/4/5/six");
    disk.skill("user/1/2/3/4/5/6/seven");
    disk.skill("user/1/2/3/4/5/6/eight");
    let loaded = expect(
        &disk,
        &[
            "user/1/2/3/4/5/6/eight: warning[limit-reached]: it is more than 6 folders deep, so it is not read; 1 other folder is also too deep",
        ],
    );
    assert!(loaded.get("six").is_some());
}

#[test]
fn a_hundred_thousand_folders() {
    let disk = Disk::new();
    fs::create_dir_all(disk.path("user")).expect("folders");
    for n in 0..100_000 {
        fs::create_dir(disk.path(&format!("user/{n:06}"))).expect("a folder");
    }
    disk.skill("user/000010");
    let loaded = Catalog::builder()
        .directory("user", disk.path("user"))
        .load();
    assert_eq!(loaded.iter().count(), 1);
    let lines = disk.lines(loaded.diagnostics());
    assert_eq!(
        lines.last().map(String::as_str),
        Some(
            "user/020000: warning[limit-reached]: there are more than 20000 folders: this folder and all folders after it are left out"
        )
    );
}

#[test]
fn odd_names_of_folders() {
    use std::os::unix::ffi::OsStrExt as _;
    let disk = Disk::new();
    let odd = disk
        .path("user")
        .join(std::ffi::OsStr::from_bytes(b"odd-\xff"));
    fs::create_dir_all(&odd).expect("folders");
    fs::write(odd.join("SKILL.md"), skill("odd", "x")).expect("a file");
    disk.write("user/new\nline/SKILL.md", skill("line", "x"));
    let loaded = load(&disk);
    assert_eq!(ids(&loaded), ["user:good", "user:line", "user:odd"]);
    for entry in &loaded {
        assert!(entry.body().is_ok());
    }
}
