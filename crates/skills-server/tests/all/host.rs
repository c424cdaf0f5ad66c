//! Tests the requirements of the Skills extension (SEP-2640) for a host, on the types in `skills_session::remote`.
//! The number in a test's name is the number of the requirement.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{self, Client, Folder, skill};
use rmcp::model::sha256_digest;
use serde_json::{Value, json};
use skills_format::Digest;
use skills_runtime::{Catalog, ErrorKind, Skill, Surface};
use skills_session::Dialect as _;
use skills_session::Session;
use skills_session::activation::activate;
use skills_session::options::Options;
use skills_session::options::Tools;
use skills_session::remote::{RemoteApproval, RemoteServer, RemoteSkill};
use skills_session::session::call_tool;
use std::sync::Arc;

/// Lists a file of an entry, like an honest server.
fn file(uri: &str, bytes: &str) -> Value {
    json!({ "uri": uri, "digest": sha256_digest(bytes.as_bytes()), "size": bytes.len() })
}

/// Makes an honest entry with files below `root`, among them the `SKILL.md`.
fn entry(root: &str, front_matter: &Value, files: &[(&str, &str)]) -> Value {
    let listed: Vec<Value> = files
        .iter()
        .map(|(path, text)| file(&format!("{root}/{path}"), text))
        .collect();
    json!({ "uri": format!("{root}/SKILL.md"), "frontmatter": front_matter, "resources": listed })
}

/// Makes the entry of the skill that [`skill`] writes.
fn plain(root: &str, name: &str) -> Value {
    let text = skill(name);
    entry(root, &front_matter(name), &[("SKILL.md", &text)])
}

fn front_matter(name: &str) -> Value {
    json!({ "name": name, "description": format!("Does {name}. Use it to test.") })
}

fn server(entries: &[Value]) -> RemoteServer {
    let mut server = RemoteServer::new("acme").expect("a label");
    server
        .list(&json!({ "skills": entries }).to_string())
        .expect("a list");
    server
}

/// Returns the only skill of a server.
fn one(entry: &Value) -> Arc<RemoteSkill> {
    let server = server(std::slice::from_ref(entry));
    assert_eq!(server.declined().len(), 0, "{:?}", server.declined());
    Arc::clone(&server.skills()[0])
}

/// Returns the reason why an entry is declined.
fn declined(entry: &Value) -> String {
    let server = server(std::slice::from_ref(entry));
    assert!(server.skills().is_empty(), "{entry}");
    let error = &server.declined()[0];
    assert_eq!(error.kind(), ErrorKind::Refused);
    error.to_string()
}

/// Makes a catalog with the server, whose skills are all approved.
fn approved(server: RemoteServer) -> Catalog {
    catalog(Catalog::builder(), server)
}

fn catalog(builder: skills_runtime::CatalogBuilder, mut server: RemoteServer) -> Catalog {
    let approvals: Vec<RemoteApproval> = server
        .skills()
        .iter()
        .map(|skill| skill.approval())
        .collect();
    server.approve(&approvals);
    server.add_to(builder).load()
}

fn text(entry: Skill<'_>) -> Result<String, skills_runtime::Error> {
    activate(&Options::DEFAULT, &entry, "").map(|activation| activation.text)
}

#[test]
fn h09_h39_an_authority_is_a_name_and_reads_stay_with_their_server() {
    let local = Folder::skill("lint");
    let server = server(&[plain("skill://user/lint", "lint")]);
    server.skills()[0]
        .supply("skill://user/lint/SKILL.md", skill("lint").as_bytes())
        .expect("verified");
    let catalog = catalog(local.builder(), server);
    // The address at the server looks like the path of a local skill, but the model's text is read from the server.
    let remote = catalog.get("mcp:acme:lint").expect("the skill");
    assert_eq!(remote.folder(), None);
    let text = text(remote).expect("started");
    assert!(
        text.contains("directory=\"skill://mcp:acme/lint\""),
        "{text}"
    );
    let read = |path: &str| {
        let call = json!({ "path": path }).to_string();
        call_tool(&Options::DEFAULT, &catalog, "read_skill_resource", &call)
    };
    local.write(
        "user/lint/SKILL.md",
        skill("lint").replace("Do lint", "Locally"),
    );
    let of_user = read("skill://user/lint/SKILL.md")
        .expect("the local file")
        .into_text();
    assert!(of_user.contains("Locally"));
    let of_server = read("skill://mcp:acme/lint/SKILL.md")
        .expect("the server's")
        .into_text();
    assert!(of_server.contains("Do lint"));
}

