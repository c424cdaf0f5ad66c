//! Tests the messages of a build about invalid skills, and about files that `cargo package` would leave out.

use super::skill;
use skills_baking::Scratch;

pub(super) const PACKAGE: &str = r#"
[package]
name = "$NAME"
edition = "2024"

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["include-dir"] }
skills-format = { path = "$ROOT/crates/skills-format" }

[build-dependencies]
skills-compiler = { path = "$ROOT/crates/skills-compiler" }
"#;

const SCRIPT: &str = r#"
fn main() -> Result<(), skills_compiler::Error> {
    skills_compiler::Build::new("skills").compile()
}
"#;

const LIB: &str =
    "pub static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!($FORM);";

/// A skill with a command that needs the folder of the skill.
const NEEDS_FOLDER: &str = "---\nname: two\ndescription: Sorts a list. Use when asked.\n---\n\nRun `bash ${CLAUDE_SKILL_DIR}/sort.sh`.\n";

/// Makes one package for each form, with the same files. Cargo identifies packages with one name at one place of two
/// workspaces, so the names begin with the name of the test.
fn packages(test: &str, files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new(super::TMP, test);
    let members =
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"{test}-macro\", \"{test}-script\"]\n");
    scratch.write("Cargo.toml", &members);
    for (form, script, invocation) in [
        ("macro", "fn main() {}", "\"skills\""),
        ("script", SCRIPT, "OUT_DIR, \"skills\""),
    ] {
        let name = format!("{test}-{form}");
        scratch
            .write(
                &format!("{name}/Cargo.toml"),
                &PACKAGE.replace("$NAME", &name),
            )
            .write(&format!("{name}/build.rs"), script)
            .write(
                &format!("{name}/src/lib.rs"),
                &LIB.replace("$FORM", invocation),
            )
            .write(&format!("{name}/skills/one/SKILL.md"), &skill("one"));
        for (path, text) in files {
            scratch.write(&format!("{name}/skills/{path}"), text);
        }
    }
    scratch
}

#[test]
fn errors_are_the_same_by_macro_and_by_script() {
    let faults = [
        ("two/SKILL.md", skill("too")),
        ("three/SKILL.md", "no front matter".to_owned()),
    ];
    let scratch = packages(
        "faults",
        &faults.each_ref().map(|(path, text)| (*path, text.as_str())),
    );
    let built = scratch.build(&["--workspace", "--keep-going"]);
    assert!(!built.success);
    let by_macro = built.said("faults_macro");
    assert_eq!(by_macro.matches("error").count(), 2, "{by_macro}");
    // rustc shows paths relative to the root of the workspace.
    for said in [
        "--> faults-macro/skills/two/SKILL.md:2:7",
        "--> faults-macro/skills/three/SKILL.md:1:1",
        "`skills check --fix --unsafe faults-macro/skills/two/SKILL.md` writes it",
    ] {
        assert!(by_macro.contains(said), "{by_macro}");
    }
    let by_script = built.said("faults_script");
    assert_eq!(
        about_skills(&by_script.replace("faults-script", "faults-macro")),
        about_skills(&by_macro)
    );
}

/// Removes the lines that show the invocation.
fn about_skills(said: &str) -> Vec<&str> {
    let mut lines: Vec<_> = said.lines().collect();
    while let Some(at) = lines.iter().position(|line| line.contains("lib.rs:")) {
        lines.drain(at..lines.len().min(at + 4));
    }
    lines
}

