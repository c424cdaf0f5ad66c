use super::*;
use crate::skill::restraint::keys::{below_metadata, misplaced_policy, misspelt};
use crate::yaml;

/// Returns who may start a skill with this front matter and which tools it may use, and the faults with
/// their places.
fn read(text: &str) -> (String, Vec<String>) {
    let node = yaml::parse(text).expect(text).expect("a mapping");
    let mut fields = Fields::read(&node);
    let found = restrain(&node, None, &mut fields);
    let mut said = Vec::new();
    said.extend(fields.user_invocable.then(|| "user".to_owned()));
    said.extend((!fields.disable_model_invocation).then(|| "model".to_owned()));
    said.extend(fields.allowed_tools.iter().map(ToString::to_string));
    let told = |found: &Finding| {
        let Finding { rule, span, .. } = found;
        format!("{} {}", rule.as_str(), span.of(text))
    };
    (said.join(" "), found.iter().map(told).collect())
}

#[test]
fn a_switch_that_is_not_clear_restrains() {
    const BOTH: &str = "user model";
    for (text, said, told) in [
        ("a: 1", BOTH, &[][..]),
        (
            "user-invocable: true\ndisable-model-invocation: false",
            BOTH,
            &[],
        ),
        ("user-invocable: false", "model", &[]),
        ("disable-model-invocation: true", "user", &[]),
        ("disable-model-invocation:", BOTH, &[]),
        ("user-invocable: 'no'", "model", &["field-type 'no'"]),
        ("user-invocable: 0", "model", &["field-type 0"]),
        ("user-invocable: ' Yes '", BOTH, &["field-type ' Yes '"]),
        ("user-invocable: on", BOTH, &["field-type on"]),
        ("user-invocable: 'maybe'", "model", &["field-type 'maybe'"]),
        (
            "disable-model-invocation: maybe",
            "user",
            &["field-type maybe"],
        ),
        (
            "disable-model-invocation: 'off'",
            BOTH,
            &["field-type 'off'"],
        ),
        ("disable-model-invocation: [a]", "user", &["field-type [a]"]),
        (
            "user-invocable: false\nDisable_Model_Invocation: on",
            "",
            &["field-typo Disable_Model_Invocation", "field-type on"],
        ),
    ] {
        assert_eq!(read(text), (said.to_owned(), owned(told)), "{text}");
    }
}

