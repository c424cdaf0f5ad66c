use super::*;
use skills_permit::{Power, PowerKind};

/// Returns the powers of files as `kind: text` lines.
fn read_all(files: &[(&str, &str)]) -> Vec<String> {
    let files = files.iter().map(|(path, text)| PowerFile {
        path,
        bytes: Some(text.as_bytes()),
        is_executable: false,
    });
    let found = powers(files);
    found
        .iter()
        .map(|power| format!("{}: {}", power.kind.as_str(), power.text))
        .collect()
}

/// Reads a body, and returns the powers.
fn body(text: &str) -> Vec<String> {
    let text = format!("---\nname: x\ndescription: Does x. Use for x.\n---\n\n{text}\n");
    read_all(&[("SKILL.md", &text)])
}

fn script(path: &str, text: &str) -> Vec<String> {
    let mut found = read_all(&[(path, text)]);
    found.retain(|power| !power.starts_with("scripts: "));
    found
}

/// Asserts the powers of a body.
#[track_caller]
fn says(text: &str, expected: &[&str]) {
    assert_eq!(body(text), expected, "{text}");
}

#[test]
fn hosts_that_are_reached() {
    says("Send the result to https://a.org/x.", &["hosts: a.org"]);
    says("Post it to [the hook](https://a.org/x).", &["hosts: a.org"]);
    says("![x](https://a.org/?q=1)", &["hosts: a.org"]);
    says(
        "```sh\ncurl -d @x \"$URL/y\"\n```",
        &[
            "commands: curl",
            "commands: curl (uploads)",
            "hosts: $URL",
            "variables: URL",
        ],
    );
    says("```sh\necho x > /dev/tcp/a.org/80\n```", &["hosts: a.org"]);
    says(
        "```sh\nH=a.org; curl \"$H/x\"\n```",
        &["commands: curl", "hosts: $H", "hosts: a.org"],
    );
}

#[test]
fn packages_and_versions() {
    says(
        "```sh\nnpx -y a@1.2.3 x && uvx b\n```",
        &["packages: npm a@1.2.3", "packages: pip b (any version)"],
    );
    says(
        "```sh\npip install c==1.0 d\n```",
        &[
            "commands: pip install",
            "packages: pip c==1.0",
            "packages: pip d (any version)",
        ],
    );
    says(
        "```sh\ndocker run --rm -v /:/x e/f:1.2 sh\n```",
        &[
            "commands: docker run",
            "commands: docker run (host access)",
            "commands: sh",
            "packages: docker e/f:1.2",
        ],
    );
}

#[test]
fn variables_and_files() {
    says(
        "```sh\necho $API_TOKEN ${A_B:-x}; C=1; echo $C \"$HOME\" '$D_E'\n```",
        &["variables: API_TOKEN", "variables: A_B", "files: ~"],
    );
    says(
        "Set `OPENAI_API_KEY`, and read `~/.aws/credentials`.",
        &["variables: OPENAI_API_KEY", "files: ~/.aws/credentials"],
    );
    says(
        "```sh\ncat <<E\n$MY_KEY\nE\n```",
        &["commands: cat", "variables: MY_KEY"],
    );
    says(
        "```sh\nprintenv\n```",
        &["commands: printenv", "variables: (all)"],
    );
}

