//! Tests subscriptions, messages and batches on standard input and output.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Client, Era, Folder, bundled};
use serde_json::{Value, json};

const FILE: &str = "skill://user/a/notes/x.md";

fn folder() -> Folder {
    let folder = Folder::skill("a");
    folder.write("user/a/notes/x.md", "x");
    folder
}

/// Returns the next notification.
async fn told(client: &mut Client) -> Value {
    let message = client.message().await.expect("a message");
    assert!(message.get("id").is_none(), "{message}");
    message
}

#[tokio::test]
async fn a_file_that_is_no_skill_file_is_reported() {
    for era in [Era::Legacy, Era::Modern] {
        let folder = folder();
        let skills = folder.skills();
        let _watch = skills.watch(Clone::clone).expect("a watch");
        let mut client = Client::of(era, skills).await;
        if era == Era::Legacy {
            let uri = json!({ "uri": FILE });
            let answer = client.ask("resources/subscribe", uri).await;
            assert_eq!(answer, Ok(json!({})));
        } else {
            let unknown = "skill://none/none/SKILL.md";
            let uris = json!([FILE, unknown]);
            let asked = json!({ "resourcesListChanged": true, "resourceSubscriptions": uris });
            client
                .send("subscriptions/listen", json!({ "notifications": asked }))
                .await;
            let accepted = told(&mut client).await;
            // The unknown address is missing in the acknowledgment.
            assert_eq!(
                accepted["params"]["notifications"]["resourceSubscriptions"],
                json!([FILE]),
                "{accepted}"
            );
            // The files are known once a later request is answered.
            client.ask("skills/list", json!({})).await.expect("a list");
        }
        for text in ["y", "z"] {
            folder.write("user/a/notes/x.md", text);
            let list = told(&mut client).await;
            assert_eq!(
                list["method"], "notifications/resources/list_changed",
                "{list}"
            );
            let file = told(&mut client).await;
            assert_eq!(file["method"], "notifications/resources/updated", "{file}");
            assert_eq!(file["params"]["uri"], FILE);
            let read = client
                .ask("resources/read", json!({ "uri": FILE }))
                .await
                .expect("the file");
            assert_eq!(read["contents"][0]["text"], text);
        }
        // Another file changes: the list only.
        folder.write("user/a/notes/new.md", "new");
        assert_eq!(
            told(&mut client).await["method"],
            "notifications/resources/list_changed"
        );
        // The file is gone.
        std::fs::remove_file(folder.path("user/a/notes/x.md")).expect("removed");
        assert_eq!(
            told(&mut client).await["method"],
            "notifications/resources/list_changed"
        );
        assert_eq!(
            told(&mut client).await["method"],
            "notifications/resources/updated"
        );
    }
}

#[tokio::test]
async fn a_subscription_names_few_files() {
    let mut client = Client::connect(bundled()).await;
    // One file has many spellings. What is no file is not accepted.
    let spelled = |number: usize| {
        let letters = "SKILL.md".bytes().enumerate();
        let letters = letters.map(|(at, letter)| match number >> at & 1 {
            0 => char::from(letter).to_string(),
            _ => format!("%{letter:02X}"),
        });
        format!(
            "skill://bundled/code-review/{}",
            letters.collect::<String>()
        )
    };
    let mut uris: Vec<String> = (0..256).map(spelled).collect();
    uris.insert(0, "skill://bundled/code-review/none.md".to_owned());
    let asked = json!({ "notifications": { "resourceSubscriptions": uris } });
    client.send("subscriptions/listen", asked).await;
    let accepted = told(&mut client).await;
    let accepted = accepted["params"]["notifications"]["resourceSubscriptions"]
        .as_array()
        .map(Vec::len);
    assert_eq!(accepted, Some(63));
    for (asked, why) in [
        (
            json!("x"),
            "`notifications.resourceSubscriptions` must be an array",
        ),
        (
            json!(["x", 7]),
            "`notifications.resourceSubscriptions[1]` must be a string",
        ),
    ] {
        let asked = json!({ "notifications": { "resourceSubscriptions": asked } });
        let (code, message) = client.refused("subscriptions/listen", asked).await;
        assert!(code == -32602 && message.contains(why), "{message}");
    }
}