#[test]
fn of_repeated_keys_the_stricter_value_counts() {
    for (text, said) in [
        ("user-invocable: false\nuser-invocable: true", "model"),
        ("user-invocable: true\nuser-invocable: false", "model"),
        ("user-invocable: true\nuser-invocable: true", "user model"),
        (
            "disable-model-invocation: true\ndisable-model-invocation: false",
            "user",
        ),
        ("allowed-tools: A B\nallowed-tools: B C", "user model B"),
        ("allowed-tools: A\nallowed-tools: B", "user model no tool"),
        ("allowed-tools: A\nallowed-tools:", "user model A"),
        ("allowed-tools:\nallowed-tools: A", "user model A"),
        ("name: a\nname: b", "user model"),
    ] {
        assert_eq!(read(text), (said.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn a_misspelt_key_restrains_and_gives_no_right() {
    for (text, said, told) in [
        (
            "user_invocable: false",
            "model",
            &["field-typo user_invocable"][..],
        ),
        (
            "userInvocable: false",
            "model",
            &["field-typo userInvocable"],
        ),
        (
            "user-invocabel: false",
            "model",
            &["field-typo user-invocabel"],
        ),
        ("user-invocableness: false", "user model", &[]),
        ("some-other-key: false", "user model", &[]),
        (
            "us\u{435}r-invocable: false",
            "model",
            &["field-typo us\u{435}r-invocable"],
        ),
        (
            "user\u{200b}-\u{200b}invocable: false",
            "model",
            &["field-typo user\u{200b}-\u{200b}invocable"],
        ),
        (
            "allowed_tools: A",
            "user model A",
            &["field-typo allowed_tools"],
        ),
        (
            "allowed_tools:",
            "user model",
            &["field-typo allowed_tools"],
        ),
    ] {
        assert_eq!(read(text), (said.to_owned(), owned(told)), "{text}");
    }
}

#[test]
fn tools_that_cannot_be_read_are_not_allowed() {
    for (tools, left, told) in [
        ("Read Bash(git:*)", "Read Bash(git:*)", false),
        ("[Read, Write]", "Read Write", false),
        ("''", "", false),
        ("'  '", "", false),
        ("[]", "", false),
        ("','", "no tool", true),
        ("(x)", "no tool", true),
        ("Read, (x)", "Read", true),
        // The pattern was meant for the tool before it.
        ("Read (x)", "no tool", true),
        ("\"Bash(git *\"", "no tool", true),
        ("[Read, \"Bash(git:*)x\"]", "Read", true),
        ("[Read, [a]]", "Read", true),
        ("[[a]]", "no tool", true),
        ("{Read: 1}", "no tool", true),
        ("{}", "no tool", true),
    ] {
        let text = format!("allowed-tools: {tools}");
        let node = yaml::parse(&text).expect(&text).expect("a mapping");
        let mut fields = Fields::read(&node);
        let found = restrain(&node, None, &mut fields);
        let rules: Vec<String> = fields
            .allowed_tools
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(rules.join(" "), left, "{tools}");
        assert_eq!(found.len(), usize::from(told), "{text}");
    }
}

#[test]
fn only_an_exact_list_approves() {
    for (text, may_approve) in [
        ("allowed-tools: Read Bash(git log:*)", true),
        ("allowed-tools: [Read, Write]", true),
        ("allowed-tools: Read, Write", true),
        ("allowed-tools: ''", false),
        ("allowed-tools:", false),
        ("a: 1", false),
        ("allowed_tools: Read", false),
        ("Allowed-Tools: Read", false),
        ("allowed-tools: Read\nallowed-tools: Read", false),
        ("allowed-tools: Read\nallowed_tools: Read", false),
        ("allowed-tools: Read\nallowed-tools:", false),
        ("allowed-tools: Read (x)", false),
        ("allowed-tools: not Bash", false),
        ("allowed-tools: none Bash", false),
        ("allowed-tools: [Read, not, Bash]", false),
        ("allowed-tools: Read\u{a0}Bash", false),
        ("allowed-tools: \"Read\\u2028Bash\"", false),
        ("allowed-tools: Bash(git log:*", false),
        ("allowed-tools: Bash(git:*)x", false),
        ("allowed-tools: [Read, [a]]", false),
        ("allowed-tools: {Read: 1}", false),
        ("allowed-tools: '*'", false),
        ("allowed-\u{200b}tools: Read", false),
        ("allowed\u{2010}tools: Read", false),
    ] {
        let node = yaml::parse(text).expect(text).expect("a mapping");
        let mut fields = Fields::read(&node);
        restrain(&node, None, &mut fields);
        assert_eq!(fields.may_approve, may_approve, "{text}");
    }
}

#[test]
fn what_is_disallowed_is_the_sum_of_all_that_is_written() {
    for (text, tools, told) in [
        ("a: 1", "", false),
        ("disallowed-tools:", "", false),
        ("disallowed-tools: ''", "", false),
        (
            "disallowed-tools: Bash(git push:*) Write",
            "Bash(git push:*) Write",
            false,
        ),
        ("disallowed-tools: [Write, Edit]", "Write Edit", false),
        ("disallowed_tools: Write", "Write", true),
        ("disallowedTools: Write", "Write", true),
        (
            "disallowed-tools: Write\ndisallowed-tools: Edit",
            "Write Edit",
            false,
        ),
        ("disallowed-tools: Write (x)", "*", true),
        ("disallowed-tools: ','", "*", true),
        ("disallowed-tools: {Write: 1}", "*", true),
        ("disallowed-tools: [Write, [a]]", "Write *", true),
    ] {
        let node = yaml::parse(text).expect(text).expect("a mapping");
        let mut fields = Fields::read(&node);
        let found = restrain(&node, None, &mut fields);
        let rules = fields.disallowed_tools.iter().map(ToString::to_string);
        assert_eq!(rules.collect::<Vec<_>>().join(" "), tools, "{text}");
        assert_eq!(found.len(), usize::from(told), "{text}");
    }
}

/// An entry that is not the plain name of a tool: what its author meant to take away is not known.
#[test]
fn an_entry_that_is_no_plain_name_takes_every_tool() {
    for entry in [
        "\"`Bash`\"",
        "\"'Bash'\"",
        "Bash;Write",
        "Bash|Write",
        "Bash:*",
        "\"Bash[git]\"",
        "\"{Bash}\"",
        "'*sh'",
        "B*sh",
        "Bash.",
        "'-Bash'",
        "B\u{430}sh",
        "\"Ba\\u200bsh\"",
        "\u{ff22}ash",
        "Bash(git push:*)x",
        "[Read, 'Bash;Write']",
    ] {
        let text = format!("disallowed-tools: {entry}");
        let node = yaml::parse(&text).expect(&text).expect("a mapping");
        let mut fields = Fields::read(&node);
        let found = restrain(&node, None, &mut fields);
        assert!(fields.disallowed_tools.contains(&ToolRule::ALL), "{entry}");
        assert_eq!(found.len(), 1, "{entry}");
    }
    for entry in [
        "'*'",
        "Bash*",
        "mcp__git__*",
        "read_file",
        "Bash(git push:*), Write",
    ] {
        let text = format!("disallowed-tools: {entry}");
        let node = yaml::parse(&text).expect(&text).expect("a mapping");
        assert_eq!(
            restrain(&node, None, &mut Fields::read(&node)).len(),
            0,
            "{entry}"
        );
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The keys of `OpenCode`, wherever an author writes them, and what is reported.
#[test]
fn the_keys_of_opencode_close() {
    const BOTH: &str = "user model";
    for (text, said, told) in [
        ("metadata:\n  opencode/autoinvoke: \"true\"", BOTH, &[][..]),
        ("metadata:\n  opencode/autoinvoke: \"false\"", "user", &[]),
        ("metadata:\n  opencode/slash: \"false\"", "model", &[]),
        ("metadata:\n  opencode/slash:", BOTH, &[]),
        ("metadata:\n  opencode/slash: false", "model", &[]),
        (
            "metadata:\n  opencode/slash: [a]",
            "model",
            &["field-type [a]"],
        ),
        ("opencode/autoinvoke: \"false\"", "user", &[]),
        ("metadata.opencode/slash: \"false\"", "model", &[]),
        (
            "metadata:\n  OpenCode/Slash: \"false\"",
            "model",
            &["field-type \"false\""],
        ),
        // A second key opens nothing that the first closed.
        (
            "opencode/slash: \"false\"\nmetadata:\n  opencode/slash: \"true\"",
            "model",
            &[],
        ),
        (
            "policy:\n  allow_implicit_invocation: false",
            "user",
            &["restraint-lost allow_implicit_invocation"],
        ),
    ] {
        assert_eq!(read(text), (said.to_owned(), owned(told)), "{text}");
    }
}

#[test]
fn every_spelling_that_closes_is_named() {
    let text = "metadata:\n  opencode/slash: \"false\"\ndisable-model-invocation: true\n";
    let node = yaml::parse(text).expect("YAML").expect("a mapping");
    assert_eq!(
        closed_by(&node, None),
        [Spelling::DisableModelInvocation, Spelling::MetadataSlash]
    );
}

#[test]
fn a_misspelt_key_is_told_if_its_value_restrains() {
    for (text, fields) in [
        ("disable_model_invocation: true", "disable-model-invocation"),
        ("disable_model_invocation: off", ""),
        ("disable_model_invocation:", ""),
        ("user_invocable: false", "user-invocable"),
        ("user_invocable: yes", ""),
        ("disallowed_tools: Bash", "disallowed-tools"),
        ("disallowed_tools: ''", ""),
        ("name: x", ""),
    ] {
        let node = yaml::parse(text).expect(text).expect(text);
        let found: Vec<&str> = misspelt(&node).map(|(_, _, field)| field).collect();
        assert_eq!(found.join(" "), fields, "{text}");
    }
    let exact = "disable-model-invocation: true";
    let node = yaml::parse(exact).expect(exact).expect(exact);
    assert_eq!(misspelt(&node).count(), 0);
    assert_eq!(below_metadata(&node).count(), 1);
}

#[test]
fn a_policy_in_the_front_matter_closes_if_it_says_so() {
    for (text, closes) in [
        ("allow_implicit_invocation: false", true),
        ("policy: {allow-implicit-invocation: no}", true),
        ("policy.allow_implicit_invocation: maybe", true),
        ("allow_implicit_invocation: true", false),
        ("allow_implicit_invocation:", false),
        ("other_key_of_equal_length: false", false),
    ] {
        let node = yaml::parse(text).expect(text).expect(text);
        assert_eq!(misplaced_policy(&node).is_some(), closes, "{text}");
    }
}
