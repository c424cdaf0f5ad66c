//! Tests subscriptions on standard input and output.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Client, Era, Folder, bundled};
use serde_json::{Value, json};

const FILE: &str = "skill://user/a/notes/x.md";

fn folder() -> Folder {
    let folder = Folder::skill("a");
    folder.write("user/a/notes/x.md", "x");
    folder
}

/// Reads the notifications of a change up to those of the lists, which follow one another.
async fn told_of_lists(client: &mut Client, era: Era) {
    let lists: &[&str] = match era {
        Era::Legacy => &["tools", "prompts", "resources"],
        // What was asked for.
        Era::Modern => &["resources"],
    };
    for list in lists {
        let told = told(client).await;
        let method = format!("notifications/{list}/list_changed");
        assert_eq!(told["method"], method, "{told}");
    }
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
        let _watch = skills.watch().expect("a watch");
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
            told_of_lists(&mut client, era).await;
            let file = told(&mut client).await;
            assert_eq!(file["method"], "notifications/resources/updated", "{file}");
            assert_eq!(file["params"]["uri"], FILE);
            let read = client
                .ask("resources/read", json!({ "uri": FILE }))
                .await
                .expect("the file");
            assert_eq!(read["contents"][0]["text"], text);
        }
        // The file is gone.
        std::fs::remove_file(folder.path("user/a/notes/x.md")).expect("removed");
        told_of_lists(&mut client, era).await;
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
    for asked in [json!("x"), json!(["x", 7])] {
        let asked = json!({ "notifications": { "resourceSubscriptions": asked } });
        let (code, message) = client.refused("subscriptions/listen", asked).await;
        assert_eq!(code, -32602, "{message}");
    }
}

/// A form of the arguments is part of the list of prompts.
#[tokio::test]
async fn a_schema_of_arguments_is_part_of_the_lists() {
    const SCHEMA: &str = "user/a/arguments.schema.json";
    let folder = folder();
    let skills = folder.skills();
    let _watch = skills.watch().expect("a watch");
    let mut client = Client::of(Era::Legacy, skills).await;
    for kind in ["integer", "string"] {
        let property = json!({ "to": { "type": kind } });
        let schema = json!({ "type": "object", "properties": property, "required": ["to"] });
        folder.write(SCHEMA, schema.to_string());
        let mut told_of: Vec<String> = Vec::new();
        for _ in 0..3 {
            let message = told(&mut client).await;
            told_of.push(message["method"].as_str().expect("a method").to_owned());
        }
        let expected = [
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
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
async fn ended_methods_are_unknown_to_the_newest_version() {
    let mut client = Client::of(Era::Modern, bundled()).await;
    for method in [
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
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
