//! Clients that write invalid messages, do not read, or disconnect; and skills that change under a server.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Client, Era, Folder, bundled, skill};
use rmcp::model::PaginatedRequestParams;
use serde_json::{Value, json};
use skills_server::Skills;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt as _;

/// Asserts that the server still answers.
async fn is_alive(client: &mut Client) {
    let uri = json!({ "uri": "skill://bundled/code-review/SKILL.md" });
    client.ask("skills/get", uri).await.expect("an answer");
}

#[tokio::test]
async fn what_is_no_message_ends_nothing() {
    let deep = "[".repeat(100_000);
    let deep_message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"skills/list","params":{}1{}}}"#,
        r#"{"x":"#.repeat(100_000),
        "}".repeat(100_000)
    );
    let long = format!("{{\"x\":\"{}\"}}", "y".repeat(5 * 1024 * 1024));
    for era in [Era::Modern, Era::Legacy] {
        let mut client = Client::of(era, bundled()).await;
        is_alive(&mut client).await;
        for line in [
            "",
            "  ",
            "{",
            "nothing",
            "\u{0}\u{1}",
            &deep,
            &deep_message,
            &long,
            "null",
            "[]",
            "{}",
            r#"{"jsonrpc":"2.0","id":{},"method":"skills/list"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"skills/list"}"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"skills/list"}]"#,
            r#"{"jsonrpc":"1.0","id":"a","method":"skills/list"}"#,
            r#"{"jsonrpc":"2.0","id":9,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":-9}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":7}"#,
            r#"{"jsonrpc":"2.0","method":"skills/list"}"#,
            r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}"#,
        ] {
            client.write(line).await;
            is_alive(&mut client).await;
        }
        client
            .write
            .write_all(b"\xff\xfe{\"x\":\"\xff\"}\n")
            .await
            .expect("written");
        is_alive(&mut client).await;
    }
}

/// A client that sends another message before it introduces itself.
#[tokio::test]
async fn a_first_message_that_is_no_request_ends_nothing() {
    for line in [
        "x",
        "[]",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":"x","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"initialize"}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":7}}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"skills/list"}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#,
    ] {
        for era in [Era::Modern, Era::Legacy] {
            let mut client = Client::silent(era, bundled());
            client.write(line).await;
            client.greet().await;
            is_alive(&mut client).await;
        }
    }
}

/// The bytes of a long line are skipped, and not kept.
#[tokio::test]
async fn a_line_of_a_hundred_megabytes() {
    let mut client = Client::connect(bundled()).await;
    is_alive(&mut client).await;
    let part = "y".repeat(1024 * 1024);
    for _ in 0..100 {
        client.write_part(&part).await;
    }
    client.write("").await;
    is_alive(&mut client).await;
}

#[tokio::test]
async fn wrong_parameters_are_errors_of_the_client() {
    let mut client = Client::connect(bundled()).await;
    let uri = "skill://bundled/code-review/SKILL.md";
    for (method, params) in [
        ("skills/get", json!({})),
        ("skills/get", json!({ "uri": 7 })),
        ("skills/get", json!({ "uri": [uri] })),
        ("skills/list", json!({ "cursor": "x" })),
        ("tools/list", json!({ "cursor": "x" })),
        ("resources/templates/list", json!({ "cursor": "x" })),
        ("skills/list", json!({ "cursor": "18446744073709551616.0" })),
        ("skills/list", json!({ "cursor": "0.18446744073709551615" })),
        ("skills/list", json!({ "cursor": "+0.0" })),
        ("skills/list", json!({ "cursor": "0.99999" })),
        ("skills/list", json!({ "cursor": "0.-1" })),
        ("skills/list", json!({ "cursor": "1.0" })),
        ("resources/list", json!({ "cursor": "" })),
        ("resources/read", json!({ "uri": null })),
        ("resources/directory/read", json!({})),
        (
            "resources/directory/read",
            json!({ "uri": "skill://bundled/code-review", "cursor": "7" }),
        ),
        ("prompts/list", json!({ "cursor": "9.9" })),
        (
            "prompts/get",
            json!({ "name": "code-review", "arguments": { "arguments": 7 } }),
        ),
        (
            "prompts/get",
            json!({ "name": "code-review", "arguments": { "other": "x" } }),
        ),
        ("prompts/get", json!({ "name": "none" })),
        (
            "prompts/get",
            json!({ "name": "code-review", "arguments": [] }),
        ),
        ("tools/call", json!({ "name": "none" })),
        ("tools/call", json!({ "name": "skill", "arguments": "x" })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/other" }, "argument": {} }),
        ),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "none" }, "argument": { "name": "a", "value": "" } }),
        ),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": "file:///{x}" }, "argument": { "name": "x", "value": "" } }),
        ),
    ] {
        let (code, message) = client.refused(method, params.clone()).await;
        assert_eq!(code, -32602, "{method} {params}: {message}");
        assert!(message.len() > 10, "{method} {params}: {message}");
    }
    for params in ["[]", "7", "\"x\"", "true"] {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":"p","method":"skills/list","params":{params}}}"#);
        client.write(&line).await;
    }
    is_alive(&mut client).await;
}

