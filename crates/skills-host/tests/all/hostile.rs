//! Hostile sources: each is refused with its reason, and nothing is written.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use skills_host::ErrorKind;
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Observer, Quiet};
use skills_host::install::{Action, Chosen, Host, InstallOptions, Offer, Source, apply};
#[cfg(unix)]
use skills_host::lock::read_lock;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

const SKILL: &str =
    "---\nname: a\ndescription: Does a with care. Use when someone asks for a.\n---\n\nDo it.\n";

type Tar = tar::Builder<GzEncoder<File>>;

/// Installs everything of a source, or returns the reason of the refusal.
fn install(folder: &Path, source: &str) -> Result<(), String> {
    let data = DataFolder::new(folder.join("data"));
    let git = Git::default();
    let host = Host {
        data: &data,
        git: &git,
        clock: &Timestamp::UNIX_EPOCH,
        observer: &Quiet,
    };
    let target = folder.join("target");
    let source = Source::parse(source, folder).map_err(|error| format!("{error:#}"))?;
    let offer = Offer::fetch(source, host).map_err(|error| format!("{error:#}"))?;
    let plan = offer.plan(&Chosen::All, &target, &InstallOptions::default());
    let plan = plan.map_err(|error| format!("{error:#}"))?;
    if let Some(refused) = plan
        .skills
        .iter()
        .find(|skill| skill.action == Action::Refuse)
    {
        return Err(refused.reason.clone().unwrap_or_default().to_string());
    }
    let applied = apply(&plan, host).map_err(|error| format!("{error:#}"))?;
    assert!(applied.iter().all(|applied| applied.error.is_none()));
    Ok(())
}

fn tar(path: &Path, add: impl FnOnce(&mut Tar)) {
    let file = File::create(path).unwrap();
    let mut builder = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    file_in(&mut builder, b"a/SKILL.md", SKILL.as_bytes());
    add(&mut builder);
    builder.into_inner().unwrap().finish().unwrap();
}

fn file_in(builder: &mut Tar, path: &[u8], bytes: &[u8]) {
    entry_in(builder, path, tar::EntryType::Regular, bytes);
}

/// Adds an entry with an unchecked path.
fn entry_in(builder: &mut Tar, path: &[u8], kind: tar::EntryType, bytes: &[u8]) {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..path.len()].copy_from_slice(path);
    header.set_entry_type(kind);
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    if kind.is_symlink() {
        header.set_link_name("/etc/passwd").unwrap();
    }
    header.set_cksum();
    builder.append(&header, bytes).unwrap();
}

#[test]
fn archives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let refused = |name: &str, why: &str| {
        let error = install(path, name).unwrap_err();
        assert!(error.contains(why), "{name}: {error}");
        assert!(!path.join("target").exists(), "{name}");
    };
    for (name, entry, why) in [
        ("up.tar.gz", &b"a/../../x"[..], "leaves the folder"),
        ("control.tar.gz", b"a/x\x1b[31m", "control character"),
        ("device.tar.gz", b"a/NUL.txt", "names a device"),
        ("twins.tar.gz", b"a/skill.md", "one file on some systems"),
        ("latin.tar.gz", b"a/\xff", "not UTF-8"),
        ("git.tar.gz", b"a/.GIT/config", "inside a `.git`"),
    ] {
        tar(&path.join(name), |builder| file_in(builder, entry, b"x"));
        refused(name, why);
    }
    tar(&path.join("link.tar.gz"), |builder| {
        entry_in(builder, b"a/link", tar::EntryType::Symlink, b"");
    });
    refused("link.tar.gz", "'link' is a link");
    tar(&path.join("pipe.tar.gz"), |builder| {
        entry_in(builder, b"a/pipe", tar::EntryType::Fifo, b"");
    });
    refused("pipe.tar.gz", "is not a file");
    tar(&path.join("many.tar.gz"), |builder| {
        for n in 0..100_001 {
            file_in(builder, format!("a/{n}").as_bytes(), b"");
        }
    });
    refused("many.tar.gz", "more than 100000 files");
    tar(&path.join("some.tar.gz"), |builder| {
        for n in 0..10_001 {
            file_in(builder, format!("a/{n}").as_bytes(), b"");
        }
    });
    refused("some.tar.gz", "more than 10000 files");
    for name in ["noise.zip", "noise.tgz"] {
        fs::write(path.join(name), "not an archive").unwrap();
        refused(name, "cannot be unpacked");
    }
    // A file beside the skill is not written, whatever its path.
    tar(&path.join("beside.tar.gz"), |builder| {
        file_in(builder, b"/tmp/x", b"x");
    });
    install(path, "beside.tar.gz").unwrap();
    assert!(path.join("target/a/SKILL.md").exists());
}