#[test]
fn what_the_package_would_lose_is_a_warning() {
    let files = [
        ("one/assets/template/Cargo.toml", ""),
        ("one/assets/template/lib.rs", ""),
        ("two/SKILL.md", NEEDS_FOLDER),
        ("two/sort.sh", "exit\n"),
    ];
    let built = packages("loss", &files).build(&["--workspace"]);
    assert!(built.success, "{}", built.stderr);
    let told = "`cargo package` leaves this and one more file out: \
                `loss-macro/skills/one/assets/template` has a Cargo.toml of its own";
    let by_macro = built.said("loss_macro");
    assert!(
        by_macro.contains(&format!("package-loss: {told}")),
        "{by_macro}"
    );
    assert_eq!(by_macro.matches("package-loss: ").count(), 1, "{by_macro}");
    // rustc itself names only its lint `deprecated`.
    let note =
        "= note: `allow = [\"package-loss\"]` turns it off; `skills explain package-loss` says why";
    assert!(by_macro.contains(note), "{by_macro}");
    // A bundled skill has no folder.
    let needs =
        "needs-extract: a bundled skill has no folder: a shell cannot run `${CLAUDE_SKILL_DIR}`";
    assert_eq!(by_macro.matches(needs).count(), 1, "{by_macro}");
    // A script has a way to warn that no lint makes an error.
    let told = told.replace("loss-macro", "loss-script");
    let by_script: Vec<&str> = built
        .stderr
        .lines()
        .filter(|line| line.contains("[package-loss]"))
        .collect();
    let [line] = by_script[..] else {
        panic!("{}", built.stderr);
    };
    assert!(
        line.starts_with("warning: loss-script@0.0.0: loss-script/skills/one/"),
        "{line}"
    );
    assert!(
        line.contains(&format!("[package-loss]: {told} (help: ")),
        "{line}"
    );
    assert_eq!(built.said("loss_script"), "");
}

/// Builds four programs of a package without a build script, and compares parts of rustc's messages. trybuild cannot
/// show them: one program compiles, trybuild passes its own `OUT_DIR` on to another, and for the rest rustc shows
/// lines of std only if the source of std is installed.
#[test]
fn messages_outside_of_the_reviewed_files() {
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "stale-bundle",
            "use skills_runtime::{Bundle, include_skills};
            static SKILLS: Bundle = include_skills!(\"skills\");
            fn main() { assert_eq!(SKILLS.len(), 1); }",
            &[
                "stale-bundle: without a build script: a new skill is not noticed, and the bundle stays as it is",
                "help: build.rs: `fn main() { println!(\"cargo::rerun-if-changed=skills\"); }`, or `allow = [\"stale-bundle\"]`",
            ],
        ),
        (
            "out-dir-missing",
            "use skills_runtime::{Bundle, include_skills};
            static SKILLS: Bundle = include_skills!(OUT_DIR, \"skills\");
            fn main() { assert!(SKILLS.is_empty()); }",
            &[
                "error: this crate has no build script that bakes the skills",
                "help: build.rs: `skills_compiler::Build::new(\"skills\").compile()`",
            ],
        ),
        (
            "other-version",
            "const _: () = skills_runtime::__private::layout(0);
            fn main() {}",
            &["evaluation panicked: skills-runtime and the skills-macros or skills-compiler that wrote this are of different versions"],
        ),
        (
            // The output of a macro that read three bytes where rustc reads four.
            "changed-while-building",
            "use skills_runtime::__private as generated;
            static FILES: [generated::DirEntry<'static>; 1] = [generated::file(\"a.md\", b\"four\", 3)];
            fn main() { assert_eq!(FILES.len(), 1); }",
            &["evaluation panicked: a file of the skills changed while it was compiled: build again"],
        ),
    ];
    let scratch = Scratch::new(super::TMP, "bare");
    let (manifest, _) = PACKAGE
        .split_once("[build-dependencies]")
        .expect("the part");
    scratch
        .write(
            "Cargo.toml",
            &(manifest.replace("$NAME", "bare") + "\n[workspace]\n"),
        )
        .write("skills/one/SKILL.md", &skill("one"));
    for (name, program, _) in cases {
        scratch.write(&format!("src/bin/{name}.rs"), program);
    }
    let built = scratch.build(&["--keep-going"]);
    for (name, _, parts) in cases {
        let said = built.said(name);
        for part in parts {
            assert_eq!(
                said.matches(part).count(),
                1,
                "{name}, once: {part}\n{said}"
            );
        }
    }
}
