//! Tests the requirements of the Skills extension (SEP-2640) for a server. The number in a test's name is the number
//! of the requirement in docs/mcp.md.

#![allow(clippy::disallowed_methods, reason = "tests make folders")]

use crate::client::{Client, Era, Folder, bundled, skill};
use rmcp::model::{Skill, SkillResources, sha256_digest, skill_name_from_uri, validate_skills};
use serde_json::{Value, json};
use skills_format::SkillFile;
use std::fs;

/// Parses the entries of `skills/list` with the types of the SDK.
fn entries(listed: &[Value]) -> Vec<Skill> {
    let read = listed.iter().cloned().map(serde_json::from_value);
    read.collect::<Result<_, _>>().expect("entries of the SDK")
}

fn files(skill: &Skill) -> &[rmcp::model::SkillResource] {
    match &skill.resources {
        SkillResources::Files(files) => files,
        _ => panic!("the files of {} do not change by themselves", skill.uri),
    }
}

/// Returns the bytes of a resource.
async fn read(client: &mut Client, uri: &str) -> Vec<u8> {
    use base64::Engine as _;
    let result = client
        .ask("resources/read", json!({ "uri": uri }))
        .await
        .expect(uri);
    let content = &result["contents"][0];
    assert_eq!(content["uri"], uri);
    match content["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => base64::prelude::BASE64_STANDARD
            .decode(content["blob"].as_str().expect("a blob"))
            .expect("base64"),
    }
}

#[tokio::test]
async fn s01_the_declared_methods_are_implemented() {
    for era in [Era::Modern, Era::Legacy] {
        let mut client = Client::of(era, bundled()).await;
        let list = client.ask("skills/list", json!({})).await.expect("a list");
        let uri = &list["skills"][0]["uri"];
        let one = client
            .ask("skills/get", json!({ "uri": uri }))
            .await
            .expect("a skill");
        assert_eq!(one["skill"], list["skills"][0], "{era:?}");
    }
}

#[tokio::test]
async fn s02_directories_are_read() {
    let mut client = Client::connect(bundled()).await;
    let about = client
        .ask("server/discover", json!({}))
        .await
        .expect("discovery");
    let settings = &about["capabilities"]["extensions"]["io.modelcontextprotocol/skills"];
    assert_eq!(settings, &json!({ "directoryRead": true }));
    let folder = json!({ "uri": "skill://bundled/code-review" });
    client
        .ask("resources/directory/read", folder)
        .await
        .expect("the files");
}

#[tokio::test]
async fn s04_resources_are_declared() {
    let mut client = Client::connect(bundled()).await;
    let about = client
        .ask("server/discover", json!({}))
        .await
        .expect("discovery");
    assert!(about["capabilities"]["resources"].is_object(), "{about}");
}