#[test]
fn a_zip_bomb() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut zip = zip::ZipWriter::new(File::create(path.join("bomb.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("a/SKILL.md", options).unwrap();
    zip.write_all(SKILL.as_bytes()).unwrap();
    zip.start_file("a/zeros", options).unwrap();
    io::copy(&mut io::repeat(0).take(300 << 20), &mut zip).unwrap();
    zip.finish().unwrap();
    assert!(fs::metadata(path.join("bomb.zip")).unwrap().len() < 4 << 20);
    let error = install(path, "bomb.zip").unwrap_err();
    assert!(error.contains("more than 268435456 bytes"), "{error}");
    assert!(!path.join("target").exists());
}

#[test]
fn archives_with_one_folder_around_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (name, prefix) in [
        ("around.skill", "a-1.2/"),
        ("none.zip", ""),
        ("deep.zip", "repo/skills/a/"),
    ] {
        let mut zip = zip::ZipWriter::new(File::create(path.join(name)).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("{prefix}SKILL.md"), options)
            .unwrap();
        zip.write_all(SKILL.as_bytes()).unwrap();
        zip.finish().unwrap();
        install(path, name).unwrap();
        assert!(path.join("target/a/SKILL.md").exists(), "{name}");
        fs::remove_dir_all(path.join("target")).unwrap();
    }
}

fn git(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b.example"])
        .args(["-c", "core.protectNTFS=false"])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Makes a repository with one skill, and one more entry in its folder.
fn repository(folder: &Path, name: &str, mode: &str, path: &str) -> String {
    let remote: PathBuf = folder.join(name);
    fs::create_dir(&remote).unwrap();
    git(&remote, &["init", "-q"], "");
    let blob = git(&remote, &["hash-object", "-w", "--stdin"], SKILL);
    let other = git(
        &remote,
        &["hash-object", "-w", "--stdin"],
        "../../etc/passwd",
    );
    let info = format!("100644 {blob}\tskills/a/SKILL.md\n{mode} {other}\tskills/a/{path}\n");
    git(&remote, &["update-index", "--add", "--index-info"], &info);
    let tree = git(&remote, &["write-tree", "--missing-ok"], "");
    let commit = git(&remote, &["commit-tree", &tree, "-m", "one"], "");
    git(&remote, &["update-ref", "HEAD", &commit], "");
    format!("file://{}", remote.display())
}

#[test]
fn repositories() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (name, mode, entry, why) in [
        ("link", "120000", "link", "'link' is a link"),
        ("module", "160000", "module", "a submodule"),
        ("device", "100644", "aux.md", "names a device"),
        ("twins", "100644", "Skill.MD", "one file on some systems"),
        ("slash", "100644", "..\\..\\x", "Windows does not allow"),
    ] {
        let error = install(path, &repository(path, name, mode, entry)).unwrap_err();
        assert!(error.contains(why), "{name}: {error}");
        assert!(!path.join("target").exists(), "{name}");
    }
    install(path, &repository(path, "fine", "100755", "run.sh")).unwrap();
    assert!(path.join("target/a/run.sh").exists());
    assert!(!path.join("data/tmp").exists());
}

/// A repository of a few kilobytes whose folders repeat themselves, and a remote that sends references without end.
#[test]
#[cfg(target_os = "linux")]
fn repositories_without_end() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for leaf in ["", "file"] {
        let url = repository(path, &format!("tree-{leaf}"), "100644", "other");
        let remote = path.join(format!("tree-{leaf}"));
        let blob = git(&remote, &["hash-object", "-w", "--stdin"], "x");
        let leaf = if leaf.is_empty() {
            String::new()
        } else {
            format!("100644 blob {blob}\tx\n")
        };
        let mut tree = git(&remote, &["mktree"], &leaf);
        for _ in 0..9 {
            let all: Vec<String> = (0..10)
                .map(|n| {
                    format!(
                        "040000 tree {tree}	{n}
"
                    )
                })
                .collect();
            tree = git(&remote, &["mktree"], &all.concat());
        }
        let commit = git(&remote, &["commit-tree", &tree, "-m", "one"], "");
        git(&remote, &["update-ref", "HEAD", &commit], "");
        let error = install(path, &url).unwrap_err();
        assert!(error.contains("it is too large"), "{error}");
    }
    // The program speaks the protocol in the place of ssh.
    let line = format!("003d{} refs/heads/x", "0123456789".repeat(4));
    let size = format!("{:04x}", line.len() + 1);
    let line = line.replacen("003d", &size, 1);
    let ssh = path.join("ssh");
    let program = path.join("git-with-ssh");
    for (file, text) in [
        (&ssh, format!("#!/bin/sh\nexec yes '{line}'\n")),
        (
            &program,
            format!(
                "#!/bin/sh\nGIT_SSH_COMMAND='{}' exec git \"$@\"\n",
                ssh.display()
            ),
        ),
    ] {
        fs::write(file, text).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let data = DataFolder::new(path.join("data"));
    let git = Git::new(program);
    let host = Host {
        data: &data,
        git: &git,
        clock: &Timestamp::UNIX_EPOCH,
        observer: &Quiet,
    };
    let source = Source::parse("ssh://host.invalid/x.git", path).unwrap();
    let error = Offer::fetch(source, host).err();
    let error = error.unwrap().to_string();
    assert!(error.contains("memory"), "{error}");
}

/// An observer that cancels at the second question.
struct Stopped(AtomicBool);

impl Observer for Stopped {
    fn is_cancelled(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }
}

#[test]
fn a_host_that_does_not_answer_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let data = DataFolder::new(path.join("data"));
    let git = Git::default();
    let observer = Stopped(AtomicBool::new(false));
    let host = Host {
        data: &data,
        git: &git,
        clock: &Timestamp::UNIX_EPOCH,
        observer: &observer,
    };
    let source = Source::parse(&format!("https://127.0.0.1:{port}/x.git"), path).unwrap();
    let error = Offer::fetch(source, host).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(!path.join("data").exists());
}