#[test]
fn h10_h27_a_file_alone_is_no_skill() {
    // Only an entry makes a skill, whatever its scheme.
    let server = server(&[plain("https://example.com/skills/lint", "lint")]);
    assert_eq!(
        server.skills()[0].uri,
        "https://example.com/skills/lint/SKILL.md"
    );
    let skill = &server.skills()[0];
    let error = skill
        .supply("skill://acme/other/SKILL.md", b"---")
        .expect_err("not listed");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        RemoteServer::new("acme")
            .expect("a label")
            .skills()
            .is_empty()
    );
}

#[test]
fn h13_h14_h15_a_nested_skill_is_a_file_until_it_is_approved_itself() {
    let inner =
        skill("inner").replace("name: inner", "name: inner\ndisable-model-invocation: true");
    let outer = entry(
        "skill://a/outer",
        &front_matter("outer"),
        &[("SKILL.md", &skill("outer")), ("inner/SKILL.md", &inner)],
    );
    let nested = json!({ "uri": "skill://a/outer/inner/SKILL.md",
        "frontmatter": { "name": "inner", "description": "Does inner. Use it to test.", "disable-model-invocation": true },
        "resources": [file("skill://a/outer/inner/SKILL.md", &inner)] });
    let mut server = server(&[outer, nested]);
    assert_eq!(server.skills().len(), 2, "{:?}", server.declined());
    let approval = server.skills()[0].approval();
    server.approve([&approval]);
    for (path, text) in [("SKILL.md", &skill("outer")), ("inner/SKILL.md", &inner)] {
        let uri = format!("skill://a/outer/{path}");
        let supplied = server.skills()[0].supply(&uri, text.as_bytes());
        supplied.expect("a file");
    }
    let catalog = server.add_to(Catalog::builder()).load();
    let outer = catalog.get("mcp:acme:outer").expect("the outer skill");
    assert!(outer.is_trusted());
    assert_eq!(
        outer.read("inner/SKILL.md").expect("its file"),
        inner.as_bytes()
    );
    assert!(
        !outer.fields().disable_model_invocation,
        "the front matter of a file is nothing"
    );
    let inner = catalog.get("mcp:acme:inner").expect("the inner skill");
    assert!(
        !inner.is_trusted(),
        "approval of the outer skill does not cover it"
    );
    assert_eq!(
        text(inner).expect_err("untrusted").kind(),
        ErrorKind::Untrusted
    );
}

#[test]
fn h16_the_server_and_the_address_are_kept_together() {
    let listed = json!({ "skills": [plain("skill://x/lint", "lint")] }).to_string();
    let [mut one, mut two] = ["one", "two"].map(|label| RemoteServer::new(label).expect("a label"));
    one.list(&listed).expect("a list");
    two.list(&listed).expect("a list");
    let approval = one.skills()[0].approval();
    assert_eq!(
        (&*approval.server, &*approval.uri),
        ("mcp:one", "skill://x/lint/SKILL.md")
    );
    // The same files at another address of the server are another skill, whose name is taken.
    one.list(&json!({ "skills": [plain("skill://y/lint", "lint")] }).to_string())
        .expect("a list");
    assert!(one.declined()[0].to_string().contains("has its name"));
    for server in [&mut one, &mut two] {
        server.approve([&approval]);
        let text = skill("lint");
        let supplied = server.skills()[0].supply("skill://x/lint/SKILL.md", text.as_bytes());
        supplied.expect("verified");
    }
    let catalog = two.add_to(one.add_to(Catalog::builder())).load();
    assert!(catalog.get("mcp:one:lint").expect("a skill").is_trusted());
    assert!(!catalog.get("mcp:two:lint").expect("a skill").is_trusted());
}