#[tokio::test]
async fn s05_only_skills_that_follow_the_specification_are_served() {
    let long = format!(
        "---\nname: long\ndescription: {}\n---\nx\n",
        "a ".repeat(600)
    );
    let folder = Folder::new(&[
        ("user/good/SKILL.md", &skill("good")),
        ("user/lower/skill.md", &skill("lower")),
        ("user/long/SKILL.md", &long),
        (
            "user/Wrong Name/SKILL.md",
            "---\nname: Wrong Name\ndescription: Does it.\n---\nx\n",
        ),
        (
            "user/broken/SKILL.md",
            "---\nname: broken\ndescription: Use: this\n---\nx\n",
        ),
        (
            "user/none/SKILL.md",
            "---\nname: none\n---\nThe first paragraph describes it.\n",
        ),
        (
            "user/needs/SKILL.md",
            &format!(
                "---\nname: needs\ndescription: Does it.\ncompatibility: {}\n---\nx\n",
                "a ".repeat(300)
            ),
        ),
        (
            "user/comment/SKILL.md",
            "<!-- A note. -->\n---\nname: comment\ndescription: Does it.\n---\nx\n",
        ),
    ]);
    let skills = folder.skills();
    let mut client = Client::connect(skills.clone()).await;
    let listed = entries(&client.all("skills/list", "skills").await);
    let of_user: Vec<&str> = listed
        .iter()
        .map(|skill| skill.uri.as_str())
        .filter(|uri| uri.starts_with("skill://user/"))
        .collect();
    assert_eq!(of_user, ["skill://user/good/SKILL.md"]);
    for skill in &listed {
        let bytes = read(&mut client, &skill.uri).await;
        let read = SkillFile::read("SKILL.md", "", &bytes)
            .strict()
            .expect("a valid skill");
        assert!(!read.description.is_empty());
    }
    let left_out: Vec<String> = skills.left_out().iter().map(ToString::to_string).collect();
    assert_eq!(left_out.len(), 7, "{left_out:#?}");
    for line in [
        "skill 'user:comment' is not served as a resource: its SKILL.md does not begin with front matter",
        "skill 'user:long' is not served as a resource: its description is longer than 1024 characters",
        "skill 'user:needs' is not served as a resource: its compatibility is longer than 500 characters",
        "skill 'user:lower' is not served as a resource: its file is named `skill.md`, not `SKILL.md`",
    ] {
        assert!(left_out.contains(&line.to_owned()), "{line}: {left_out:#?}");
    }
    assert!(
        left_out[0].starts_with(
            "skill 'user:broken' is not served as a resource: its SKILL.md is not valid"
        )
    );
}

#[tokio::test]
async fn s07_the_last_segment_is_the_name() {
    let folder = Folder::new(&[("user/elsewhere/SKILL.md", &skill("the-name"))]);
    let mut client = Client::connect(folder.skills()).await;
    let listed = client.all("skills/list", "skills").await;
    for entry in entries(&listed) {
        assert_eq!(
            skill_name_from_uri(&entry.uri),
            Some(entry.frontmatter.name.as_str())
        );
    }
    assert!(
        listed
            .iter()
            .any(|entry| entry["uri"] == "skill://user/the-name/SKILL.md")
    );
    // A renamed skill has no address under its old name.
    folder.write("user/elsewhere/SKILL.md", skill("new-name"));
    let uri = json!({ "uri": "skill://user/the-name/SKILL.md" });
    let (code, message) = client.refused("skills/get", uri).await;
    assert_eq!(code, -32602, "{message}");
    assert!(message.contains("its name is now `new-name`"), "{message}");
}

/// An address belongs to one skill: of two skills with one name in a source, the nearer skill has it.
#[tokio::test]
async fn s07_two_skills_of_one_name() {
    let folder = Folder::new(&[
        ("user/a/SKILL.md", &skill("a")),
        ("user/b/SKILL.md", &skill("a")),
    ]);
    folder.write("user/b/more.md", "x");
    let skills = folder.skills();
    let mut client = Client::connect(skills.clone()).await;
    let listed = entries(&client.all("skills/list", "skills").await);
    validate_skills(&listed).expect("each address once");
    assert_eq!(files(&listed[0]).len(), 1, "{listed:?}");
    let left_out: Vec<String> = skills.left_out().iter().map(ToString::to_string).collect();
    let hidden = "skill 'user:a' is not served as a resource: another skill of its source has the same name, and comes first";
    assert_eq!(left_out, [hidden]);
}

#[tokio::test]
async fn s11_resources_have_the_name_and_the_description_of_the_front_matter() {
    let folder = Folder::new(&[(
        "user/a/SKILL.md",
        "---\nname: a\ndescription: |\n  Two\n  lines.\n---\nx\n",
    )]);
    let mut client = Client::connect(folder.skills()).await;
    let skills = entries(&client.all("skills/list", "skills").await);
    let resources = client.all("resources/list", "resources").await;
    assert_eq!(skills.len(), resources.len());
    for (skill, resource) in skills.iter().zip(&resources) {
        assert_eq!(resource["uri"], skill.uri);
        assert_eq!(resource["name"], skill.frontmatter.name);
        assert_eq!(resource["description"], skill.frontmatter.description);
        assert_eq!(resource["mimeType"], "text/markdown");
        assert_eq!(resource["size"], files(skill)[0].size);
        let content = client
            .ask("resources/read", json!({ "uri": skill.uri }))
            .await
            .expect("a file");
        assert_eq!(content["contents"][0]["mimeType"], "text/markdown");
    }
}