/// A folder of skills as an attacker may have committed it, with a work folder in it.
#[test]
#[cfg(unix)]
fn a_cloned_work_folder() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let data = DataFolder::new(path.join("data"));
    let victim = path.join("victim");
    let target = path.join("target");
    let work = target.join(".skills-work");
    fs::create_dir_all(&victim).unwrap();
    fs::write(victim.join("file"), "precious").unwrap();
    fs::create_dir(path.join("a")).unwrap();
    fs::write(path.join("a/SKILL.md"), SKILL).unwrap();
    let is_whole = |place: &str| {
        assert_eq!(
            fs::read_to_string(victim.join("file")).unwrap(),
            "precious",
            "{place}"
        );
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 1, "{place}");
    };
    let refused = |place: &str, why: &str| {
        // `skills list` reads the lock in this way.
        let read = read_lock(&target, &data).map(drop);
        is_whole(place);
        let written = install(path, "a").unwrap_err();
        is_whole(place);
        assert!(written.contains(why), "{place}: {written}");
        read
    };
    // A link whose target would be swept.
    fs::create_dir_all(&target).unwrap();
    symlink(&victim, &work).unwrap();
    assert!(refused("folder", "is not a folder").is_err());
    fs::remove_file(&work).unwrap();
    // A link in the place of the lock, which the program writes.
    fs::create_dir_all(&work).unwrap();
    symlink(victim.join("file"), work.join("lock")).unwrap();
    refused("lock", "it is a link").unwrap();
    fs::remove_file(work.join("lock")).unwrap();
    // A journal that would remove and write elsewhere.
    fs::create_dir_all(target.join("a")).unwrap();
    let journal = serde_json::json!({
        "version": 1, "name": "a", "new": null, "replaced": null, "lock": "Keep", "files": null,
        "trash": {"root": victim, "record": {"version": 1, "name": "a", "from": target,
            "time": "1970-01-01T00:00:00Z", "why": "x", "entry": null, "token": "t"}},
        "consumed": victim,
    });
    fs::write(work.join("journal.json"), journal.to_string()).unwrap();
    assert_eq!(
        refused("journal", "was not begun").unwrap_err().kind(),
        ErrorKind::Refused
    );
    fs::remove_dir_all(&work).unwrap();
    fs::remove_dir_all(&target).unwrap();
    install(path, "a").unwrap();
}

