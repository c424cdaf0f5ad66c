//! Checks that a skill that any spelling closes to the model is nowhere that a model can reach, in any profile.

use crate::Dialect as _;
use crate::activation::activate;
use crate::fixture::dialects;
use crate::options::Options;
use crate::session::{Session, call_tool};
use proptest::prelude::*;
use skills_runtime::{Catalog, Surface};
use std::fs;

/// Every spelling that closes a skill to the model: lines of the front matter, and the `agents/openai.yaml`.
const SPELLINGS: &[(&str, &str)] = &[
    ("disable-model-invocation: true\n", ""),
    ("disable-model-invocation: yes\n", ""),
    ("disable-model-invocation: \"TRUE\"\n", ""),
    ("disable-model-invocation: 1\n", ""),
    ("disable-model-invocation: treu\n", ""),
    ("disable_model_invocation: true\n", ""),
    (
        "disable-model-invocation: true\ndisable-model-invocation: false\n",
        "",
    ),
    ("metadata:\n  opencode/autoinvoke: \"false\"\n", ""),
    ("metadata:\n  opencode/autoinvoke: false\n", ""),
    ("metadata:\n  opencode/autoinvoke: never\n", ""),
    ("metadata: '{\"opencode/autoinvoke\": \"false\"}'\n", ""),
    ("metadata.opencode/autoinvoke: \"false\"\n", ""),
    ("metadata:\n  OpenCode/AutoInvoke: false\n", ""),
    ("metadata:\n  opencode/auto-invoke: false\n", ""),
    ("metadata:\n  opencode/autoinvok: false\n", ""),
    ("metadata:\n  \"opencode/auto\\u200binvoke\": false\n", ""),
    ("metadata:\n  \u{43e}pencode/autoinvoke: false\n", ""),
    ("metadata:\n  - opencode/autoinvoke: false\n", ""),
    ("Metadata:\n  opencode/autoinvoke: false\n", ""),
    ("metdata:\n  opencode/autoinvoke: false\n", ""),
    ("opencode/autoinvoke: false\n", ""),
    ("", "policy:\n  allow_implicit_invocation: false\n"),
    ("", "policy:\n  allow-implicit-invocation: false\n"),
    ("", "allow_implicit_invocation: false\n"),
    ("", "policy:\n  allow_implicit_invocation: \"false\"\n"),
    ("", "policy:\n  allow_implicit_invocation: 0\n"),
    ("", "policy: [\n"),
    (
        "disable-model-invocation: false\n",
        "policy:\n  allow_implicit_invocation: false\n",
    ),
    (
        "disable-model-invocation: true\n",
        "policy:\n  allow_implicit_invocation: true\n",
    ),
];

/// Makes a catalog with a skill `shut` of each closed spelling, and an open one beside it.
fn catalog(dir: &std::path::Path, (front, openai): (&str, &str), extra: &str) -> Catalog {
    for (name, front) in [("shut", front), ("open", "")] {
        let folder = dir.join(name);
        fs::create_dir_all(&folder).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Does it.\n{extra}{front}---\nBody of {name}.\n"
        );
        fs::write(folder.join("SKILL.md"), text).unwrap();
    }
    if !openai.is_empty() {
        fs::create_dir_all(dir.join("shut/agents")).unwrap();
        fs::write(dir.join("shut/agents/openai.yaml"), openai).unwrap();
    }
    Catalog::builder().directory("user", dir).load()
}

#[cfg(unix)]
#[test]
fn a_broken_link_to_the_policy_closes_the_skill() {
    for link in ["agents", "agents/openai.yaml"] {
        let dir = tempfile::tempdir().unwrap();
        let catalog = catalog(dir.path(), ("", ""), "");
        assert!(
            catalog
                .get("shut")
                .is_some_and(|skill| !skill.fields().disable_model_invocation)
        );
        let place = dir.path().join("shut").join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", &place).unwrap();
        for catalog in [&catalog.reload(), &self::catalog(dir.path(), ("", ""), "")] {
            assert!(
                catalog
                    .get("shut")
                    .is_some_and(|skill| skill.fields().disable_model_invocation),
                "{link}"
            );
        }
        // The file that was listed without a policy has one now.
        let found = activate(&Options::DEFAULT, &catalog.get("shut").unwrap(), "");
        assert!(found.is_err(), "{link}: {found:?}");
    }
}

proptest! {
    // Each case tries every spelling.
    #![proptest_config(ProptestConfig::with_cases(2))]

    #[test]
    fn no_model_reaches_a_closed_skill(
        extra in "(license: MIT\n)?(argument-hint: x\n)?(user-invocable: true\n)?",
        spelt in "(shut|SHUT|user:shut| shut |\\$shut|/shut)",
    ) {
        for spelling in SPELLINGS {
            let dir = tempfile::tempdir().unwrap();
            let catalog = catalog(dir.path(), *spelling, &extra);
            prop_assert!(catalog.get("shut").is_some(), "{spelling:?}");
            for profile in &dialects() {
                let reached = reached(&catalog, profile, &spelt);
                prop_assert!(reached.is_none(), "{spelling:?}: {reached:?}");
            }
        }
    }
}

/// Returns the way on which a model reaches the skill `shut`, if there is one.
fn reached(catalog: &Catalog, profile: &Options, spelt: &str) -> Option<String> {
    let prompt = profile.list(catalog).text;
    if prompt.contains("shut") || !prompt.contains("open") {
        return Some(prompt);
    }
    for spec in profile.tools(catalog) {
        let json = serde_json::to_string(&spec).unwrap();
        if json.contains("shut") {
            return Some(json);
        }
    }
    if let Some(tool) = &profile.tool {
        let name = serde_json::to_string(spelt).unwrap();
        let call = format!("{{\"{}\":{name}}}", tool.parameter);
        if call_tool(profile, catalog, &tool.name, &call).is_ok() {
            return Some(call);
        }
    }
    let listed = call_tool(profile, catalog, "list_skills", "{}");
    let listed = listed.map(super::Answer::into_text).unwrap_or_default();
    if listed.contains("shut") {
        return Some(listed);
    }
    // A host can switch everything on; the skill stays closed.
    let mut host = profile.clone();
    host.mentions = true;
    host.answers = true;
    let mut session = Session::new(host);
    let texts = [
        format!("Now $shut and {spelt}."),
        format!("/shut {spelt}"),
        spelt.to_owned(),
    ];
    texts.into_iter().find(|text| {
        let turn = session.turn(catalog, text, Surface::Model);
        !turn.started.is_empty() || !session.answered(catalog, text).started.is_empty()
    })
}