#[test]
fn h17_the_name_of_the_front_matter_ends_the_address() {
    for (root, name) in [
        ("skill://x/b", "a"),
        ("skill://x/A", "a"),
        ("skill://a", "x"),
        ("skill://x/aa", "a"),
        ("skill://x/a%2Fb", "b"),
        ("https://x.example/a/b", "a"),
    ] {
        let message = declined(&plain(root, name));
        assert!(
            message.contains("does not end with its name"),
            "{root} {name}: {message}"
        );
    }
    // The earlier segments are arbitrary.
    for root in ["skill://x/a", "skill://x/y/z/a", "https://x.example/v1/a"] {
        assert_eq!(one(&plain(root, "a")).name, "a", "{root}");
    }
    // A similar key does not count as the name.
    let mut matter = front_matter("a");
    matter["Name"] = json!("b");
    matter["metadata"] = json!({ "name": "c" });
    let skill = one(&entry("skill://x/a", &matter, &[("SKILL.md", "x")]));
    assert_eq!(skill.name, "a");
    let mut entry = plain("skill://x/a", "a");
    entry
        .as_object_mut()
        .expect("an object")
        .remove("frontmatter");
    assert!(declined(&entry).contains("front"), "no front matter");
}

#[test]
fn h18_unknown_reserved_keys_are_ignored() {
    let mut matter = front_matter("a");
    matter["metadata"] = json!({ "io.modelcontextprotocol/new": "x", "other": { "deep": [1] } });
    let skill = one(&entry("skill://x/a", &matter, &[("SKILL.md", "x")]));
    assert_eq!(skill.name, "a");
}

#[test]
fn h19_h43_names_never_shadow_and_collisions_are_reported() {
    let local = Folder::skill("lint");
    let entries = [
        plain("skill://x/lint", "lint"),
        plain("skill://y/lint", "lint"),
        plain("skill://x/solo", "solo"),
    ];
    let server = server(&entries);
    let names: Vec<&str> = server.skills().iter().map(|skill| &*skill.name).collect();
    assert_eq!(names, ["lint", "solo"]);
    assert_eq!(server.declined().len(), 1, "one name is of one skill");
    for skill in server.skills() {
        let text = client::skill(&skill.name);
        skill.supply(&skill.uri, text.as_bytes()).expect("verified");
    }
    let approvals: Vec<RemoteApproval> = server
        .skills()
        .iter()
        .map(|skill| skill.approval())
        .collect();
    let mut server = server;
    server.approve(&approvals);
    // Above or below the local source, the result is the same.
    for builder in [
        server.add_to(local.builder()),
        server
            .add_to(Catalog::builder())
            .directory("user", local.path("user")),
    ] {
        let catalog = builder.load();
        assert_eq!(
            catalog.get("lint").expect("a skill").to_string(),
            "user:lint"
        );
        assert!(
            catalog.get("solo").is_none(),
            "no bare name means it, also when nothing else has it"
        );
        let qualified = catalog.get("mcp:acme:solo").expect("by its whole id");
        assert_eq!(qualified.id(), "mcp:acme:solo");
        assert!(catalog.diagnostics().iter().any(|found| found.message.as_str()
            == "`mcp:acme:lint` has the name of `user:lint`; the name alone never means it"));
        for (typed, started) in [("$lint x", "lint"), ("$mcp:acme:solo x", "mcp:acme:solo")] {
            let turn = Options::DEFAULT.resolve(&catalog, typed, Surface::User);
            assert_eq!(turn.activated(), [started], "{turn:?}");
        }
        let commands = Options::DEFAULT.commands(&catalog);
        assert!(!commands.iter().any(|command| command.name == "solo"));
        // If the local skill is disabled, the server's skill does not take its place.
        let catalog = catalog.with(|builder| builder.disabled(["user:lint"]));
        assert_eq!(
            catalog.get("lint").expect("a skill").to_string(),
            "user:lint"
        );
        // An MCP skill can be disabled by its id.
        let catalog = catalog.with(|builder| builder.disabled(["mcp:acme:lint"]));
        assert!(!catalog.get("mcp:acme:lint").expect("a skill").is_enabled());
        assert!(catalog.get("lint").expect("a skill").is_enabled());
    }
}

/// The time for each entry does not grow with the number of entries in a list.
#[test]
fn h19_one_name_thousands_of_times() {
    let entries: Vec<Value> = (0..3_000)
        .map(|number| plain(&format!("skill://{number}/a"), "a"))
        .collect();
    let server = server(&entries);
    assert_eq!((server.skills().len(), server.declined().len()), (1, 2_999));
}

/// Returns the reason why the plain entry is declined with another value at a place.
fn declined_with(place: &str, value: Value) -> String {
    let mut entry = plain("skill://x/a", "a");
    *entry.pointer_mut(place).expect(place) = value;
    let message = declined(&entry);
    assert!(message.len() < 700, "{} bytes", message.len());
    message
}

