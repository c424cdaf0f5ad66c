//! Build scripts that change between two builds in one target folder.

use super::skill;
use super::told::PACKAGE;
use skills_baking::{Built, Scratch};

const BY_MACRO: &str =
    "pub static M: skills_runtime::Bundle = skills_runtime::include_skills!(\"skills\");";
const BY_SCRIPT: &str =
    "pub static S: skills_runtime::Bundle = skills_runtime::include_skills!(OUT_DIR, \"skills\");";
const UNBAKED: &str = "error: the build script has not baked `skills`";

/// `OUT_DIR` keeps what an earlier build script wrote.
#[test]
fn only_what_the_last_run_of_the_script_named_counts() {
    let scratch = Scratch::new(super::TMP, "scripts");
    scratch
        .write(
            "Cargo.toml",
            &(PACKAGE.replace("$NAME", "scripts") + "\n[workspace]\n"),
        )
        .write("skills/one/SKILL.md", &skill("one"))
        .write("other/two/SKILL.md", &skill("two"));
    let baking =
        |folder: &str| format!("skills_compiler::Build::new({folder:?}).compile().unwrap();");
    let built = |script: &str, lib: &str| {
        scratch
            .write("build.rs", &format!("fn main() {{ {script} }}"))
            .write("src/lib.rs", lib)
            .build(&[])
    };
    let both = format!("{BY_MACRO}\n{BY_SCRIPT}");

    quiet(&built(&baking("skills"), &both));
    refused(&built(&baking("other"), &both));
    // The stale file is there again after a build that baked it.
    quiet(&built(&baking("skills"), BY_SCRIPT));
    refused(&built("", BY_SCRIPT));
    refused(&built(
        "println!(\"cargo::rerun-if-changed=skills\");",
        BY_SCRIPT,
    ));

    // What a script makes cargo watch is not known to the macro: only a crate without a script is warned of.
    for script in [
        &*baking("other"),
        "",
        "println!(\"cargo::rerun-if-changed=.\");",
        "println!(\"cargo:rerun-if-changed=skills\");",
    ] {
        quiet(&built(script, BY_MACRO));
    }
}

fn quiet(built: &Built) {
    assert!(built.success, "{}{}", built.stderr, built.said("scripts"));
    assert_eq!(built.said("scripts"), "");
}

fn refused(built: &Built) {
    let said = built.said("scripts");
    assert!(!built.success && said.contains(UNBAKED), "{said}");
    assert_eq!(
        said.matches("error: ").count(),
        said.matches(UNBAKED).count(),
        "{said}"
    );
    assert!(
        said.contains("help: build.rs: `skills_compiler::Build::new(\"skills\").compile()`"),
        "{said}"
    );
}
