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

/// The author's own fields: an error of serde is a compile error at its place in the skill.
#[test]
fn fields_that_do_not_fit_are_compile_errors() {
    let scratch = Scratch::new(super::TMP, "fields");
    let manifest = PACKAGE.replace("$NAME", "fields")
        + "skills-fields = { path = \"$ROOT/crates/skills-fields\", default-features = false, features = [\"build\"] }\n\
           serde = { version = \"1\", features = [\"derive\"] }\n\n[workspace]\n";
    let skill = |limit: &str| {
        let fields = format!("description: Sorts.\nactivation:\n  limit: {limit}");
        skill("one").replacen("description: ", &format!("{fields}\nother: "), 1)
    };
    let built = |limit: &str| {
        scratch
            .write("Cargo.toml", &manifest)
            .write("skills/one/SKILL.md", &skill(limit))
            .write(
                "build.rs",
                "use skills_fields::BuildFields as _;\n\
                 #[derive(serde::Deserialize)] #[allow(dead_code)] struct Extra { activation: Activation }\n\
                 #[derive(serde::Deserialize)] #[allow(dead_code)] struct Activation { limit: u32 }\n\
                 fn main() { skills_compiler::Build::new(\"skills\").fields::<Extra>().compile().unwrap(); }",
            )
            .write("src/lib.rs", BY_SCRIPT)
            .build(&[])
    };
    let refused = built("many");
    let said = refused.said("fields");
    assert!(!refused.success, "{said}");
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    for part in [
        "field-type: activation.limit: invalid type: string \"many\", expected u32",
        "skills/one/SKILL.md:5:10",
        "limit: many",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let built = built("400");
    assert!(built.success, "{}{}", built.stderr, built.said("fields"));
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