#[test]
fn h20_files_are_a_list_or_the_skill_is_declined() {
    let uri = "skill://x/a/SKILL.md";
    let upper = sha256_digest(b"").to_uppercase();
    for (place, value, expected) in [
        ("/resources", json!("dynamic"), "no digests"),
        ("/resources", json!("static"), "are not a list"),
        ("/resources", Value::Null, "are not a list"),
        ("/resources", json!([]), "does not list its SKILL.md"),
        (
            "/resources",
            json!([file("skill://x/a/b.md", "x")]),
            "does not list its SKILL.md",
        ),
        (
            "/resources",
            json!([file(uri, "x"), file(uri, "x")]),
            "twice",
        ),
        (
            "/resources",
            json!([file(uri, "x"), file("skill://x/a/SKILL%2Emd", "x")]),
            "twice",
        ),
        ("/resources", json!([7]), "are not a list of files"),
        (
            "/resources/0/size",
            json!(-1),
            "not a list of files: invalid",
        ),
        (
            "/resources/0/size",
            json!("81"),
            "not a list of files: invalid",
        ),
        (
            "/resources/0/size",
            json!(1.5),
            "not a list of files: invalid",
        ),
        ("/resources/0/size", json!(u64::MAX), "can be served"),
        ("/resources/0/digest", json!("sha256:00"), "not a digest"),
        ("/resources/0/digest", json!(upper), "not a digest"),
        (
            "/uri",
            json!("skill://x/b/SKILL.md"),
            "does not end with its name",
        ),
        (
            "/uri",
            json!("skill://x/a/skill.md"),
            "not end with /SKILL.md",
        ),
        (
            "/uri",
            json!("skill://x/a/SKILL.md?x"),
            "not end with /SKILL.md",
        ),
        (
            "/uri",
            json!("skill://x?y/a/SKILL.md"),
            "not end with /SKILL.md",
        ),
        (
            "/uri",
            json!("skill://x#y/a/SKILL.md"),
            "not end with /SKILL.md",
        ),
        ("/uri", json!(7), "no `uri`"),
        ("/frontmatter", json!([]), "not an object"),
        ("/frontmatter/name", json!("A b"), "valid name"),
        ("/frontmatter/name", json!(7), "valid name"),
        ("/frontmatter/description", json!(""), "valid name"),
        ("/frontmatter/description", json!(7), "valid name"),
        (
            "/frontmatter/description",
            json!("x".repeat(1025)),
            "longer than",
        ),
    ] {
        let message = declined_with(place, value);
        assert!(message.contains(expected), "{place} {expected}: {message}");
    }
}

#[test]
fn h21_every_file_is_in_the_folder_of_the_skill() {
    let listed = file("skill://x/a/SKILL.md", "x");
    for outside in [
        "skill://x/b/c.md",
        "skill://x/ab/c.md",
        "skill://x/a/../b/c.md",
        "skill://x/a/%2e%2e/c.md",
        "skill://x/a/b%2Fc.md",
        "skill://x/a/./c.md",
        "skill://x/a/%2e/c.md",
        "skill://x/a/b%5Cc.md",
        "skill://x/a/b\\c.md",
        "skill://x/a/b%00.md",
        "skill://x/a/b%FF.md",
        "skill://x/a//c.md",
        "skill://x/a/c.md#x",
        "file:///etc/passwd",
    ] {
        let message = declined_with("/resources", json!([listed, file(outside, "x")]));
        assert!(
            message.contains("not in its folder"),
            "{outside}: {message}"
        );
    }
}

#[test]
fn h23_skills_up_to_the_limits_are_taken() {
    let files = |count: usize, size: u64| {
        let mut files = vec![
            json!({ "uri": "skill://x/a/SKILL.md", "digest": sha256_digest(b""), "size": size }),
        ];
        files.extend((1..count).map(|n| file(&format!("skill://x/a/{n}"), "")));
        files
    };
    let most = 16 * 1024 * 1024;
    let mut entry = plain("skill://x/a", "a");
    entry["resources"] = json!(files(512, most));
    assert_eq!(one(&entry).files.len(), 512);
    let over = declined_with("/resources", json!(files(513, 0)));
    assert!(over.contains("513 files"), "{over}");
    let over = declined_with("/resources", json!(files(2, most + 1)));
    assert!(over.contains("16777217 bytes"), "{over}");
}

