//! Servers, and locks, that want more than to send an archive.

use crate::Test;
use crate::archive::{zip, zip_of};
use crate::server::Answer;
use crate::world::World;

pub(crate) const TESTS: &[Test] = &[
    ("a redirect that is not https", not_https),
    ("a redirect without an end", without_end),
    ("the token of a redirect", token_of_redirect),
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
    for to in [
        "file:///etc/passwd",
        "http://a.example/b.zip",
        "ftp://a.example/b.zip",
        "gopher://a.example/b.zip",
        "//a.example:port/b.zip",
    ] {
        let world = World::new(move |_, _| Answer::To(to.to_owned()));
        let (shown, code) = world.through_proxy(&["install", "https://a.example/a.zip", "--yes"]);
        assert!(
            shown.contains("cannot fetch https://a.example/a.zip: curl: ("),
            "{to}: {shown}"
        );
        assert_eq!(code, Some(2), "{to}: {shown}");
        // One call of the proxy, and one of the host.
        assert_eq!(world.server.requests().len(), 2, "{to}");
        world.is_untouched();
    }
}

fn without_end() {
    let world = World::new(|path, _| Answer::To(format!("{path}x.zip")));
    let url = "https://a.example/a.zip";
    refused(
        &world,
        &["install", url, "--yes"],
        "Maximum (10) redirects followed",
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
    ] {
        let world = World::new(move |path, _| match path {
            "/a.zip" => Answer::To(to.to_owned()),
            _ => Answer::Raw(b"HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\n\r\nsecret".to_vec()),
        });
        let url = "https://a.example/a.zip";
        refused(&world, &["install", url, "--yes"], url);
    }
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
        ("302 Found", "the server answers 302"),
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
