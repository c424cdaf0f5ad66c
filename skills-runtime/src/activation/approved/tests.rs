use super::*;

fn admits(kind: ToolKind, rule: &str, input: &str) -> bool {
    let rule = ToolRule::parse(rule).expect("a rule");
    let approved = Approved {
        rules: vec![ApprovedRule {
            skill: "x".to_owned(),
            tool: "tool".to_owned(),
            rule,
            kind,
            denied: Vec::new(),
        }],
    };
    assert!(!approved.admits("other", input), "another tool");
    approved.admits("tool", input)
}

/// A rule, and inputs that it does not admit.
const ESCAPES: &[(ToolKind, &str, &[&str])] = &[
    (
        ToolKind::Shell,
        "Bash(git log:*)",
        &[
            "",
            " ",
            // Another command.
            "git push",
            "gitlog",
            "git logx",
            "git",
            "log git",
            "Git log",
            "./git log",
            "/tmp/git log",
            "git/../git log",
            "env git log",
            "sudo git log",
            // Operators and line ends.
            "git log; rm -rf .",
            "git log;rm -rf .",
            "git log && rm -rf .",
            "git log || rm -rf .",
            "git log | sh",
            "git log & rm -rf .",
            "git log &",
            "git log\nrm -rf .",
            "git log\rrm -rf .",
            "git log\r\nrm -rf .",
            "git log\u{b}rm",
            "git log \\\nrm",
            "git log\u{2028}rm",
            "git log\u{85}rm",
            "git log\0rm",
            "(git log)",
            "{ git log; }",
            "! git log",
            "git log !!",
            "^log^push",
            // Expansions.
            "git log $(rm -rf .)",
            "git log `rm -rf .`",
            "git log $HOME",
            "git log ${x}",
            "git log $((1))",
            "git log $'\\n'rm",
            "git log <(rm -rf .)",
            "git log \"$(rm -rf .)\"",
            "git log \"`rm -rf .`\"",
            "git log '$(rm -rf .)'",
            "git log ~/x",
            "git log --since=~/x",
            "git log *",
            "git log ?",
            "git log [a]",
            "git log {a,b}",
            "git log =ls",
            // Redirects and comments.
            "git log > ~/.bashrc",
            "git log >.bashrc",
            "git log 2>x",
            "git log >> x",
            "git log < /etc/passwd",
            "git log <<< x",
            "git log # comment",
            // Assignments.
            "GIT_PAGER=evil git log",
            "PATH=. git log",
            "X=1; git log",
            // Quotes and escapes.
            "g'i't log",
            "'git' log",
            "\"git\" log",
            "git 'log'",
            "git l\"o\"g",
            "git log 'a",
            "git log \"a",
            "git log a'b'",
            "git log 'a'b",
            "git log 'a''b'",
            "git log \"a\\\"; rm\"",
            "g\\it log",
            "git log \\; rm",
            // Options before the sub-command, and options that run or write.
            "git -c core.pager=!x log",
            "git -c core.pager=less log",
            "git -C /tmp log",
            "git --git-dir=/tmp/x log",
            "git --exec-path=/tmp log",
            "git log --output=/home/x/.bashrc",
            "git log --output /home/x/.bashrc",
            "git log --outp=x",
            "git log --ext-diff",
            "git log --textconv",
            "git log \"--output=x\"",
            "git log '--output=x'",
            "git log -Oevil",
            // Blanks and letters that look like others.
            "git\tlog",
            "git\u{a0}log",
            "git log\u{3000}x",
            "git log\u{200b}",
            "git l\u{43e}g",
            "git log \u{202e}x",
            "git log \u{ff1b} rm",
            "git log \u{1b}[2J",
        ],
    ),
    (
        ToolKind::Shell,
        "Bash(git:*)",
        &[
            "git -c core.pager=x log",
            "git --config-env=a=b log",
            "git '-c' core.pager=x log",
            "git --paginate log",
            "git log --ext-diff",
            "git fetch --upload-pack=evil",
            "git grep -Oevil x",
            "git grep --open-files-in-pager=evil x",
        ],
    ),
    // A rule without a pattern approves simple commands: a line of several commands is several calls.
    (
        ToolKind::Shell,
        "Bash",
        &[
            "a; b",
            "a | b",
            "a > b",
            "$x",
            "a `b`",
            "A=1 b",
            "git -c a=b log",
            "a 'b",
        ],
    ),
    (ToolKind::Shell, "Bash(*)", &["a && b", "a\nb"]),
    (
        ToolKind::Shell,
        "Bash(npm run test)",
        &[
            "npm run test x",
            "npm run test --script-shell=x",
            "npm run testx",
            "npm run",
        ],
    ),
    (
        ToolKind::Shell,
        "Bash(git push * main)",
        &[
            "git push --force main",
            "git push main",
            "git push origin x main",
            "git push '--exec=x' main",
        ],
    ),
    (
        ToolKind::Shell,
        "Bash(find:*)",
        &[
            "find . -delete",
            "find . -exec rm {} +",
            "find . -exec rm x",
            "find . -fprint x",
            "find . -okdir x",
        ],
    ),
    (
        ToolKind::Shell,
        "Bash(rg:*)",
        &[
            "rg --pre=evil x",
            "rg --pre evil x",
            "rg --hostname-bin=x y",
        ],
    ),
    // Patterns whose meaning differs between programs.
    (
        ToolKind::Shell,
        "Bash(git diff*)",
        &["git diff", "git difftool", "git diff*"],
    ),
    (ToolKind::Shell, "Bash(*:*)", &["rm x"]),
    (
        ToolKind::Shell,
        "Bash(* install)",
        &["npm install", "* install"],
    ),
    (ToolKind::Shell, "Bash(a && b)", &["a && b"]),
    (ToolKind::Shell, "Bash(echo $HOME)", &["echo $HOME"]),
    (
        ToolKind::Read,
        "Read(src/**)",
        &[
            "",
            "secret",
            "srcs/a",
            "src/../secret",
            "src/..",
            "src/a/../../secret",
            "./../src/a",
            "/src/a",
            "//src/a",
            "~/src/a",
            "src//a",
            "src/./a",
            "src\\..\\secret",
            "src/..\\secret",
            "src/.. /secret",
            "src/.../secret",
            "src/a:stream",
            "C:/src/a",
            "C:src/a",
            "SRC/a",
            "src/$HOME",
            "src/%2e%2e/secret",
            "src/{a,../../secret}",
            "src/*/x",
            "src/[.][.]/secret",
            "src/a\n../secret",
            "src/a\0",
            "src/\u{2025}/secret",
            "\u{ff0f}src/a",
            "src/\u{202e}a",
            "file:///src/a",
        ],
    ),
    (
        ToolKind::Write,
        "Write(src/*.rs)",
        &["src/a/b.rs", "src/a.rs/../../x", "src/a.rsx", "a.rs"],
    ),
    (
        ToolKind::Read,
        "Read",
        &[
            "../x",
            "~/.ssh/id",
            "a\\..\\b",
            "$HOME",
            "/",
            "/etc/passwd",
            "/proc/self/environ",
            "//etc/passwd",
            "/src/../etc/passwd",
        ],
    ),
    (ToolKind::Search, "Grep", &["/etc", "/", "//server/share"]),
    (ToolKind::List, "LS", &["/home"]),
    (ToolKind::Write, "Write", &["/etc/cron.d/x"]),
    (ToolKind::Edit, "Edit(**)", &["/etc/passwd"]),
    (ToolKind::Edit, "Edit(*)", &["/etc"]),
    (
        ToolKind::Read,
        "Read(/srv/**)",
        &["srv/a", "/srv/../etc/passwd", "/srvx/a", "//srv/a", "/"],
    ),
    (ToolKind::Read, "Read(~/**)", &["~/a", "a"]),
    (ToolKind::Read, "Read(../**)", &["../a", "a"]),
    (ToolKind::Read, "Read(src/[ab])", &["src/a", "src/[ab]"]),
    (
        ToolKind::Fetch,
        "WebFetch(domain:example.com)",
        &[
            "example.com",
            "https://example.com.evil.org",
            "https://evil.org/example.com",
            "https://example.com@evil.org",
            "https://evil.org?https://example.com",
            "https://evil.org#example.com",
            "https://evil.org\\@example.com",
            "https://example.com\\.evil.org",
            "https://api.example.com",
            "https://notexample.com",
            "https://example.com:x@evil.org",
            "https://example.com:/x",
            "https://ex\u{430}mple.com",
            "https://example.com/\n",
            "file://example.com/x",
            "javascript:https://example.com",
        ],
    ),
    (
        ToolKind::Fetch,
        "WebFetch(domain:*.example.com)",
        &["https://example.com", "https://.example.com"],
    ),
    (ToolKind::Other, "mail(to:a)", &["to:ab", "to:", "TO:A"]),
];