#[test]
fn answers_that_are_no_lists_are_errors() {
    let nested = "[".repeat(10_000) + &"]".repeat(10_000);
    let nested = format!("{{\"skills\":[{{\"uri\":{nested}}}]}}");
    let mut server = RemoteServer::new("acme").expect("a label");
    for wrong in ["", "{", "[]", "7", "{\"skills\":7}", &nested] {
        assert_eq!(
            server.list(wrong).expect_err(wrong).kind(),
            ErrorKind::Refused
        );
        assert_eq!(
            server.get(wrong).expect_err(wrong).kind(),
            ErrorKind::Refused
        );
    }
    for wrong in [json!(7), json!([]), Value::Null, json!({}), json!("x")] {
        assert!(!declined(&wrong).is_empty());
    }
}

#[test]
fn h25_a_list_is_no_proof_and_an_address_is_enough() {
    let mut server = server(&[plain("skill://x/a", "a")]);
    server.list("{\"skills\": []}").expect("an empty list");
    assert_eq!(server.skills().len(), 1, "a list can be partial");
    let got = server.get(&json!({ "skill": plain("skill://x/b", "b") }).to_string());
    assert_eq!(got.expect("a skill").name, "b");
    assert_eq!(server.skills().len(), 2);
}

#[test]
fn h26_an_answer_of_get_is_an_entry_of_a_list() {
    let listed = plain("skill://x/a", "a");
    let got = |entry: &Value| json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "public", "skill": entry });
    let mut server = server(std::slice::from_ref(&listed));
    // The same entry gives the same skill with its files, and not a second skill.
    let before = Arc::clone(&server.skills()[0]);
    let same = server.get(&got(&listed).to_string()).expect("a skill");
    assert!(Arc::ptr_eq(&same, &before) && Arc::ptr_eq(&before, &server.skills()[0]));
    assert_eq!(server.skills().len(), 1);
    // Entries that a list declines are also declined by get.
    for (place, value) in [
        ("/uri", json!("skill://x/a")),
        ("/uri", json!("skill://x/a/references/a.md")),
        ("/frontmatter/name", json!("b")),
        ("/resources", json!("dynamic")),
        ("/resources/0/digest", json!("sha256:0")),
    ] {
        let mut wrong = listed.clone();
        *wrong.pointer_mut(place).expect(place) = value;
        let error = server.get(&got(&wrong).to_string()).expect_err(place);
        assert_eq!(error.kind(), ErrorKind::Refused, "{place}");
    }
    for wrong in [
        json!({}),
        json!({ "skill": null }),
        json!({ "skill": [listed] }),
        json!({ "skills": [listed] }),
    ] {
        let error = server.get(&wrong.to_string()).expect_err("no skill");
        assert_eq!(error.kind(), ErrorKind::Refused, "{wrong}");
    }
    assert_eq!(server.skills().len(), 1, "the skill that was known stays");
}

#[test]
fn h35_an_error_of_the_server_is_no_answer() {
    let known = plain("skill://x/a", "a");
    let mut server = server(&[known]);
    for code in [-32601, -32602, -32603] {
        let error = json!({ "code": code, "message": "unknown skill" });
        for answer in [
            error.clone(),
            json!({ "jsonrpc": "2.0", "id": 1, "error": error }),
        ] {
            let answer = answer.to_string();
            for failed in [
                server.list(&answer).err(),
                server.get(&answer).map(|_| ()).err(),
            ] {
                assert_eq!(
                    failed.expect("an error").kind(),
                    ErrorKind::Refused,
                    "{answer}"
                );
            }
        }
    }
    // The error for an unknown skill does not remove an existing one.
    assert_eq!(server.skills().len(), 1);
    assert!(server.declined().is_empty(), "{:?}", server.declined());
}