/// A skill that is not served is a message for each client that asks for messages.
#[tokio::test]
async fn messages_come_to_who_asks() {
    let folder = folder();
    folder.write(
        "user/left/SKILL.md",
        "---\nname: left\ndescription: Use: this\n---\nx\n",
    );
    let skills = folder.skills();
    for level in ["debug", "info", "notice", "warning"] {
        let mut client = Client::of(Era::Legacy, skills.clone()).await;
        let answer = client
            .ask("logging/setLevel", json!({ "level": level }))
            .await;
        assert_eq!(answer, Ok(json!({})));
        client.send("skills/list", json!({})).await;
        let mut message = client.message().await.expect("a message");
        if message.get("id").is_some() {
            message = client.message().await.expect("a message");
        }
        assert_eq!(message["method"], "notifications/message");
        assert_eq!(message["params"]["level"], "warning");
        assert_eq!(message["params"]["data"]["skill"], "user:left");
        let text = message["params"]["data"]["message"]
            .as_str()
            .expect("a text");
        assert!(
            text.starts_with("skill 'user:left' is not served: "),
            "{text}"
        );
    }
    // The newest version names a level in a request, and gets the messages before its answer.
    let mut client = Client::connect(skills.clone()).await;
    for (level, count) in [("warning", 1), ("info", 1), ("error", 0)] {
        let mut request: Value =
            serde_json::from_str(&client.request(77, "skills/list", json!({}))).expect("JSON");
        request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
        client.write(&request.to_string()).await;
        let mut messages = 0;
        while client
            .message()
            .await
            .expect("a message")
            .get("id")
            .is_none()
        {
            messages += 1;
        }
        assert_eq!(messages, count, "{level}");
    }
    // Neither asks.
    for era in [Era::Legacy, Era::Modern] {
        let mut client = Client::of(era, skills.clone()).await;
        for _ in 0..3 {
            let id = client.send("skills/list", json!({})).await;
            assert_eq!(client.message().await.expect("an answer")["id"], id);
        }
    }
    // Nor does a client that wants severe messages.
    let mut client = Client::of(Era::Legacy, skills).await;
    client
        .ask("logging/setLevel", json!({ "level": "error" }))
        .await
        .expect("set");
    for _ in 0..3 {
        let id = client.send("skills/list", json!({})).await;
        assert_eq!(client.message().await.expect("an answer")["id"], id);
    }
}

/// A form of the arguments is part of the list of prompts. A log names the skill that has changed.
#[tokio::test]
async fn a_schema_of_arguments_is_part_of_the_lists() {
    const SCHEMA: &str = "user/a/arguments.schema.json";
    let folder = folder();
    let skills = folder.skills();
    let _watch = skills.watch(Clone::clone).expect("a watch");
    let mut client = Client::of(Era::Legacy, skills).await;
    client
        .ask("logging/setLevel", json!({ "level": "info" }))
        .await
        .expect("set");
    for kind in ["integer", "string"] {
        let property = json!({ "to": { "type": kind } });
        let schema = json!({ "type": "object", "properties": property, "required": ["to"] });
        folder.write(SCHEMA, schema.to_string());
        let mut told_of: Vec<String> = Vec::new();
        for _ in 0..4 {
            let message = told(&mut client).await;
            if message["method"] == "notifications/message" {
                let data = &message["params"]["data"];
                assert_eq!(data["changed"], json!(["user:a"]), "{message}");
                assert_eq!(
                    data["message"],
                    "the skills have changed: 0 added, 1 changed, 0 removed"
                );
            }
            told_of.push(message["method"].as_str().expect("a method").to_owned());
        }
        told_of.sort();
        let expected = [
            "notifications/message",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/tools/list_changed",
        ];
        assert_eq!(told_of, expected);
        let prompts = client.ask("prompts/list", json!({})).await.expect("a list");
        assert_eq!(
            prompts["prompts"][0]["arguments"][0]["name"], "to",
            "{prompts}"
        );
    }
}