#[tokio::test]
async fn s17_the_front_matter_is_whole() {
    let front = "name: whole\ndescription: Does it.\nlicense: MIT\nmetadata:\n  deep: {a: [1, 2.5, true, null]}\n  other: \"x\"\nunknown-key: ünicode";
    let folder = Folder::new(&[("user/whole/SKILL.md", &format!("---\n{front}\n---\nx\n"))]);
    let mut client = Client::connect(folder.skills()).await;
    let uri = json!({ "uri": "skill://user/whole/SKILL.md" });
    let one = client.ask("skills/get", uri).await.expect("the skill");
    assert_eq!(
        one["skill"]["frontmatter"],
        json!({
            "name": "whole", "description": "Does it.", "license": "MIT",
            "metadata": { "deep": { "a": [1, 2.5, true, null] }, "other": "x" },
            "unknown-key": "ünicode",
        })
    );
}

#[tokio::test]
async fn s20_files_are_a_list() {
    let mut client = Client::connect(bundled()).await;
    for entry in client.all("skills/list", "skills").await {
        assert!(entry["resources"].is_array(), "{entry}");
    }
}

#[tokio::test]
async fn s21_the_list_is_complete() {
    let folder = Folder::new(&[
        ("user/many/SKILL.md", &skill("many")),
        ("user/many/references/ü 1.md", "one"),
        ("user/many/references/deep/two.md", "two"),
        ("user/many/nested/SKILL.md", &skill("nested")),
        ("user/many/.hidden", "three"),
        ("user/many/empty", ""),
    ]);
    folder.write("user/many/data.bin", [0xff, 0, 1]);
    let mut client = Client::connect(folder.skills()).await;
    let listed = entries(&client.all("skills/list", "skills").await);
    validate_skills(&listed).expect("what the SDK checks");
    let many = listed
        .iter()
        .find(|skill| skill.name() == "many")
        .expect("the skill");
    let mut uris: Vec<&str> = files(many).iter().map(|file| file.uri.as_str()).collect();
    assert_eq!(uris[0], "skill://user/many/SKILL.md");
    uris.sort_unstable();
    assert_eq!(
        uris,
        [
            "skill://user/many/.hidden",
            "skill://user/many/SKILL.md",
            "skill://user/many/data.bin",
            "skill://user/many/empty",
            "skill://user/many/nested/SKILL.md",
            "skill://user/many/references/%C3%BC%201.md",
            "skill://user/many/references/deep/two.md",
        ]
    );
    for file in files(many) {
        let bytes = read(&mut client, &file.uri).await;
        file.verify(&bytes).expect("size and digest");
    }
}

#[tokio::test]
async fn s22_digests_stay_while_files_do() {
    let folder = Folder::skill("a");
    let mut client = Client::connect(folder.skills()).await;
    let first = client.all("skills/list", "skills").await;
    assert_eq!(client.all("skills/list", "skills").await, first);
    folder.write("user/a/new.md", "new");
    let second = client.all("skills/list", "skills").await;
    assert_ne!(second, first);
}