#[test]
fn h28_h29_h34_only_listed_and_verified_bytes_are_used() {
    let root = "skill://x/a";
    let listed = entry(
        root,
        &front_matter("a"),
        &[("SKILL.md", &skill("a")), ("b.md", "right")],
    );
    let server = server(&[listed]);
    let skill_of = Arc::clone(&server.skills()[0]);
    for wrong in ["wrong", "right ", "", "righT"] {
        let error = skill_of
            .supply("skill://x/a/b.md", wrong.as_bytes())
            .expect_err(wrong);
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert_eq!(skill_of.missing().len(), 2, "nothing is kept");
    }
    // The right bytes with a wrong length.
    for size in [0, 4, 6, 16_777_000] {
        let mut lie = plain("skill://x/a", "a");
        lie["resources"][0]["size"] = json!(size);
        let skill = one(&lie);
        let error = skill.supply(&skill.uri, client::skill("a").as_bytes());
        let error = error.expect_err("another length");
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(
            error.to_string().contains(&format!("{size} were listed")),
            "{error}"
        );
    }
    for (path, text) in [("SKILL.md", &*skill("a")), ("b.md", "right")] {
        let supplied = skill_of.supply(&format!("skill://x/a/{path}"), text.as_bytes());
        supplied.expect("verified");
    }
    let catalog = approved(server);
    let entry = catalog.get("mcp:acme:a").expect("the skill");
    assert_eq!(entry.read("b.md").expect("a file"), b"right".as_slice());
    for unlisted in [
        "skill://x/a/c.md",
        "skill://x/a/../a/b.md",
        "skill://x/a/b%2Emd",
    ] {
        let error = skill_of.supply(unlisted, b"right").expect_err(unlisted);
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(
            error.to_string().contains("ask the person again"),
            "{error}"
        );
    }
    for path in ["c.md", "../a/b.md", "/b.md", ""] {
        assert_eq!(
            entry.read(path).expect_err(path).kind(),
            ErrorKind::NotFound
        );
    }
    let paths: Vec<String> = entry
        .files()
        .expect("files")
        .into_iter()
        .map(|file| file.path.into_owned())
        .collect();
    assert_eq!(paths, ["SKILL.md", "b.md"]);
}

#[test]
fn h30_the_front_matter_is_compared_field_by_field() {
    let text = |more: &str| format!("---\nname: a\ndescription: Does it.\n{more}---\nx\n");
    let check = |front_matter: Value, text: &str| {
        let skill = one(&entry("skill://x/a", &front_matter, &[("SKILL.md", text)]));
        skill.supply("skill://x/a/SKILL.md", text.as_bytes())
    };
    let base = json!({ "name": "a", "description": "Does it." });
    let with = |key: &str, value: Value| {
        let mut front_matter = base.clone();
        front_matter[key] = value;
        front_matter
    };
    check(base.clone(), &text("")).expect("the same");
    check(with("n", json!([1, 2.0])), &text("n: [1.0, 2]\n")).expect("the same numbers");
    for (front_matter, text) in [
        (base.clone(), text("license: MIT\n")),
        (with("license", json!("MIT")), text("")),
        (with("license", json!("MIT")), text("license: mit\n")),
        (with("n", json!("1")), text("n: 1\n")),
        (with("n", json!([1])), text("n: [1, 2]\n")),
        (with("n", json!([1, 2])), text("n: [1]\n")),
        (
            with("n", json!(9_007_199_254_740_993_u64)),
            text("n: 9007199254740992\n"),
        ),
        (
            with("metadata", json!({ "a": { "b": 1 } })),
            text("metadata: {a: {b: 2}}\n"),
        ),
        (with("description", json!("Does more.")), text("")),
        (base.clone(), "# No front matter\n".to_owned()),
        (base.clone(), text("").replace("name: a", "name: b")),
        (base.clone(), "---\nname: a\n---\n".to_owned()),
    ] {
        let error = check(front_matter, &text).expect_err(&text);
        assert_eq!(error.kind(), ErrorKind::Refused);
    }
}

#[test]
fn h31_h32_nothing_is_fetched_ahead_and_a_digest_is_no_trust() {
    let mut server = server(&[plain("skill://x/a", "a")]);
    let skill = Arc::clone(&server.skills()[0]);
    skill
        .supply(&skill.uri, client::skill("a").as_bytes())
        .expect("verified");
    let untrusted = server.add_to(Catalog::builder()).load();
    let entry = untrusted.get("mcp:acme:a").expect("the skill");
    assert!(!entry.is_trusted(), "verified, and not approved");
    assert_eq!(
        text(entry).expect_err("untrusted").kind(),
        ErrorKind::Untrusted
    );
    assert!(Options::DEFAULT.list(&untrusted).text.is_empty());

    server.approve([&skill.approval()]);
    server
        .list(&json!({ "skills": [plain("skill://x/b", "b")] }).to_string())
        .expect("a list");
    let b = Arc::clone(&server.skills()[1]);
    server.approve([&b.approval()]);
    // Listing the skill needs no file. It starts when its files are here.
    let catalog = server.add_to(Catalog::builder()).load();
    let entry = catalog.get("mcp:acme:b").expect("the skill");
    assert_eq!(entry.description(), "Does b. Use it to test.");
    assert_eq!(
        text(entry).expect_err("not fetched").kind(),
        ErrorKind::Untrusted
    );
    assert_eq!(b.missing(), ["skill://x/b/SKILL.md"]);
    b.supply(&b.uri, client::skill("b").as_bytes())
        .expect("verified");
    let catalog = server.add_to(Catalog::builder()).load();
    let prompt = Options::DEFAULT.list(&catalog).text;
    assert!(prompt.contains("mcp:acme:b"));
    assert!(text(catalog.get("mcp:acme:b").expect("the skill")).is_ok());
}

