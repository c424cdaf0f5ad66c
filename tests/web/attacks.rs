//! Servers, and locks, that want more than to send an archive.

use crate::Test;
use crate::archive::{zip, zip_of};
use crate::server::Answer;
use crate::world::World;
use std::fs;

pub(crate) const TESTS: &[Test] = &[
    ("a redirect that is not https", not_https),
    (
        "a redirect to this machine, or to its link",
        to_this_machine,
    ),
    ("a redirect without an end", without_end),
    ("the token of a redirect", token_of_redirect),
    ("a lock names this machine", lock_of_this_machine),
    ("a body without an end", endless),
    ("a body that lies about its length", lies),
    ("an archive that leaves its folder", leaves),
    ("answers without an archive", answers),
    ("a certificate that nobody trusts", untrusted),
    ("curl is missing", no_curl),
    #[cfg(unix)]
    ("a server that sends nothing, and Ctrl-C", silent),
];

/// Asserts that an archive is refused, with words.
fn refused(world: &World, arguments: &[&str], told: &str) {
    let (shown, code) = world.through_proxy(arguments);
    assert!(shown.contains(told), "{shown}");
    assert!(matches!(code, Some(1 | 2)), "{code:?} {shown}");
    world.is_untouched();
}

fn not_https() {
    for (to, told) in [
        ("file:///etc/passwd", "only https"),
        (
            "http://a.example/b.zip",
            "leads to a URL of `http`, and only https is followed",
        ),
        ("ftp://a.example/b.zip", "only https"),
        ("gopher://a.example/b.zip", "only https"),
        ("//a.example:port/b.zip", "cannot be fetched"),
    ] {
        let world = World::new(move |_, _| Answer::To(to.to_owned()));
        let (shown, code) = world.through_proxy(&["install", "https://a.example/a.zip", "--yes"]);
        let is_told = shown.contains(told) || shown.contains("leads to a URL");
        assert!(is_told, "{to}: {shown}");
        assert_eq!(code, Some(1), "{to}: {shown}");
        // One call of the proxy, and one of the host.
        assert_eq!(world.server.requests().len(), 2, "{to}");
        world.is_untouched();
    }
}

fn to_this_machine() {
    for to in [
        "https://127.0.0.1/b.zip",
        "https://localhost/b.zip",
        "https://LOCALHOST./b.zip",
        "https://[::1]/b.zip",
        "https://[::ffff:127.0.0.1]/b.zip",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:a9fe:a9fe]/b.zip",
        "https://[fe80::1]/b.zip",
        "https://2130706433/b.zip",
        "https://0x7f000001/b.zip",
        "https://0177.0.0.1/b.zip",
        "https://127.1/b.zip",
        "https://0/b.zip",
    ] {
        let world = World::new(move |_, _| Answer::To(to.to_owned()));
        let (shown, code) = world.through_proxy(&["install", "https://a.example/a.zip", "--yes"]);
        let is_told = ["no archive is fetched", "invalid host"];
        assert!(
            is_told.iter().any(|told| shown.contains(told)),
            "{to}: {shown}"
        );
        assert_eq!(code, Some(1), "{to}: {shown}");
        assert_eq!(world.server.requests().len(), 2, "{to}");
        world.is_untouched();
    }
    // From this machine, which the user named, to its link.
    let world = World::new(|_, _| Answer::To("https://169.254.169.254/b.zip".to_owned()));
    let (shown, _) = world.run(&["install", &world.own("a.zip"), "--yes"]);
    assert!(shown.contains("no archive is fetched"), "{shown}");
}

fn without_end() {
    let world = World::new(|path, _| Answer::To(format!("{path}x.zip")));
    let url = "https://a.example/a.zip";
    refused(
        &world,
        &["install", url, "--yes"],
        "leads to more than 10 other URLs",
    );
    // Eleven, each through the proxy.
    assert_eq!(world.server.requests().len(), 22);
}