#[tokio::test]
async fn an_unknown_method_names_the_known_ones() {
    for era in [Era::Modern, Era::Legacy] {
        let mut client = Client::of(era, bundled()).await;
        for method in ["nope", "skills/unknown", "tasks/get", ""] {
            let (code, message) = client.refused(method, json!({})).await;
            assert_eq!(code, -32601, "{method}: {message}");
            assert!(
                message.starts_with("this server answers ") && message.contains("skills/list"),
                "{message}"
            );
        }
        let (_, message) = client.refused(&"m".repeat(100_000), json!({})).await;
        assert!(message.len() < 700, "{} bytes", message.len());
    }
}

#[tokio::test]
async fn no_address_leads_out_of_a_skill() {
    let folder = Folder::skill("a");
    folder.write("user/a/references/inside.md", "inside");
    folder.write("secret.md", "secret");
    folder.write("user/secret.md", "secret");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("secret.md"), folder.path("user/a/link.md"))
        .expect("a link");
    let skills = folder.skills();
    let mut client = Client::connect(skills).await;
    for path in [
        "../secret.md",
        "..%2Fsecret.md",
        "%2e%2e/secret.md",
        "%2E%2E%2Fsecret.md",
        "references/../../secret.md",
        "references/..%2f..%2fsecret.md",
        "references%2Finside.md",
        "references%5cinside.md",
        "/secret.md",
        "//secret.md",
        "./SKILL.md",
        "link.md",
        "skill.md",
        "SKILL.md/",
        "SKILL.md?x",
        "SKILL.md#x",
        "SKILL.md%00",
        "none.md",
        "",
        "references",
    ] {
        let uri = format!("skill://user/a/{path}");
        for method in ["resources/read", "skills/get"] {
            let (code, message) = client.refused(method, json!({ "uri": uri })).await;
            assert_eq!(code, -32602, "{method} {uri}: {message}");
            assert!(!message.contains("secret\n"), "{message}");
        }
    }
    for uri in [
        "skill:///a/SKILL.md",
        "skill://user//SKILL.md",
        "skill://../a/SKILL.md",
        "SKILL://user/a/SKILL.md",
        "user/a/SKILL.md",
    ] {
        let (code, _) = client
            .refused("resources/read", json!({ "uri": uri }))
            .await;
        assert_eq!(code, -32602, "{uri}");
    }
    let long = format!("skill://user/{}", "x".repeat(1_000_000));
    let (code, message) = client
        .refused("resources/read", json!({ "uri": long }))
        .await;
    assert!(
        code == -32602 && message.len() < 500,
        "{} bytes",
        message.len()
    );
}

