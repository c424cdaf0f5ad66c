//! The answers to the page.

use serde_json::Value;
use skills_play::Playground;

const GREET: &str = "---\nname: greet\ndescription: Greets. Use when someone arrives.\nargument-hint: [who]\n\
disable-model-invocation: true\n---\nSay good day to $ARGUMENTS with `git commit`.\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn client(playground: &Playground, name: &str) -> Value {
    json(&playground.client(name, "", "Ann"))
}

#[test]
fn a_pasted_text_is_checked_and_fixed() {
    let mut playground = Playground::of_text(
        "---\r\nname: Greet Me\r\ndescripton: Greets.\r\n---\r\nHi \u{1F600} [it](#no)\r\n",
    );
    let answer = json(&playground.check());
    let rules: Vec<&str> = answer["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"description-missing"), "{rules:?}");
    let fixed = json(&playground.fix_all(true));
    assert_eq!(fixed["changed"][0]["path"], "SKILL.md");
    let text = fixed["changed"][0]["text"].as_str().unwrap();
    assert!(text.contains("description: Greets."), "{text}");
    let after = json(&playground.check());
    assert!(after["findings"].as_array().unwrap().len() < rules.len());
}

#[test]
fn one_fix_changes_one_finding() {
    let mut playground = Playground::of_text(
        "---\nname: greet\ndescripton: Greets. Use when someone arrives.\n---\nHi.\n",
    );
    let answer = json(&playground.check());
    let findings = answer["findings"].as_array().unwrap();
    let typo = findings
        .iter()
        .find(|it| it["rule"] == "description-missing")
        .unwrap();
    let place = typo["place"].as_array().unwrap();
    assert_eq!(place[0].as_u64(), Some(16));
    let index = usize::try_from(typo["index"].as_u64().unwrap()).unwrap();
    let fixed = json(&playground.fix(index));
    let text = fixed["changed"][0]["text"].as_str().unwrap();
    assert!(text.contains("description: Greets."));
    assert_eq!(json(&playground.fix(999))["fixed"], 0);
}

#[test]
fn clients_are_told_apart() {
    let playground = Playground::of_text(GREET);
    let names = json(&Playground::client_names());
    let names = names.as_array().unwrap();
    assert_eq!(names.len(), skills_clients::client::all().len());
    for name in names {
        let answer = client(&playground, name.as_str().unwrap());
        assert_eq!(
            (&answer["name"], &answer["closed"]),
            (name, &Value::Bool(true))
        );
    }
    let claude = client(&playground, "claude-code");
    assert_eq!(claude["list"]["shown"], "unlisted", "{claude}");
    assert_eq!(claude["start"]["typed"], "/greet Ann");
    let text = claude["start"]["messages"].to_string();
    assert!(text.contains("Say good day to Ann"), "{text}");
    let gemini = client(&playground, "gemini-cli");
    assert_eq!(gemini["list"]["shown"], "whole", "{gemini}");
    let lost = gemini["differences"].to_string();
    assert!(lost.contains("restraint-unsupported"), "{lost}");
    let codex = client(&playground, "codex");
    assert_eq!(codex["start"]["typed"], "$greet Ann");
    assert!(client(&playground, "goose")["list"].is_null());
    assert_eq!(playground.client("codex", "nowhere", ""), "null");
    assert_eq!(playground.client("no", "", ""), "null");
}

#[test]
fn a_message_means_what_the_resolver_says() {
    let mut playground = Playground::of_folder("skills");
    playground.put("greet/SKILL.md", Some(GREET.as_bytes().to_vec()), 0);
    let other = GREET.replace("greet", "wave");
    playground.put("wave/SKILL.md", Some(other.into_bytes()), 0);
    let answer = json(&playground.meaning(
        "default",
        "\u{1F600} $greet for $5, then $wavee and \\$greet",
    ));
    let outcomes: Vec<&str> = answer["mentions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["found", "suggestion", "escaped"]);
    assert_eq!(answer["mentions"][0]["place"], serde_json::json!([3, 9]));
    assert_eq!(answer["activated"], serde_json::json!(["greet"]));
    let answer = json(&playground.meaning("claude-code", "/greet Ann"));
    assert!(answer["messages"].to_string().contains("Ann"), "{answer}");
    let names = json(&Playground::profiles());
    assert_eq!(names[0], "default");
}

#[test]
fn powers_are_read() {
    let playground = Playground::of_text(GREET);
    let powers = json(&playground.powers(""));
    assert!(powers.to_string().contains("git commit"), "{powers}");
    assert_eq!(json(&playground.powers("no"))["powers"], json("[]"));
}

#[test]
fn odd_files_are_answered() {
    let mut playground = Playground::of_text("");
    for text in [
        &b""[..],
        b"\xff\xfe\0",
        b"---",
        b"---\n[\n---\n",
        b"\xef\xbb\xbf---\nname: a\n---\n",
    ] {
        playground.put("SKILL.md", Some(text.to_vec()), 0);
        json(&playground.check());
        client(&playground, "claude-code");
        json(&playground.meaning("codex", "$a /a \u{0}"));
        json(&playground.powers(""));
        json(&playground.fix_all(true));
    }
    let mut playground = Playground::of_folder("");
    json(&playground.check());
    playground.put("../x/SKILL.md", Some(GREET.into()), 0);
    playground.put("/SKILL.md", Some(GREET.into()), 0);
    playground.put("a//b/SKILL.md", Some(GREET.into()), 0);
    playground.put("big/SKILL.md", None, 1 << 40);
    playground.put("long/SKILL.md", Some(vec![b'x'; 2 << 20]), 0);
    let answer = json(&playground.check());
    for skill in answer["skills"].as_array().unwrap() {
        json(&playground.client("codex", skill["dir"].as_str().unwrap(), ""));
    }
    json(&playground.meaning("", "$greet"));
}

#[test]
fn a_long_text_is_checked_too() {
    let long = format!("{GREET}{}", "[it](#no) ".repeat(200_000));
    let mut playground = Playground::of_text(&long);
    let answer = json(&playground.check());
    assert_eq!(answer["skills"][0]["files"], 1);
    assert!(answer["errors"].as_u64().unwrap() > 0);
}

#[test]
fn hundreds_of_files_and_thousands_of_findings_are_bounded() {
    let mut playground = Playground::of_folder("skills");
    for n in 0..400 {
        playground.put(&format!("skill-{n}/SKILL.md"), Some(GREET.into()), 0);
    }
    let answer = playground.check();
    assert!(json(&answer)["more"].as_u64().unwrap() > 0);
    assert!(answer.len() < 1 << 20, "{}", answer.len());
    let mut playground = Playground::of_text(&"\u{200b}\u{202e}".repeat(20_000));
    assert!(playground.check().len() < 1 << 20);
}