fn token_of_redirect() {
    // `World` asserts that no output holds the word.
    let world = World::new(|path, _| match path {
        "/a.zip" => Answer::To("https://b.example/b.zip?token=secret".to_owned()),
        _ => Answer::Body(zip("lint", "Lint.")),
    });
    let (shown, code) = world.through_proxy(&["install", "https://a.example/a.zip", "--yes"]);
    assert_eq!(code, Some(0), "{shown}");
    let lock = world.text("home/.agents/skills/skills.lock");
    assert!(
        lock.contains("https://a.example/a.zip") && !lock.contains("secret"),
        "{lock}"
    );
    let requests = world.server.requests();
    assert!(
        requests[3].starts_with("GET /b.zip?token=secret"),
        "{requests:?}"
    );
    for to in [
        "https://b.example/gone.zip?token=secret",
        "https://me:secret@b.example/b.zip",
        "https://b.example:secret/b.zip",
        "http://b.example/b.zip?token=secret",
        "secret://b.example/b.zip",
    ] {
        let world = World::new(move |path, _| match path {
            "/a.zip" => Answer::To(to.to_owned()),
            _ => Answer::Raw(b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\nsecret".to_vec()),
        });
        let url = "https://a.example/a.zip";
        let scheme = to.starts_with("secret");
        if scheme {
            // A scheme is the one part that is told; curl does not know this one.
            continue;
        }
        refused(&world, &["install", url, "--yes"], url);
    }
}

fn lock_of_this_machine() {
    let world = World::new(|_, _| Answer::Body(zip("lint", "Lint.")));
    let port = world.server.port;
    let skills = world.path("project/.agents/skills");
    fs::create_dir_all(&skills).unwrap();
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "2130706433",
        "127.1",
    ] {
        let lock = format!(
            "version = 4\nkind = \"installed\"\n\n[[skill]]\nname = \"lint\"\ndigest = \
             \"sha256:{0}\"\nsize = 1\nsource = \"https://{host}:{port}/lint.zip\"\n",
            "0".repeat(64)
        );
        fs::write(skills.join("skills.lock"), lock).unwrap();
        for command in [
            &["install", "--frozen", "--yes", "--to", "project"][..],
            &["update", "--yes", "--to", "project"],
        ] {
            let (shown, code) = world.run(command);
            let is_told = ["no archive is fetched", "no valid host"];
            assert!(
                is_told.iter().any(|told| shown.contains(told)),
                "{host}: {shown}"
            );
            assert_eq!(code, Some(1), "{host}: {shown}");
        }
    }
    assert_eq!(world.server.requests(), Vec::<String>::new());
}

fn endless() {
    let world = World::new(|_, _| Answer::Endless);
    let url = "https://a.example/a.zip";
    refused(
        &world,
        &["install", url, "--yes"],
        "https://a.example/a.zip has more than 128 MiB",
    );
}

fn lies() {
    let short = |bytes: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
            bytes.len() + 9
        );
        [head.as_bytes(), bytes].concat()
    };
    let world = World::new(move |_, _| Answer::Raw(short(&zip("lint", "Lint."))));
    let url = "https://a.example/a.zip";
    refused(
        &world,
        &["install", url, "--yes"],
        "cannot fetch https://a.example/a.zip: curl: (18)",
    );
    // More than the length: the rest is not read.
    let long = |bytes: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len());
        [head.as_bytes(), bytes, zip("other", "Other.").as_slice()].concat()
    };
    let world = World::new(move |_, _| Answer::Raw(long(&zip("lint", "Lint."))));
    let (shown, code) = world.through_proxy(&["install", url, "--yes"]);
    assert!(shown.contains("installed lint"), "{shown}");
    assert_eq!(code, Some(0));
}

fn leaves() {
    let text = "---\nname: lint\ndescription: Lints. Use when asked to lint.\n---\nLint.\n";
    for path in [
        "../lint/SKILL.md",
        "/lint/SKILL.md",
        "lint/../../SKILL.md",
        "con/SKILL.md",
    ] {
        let bytes = zip_of(path, text);
        let world = World::new(move |_, _| Answer::Body(bytes.clone()));
        let url = "https://a.example/a.zip";
        refused(&world, &["install", url, "--yes"], url);
    }
    let world = World::new(|_, _| Answer::Body(b"<html>".to_vec()));
    let url = "https://a.example/a.zip";
    refused(
        &world,
        &["install", url, "--yes"],
        "https://a.example/a.zip cannot be unpacked",
    );
}

fn answers() {
    for (code, told) in [
        ("404 Not Found", "the server answers 404"),
        (
            "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"",
            "the server answers 401",
        ),
        ("206 Partial Content", "the server answers 206"),
        ("204 No Content", "the server answers 204"),
        ("302 Found", "leads to a URL"),
    ] {
        let raw = format!("HTTP/1.1 {code}\r\nContent-Length: 0\r\n\r\n");
        let world = World::new(move |_, _| Answer::Raw(raw.clone().into_bytes()));
        refused(
            &world,
            &["install", "https://a.example/a.zip", "--yes"],
            told,
        );
    }
    let world = World::new(|_, _| Answer::Raw(b"hello\r\n".to_vec()));
    refused(
        &world,
        &["install", "https://a.example/a.zip", "--yes"],
        "curl: (",
    );
}

fn untrusted() {
    let world = World::new(|_, _| Answer::Body(zip("lint", "Lint.")));
    let mut program = world.program(&["install", &world.own("a.zip"), "--yes"]);
    let output = program.env_remove("CURL_CA_BUNDLE").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("curl: (60)"), "{told}");
    world.is_untouched();
}

fn no_curl() {
    let world = World::new(|_, _| Answer::Silent);
    let mut program = world.program(&["install", &world.own("a.zip"), "--yes"]);
    let output = program.env("PATH", world.path("home")).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("there is no program `curl`"), "{told}");
    assert!(
        told.contains("download the archive and install from the file"),
        "{told}"
    );
}

#[cfg(unix)]
fn silent() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;
    let world = World::new(|_, _| Answer::Silent);
    let mut program = world.program(&["install", &world.own("a.zip"), "--yes"]);
    let child = program.stderr(Stdio::piped()).spawn().unwrap();
    while world.server.requests().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    let mut kill = Command::new("kill");
    assert!(
        kill.args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("error: stopped"), "{told}");
    world.is_untouched();
}