#[tokio::test]
async fn what_may_not_start_is_not_served() {
    let folder = Folder::new(&[
        ("user/off/SKILL.md", &skill("off")),
        (
            "user/needs/SKILL.md",
            "---\nname: needs\ndescription: Does it.\nmetadata: {openclaw: {requires: {bins: [no-such-program]}}}\n---\nx\n",
        ),
        ("project/theirs/SKILL.md", &skill("theirs")),
    ]);
    let builder = folder
        .builder()
        .untrusted("project", folder.path("project"));
    let builder = builder.disabled(["off"]).facts("", |_| false, |_| false);
    let skills = Skills::new(builder.load());
    assert_eq!(skills.left_out(), [], "what may not start needs no reason");
    let mut client = Client::connect(skills).await;
    for (method, key) in [
        ("skills/list", "skills"),
        ("resources/list", "resources"),
        ("prompts/list", "prompts"),
    ] {
        let listed = Value::Array(client.all(method, key).await).to_string();
        for name in ["off", "needs", "theirs"] {
            assert!(!listed.contains(&format!("/{name}/")), "{method} {name}");
            assert!(
                !listed.contains(&format!("\"name\":\"{name}\"")),
                "{method} {name}"
            );
        }
    }
    for (source, name) in [("user", "off"), ("user", "needs"), ("project", "theirs")] {
        let uri = json!({ "uri": format!("skill://{source}/{name}/SKILL.md") });
        let folder = json!({ "uri": format!("skill://{source}/{name}") });
        assert_eq!(client.refused("skills/get", uri.clone()).await.0, -32602);
        assert_eq!(client.refused("resources/read", uri).await.0, -32602);
        assert_eq!(
            client.refused("resources/directory/read", folder).await.0,
            -32602
        );
        assert_eq!(
            client
                .refused("prompts/get", json!({ "name": name }))
                .await
                .0,
            -32602
        );
        let call = json!({ "name": "skill", "arguments": { "name": name } });
        let result = client.ask("tools/call", call).await.expect("a result");
        assert_eq!(result["isError"], true, "{result}");
    }
}

#[tokio::test]
async fn a_skill_that_changes_is_an_error_that_says_so() {
    let folder = Folder::skill("a");
    folder.write("user/a/notes.md", "one");
    let mut client = Client::connect(folder.skills()).await;
    let (file, uri) = (
        "skill://user/a/notes.md",
        json!({ "uri": "skill://user/a/SKILL.md" }),
    );
    let notes = json!({ "uri": file });
    client
        .ask("skills/get", uri.clone())
        .await
        .expect("the skill");
    client
        .ask("resources/read", notes.clone())
        .await
        .expect("as it was listed");

    folder.write("user/a/notes.md", "two");
    let (code, message) = client.refused("resources/read", notes.clone()).await;
    assert_eq!(code, -32603);
    assert!(
        message.contains("has changed since its skill was listed; call skills/get"),
        "{message}"
    );
    // A client without skills/get can read on.
    let now = client
        .ask("resources/read", notes.clone())
        .await
        .expect("as it is now");
    assert_eq!(now["contents"][0]["text"], "two");

    client
        .ask("skills/get", uri.clone())
        .await
        .expect("the skill");
    std::fs::remove_file(folder.path("user/a/notes.md")).expect("removed");
    let (code, message) = client.refused("resources/read", notes.clone()).await;
    assert_eq!(code, -32603, "{message}");
    assert_eq!(client.refused("resources/read", notes).await.0, -32602);

    // A new file is not one of the listed files.
    client
        .ask("skills/get", uri.clone())
        .await
        .expect("the skill");
    folder.write("user/a/new.md", "new");
    let (code, message) = client
        .refused("resources/read", json!({ "uri": "skill://user/a/new.md" }))
        .await;
    assert_eq!(code, -32602, "{message}");
    client
        .ask("skills/get", uri.clone())
        .await
        .expect("the skill");
    client
        .ask("resources/read", json!({ "uri": "skill://user/a/new.md" }))
        .await
        .expect("listed now");

    // The skill gets another name.
    folder.write("user/a/SKILL.md", skill("b"));
    assert_eq!(client.refused("skills/get", uri).await.0, -32602);
    let call = json!({ "name": "skill", "arguments": { "name": "a" } });
    let result = client.ask("tools/call", call).await.expect("a result");
    assert_eq!(result["isError"], true, "{result}");
}

#[tokio::test]
async fn a_trusted_skill_that_changes_is_not_served() {
    let folder = Folder::new(&[
        ("project/skills/a/SKILL.md", &skill("a")),
        ("project/skills/a/x.md", "one"),
    ]);
    let builder =
        || skills_runtime::Catalog::builder().untrusted("project", folder.path("project/skills"));
    let catalog = builder().load();
    let record = catalog
        .get("a")
        .expect("a skill")
        .trust_record()
        .expect("a record");
    let skills = Skills::new(builder().trusted([record]).load());
    let mut client = Client::connect(skills.clone()).await;
    let uri = json!({ "uri": "skill://project/a/SKILL.md" });
    client
        .ask("skills/get", uri.clone())
        .await
        .expect("trusted");
    folder.write("project/skills/a/x.md", "two");
    let (code, message) = client
        .refused("resources/read", json!({ "uri": "skill://project/a/x.md" }))
        .await;
    assert_eq!(code, -32603);
    assert!(message.contains("trust"), "{message}");
    assert_eq!(client.refused("skills/get", uri).await.0, -32602);
    assert_eq!(skills.left_out().len(), 1);
}