#[test]
fn descriptions_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let long = vec![b'a'; 2 << 20];
    let pax = |key: &str, value: &[u8]| {
        let rest = [b" ", key.as_bytes(), b"=", value, b"\n"].concat();
        let mut length = rest.len();
        while length != rest.len() + length.to_string().len() {
            length = rest.len() + length.to_string().len();
        }
        [length.to_string().as_bytes(), &rest].concat()
    };
    for (name, kind, bytes, why) in [
        (
            "name",
            tar::EntryType::GNULongName,
            long.clone(),
            "more than 1048576",
        ),
        (
            "pax",
            tar::EntryType::XHeader,
            pax("path", &long),
            "more than 1048576",
        ),
        (
            "size",
            tar::EntryType::XHeader,
            pax("size", b"1"),
            "another size",
        ),
        (
            "sparse",
            tar::EntryType::XHeader,
            pax("GNU.sparse.major", b"1"),
            "sparse",
        ),
    ] {
        let name = format!("{name}.tar.gz");
        tar(&path.join(&name), |builder| {
            entry_in(builder, b"././@Description", kind, &bytes);
            file_in(builder, b"a/x", b"x");
        });
        let error = install(path, &name).unwrap_err();
        assert!(error.contains(why), "{name}: {error}");
        assert!(!path.join("target").exists(), "{name}");
    }
    // Extension headers as common programs write them.
    let deep = format!("a/{}/{}/x.md", "b".repeat(90), "c".repeat(90));
    for (name, kind, bytes) in [
        (
            "gnu",
            tar::EntryType::GNULongName,
            [deep.as_bytes(), b"\0"].concat(),
        ),
        (
            "posix",
            tar::EntryType::XHeader,
            pax("path", deep.as_bytes()),
        ),
    ] {
        let name = format!("{name}.tar.gz");
        tar(&path.join(&name), |builder| {
            entry_in(builder, b"././@Description", kind, &bytes);
            file_in(builder, b"a/cut", b"x");
            file_in(builder, b"a/after", b"y");
        });
        install(path, &name).unwrap();
        assert_eq!(
            fs::read(path.join("target").join(&deep)).unwrap(),
            b"x",
            "{name}"
        );
        assert_eq!(
            fs::read(path.join("target/a/after")).unwrap(),
            b"y",
            "{name}"
        );
        fs::remove_dir_all(path.join("target")).unwrap();
    }
}

#[test]
fn paths_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let long = vec![b'a'; 1 << 20];
    tar(&path.join("paths.tar.gz"), |builder| {
        for _ in 0..40 {
            entry_in(
                builder,
                b"././@LongLink",
                tar::EntryType::GNULongName,
                &long,
            );
            file_in(builder, b"a/x", b"x");
        }
    });
    let error = install(path, "paths.tar.gz").unwrap_err();
    assert!(error.contains("paths of more than"), "{error}");
    // A directory of 70 MB, which the crate would read as a whole.
    let mut zip = zip::ZipWriter::new(File::create(path.join("paths.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    for n in 0..1_100 {
        let name = format!("{n}{}", "a".repeat(65_000));
        zip.start_file(name, options).unwrap();
    }
    zip.finish().unwrap();
    let error = install(path, "paths.zip").unwrap_err();
    assert!(error.contains("its directory has more than"), "{error}");
    assert!(!path.join("target").exists());
}

#[test]
fn names_that_turn_the_direction_of_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let odd = "x\u{202e}gnp.sh";
    tar(&path.join("odd.tar.gz"), |builder| {
        file_in(builder, format!("a/{odd}").as_bytes(), b"x");
    });
    let skill = path.join("folder/a");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), SKILL).unwrap();
    fs::write(skill.join(odd), "x").unwrap();
    let repository = repository(path, "repository", "100644", odd);
    for source in ["odd.tar.gz", "folder", &repository] {
        let error = install(path, source).unwrap_err();
        assert!(error.contains("text direction"), "{source}: {error}");
        assert!(!error.contains('\u{202e}'), "{source}");
        assert!(!path.join("target").exists(), "{source}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for name in ["pipe.zip", "pipe.tar.gz"] {
        let made = Command::new("mkfifo").arg(path.join(name)).status();
        assert!(made.unwrap().success());
        let error = install(path, name).unwrap_err();
        assert!(error.contains("neither a folder nor an archive"), "{error}");
    }
}