#[tokio::test]
async fn s23_skills_over_the_limits_are_not_served() {
    let folder = Folder::skill("large");
    folder.write("user/large/data", vec![b'x'; 16 * 1024 * 1024]);
    folder.write("user/many/SKILL.md", skill("many"));
    folder.write("user/most/SKILL.md", skill("most"));
    for file in 0..512 {
        folder.write(&format!("user/many/{file}"), "");
        if file > 0 {
            folder.write(&format!("user/most/{file}"), "");
        }
    }
    let skills = folder.skills();
    let mut client = Client::connect(skills.clone()).await;
    let listed = entries(&client.all("skills/list", "skills").await);
    let most = listed
        .iter()
        .find(|skill| skill.name() == "most")
        .expect("at the limit");
    assert_eq!(files(most).len(), 512);
    let left_out: Vec<String> = skills.left_out().iter().map(ToString::to_string).collect();
    let size = 16 * 1024 * 1024 + skill("large").len();
    assert_eq!(
        left_out,
        [
            format!(
                "skill 'user:large' is not served as a resource: its files have {size} bytes, and at most 16777216 can be served"
            ),
            "skill 'user:many' is not served as a resource: it has 513 files, and at most 512 can be served"
                .to_owned(),
        ]
    );
    for name in ["large", "many"] {
        let uri = json!({ "uri": format!("skill://user/{name}/SKILL.md") });
        for method in ["skills/get", "resources/read"] {
            assert_eq!(
                client.refused(method, uri.clone()).await.0,
                -32602,
                "{method} {name}"
            );
        }
    }
}

#[tokio::test]
async fn s24_pages_are_complete_and_say_how_long_they_hold() {
    let folder = Folder::new(&[]);
    for number in 0..250 {
        folder.write(
            &format!("user/s{number}/SKILL.md"),
            skill(&format!("s{number}")),
        );
    }
    let mut client = Client::connect(folder.skills()).await;
    let page = client.ask("skills/list", json!({})).await.expect("a page");
    assert_eq!(page["resultType"], "complete");
    assert_eq!(
        (&page["ttlMs"], &page["cacheScope"]),
        (&json!(0), &json!("private"))
    );
    assert_eq!(page["skills"].as_array().map(Vec::len), Some(100));
    let all = client.all("skills/list", "skills").await;
    assert_eq!(all.len(), 250 + bundled_skills::SKILLS.iter().count());
    validate_skills(&entries(&all)).expect("each skill once");

    // A folder without a skill can get one at any moment, so an empty list may not be cached.
    let folder = Folder::new(&[]);
    fs::create_dir(folder.path("user")).expect("a folder");
    let mut client = Client::connect(folder.skills()).await;
    for method in ["skills/list", "resources/list"] {
        let page = client.ask(method, json!({})).await.expect("a page");
        assert_eq!(
            (&page["ttlMs"], &page["cacheScope"]),
            (&json!(0), &json!("private"))
        );
    }

    let mut client = Client::connect(bundled()).await;
    let page = client.ask("skills/list", json!({})).await.expect("a page");
    assert!(page.get("nextCursor").is_none());
}

#[tokio::test]
async fn s26_get_answers_for_each_skill_and_for_no_other() {
    let folder = Folder::new(&[
        ("user/a/SKILL.md", &skill("a")),
        ("user/off/SKILL.md", &skill("off")),
    ]);
    let mut client = Client::connect(folder.skills_without(&["off"])).await;
    for entry in client.all("skills/list", "skills").await {
        let one = client
            .ask("skills/get", json!({ "uri": entry["uri"] }))
            .await
            .expect("the skill");
        assert_eq!(one["skill"], entry);
        assert_eq!(one["resultType"], "complete");
        assert_eq!(
            (&one["ttlMs"], &one["cacheScope"]),
            (&json!(0), &json!("private"))
        );
    }
    for uri in [
        "skill://user/b/SKILL.md",
        "skill://user/off/SKILL.md",
        "skill://team/a/SKILL.md",
        "skill://user/a",
        "skill://user/a/references/a.md",
        "skill://user/%61/SKILL.md",
        "skill://user/a/x/../SKILL.md",
        "file:///user/a/SKILL.md",
        "",
    ] {
        let (code, message) = client.refused("skills/get", json!({ "uri": uri })).await;
        assert_eq!(code, -32602, "{uri}");
        assert!(message.len() > 10, "{uri}: {message}");
    }
}

#[tokio::test]
async fn s28_every_listed_file_verifies() {
    let mut client = Client::connect(bundled()).await;
    for skill in entries(&client.all("skills/list", "skills").await) {
        for file in files(&skill) {
            let bytes = read(&mut client, &file.uri).await;
            file.verify(&bytes).expect("size and digest");
            assert_eq!(file.digest, sha256_digest(&bytes));
        }
    }
}