#[tokio::test]
async fn a_level_is_one_of_eight() {
    let mut client = Client::of(Era::Legacy, bundled()).await;
    for level in [json!("INFO"), json!("loud"), json!(7), Value::Null] {
        let (code, message) = client
            .refused("logging/setLevel", json!({ "level": level }))
            .await;
        assert_eq!(code, -32602, "{message}");
    }
    let (_, message) = client
        .refused("logging/setLevel", json!({ "level": "x".repeat(10_000) }))
        .await;
    assert!(
        message.contains("must be one of debug, info, notice") && message.len() < 500,
        "{message}"
    );
    let mut client = Client::of(Era::Modern, bundled()).await;
    for method in [
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "initialize",
        "ping",
    ] {
        let (code, message) = client
            .refused(method, json!({ "level": "info", "uri": FILE }))
            .await;
        assert_eq!(code, -32601, "{message}");
    }
}

#[tokio::test]
async fn an_unknown_resource_names_its_address() {
    for (era, code) in [(Era::Legacy, -32002), (Era::Modern, -32602)] {
        let mut client = Client::of(era, bundled()).await;
        for uri in [
            "skill://none/none/SKILL.md",
            "skill://bundled/code-review/none",
            "test://x",
        ] {
            let error = client
                .ask("resources/read", json!({ "uri": uri }))
                .await
                .expect_err("unknown");
            assert_eq!(
                (&error["code"], &error["data"]["uri"]),
                (&json!(code), &json!(uri)),
                "{error}"
            );
        }
        for method in ["skills/get", "resources/directory/read"] {
            let uri = "skill://none/none/SKILL.md";
            let error = client
                .ask(method, json!({ "uri": uri }))
                .await
                .expect_err("unknown");
            assert_eq!(
                (&error["code"], &error["data"]["uri"]),
                (&json!(-32602), &json!(uri)),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn a_batch_is_read_in_one_version() {
    let hello = |version: &str| {
        let about = json!({ "name": "test", "version": "1" });
        json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": about })
    };
    for (version, has_batches) in [
        ("2024-11-05", false),
        ("2025-03-26", true),
        ("2025-06-18", false),
        ("2025-11-25", false),
    ] {
        let mut client = Client::silent(Era::Legacy, bundled());
        // Before the version is known.
        client
            .write(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)
            .await;
        let early = client.message().await.expect("an answer");
        assert_eq!(early["error"]["code"], -32600, "{early}");
        client
            .ask("initialize", hello(version))
            .await
            .expect("a handshake");
        client
            .write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        let ping = |id: usize| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let batch = json!([ping(11), { "jsonrpc": "2.0", "method": "notifications/x" }, [ping(12)], 7, ping(13)]);
        client.write(&batch.to_string()).await;
        let mut answers = Vec::new();
        for _ in 0..if has_batches { 4 } else { 1 } {
            let answer = client.message().await.expect("an answer");
            answers.push((answer["id"].as_u64(), answer["error"]["code"].as_i64()));
        }
        answers.sort_unstable();
        let wrong = (None, Some(-32600));
        let expected = if has_batches {
            vec![wrong, wrong, (Some(11), None), (Some(13), None)]
        } else {
            vec![wrong]
        };
        assert_eq!(answers, expected, "{version}");
        for wrong in ["[]".to_owned(), json!(vec![ping(1); 101]).to_string()] {
            client.write(&wrong).await;
            let answer = client.message().await.expect("an answer");
            assert_eq!(answer["error"]["code"], -32600, "{version}");
        }
        // Answers of a full batch, one line each.
        if has_batches {
            let batch: Vec<Value> = (100..200).map(ping).collect();
            client.write(&json!(batch).to_string()).await;
            for _ in 0..100 {
                assert!(client.message().await.expect("an answer")["result"].is_object());
            }
        }
        client.ask("ping", json!({})).await.expect("alive");
    }
}
