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
        "`skills check --fix --unsafe faults-macro/skills/two/SKILL.md` fixes it",
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

/// Skills that have only advice build in silence, with every lint denied: advice is for `skills check`.
#[test]
fn advice_is_no_warning_of_a_build() {
    let files = [("two/SKILL.md", NEEDS_FOLDER), ("two/sort.sh", "exit\n")];
    let scratch = packages("loss", &files);
    for form in ["macro", "script"] {
        let lib = format!("loss-{form}/src/lib.rs");
        let invocation = if form == "macro" {
            "\"skills\""
        } else {
            "OUT_DIR, \"skills\""
        };
        let lib_text = format!("#![deny(warnings)]\n{}", LIB.replace("$FORM", invocation));
        scratch.write(&lib, &lib_text);
    }
    let built = scratch.build(&["--workspace"]);
    assert!(built.success, "{}", built.stderr);
    assert_eq!(built.said("loss_macro"), "");
    assert_eq!(built.said("loss_script"), "");
}

/// What no checkout has is in no bundle, and the build script names it.
#[test]
fn files_that_no_skill_ships_are_not_baked() {
    let files = [
        ("one/.env", "TOKEN=secret"),
        ("one/.env.example", "TOKEN="),
        ("one/scripts/run.py", "print()"),
        ("one/scripts/__pycache__/run.cpython-312.pyc", "x"),
        ("one/node_modules/a/index.js", "x"),
        ("one/target/debug/tool", "x"),
        (
            "one/target/CACHEDIR.TAG",
            "Signature: 8a477f597d28d172789f06886806bc55",
        ),
        ("one/desktop.ini", "x"),
        (
            "two/SKILL.md",
            "---\nname: two\ndescription: Aims. Use when asked.\n---\n\nAim.\n",
        ),
        ("two/target/aim.md", "x"),
        ("two/.env.defaults", "A=b"),
        ("skills.toml", "include = [\"two/.env.defaults\"]\n"),
    ];
    let scratch = packages("litter", &files);
    let shipped = "one/.env.example one/scripts/run.py two/.env.defaults two/target/aim.md";
    for form in ["macro", "script"] {
        let invocation = if form == "macro" {
            "\"skills\""
        } else {
            "OUT_DIR, \"skills\""
        };
        let main = format!(
            "static SKILLS: skills_runtime::Bundle = skills_runtime::include_skills!({invocation});
            fn main() {{
                let mut found = Vec::new();
                for skill in SKILLS.iter() {{
                    found.extend(skill.files().unwrap().iter().map(|file| format!(\"{{}}/{{}}\", skill.name(), file.path)));
                }}
                found.sort();
                found.retain(|path| !path.ends_with(\"SKILL.md\"));
                assert_eq!(found.join(\" \"), \"{shipped}\");
            }}"
        );
        scratch.write(&format!("litter-{form}/src/main.rs"), &main);
    }
    let built = scratch.build(&["--workspace"]);
    assert!(built.success, "{}", built.stderr);
    let told = "not in the bundle, as no skill ships them: skills/one/.env, skills/one/desktop.ini, \
                skills/one/node_modules/, skills/one/scripts/__pycache__/, skills/one/target/ (`include`";
    assert!(built.stderr.contains(told), "{}", built.stderr);
    for form in ["macro", "script"] {
        let ran = scratch.cargo(["run", "-q", "-p", &format!("litter-{form}")]);
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
}

/// A lock that is not required promises that no skill is lost, and a checkout with other line ends is named as such.
#[test]
fn a_lock_says_what_differs() {
    let scratch = packages("locks", &[("skills.toml", "locked = true\n")]);
    let lock = include_str!("line-ends.lock");
    let crlf = skill("one").replace('\n', "\r\n");
    for form in ["macro", "script"] {
        scratch
            .write(&format!("locks-{form}/skills/skills.lock"), lock)
            .write(&format!("locks-{form}/skills/one/SKILL.md"), &crlf);
    }
    let built = scratch.build(&["--workspace", "--keep-going"]);
    assert!(!built.success);
    for form in ["locks_macro", "locks_script"] {
        let said = built.said(form);
        assert!(
            said.contains("`one` differs from `skills.lock` in line ends alone"),
            "{said}"
        );
        assert!(
            said.contains("write `skills/** -text` into `.gitattributes`"),
            "{said}"
        );
    }
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
            fn main() { assert_eq!(SKILLS.iter().count(), 1); }",
            &[
                "stale-bundle: without a build script: a new skill is not noticed, and the bundle stays as it is",
                "help: build.rs: `fn main() { println!(\"cargo::rerun-if-changed=skills\"); }`, or `allow = [\"stale-bundle\"]`",
            ],
        ),
        (
            "out-dir-missing",
            "use skills_runtime::{Bundle, include_skills};
            static SKILLS: Bundle = include_skills!(OUT_DIR, \"skills\");
            fn main() { assert!(SKILLS.iter().next().is_none()); }",
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

/// rustc alone would say that there is no crate `skills_runtime`. With the option it compiles.
#[test]
fn a_renamed_dependency_leads_to_the_option() {
    let manifest = PACKAGE.replace("$NAME", "renamed");
    let manifest = manifest.replace(
        "skills-runtime = {",
        "my-agent = { package = \"skills-runtime\",",
    );
    let scratch = Scratch::new(super::TMP, "renamed");
    scratch
        .write("Cargo.toml", &(manifest + "\n[workspace]\n"))
        .write(
            "build.rs",
            "fn main() { println!(\"cargo::rerun-if-changed=skills\"); }",
        )
        .write("skills/one/SKILL.md", &skill("one"));
    let lib =
        |form: &str| format!("pub static S: my_agent::Bundle = my_agent::include_skills!({form});");
    let built = scratch.write("src/lib.rs", &lib("\"skills\"")).build(&[]);
    let said = built.said("renamed");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    assert!(
        said.contains("write `include_skills!(\"skills\", crate = ::my_agent)`"),
        "{said}"
    );
    let built = scratch
        .write("src/lib.rs", &lib("\"skills\", crate = ::my_agent"))
        .build(&[]);
    assert!(built.success, "{}", built.said("renamed"));
}