#[test]
fn h36_h37_content_names_its_server() {
    let server = server(&[plain("skill://x/a", "a")]);
    server.skills()[0]
        .supply("skill://x/a/SKILL.md", skill("a").as_bytes())
        .expect("verified");
    let catalog = approved(server);
    let text = text(catalog.get("mcp:acme:a").expect("the skill")).expect("started");
    assert!(
        text.contains("<skill_content name=\"a\" source=\"mcp:acme\""),
        "{text}"
    );
    let prompt = Options::DEFAULT.list(&catalog).text;
    assert!(prompt.contains("<name>mcp:acme:a</name>"), "{prompt}");
}

#[test]
fn h38_h40_a_skill_runs_nothing_and_widens_nothing() {
    let front = "name: a\ndescription: Does it.\nhooks: {start: rm}\ncommand-dispatch: tool\ncommand-tool: exec\nallowed-tools: Bash Read\nmetadata:\n  aliases: tdd\n";
    let text_of = format!("---\n{front}---\nx\n");
    let matter = json!({ "name": "a", "description": "Does it.", "hooks": { "start": "rm" }, "command-dispatch": "tool",
        "command-tool": "exec", "allowed-tools": "Bash Read", "metadata": { "aliases": "tdd" } });
    let server = server(&[entry("skill://x/a", &matter, &[("SKILL.md", &text_of)])]);
    server.skills()[0]
        .supply("skill://x/a/SKILL.md", text_of.as_bytes())
        .expect("verified");
    let catalog = approved(server);
    let turn = Options::DEFAULT.resolve(&catalog, "/mcp:acme:a ls", Surface::User);
    assert!(
        !matches!(turn.effect.as_str(), "dispatch"),
        "no command of it calls a tool"
    );
    assert!(skills_session::resolve::named(&catalog, "tdd").is_empty());
    let entry = catalog.get("mcp:acme:a").expect("the skill");
    assert_eq!(entry.fields().command_tool, None);
    assert!(entry.fields().aliases.is_empty());
    let activation = activate(&Options::DEFAULT, &entry, "").expect("started");
    // The tools of the host that the skill allows. A tool that the host lacks is never added.
    let left = activation.narrow(&["Read", "Write"]);
    let left: Vec<&str> = left.tools.iter().map(|tool| &*tool.tool).collect();
    assert_eq!(left, ["Read"]);
    // A person who starts the skill by its id approves none of its calls.
    let mut session = Session::new(Options::DEFAULT);
    session.set_tools(Tools::named(["Bash", "Read", "Write"]));
    let turn = session.turn(&catalog, "$mcp:acme:a go", Surface::User);
    assert_eq!(turn.started, ["mcp:acme:a"]);
    assert_eq!((turn.tools.tools.len(), turn.approved.rules.len()), (3, 0));
}

#[test]
fn an_openai_yaml_of_a_server_counts() {
    let closing = "policy:\n  allow_implicit_invocation: false\n";
    for (text, is_open) in [("interface: {}\n", true), (closing, false), ("[", false)] {
        let files = [("SKILL.md", &*skill("a")), ("agents/openai.yaml", text)];
        let server = server(&[entry("skill://x/a", &front_matter("a"), &files)]);
        for (path, text) in files {
            let uri = format!("skill://x/a/{path}");
            let supplied = server.skills()[0].supply(&uri, text.as_bytes());
            supplied.expect("verified");
        }
        let catalog = approved(server);
        let entry = catalog.get("mcp:acme:a").expect("the skill");
        assert_eq!(!entry.fields().disable_model_invocation, is_open, "{text}");
        assert!(entry.fields().user_invocable);
    }
}