#[test]
fn front_matter() {
    let text = "---\nname: x\ndescription: Does x. Use for x.\nallowed-tools: Read, Bash(git:*)\ndisallowed-tools: Write\n\
                disable-model-invocation: true\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: git push\n---\n\nBody.\n";
    assert_eq!(
        read_all(&[("SKILL.md", text)]),
        [
            "tools: Bash(git:*)",
            "tools: Read",
            "commands: git push",
            "hooks: PreToolUse: git push",
            "restraints: only you can start it: disable-model-invocation: true",
            "restraints: without Write",
        ]
    );
    let policy = "policy:\n  allow_implicit_invocation: false\n";
    let found = read_all(&[
        (
            "SKILL.md",
            "---\nname: x\ndescription: Does x.\n---\n\nBody.\n",
        ),
        ("agents/openai.yaml", policy),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found
            .concat()
            .starts_with("restraints: only you can start it")
    );
}

#[test]
fn operators_and_ends_are_no_folders() {
    let none: [&str; 0] = [];
    for (path, text) in [
        ("a.sh", "if [[ $x =~ ^a ]]; then true; fi"),
        ("a.js", "const a = T + '; HttpOnly; Path=/'; b(`<br />`)"),
        ("a.py", "a('y = (x[i] + x) / 3')\nf.spawn(3, 4)"),
    ] {
        let found = script(path, text);
        let found: Vec<_> = found
            .iter()
            .filter(|power| !power.starts_with("variables"))
            .collect();
        assert_eq!(found, none, "{text}");
    }
    let patterns = "case \"$(uname)\" in\n  MS*|MINGW*) curl a.org ;;\nesac";
    assert_eq!(
        script("a.sh", patterns),
        ["commands: curl", "commands: uname", "hosts: a.org"]
    );
    says("```sh\nmake -C / install\n```", &["commands: make install"]);
}

/// Returns `text at line` of the powers of a kind of a `SKILL.md`.
fn places(kind: PowerKind, text: &str) -> Vec<String> {
    let found = powers([PowerFile {
        path: "SKILL.md",
        bytes: Some(text.as_bytes()),
        is_executable: false,
    }]);
    let found = found.iter().filter(|power| power.kind == kind);
    let one = |power: Power| {
        let lines: Vec<String> = power.places.iter().map(|at| at.line.to_string()).collect();
        format!("{} at {}", power.text, lines.join(" "))
    };
    found.map(one).collect()
}

#[test]
fn a_rule_has_the_line_on_which_it_stands() {
    let text = "---\nname: x\nallowed-tools:\n  - Read\n  - Bash(git *)\ndescription: Does x.\n\
                disallowed-tools: Write\nmetadata:\n  opencode/slash: \"false\"\n\
                disable-model-invocation: true\n---\nx\n";
    assert_eq!(
        places(PowerKind::Tools, text),
        ["Bash(git *) at 5", "Read at 4"]
    );
    assert_eq!(
        places(PowerKind::Restraints, text),
        [
            "only the model can start it: metadata, opencode/slash: \"false\" at 9",
            "only you can start it: disable-model-invocation: true at 10",
            "without Write at 7"
        ]
    );
    let text = "---\nname: x\ndescription: x\nallowed-tools: >\n  Read,\n  Grep\n---\nx\n";
    assert_eq!(places(PowerKind::Tools, text), ["Grep at 6", "Read at 5"]);
}

#[test]
fn blanks_and_sums_are_no_programs() {
    says(
        "```sh\n[Clone the repository]\n((COUNT++))\n[ -f a ] && git push\n```",
        &["commands: git push"],
    );
}

/// Powers are printed, locked and compared: no power shows a key.
#[test]
fn no_power_shows_a_key() {
    let key = "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi";
    let text = format!(
        "```sh\n{key} --version\ncurl https://{key}@github.com/x\npip install git+https://{key}@github.com/a/b\n```\n"
    );
    let found = [body(&text), script(&format!("{key}.sh"), "ls\n")].concat();
    assert!(found.len() > 3, "{found:?}");
    assert!(
        found.iter().all(|power| !power.contains("ghp_R7qk2Zs")),
        "{found:?}"
    );
}

/// One word can hold many hosts: its end is looked for once, and every host is told.
#[test]
fn many_hosts_in_one_word() {
    let text = format!("Fetch {}", "http://a.org/,http://b.org/".repeat(2));
    let found = body(&text);
    assert!(found.contains(&"hosts: a.org".to_owned()), "{found:?}");
    assert!(found.contains(&"hosts: b.org".to_owned()), "{found:?}");
}

/// Returns the restraints of a skill with a line of front matter.
fn restraints(field: &str) -> Powers {
    let text = format!("---\nname: x\ndescription: Does x. Use for x.\n{field}\n---\n\nGo.\n");
    powers([PowerFile {
        path: "SKILL.md",
        bytes: Some(text.as_bytes()),
        is_executable: false,
    }])
}

#[test]
fn a_restraint_that_fewer_clients_read_is_a_widening() {
    let widens = |before: &str, after: &str| {
        let widenings = restraints(after).widenings(&restraints(before));
        let lost = widenings.iter().all(|it| it.kind == PowerKind::Restraints);
        assert!(lost, "{before} -> {after}");
        !widenings.is_empty()
    };
    let field = |value: &str| format!("disable-model-invocation: {value}");
    for value in ["maybe", "yes", "2", "[true]", "\"true\"", "false"] {
        assert!(widens(&field("true"), &field(value)), "{value}");
        assert!(!widens(&field(value), &field("true")), "{value}");
    }
    assert!(widens(&field("true"), "disable_model_invocation: true"));
    assert!(!widens(&field("true"), &field("TRUE")));
    assert!(widens("user-invocable: false", "user-invocable: off"));
    assert!(!widens("user-invocable: off", "user-invocable: false"));
}

#[test]
fn paths_restrain_a_skill() {
    let text = "started by the model for files only: src/{a, b}, lib/*";
    for value in [
        "\"src/{a, b},lib/*\"",
        "[\"src/{a, b}\", lib/*]",
        "\n  - src/{a, b}\n  - [lib/*, 5]",
    ] {
        let powers = restraints(&format!("paths: {value}"));
        let texts: Vec<&str> = powers.texts(PowerKind::Restraints).collect();
        assert_eq!(texts, [text], "{value}");
    }
    for value in [
        "src/**",
        "\"*\"",
        "\"**/*\"",
        "[\"**\", \"src/*\"]",
        "[\"src/**\", \"\"]",
        "\n  - a\n  - b",
    ] {
        let base = restraints(&format!("paths: {value}"));
        assert_eq!(base.texts(PowerKind::Restraints).count(), 1, "{value}");
        assert_eq!(restraints("").widenings(&base).len(), 1, "{value}");
        assert!(base.widenings(&restraints("")).is_empty(), "{value}");
    }
    for value in [
        "\"**\"",
        "[\"**\"]",
        "\"**/**\"",
        "\"/**\"",
        "[]",
        "\"\"",
        "\" \"",
        "5",
        "true",
        "{a: b}",
        "[{a: b}]",
        "\"**,**\"",
        "\"{**,**/**}\"",
        "",
    ] {
        let powers = restraints(&format!("paths: {value}"));
        assert_eq!(powers.texts(PowerKind::Restraints).count(), 0, "{value}");
    }
}

#[test]
fn what_a_model_reads_before_it_starts_a_skill() {
    for field in ["description: Use", "description: a\nwhen_to_use: Use"] {
        let text =
            format!("---\nname: x\n{field} it after `git push`. Then run `git push`.\n---\n");
        assert_eq!(read_all(&[("SKILL.md", &text)]), ["commands: git push"]);
    }
}

#[test]
fn commands_where_they_stand_as_commands() {
    // Joined commands, of which any is a known program.
    says(
        "Use `cd repo && git push --force` now.",
        &["commands: git push", "commands: git push --force"],
    );
    says("```\ncd repo || git push\n```", &["commands: git push"]);
    says(
        "Use `foo; git push`.",
        &["commands: foo", "commands: git push"],
    );
    says("Choose `json|git`.", &[]);
    says("A `string | null`; git is a program.", &[]);

    says(
        "```sh\ngit -C x push --force origin # a comment\n```",
        &["commands: git push", "commands: git push --force"],
    );
    says(
        "```console\n$ kubectl -n a delete pod x\npod deleted\n```",
        &["commands: kubectl delete"],
    );
    for text in [
        "Run `git fetch` first.",
        "<!-- Also run `git fetch`. -->",
        "Run <code>git fetch</code> at the end.",
        "Run `git\nfetch` at the end.",
        "| Step | Command |\n|---|---|\n| 1 | git fetch |",
        "1. git fetch",
        "- [ ] $ git fetch origin",
        "> git fetch",
        "│ git fetch",
        "“git fetch”",
        "**git fetch**",
        "    git fetch --all",
        "```text\nThe tree:\n$ git fetch\n```",
        "<pre>\ngit fetch\n</pre>",
        "`GIT fetch`",
        "Never run `git fetch`.",
    ] {
        says(text, &["commands: git fetch"]);
    }
    says(
        "!`git log -1`",
        &["commands: git log", "commands at start: git log -1"],
    );
    for text in [
        "```text\n!`evil --now`\n```",
        "```json\n{\"a\": \"!`evil --now`\"}\n```",
        "```\nSee:\n!`evil --now`\n```",
        "It costs 5` and\n!`evil --now`",
        "a ` b !`evil --now`",
    ] {
        says(text, &["commands: evil", "commands at start: evil --now"]);
    }
    says("The sign `!` negates `a`.", &[]);
    says("`mongodump --archive`", &["commands: mongodump"]);
    says("Run `scripts/n.sh x`.", &["commands: scripts/n.sh"]);
    says("- cd a; git fetch", &["commands: git fetch"]);
    says(
        "for i in a; do git fetch $i; done",
        &["commands: git fetch"],
    );
    says(
        "if x; then git fetch; fi",
        &["commands: git fetch", "commands: x"],
    );
    says(
        "Use `sort <(git fetch x)`.",
        &["commands: git fetch", "commands: sort"],
    );
    says("```\n#!/bin/sh\ngit fetch x\n```", &["commands: git fetch"]);
    says(
        "```yaml\npostCreate: git fetch x\n```",
        &["commands: git fetch"],
    );
    for word in ["`scripts/n.sh`", "`git`", "- docker", "`python`"] {
        says(word, &[]);
    }
    for text in [
        "Then push with force.",
        "Then run git fetch and look.",
        "Make sure that the tests pass.",
        "Git stores what is added.",
        "The field `id`, the file `a.md` and `rails 7.1.2`.",
        "`Bash(git push:*)` is a rule.",
    ] {
        says(text, &[]);
    }
}

#[test]
fn addresses_wherever_they_are() {
    says("See [it](https://a.org/x).", &["hosts: a.org"]);
    says("Text <a href=\"//a.org/x\">b</a>.", &["hosts: a.org"]);
    says("Get github.com/acme/x.", &["hosts: github.com/acme"]);
    says("Read $HOME/.config/x first.", &["files: ~/.config/x"]);
    says("The price is $40.", &[]);
    let found = read_all(&[("a.py", "# https://a.org\nopen('/etc/passwd')\n")]);
    let digest = skills_format::Digest::of(b"# https://a.org\nopen('/etc/passwd')\n");
    let script = format!("scripts: a.py {digest}");
    assert_eq!(found, ["hosts: a.org", &script, "files: /etc/passwd"]);
}

#[test]
fn code_that_is_not_read_has_its_digest() {
    let digest = skills_format::Digest::of;
    says(
        "```python\nprint(1)\n```",
        &[&format!(
            "unreadable: python code {}",
            digest(b"print(1)\n")
        )],
    );
    says(
        "```sh\npython3 -c 'print(1)'\n```",
        &[
            "commands: python3",
            &format!("unreadable: python3 code {}", digest(b"print(1)")),
        ],
    );
    says(
        "```sh\ngit push \"a\n```",
        &[
            "commands: git push",
            &format!(
                "unreadable: code of a shell that does not end {}",
                digest(b"git push \"a\n")
            ),
        ],
    );
    // A language that no table knows is code, too.
    let text = format!("unreadable: zig code {}", digest(b"fn main() {}\n"));
    says("```zig\nfn main() {}\n```", &[&text]);
    says("```mermaid\na --> b\n```", &[]);
    says(
        "```sh\neval \"$X_Y\"\n```",
        &[
            "variables: X_Y",
            &format!(
                "unreadable: eval $X_Y in code {}",
                digest(b"eval \"$X_Y\"\n")
            ),
        ],
    );
    let binary = PowerFile {
        path: "x",
        bytes: Some(b"\x7FELF\xFF"),
        is_executable: true,
    };
    let found: Vec<String> = powers([binary]).iter().map(|power| power.text).collect();
    let expected = format!("binary x {}", digest(b"\x7FELF\xFF"));
    assert_eq!(found, ["executable x", &expected]);
}

#[test]
fn what_runs_a_file_decides_what_it_is() {
    let files = [
        (
            "SKILL.md",
            "---\nname: x\ndescription: x\n---\n\nRun `bash scripts/setup`, then `source ./notes.txt`.\n",
        ),
        ("scripts/setup", "git push\n"),
        ("notes.txt", "git fetch\n"),
        ("scripts/other", "text\n"),
    ];
    let found = read_all(&files);
    let scripts: Vec<&String> = found
        .iter()
        .filter(|it| it.starts_with("scripts: "))
        .collect();
    assert_eq!(scripts.len(), 2, "{found:?}");
    assert!(
        found.contains(&"commands: git push".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_line_with_other_options_is_another_power() {
    let now = |text: &str| {
        let text = format!("---\nname: x\ndescription: x\n---\n\n`{text}`\n");
        powers_and_calls([PowerFile {
            path: "SKILL.md",
            bytes: Some(text.as_bytes()),
            is_executable: false,
        }])
    };
    let (safe, plain) = (now("npm publish --dry-run"), now("npm publish"));
    assert_eq!(plain.widenings(&safe).len(), 1);
    assert_eq!(safe.widenings(&plain).len(), 1);
}

#[test]
fn a_package_has_all_that_chooses_its_source() {
    says(
        "```sh\nnpm install foo@npm:evil --registry https://a.org\n```",
        &[
            "commands: npm install",
            "hosts: a.org",
            "packages: npm foo@npm:evil --registry https://a.org",
        ],
    );
    says(
        "```sh\npip install -i https://a.org/simple a==1.0\n```",
        &[
            "commands: pip install",
            "hosts: a.org",
            "packages: pip a==1.0 -i https://a.org/simple",
        ],
    );
    assert_eq!(
        script(
            "package.json",
            "{\"scripts\": {\"postinstall\": \"node x.js\"}, \"dependencies\": {\"a\": \"github:b/c\"}}"
        ),
        ["commands: node", "packages: npm a@github:b/c"]
    );
}

#[test]
fn words_that_look_like_others_are_read_and_reported() {
    for text in ["```sh\nｇｉｔ push\n```", "```sh\ng\u{200B}it push\n```"] {
        let found = body(text);
        assert!(
            found.contains(&"commands: git push".to_owned()),
            "{found:?}"
        );
        assert!(
            found.concat().contains("letters that look like others"),
            "{found:?}"
        );
    }
    says(
        "A\u{200B} b",
        &["unreadable: hidden characters in SKILL.md"],
    );
}

#[test]
fn what_is_too_long_to_read_has_its_digest() {
    let line = "text `git push` ";
    let whole = line.repeat(MAX_POWER_FILE / line.len() + 1);
    let fields = "---\nname: x\ndescription: Does x. Use for x.\ndisable-model-invocation: true\n---\n\nRun `git fetch`.\n\n";
    let long = format!("{fields}{}", "text\n".repeat(MAX_POWER_FILE / 4));
    let found = read_all(&[("SKILL.md", &long), ("a.md", &whole)]);
    let digest = |text: &str| skills_format::Digest::of(text.as_bytes());
    assert_eq!(
        found,
        [
            format!("unreadable: large file SKILL.md {}", digest(&long)),
            format!("unreadable: large file a.md {}", digest(&whole)),
            "restraints: only you can start it: disable-model-invocation: true".to_owned(),
        ]
    );
}