/// The list of files has a replaced byte, so that the file cannot be found by its listed name.
#[test]
#[cfg(unix)]
fn a_name_that_is_not_utf_8_is_the_reason() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::skill("a");
    let name = std::ffi::OsStr::from_bytes(b"x\xff.md");
    std::fs::write(folder.path("user/a").join(name), "x").expect("written");
    let left_out = folder.skills().left_out();
    let [only] = &*left_out else {
        panic!("{left_out:?}");
    };
    assert!(only.reason.contains("x\u{fffd}.md"), "{only}");
}

#[tokio::test]
#[cfg_attr(
    windows,
    ignore = "for each file of a folder Wine looks through the whole folder"
)]
async fn ten_thousand_skills() {
    let folder = Folder::new(&[]);
    for number in 0..10_000 {
        folder.write(
            &format!("user/s{number}/SKILL.md"),
            skill(&format!("s{number}")),
        );
    }
    let skills = folder.skills();
    let count = 10_000 + bundled_skills::SKILLS.iter().count();
    let mut listed = [0; 3];
    for (list, listed) in listed.iter_mut().enumerate() {
        let mut cursor = None;
        loop {
            let request = PaginatedRequestParams::default().with_cursor(cursor);
            let (items, next) = page(&skills, list, &request);
            *listed += items;
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
    }
    assert_eq!(listed, [count; 3]);
}

/// Returns the number of items on a page of a list, and the cursor of the next page.
fn page(skills: &Skills, list: usize, request: &PaginatedRequestParams) -> (usize, Option<String>) {
    let request = Some(request);
    match list {
        0 => skills
            .list_skills(request)
            .map(|page| (page.skills.len(), page.next_cursor)),
        1 => skills
            .list_resources(request)
            .map(|page| (page.resources.len(), page.next_cursor)),
        _ => skills
            .list_prompts(request)
            .map(|page| (page.prompts.len(), page.next_cursor)),
    }
    .expect("a page")
}

/// The server stops reading while its answers are not read, so its memory stays small.
#[tokio::test]
async fn a_client_that_never_reads_is_not_read() {
    let mut client = Client::connect(bundled()).await;
    let mut sent = 0;
    let flood = async {
        loop {
            client.send("skills/list", json!({})).await;
            sent += 1;
        }
    };
    assert!(
        tokio::time::timeout(Duration::from_secs(2), flood)
            .await
            .is_err(),
        "the server stopped reading"
    );
    // 32 requests wait for their answers. The rest is in the pipe of 64 KiB, with about 300 bytes each.
    assert!((32..600).contains(&sent), "{sent} requests were taken");
    let server = client.server.abort_handle();
    drop(client);
    let until = Instant::now() + Duration::from_secs(20);
    while !server.is_finished() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(server.is_finished(), "the server ends with its client");
}

#[tokio::test]
async fn a_flood_is_answered() {
    let mut client = Client::connect(bundled()).await;
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..25 {
        for _ in 0..20 {
            ids.insert(client.send("resources/list", json!({})).await);
        }
        for _ in 0..20 {
            let message = client.message().await.expect("an answer");
            assert!(
                ids.remove(&message["id"].as_u64().expect("an id")),
                "{message}"
            );
        }
    }
    assert!(ids.is_empty());
    // Cancelled requests do not count as waiting for ever.
    for _ in 0..200 {
        let id = client.send("skills/list", json!({})).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        client.write(&cancel.to_string()).await;
    }
    is_alive(&mut client).await;
}

#[tokio::test]
async fn a_client_that_goes_ends_its_server() {
    // Before the first message, in the middle of a line, and with pending answers.
    let silent = Client::silent(Era::Legacy, bundled());
    let server = silent.server.abort_handle();
    drop(silent);
    let mut half = Client::connect(bundled()).await;
    is_alive(&mut half).await;
    half.send("skills/list", json!({})).await;
    let other = half.server.abort_handle();
    drop(half);
    let until = Instant::now() + Duration::from_secs(20);
    while !(server.is_finished() && other.is_finished()) && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(server.is_finished() && other.is_finished());
}

#[cfg(feature = "watch")]
#[tokio::test]
async fn changes_are_reported() {
    for era in [Era::Legacy, Era::Modern] {
        let folder = Folder::skill("a");
        let skills = folder.skills();
        let _watch = skills.watch().expect("a watch");
        let mut client = Client::of(era, skills).await;
        if era == Era::Modern {
            let all = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true });
            client
                .send("subscriptions/listen", json!({ "notifications": all }))
                .await;
            let message = client.message().await.expect("an acknowledgment");
            assert_eq!(
                message["method"], "notifications/subscriptions/acknowledged",
                "{message}"
            );
        }
        let page = client.ask("skills/list", json!({})).await.expect("a page");
        folder.write("user/b/SKILL.md", skill("b"));
        let mut told = Vec::new();
        while told.len() < 3 {
            let message = client.message().await.expect("a notification");
            told.push(message["method"].as_str().expect("a method").to_owned());
        }
        let changed = |list: &str| format!("notifications/{list}/list_changed");
        assert_eq!(
            told,
            [changed("tools"), changed("prompts"), changed("resources")],
            "{era:?}"
        );
        let now = client.ask("skills/list", json!({})).await.expect("a page");
        let count = |page: &Value| page["skills"].as_array().map(Vec::len);
        assert_eq!(count(&now), count(&page).map(|count| count + 1));
        // A cursor of the list before the change is invalid for the list after it.
        let (code, message) = client
            .refused("skills/list", json!({ "cursor": "0.1" }))
            .await;
        assert!(
            code == -32602 && message.contains("changed since"),
            "{message}"
        );
    }
}