#[test]
fn h41_an_approval_is_of_one_set_of_files() {
    let listed = |notes: &str| {
        entry(
            "skill://x/a",
            &front_matter("a"),
            &[("SKILL.md", &skill("a")), ("notes.md", notes)],
        )
    };
    let mut before = server(&[listed("one")]);
    let approval = before.skills()[0].approval();
    let kept = serde_json::to_string(&approval).expect("JSON");
    let approval: RemoteApproval = serde_json::from_str(&kept).expect("the same");
    before.approve([&approval]);
    let is_trusted = |server: &RemoteServer| {
        for skill_of in server.skills() {
            for (path, text) in [
                ("SKILL.md", &*skill("a")),
                ("notes.md", "one"),
                ("notes.md", "two"),
                ("other.md", "one"),
            ] {
                // Each server lists some of these.
                let _ = skill_of.supply(&format!("skill://x/a/{path}"), text.as_bytes());
            }
        }
        let catalog = server.add_to(Catalog::builder()).load();
        catalog.get("mcp:acme:a").expect("the skill").is_trusted()
    };
    assert!(is_trusted(&before));
    // After a restart, the same files are approved, and other files are not.
    let mut same = server(&[listed("one")]);
    same.approve([&approval]);
    assert!(is_trusted(&same));
    let mut other = server(&[listed("two")]);
    other.approve([&approval]);
    assert!(!is_trusted(&other));
    // A file with the same bytes under another name is a different file.
    let mut renamed = listed("one");
    renamed["resources"][1] = file("skill://x/a/other.md", "one");
    let mut other = server(&[renamed]);
    other.approve([&approval]);
    assert!(!is_trusted(&other));
    // A front matter that differs from the approved files ends the approval.
    let mut matter = listed("one");
    matter["frontmatter"]["allowed-tools"] = json!("Bash");
    let mut other = server(&[listed("one")]);
    other.approve([&approval]);
    other
        .list(&json!({ "skills": [matter] }).to_string())
        .expect("a list");
    assert!(!is_trusted(&other));
    // A change while the host runs ends the approval.
    before
        .list(&json!({ "skills": [listed("two")] }).to_string())
        .expect("a list");
    assert!(!is_trusted(&before));
    assert_eq!(before.skills().len(), 1);
    // An entry that is declined ends the approval too: no approval covers a skill without digests.
    for resources in [json!("dynamic"), json!([])] {
        same.approve([&approval]);
        assert!(is_trusted(&same));
        let mut entry = listed("one");
        entry["resources"] = resources;
        let list = json!({ "skills": [entry] }).to_string();
        same.list(&list).expect("a list");
        same.list(&list).expect("the same list");
        assert!(!is_trusted(&same));
    }
    assert_eq!(same.declined().len(), 2, "each reason once");
    let zero = Digest([0; 32]);
    assert_ne!(approval.digest, zero);
}

#[test]
fn h42_a_cache_is_verified_each_time_and_stays_foreign() {
    let skill_of = one(&plain("skill://x/a", "a"));
    let mut cached = skill("a").into_bytes();
    skill_of
        .supply(&skill_of.uri, &cached)
        .expect("as it was fetched");
    let last = cached.len() - 2;
    cached[last] = b'!';
    let error = skill_of
        .supply(&skill_of.uri, &cached)
        .expect_err("changed on disk");
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(skill_of.server, "mcp:acme");
}

/// Our server and our host understand each other, and the server does not pass on skills of other servers.
#[tokio::test]
async fn a_server_and_a_host() {
    let folder = Folder::skill("a");
    folder.write("user/a/notes.md", "notes");
    let mut client = Client::connect(folder.skills()).await;
    let page = client.ask("skills/list", json!({})).await.expect("a page");
    let mut server = RemoteServer::new("acme").expect("a label");
    server.list(&page.to_string()).expect("a list");
    assert_eq!(server.declined().len(), 0, "{:?}", server.declined());
    for skill in server.skills() {
        for file in &skill.files {
            let read = client
                .ask("resources/read", json!({ "uri": file.uri }))
                .await
                .expect("a file");
            let text = read["contents"][0]["text"].as_str().expect("a text");
            skill.supply(&file.uri, text.as_bytes()).expect("verified");
        }
    }
    let catalog = approved(server);
    let skill = catalog.get("mcp:acme:a").expect("the skill");
    assert!(text(skill).expect("started").contains("Do a."));
    assert_eq!(skill.id(), "mcp:acme:a");
    let left_out = skills_server::Skills::new(catalog).left_out();
    assert!(
        left_out
            .iter()
            .all(|one| one.reason == "it is of another server"),
        "{left_out:?}"
    );
}