#[tokio::test]
async fn s33_directories_list_their_direct_children() {
    let folder = Folder::new(&[
        ("user/a/SKILL.md", &skill("a")),
        ("user/a/b 1/c/d.md", "x"),
        ("user/a/b 1/e.bin", "x"),
    ]);
    // A folder without files is not listed.
    fs::create_dir(folder.path("user/a/empty")).expect("a folder");
    let mut client = Client::connect(folder.skills()).await;
    let mut children = async |uri: &str| {
        let result = client
            .ask("resources/directory/read", json!({ "uri": uri }))
            .await
            .expect(uri);
        assert_eq!(result["resultType"], "complete");
        let resources = result["resources"].as_array().expect("a list").iter();
        let texts = resources
            .map(|r| format!("{} {} {}", r["uri"], r["name"], r["mimeType"]).replace('"', ""));
        texts.collect::<Vec<String>>()
    };
    assert_eq!(
        children("skill://user/a").await,
        [
            "skill://user/a/SKILL.md SKILL.md text/markdown",
            "skill://user/a/b%201 b 1 inode/directory",
        ]
    );
    assert_eq!(
        children("skill://user/a/b%201").await,
        [
            "skill://user/a/b%201/c c inode/directory",
            "skill://user/a/b%201/e.bin e.bin null",
        ]
    );
    for uri in [
        "skill://user/a/SKILL.md",
        "skill://user/a/none",
        "skill://user/a/..",
        "skill://user",
        "skill://user/b",
    ] {
        let (code, _) = client
            .refused("resources/directory/read", json!({ "uri": uri }))
            .await;
        assert_eq!(code, -32602, "{uri}");
    }
}

#[tokio::test]
async fn s33_a_large_directory_has_pages() {
    let folder = Folder::skill("a");
    for number in 0..230 {
        folder.write(&format!("user/a/files/{number:03}.md"), "x");
    }
    let mut client = Client::connect(folder.skills()).await;
    let mut listed = Vec::new();
    let mut params = json!({ "uri": "skill://user/a/files" });
    for length in [100, 100, 30] {
        let page = client.ask("resources/directory/read", params.clone()).await;
        let page = page.expect("a page");
        let names = page["resources"].as_array().expect("a list").iter();
        let names: Vec<Value> = names.map(|child| child["name"].clone()).collect();
        assert_eq!(names.len(), length);
        listed.extend(names);
        params["cursor"] = page["nextCursor"].clone();
    }
    assert_eq!(params["cursor"], Value::Null);
    let all: Vec<Value> = (0..230)
        .map(|number| json!(format!("{number:03}.md")))
        .collect();
    assert_eq!(listed, all);
}

#[tokio::test]
async fn s35_errors_have_the_code_that_fits() {
    let folder = Folder::skill("a");
    let mut client = Client::connect(folder.skills()).await;
    for (method, uri, code) in [
        ("skills/get", "skill://user/none/SKILL.md", -32602),
        ("resources/read", "skill://user/a/none.md", -32602),
        ("resources/read", "skill://user/a", -32602),
        (
            "resources/directory/read",
            "skill://user/a/SKILL.md",
            -32602,
        ),
        ("skills/unknown", "skill://user/a", -32601),
    ] {
        let (got, message) = client.refused(method, json!({ "uri": uri })).await;
        assert_eq!(got, code, "{method} {uri}: {message}");
    }
    client.all("skills/list", "skills").await;
    folder.write("user/a/SKILL.md", skill("a").replace("Do a", "Do another"));
    let (code, message) = client
        .refused(
            "resources/read",
            json!({ "uri": "skill://user/a/SKILL.md" }),
        )
        .await;
    assert_eq!(code, -32603);
    assert_eq!(
        message,
        "'skill://user/a/SKILL.md' has changed since its skill was listed; call skills/get for \
         'skill://user/a/SKILL.md' again"
    );
}