/// Inputs that a rule admits.
const USES: &[(ToolKind, &str, &[&str])] = &[
    (
        ToolKind::Shell,
        "Bash(git log:*)",
        &[
            "git log",
            " git  log ",
            "git log --oneline -5",
            "git log --since=2024-01-01 --author=Ada",
            "git log --format='%h %s' HEAD~3..HEAD -- src/lib.rs",
            "git log --grep \"fix: the bug\"",
            "git log main..feature/x",
            "git log v1.0^..v1.1",
        ],
    ),
    (
        ToolKind::Shell,
        "Bash(git diff *)",
        &["git diff", "git diff --stat HEAD", "git diff a.rs"],
    ),
    (
        ToolKind::Shell,
        "Bash(git:*)",
        &["git status", "git log -1", "git commit -m \"fix it\""],
    ),
    (ToolKind::Shell, "Bash(npm run test)", &["npm run test"]),
    (
        ToolKind::Shell,
        "Bash(npm run test:*)",
        &["npm run test", "npm run test --watch"],
    ),
    (
        ToolKind::Shell,
        "Bash(npm run test:unit)",
        &["npm run test:unit"],
    ),
    (
        ToolKind::Shell,
        "Bash(cargo test:*)",
        &["cargo test", "cargo test -p x --lib name::of::test"],
    ),
    (ToolKind::Shell, "Bash(ls:*)", &["ls", "ls -la src"]),
    (
        ToolKind::Shell,
        "Bash(rg:*)",
        &["rg -n fn src", "rg 'a.*b' src", "rg \"a (b)\" ."],
    ),
    (
        ToolKind::Shell,
        "Bash(./scripts/build.sh:*)",
        &["./scripts/build.sh", "./scripts/build.sh --fast"],
    ),
    (
        ToolKind::Shell,
        "Bash(git push * main)",
        &["git push origin main"],
    ),
    (
        ToolKind::Shell,
        "Bash",
        &["make", "cargo build --release", "python3 x.py"],
    ),
    (ToolKind::Shell, "Bash(*)", &["make all"]),
    (
        ToolKind::Read,
        "Read",
        &["src/lib.rs", "./a", "a b.txt", "Überblick.md", ".env"],
    ),
    (ToolKind::Read, "Read(src/**)", &["src/a", "./src/a/b.rs"]),
    (ToolKind::Edit, "Edit(docs/*.md)", &["docs/a.md"]),
    (
        ToolKind::Write,
        "Write(**/notes.txt)",
        &["notes.txt", "a/b/notes.txt"],
    ),
    (ToolKind::Read, "Read(//etc/hosts)", &["/etc/hosts"]),
    (ToolKind::Read, "Read(/srv/data/**)", &["/srv/data/a b.txt"]),
    (
        ToolKind::Fetch,
        "WebFetch",
        &["https://example.com/a?b=c#d"],
    ),
    (
        ToolKind::Fetch,
        "WebFetch(domain:example.com)",
        &["https://example.com", "http://EXAMPLE.com:8080/a/b?x"],
    ),
    (
        ToolKind::Fetch,
        "WebFetch(domain:*.example.com)",
        &["https://api.example.com/x"],
    ),
    (ToolKind::WebSearch, "WebSearch", &["how to"]),
    (ToolKind::Other, "mcp__git__log", &["{\"n\": 1}"]),
    (ToolKind::Other, "mail(to:a)", &["to:a"]),
];

