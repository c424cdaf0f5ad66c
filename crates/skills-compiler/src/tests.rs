//! Properties of every bundle, whatever its folder.

#![expect(
    clippy::disallowed_methods,
    reason = "tests write the folders that they read"
)]

use crate::Folder;
use crate::compile::Compiled;
use crate::emit::bake;
use quote::quote;
use skills_lint::rules::{self, Example};
use std::fs;
use std::path::Path;

const SKILL: &str = "---\nname: NAME\ndescription: Use when\n  it is asked for.\nlicense: MIT\n---\n\n# A skill\n\n[a](references/a.md)\n";

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn skill(root: &Path, name: &str) {
    let dir = format!("skills/{name}");
    let name = name.rsplit('/').next().unwrap_or(name);
    write(
        root,
        &format!("{dir}/SKILL.md"),
        &SKILL.replace("NAME", name),
    );
    write(root, &format!("{dir}/references/a.md"), "a");
}

fn compiled<T>(root: &Path, look: impl FnOnce(&Folder, &Compiled<'_>) -> T) -> T {
    let folder = Folder::read(root, "skills");
    look(&folder, &folder.compile())
}

fn tokens(root: &Path) -> String {
    compiled(root, |folder, compiled| match bake(folder, compiled) {
        Ok(baked) => {
            let (items, value) = (baked.items, baked.value);
            quote!({ #items #value }).to_string()
        }
        Err(errors) => errors.join("\n"),
    })
}

fn reported(root: &Path) -> Vec<String> {
    compiled(root, |_, compiled| {
        compiled
            .diagnostics
            .iter()
            .map(ToString::to_string)
            .collect()
    })
}

#[test]
fn two_checkouts_give_the_same_tokens_in_whatever_order_they_are_listed() {
    let names = ["one", "two", "übersicht", "deep/er/three", "3d"];
    let [one, two] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    for name in names {
        skill(one.path(), name);
    }
    for name in names.iter().rev() {
        skill(two.path(), name);
    }
    let text = tokens(one.path());
    assert_eq!(text, tokens(two.path()));
    let place = one.path().to_string_lossy().into_owned();
    assert!(
        text.contains("include_str !") && !text.contains(&place),
        "{text}"
    );
    let digest = |root: &Path| compiled(root, |_, compiled| compiled.model.digest);
    assert_eq!(digest(one.path()), digest(two.path()));
    fs::write(two.path().join("skills/one/references/a.md"), "b").expect("a file");
    assert_ne!(digest(one.path()), digest(two.path()));
}

#[test]
fn unusable_folders_are_reported() {
    let root = tempfile::tempdir().expect("a folder");
    assert_eq!(
        reported(root.path()),
        ["skills: error[bundle-empty]: there is no folder `skills`"]
    );
    write(root.path(), "skills", "a file");
    assert_eq!(
        reported(root.path()),
        ["skills: error[bundle-empty]: `skills` is not a folder"]
    );
}

#[test]
fn a_bundle_holds_no_two_skills_with_one_name() {
    let root = tempfile::tempdir().expect("a folder");
    skill(root.path(), "one/twin");
    skill(root.path(), "two/twin");
    let told = "the name `twin` is taken by skills/one/twin/SKILL.md";
    for config in ["", "allow = ['duplicate-name']"] {
        write(root.path(), "skills/skills.toml", config);
        let reported = reported(root.path());
        let [error] = &reported[..] else {
            panic!("one error: {reported:?}")
        };
        assert!(error.starts_with("skills/two/twin/SKILL.md:"), "{error}");
        assert!(
            error.ends_with(&format!("error[duplicate-name]: {told}")),
            "{error}"
        );
        assert!(tokens(root.path()).contains(told));
    }
}

#[test]
fn excluded_files_are_not_baked() {
    let root = tempfile::tempdir().expect("a folder");
    for name in ["one", "draft", "two"] {
        skill(root.path(), name);
    }
    write(root.path(), "skills/one/notes/todo.md", "x");
    let files = |root: &Path| {
        compiled(root, |_, compiled| {
            let skills = compiled.model.skills.iter();
            let files =
                skills.flat_map(|skill| skill.files.iter().map(|file| (skill.dir, file.path)));
            let files = files.map(|(dir, path)| format!("{dir}/{path}"));
            files.collect::<Vec<_>>()
        })
    };
    assert_eq!(files(root.path()).len(), 7);
    write(
        root.path(),
        "skills/skills.toml",
        "exclude = ['draft', 'one/notes']",
    );
    assert_eq!(
        files(root.path()),
        [
            "one/SKILL.md",
            "one/references/a.md",
            "two/SKILL.md",
            "two/references/a.md"
        ]
    );
    let tokens = tokens(root.path());
    assert!(
        !tokens.contains("todo") && !tokens.contains("draft"),
        "{tokens}"
    );
}

#[cfg(unix)]
#[test]
fn links_are_never_followed() {
    let root = tempfile::tempdir().expect("a folder");
    skill(root.path(), "one");
    let skills = root.path().join("skills");
    std::os::unix::fs::symlink(&skills, skills.join("round")).expect("a link");
    std::os::unix::fs::symlink("..", skills.join("one/references/up")).expect("a link");
    let files = compiled(root.path(), |_, compiled| {
        let skill = compiled.model.skills.first().expect("a skill");
        skill
            .files
            .iter()
            .map(|file| file.path.to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(files, ["SKILL.md", "references/a.md"]);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let root = tempfile::tempdir().expect("a folder");
    skill(root.path(), "one");
    fs::create_dir(root.path().join("skills/skills.lock")).expect("a folder");
    let reported = reported(root.path());
    let first = reported.first().expect("a fault");
    assert!(
        first.starts_with("skills/skills.lock:1:1: error[unreadable]: this cannot be read:"),
        "{first}"
    );
}

/// Writes the lock of a folder, as `skills lock` does.
fn lock(root: &Path) {
    let text = compiled(root, |_, compiled| {
        let entries = compiled.model.skills.iter().map(|skill| {
            let (name, digest, size) = (&skill.skill.name, skill.digest, skill.size());
            format!("[[skill]]\nname = '{name}'\ndigest = '{digest}'\nsize = {size}\n")
        });
        entries.fold("version = 4\n".to_owned(), |text, entry| text + &entry)
    });
    write(root, "skills/skills.lock", &text);
}

#[test]
fn a_skill_that_a_lock_does_not_hold_is_reported() {
    let root = tempfile::tempdir().expect("a folder");
    skill(root.path(), "one");
    write(root.path(), "skills/skills.toml", "locked = true\n");
    assert!(
        reported(root.path())
            .iter()
            .any(|reported| reported.contains("there is no `skills.lock`"))
    );
    lock(root.path());
    assert_eq!(reported(root.path()), [""; 0]);
    skill(root.path(), "two");
    let reported = reported(root.path());
    assert_eq!(
        reported,
        [
            "skills/two/SKILL.md:1:1: error[lock-stale]: `two` was added since `skills.lock` was written"
        ]
    );
}

#[test]
fn the_commands_about_a_lock_name_the_folder_as_cargo_sees_it() {
    let root = tempfile::tempdir().expect("a folder");
    skill(&root.path().join("app"), "one");
    write(root.path(), "app/skills/skills.toml", "locked = true\n");
    let app = root.path().join("app");
    let folder = Folder::read(&app, "skills").seen_from(root.path(), &app);
    let found = folder.compile().diagnostics;
    let [found] = found.as_slice() else {
        panic!("{found:?}");
    };
    let help = "review the skills, then run `skills lock app/skills`";
    assert_eq!(found.help.to_string(), help);
}

/// Otherwise the skill would be baked without the types of its arguments.
#[cfg(not(feature = "arguments"))]
#[test]
fn a_schema_that_nothing_reads_is_an_error() {
    let root = tempfile::tempdir().expect("a folder");
    let root = root.path();
    skill(root, "a");
    let text = "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}\n";
    write(root, "skills/a/arguments.schema.json", text);
    let reported = reported(root);
    let [error] = reported.as_slice() else {
        panic!("{reported:?}");
    };
    let said =
        "error[schema-form]: this skill has typed arguments, and the program does not read them";
    assert!(error.ends_with(said), "{error}");
}

#[cfg(feature = "arguments")]
#[test]
fn a_schema_that_cannot_be_read_is_an_error_at_every_level() {
    let root = tempfile::tempdir().expect("a folder");
    let root = root.path();
    skill(root, "a");
    let schema = |property: &str| {
        let text = format!("{{\"type\": \"object\", \"properties\": {{\"port\": {property}}}}}\n");
        write(root, "skills/a/arguments.schema.json", &text);
    };
    for (property, rule, said) in [
        (
            "{\"type\": \"integer\", \"minium\": 1}",
            "schema-form",
            "`minium` is not read here",
        ),
        (
            "{\"type\": \"integer\", \"default\": \"x\"}",
            "schema-form",
            "the default of `port` does not fit its type",
        ),
    ] {
        schema(property);
        for level in ["deny", "warn", "allow"] {
            let config = format!("{level} = [\"schema-form\"]\n");
            write(root, "skills/skills.toml", &config);
            let errors = reported(root);
            let errors: Vec<_> = errors.iter().filter(|it| it.contains("error[")).collect();
            let [error] = errors[..] else {
                panic!("{level}: {errors:?}");
            };
            assert!(
                error.contains(&format!("error[{rule}]")) && error.contains(said),
                "{error}"
            );
        }
    }
    schema("{\"type\": \"integer\"}");
    assert!(!reported(root).iter().any(|it| it.contains("error[")));
}

#[test]
fn a_locked_skill_with_an_error_was_not_removed() {
    let root = tempfile::tempdir().expect("a folder");
    skill(root.path(), "one");
    write(root.path(), "skills/skills.toml", "locked = true\n");
    lock(root.path());
    let text = SKILL.replace("name: NAME", "nmae: one");
    write(root.path(), "skills/one/SKILL.md", &text);
    let reported = reported(root.path());
    let [error] = reported.as_slice() else {
        panic!("{reported:?}");
    };
    assert!(error.contains("error[name-missing]"), "{error}");
}

/// The check of a folder never runs this rule, so its examples run here.
#[test]
fn the_examples_of_lock_stale_are_reported_apart() {
    let rule = rules::find("lock-stale").expect("a rule");
    let found = |example: &Example| {
        let root = tempfile::tempdir().expect("a folder");
        write(root.path(), "skills/skills.toml", example.config());
        for (path, content) in example.files() {
            let text = content.text().expect("a text");
            write(root.path(), &format!("skills/{path}"), &text);
        }
        reported(root.path())
    };
    let changed = "skills/release-notes/SKILL.md:1:1: error[lock-stale]: `release-notes` was changed since `skills.lock` was written";
    assert_eq!(found(&rule.bad), [changed]);
    assert_eq!(found(&rule.good), [""; 0]);
}

#[test]
fn whatever_is_written_in_the_invocation_the_macro_answers() {
    for input in [
        "",
        ",",
        "1",
        "skills",
        "\"\"",
        "\"skills\" \"skills\"",
        "\"skills\", \"skills\"",
        "OUT_DIR",
        "OUT_DIR, 1",
        "pub mod",
        "pub mod in \"skills\"",
        "mod skill in OUT_DIR",
        "pub mod skill in \"skills\", denny = [\"x\"]",
        "crate = , \"skills\"",
        "crate = 1",
        "\"skills\", deny",
        "\"skills\", deny = \"link-broken\"",
        "\"skills\", deny = [link]",
        "\"skills\", sealed = 1",
        "\"skills\", budget = -1",
        "\"skills\", budget = 99999999999999999999999999",
        "\"\\u{10ffff}\"",
        "\"C:/skills\"",
        "\"a\\\\b\"",
        "\"../\\0\"",
    ] {
        let tokens = crate::include_skills(input.parse().expect("tokens"));
        let text = tokens.to_string();
        assert!(text.contains("compile_error"), "{input}: {text}");
    }
}