/// A client that reports many times that it is ready leaves nothing behind, and is notified of each change once.
#[cfg(feature = "watch")]
#[tokio::test]
async fn a_client_that_is_ready_many_times_is_told_once() {
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let folder = Folder::skill("a");
    let skills = folder.skills();
    let _watch = skills.watch().expect("a watch");
    let mut client = Client::of(Era::Legacy, skills).await;
    is_alive(&mut client).await;
    let before = tasks();
    // The SDK starts a task for each: no second one starts before it has ended.
    for round in 0..20_000 {
        let notification = match round % 3 {
            0 => r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            1 => r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
            _ => r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        };
        client.write(notification).await;
        let now = tasks();
        assert!(now < before + 10, "{before} tasks became {now}");
    }
    is_alive(&mut client).await;
    folder.write("user/b/SKILL.md", skill("b"));
    let first = client.message().await.expect("a notification");
    assert_eq!(first["method"], "notifications/tools/list_changed");
    let id = client.send("skills/list", json!({})).await;
    let mut told = 1;
    loop {
        let message = client.message().await.expect("a message");
        if message["id"] == id {
            break;
        }
        told += 1;
    }
    assert!(told <= 3, "{told} notifications of one change");
}

/// The task that reports changes ends with its connection, and not only at the next change.
#[tokio::test]
async fn a_client_that_goes_leaves_no_task() {
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let skills = bundled();
    let before = tasks();
    for _ in 0..20 {
        let mut client = Client::of(Era::Legacy, skills.clone()).await;
        is_alive(&mut client).await;
        let Client {
            write,
            read,
            server,
            ..
        } = client;
        drop((write, read));
        server.await.expect("no panic").expect("no fault");
    }
    let until = Instant::now() + Duration::from_secs(20);
    while tasks() > before && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(tasks() <= before, "{before} tasks became {}", tasks());
}

#[tokio::test]
async fn subscriptions_are_limited() {
    let mut client = Client::connect(bundled()).await;
    let all = json!({ "notifications": { "toolsListChanged": true } });
    let mut refused = 0;
    for _ in 0..40 {
        client.send("subscriptions/listen", all.clone()).await;
    }
    let until = tokio::time::sleep(Duration::from_secs(5));
    tokio::pin!(until);
    while refused < 24 {
        tokio::select! {
            message = client.message() => {
                refused += usize::from(message.expect("a message").get("error").is_some());
            }
            () = &mut until => break,
        }
    }
    assert_eq!(refused, 24, "16 of 40 stay");
    is_alive(&mut client).await;
}