#[test]
fn no_escape_is_admitted() {
    let all: usize = ESCAPES.iter().map(|(_, _, inputs)| inputs.len()).sum();
    assert!(all >= 60);
    for (kind, rule, inputs) in ESCAPES {
        for input in *inputs {
            assert!(!admits(*kind, rule, input), "{rule}: {input:?}");
        }
    }
}

#[test]
fn ordinary_uses_are_admitted() {
    for (kind, rule, inputs) in USES {
        for input in *inputs {
            assert!(admits(*kind, rule, input), "{rule}: {input:?}");
        }
    }
}

/// Each admitted command, followed by what a shell reads as more than text, is not admitted.
#[test]
fn no_admitted_command_can_be_continued() {
    let shell = USES.iter().filter(|(kind, ..)| *kind == ToolKind::Shell);
    for (kind, rule, inputs) in shell {
        for input in *inputs {
            for more in [
                ";x", " ; x", "|x", "&x", "&&x", ">x", "<x", "\nx", "$x", "$(x)", "`x`", "*",
                " #x", "'x", "\"x", "\\",
            ] {
                let input = format!("{input}{more}");
                assert!(!admits(*kind, rule, &input), "{rule}: {input:?}");
            }
        }
    }
}

#[test]
fn what_is_disallowed_is_not_admitted() {
    let rule = |text: &str| ToolRule::parse(text).expect("a rule");
    let approved = Approved {
        rules: vec![ApprovedRule {
            skill: "x".to_owned(),
            tool: "run".to_owned(),
            rule: rule("Bash(git:*)"),
            kind: ToolKind::Shell,
            denied: vec![rule("run(git push:*)")],
        }],
    };
    assert!(approved.admits("run", "git log"));
    assert!(!approved.admits("run", "git push"));
}
