//! Repositories that lay their skills out in different ways, for a comparison with `npx skills add --list`.
//!
//! `kept/layouts.json` holds what both programs list of each, and why the lists differ. `.ci/parts/layouts` runs the other
//! program.

use crate::folders::Folder;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use skills_tests::own_program;
use std::fs;
use std::io;
use std::path::Path;

/// The folder of the repository. A link may lead out of the repository, to files beside it.
const REPOSITORY: &str = "repository";

/// A repository: plain skills by their folders, whose last part is the name, then other files, then links.
struct Layout {
    name: &'static str,
    skills: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    links: &'static [(&'static str, &'static str)],
}

const fn plain(name: &'static str, skills: &'static [&'static str]) -> Layout {
    with(name, skills, &[])
}

const fn with(
    name: &'static str,
    skills: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
) -> Layout {
    Layout {
        name,
        skills,
        files,
        links: &[],
    }
}

const fn linked(
    name: &'static str,
    skills: &'static [&'static str],
    links: &'static [(&'static str, &'static str)],
) -> Layout {
    Layout {
        name,
        skills,
        files: &[],
        links,
    }
}

/// The text of a skill that needs no line of its own.
macro_rules! skill {
    ($front:expr) => {
        concat!("---\n", $front, "\n---\nGo.\n")
    };
}

const LAYOUTS: &[Layout] = &[
    // Folders.
    with(
        "root",
        &[],
        &[("SKILL.md", skill!("name: one\ndescription: Does one."))],
    ),
    plain("skills", &["skills/one", "skills/two"]),
    plain("beside", &["one", "two"]),
    plain("grouped", &["skills/group/one", "skills/group/part/two"]),
    plain("two-places", &["skills/one", "tools/extra/two"]),
    plain("depth-five", &["a/b/c/d/one"]),
    plain("depth-seven", &["a/b/c/d/e/f/one"]),
    plain(
        "curated",
        &[
            "skills/one",
            "skills/.curated/two",
            "skills/.experimental/three",
            "skills/.system/four",
        ],
    ),
    plain("curated-alone", &["skills/.curated/one"]),
    plain("below-skills", &["skills/one", "skills/.private/two"]),
    plain("agents", &[".agents/skills/one"]),
    plain("claude", &[".claude/skills/one", ".claude/skills/two"]),
    plain(
        "claude-beside-skills",
        &["skills/one", ".claude/skills/two", ".github/skills/three"],
    ),
    plain(
        "mirrors",
        &["skills/one", ".claude/skills/one", ".agents/skills/one"],
    ),
    plain(
        "mirrors-alone",
        &[".claude/skills/one", ".agents/skills/one"],
    ),
    with(
        "installed",
        &["skills/one", ".agents/skills/two"],
        &[(
            "skills-lock.json",
            r#"{"version": 1, "skills": {"two": {"source": "acme/two", "sourceType": "github", "computedHash": "0"}}}"#,
        )],
    ),
    plain("hidden", &["skills/one", ".hidden/two"]),
    plain("hidden-alone", &[".hidden/one"]),
    plain(
        "node-modules",
        &["skills/one", "node_modules/package/skills/two"],
    ),
    plain("node-modules-alone", &["node_modules/package/skills/one"]),
    plain("built", &["dist/one", "build/two", "target/three"]),
    plain("tests", &["skills/one", "tests/fixtures/two"]),
    plain("tests-alone", &["tests/fixtures/one"]),
    with(
        "ignored",
        &["one", "private"],
        &[(".gitignore", "private/\n")],
    ),
    with("empty", &["skills/one"], &[("skills/two/.gitkeep", "")]),
    with("nothing", &[], &[("README.md", "Nothing.\n")]),
    plain("inside", &["skills/one", "skills/one/inner"]),
    with(
        "root-and-below",
        &["skills/two"],
        &[("SKILL.md", skill!("name: one\ndescription: Does one."))],
    ),
    with(
        "full-depth",
        &["skills/two"],
        &[("SKILL.md", skill!("name: one\ndescription: Does one."))],
    ),
    plain("copies", &["skills/a/one", "skills/b/one"]),
    with(
        "twins",
        &["skills/a/one"],
        &[(
            "skills/b/one/SKILL.md",
            skill!("name: one\ndescription: Does one otherwise."),
        )],
    ),
    plain("letters", &["skills/écrire", "skills/写作"]),
    // Plugins.
    with(
        "plugin",
        &["skills/one"],
        &[(".claude-plugin/plugin.json", r#"{"name": "tools"}"#)],
    ),
    with(
        "plugin-paths",
        &["extra/one", "skills/two"],
        &[(
            ".claude-plugin/plugin.json",
            r#"{"name": "tools", "skills": ["./extra/one"]}"#,
        )],
    ),
    with(
        "marketplace",
        &["plugins/a/skills/one", "plugins/b/skills/two"],
        &[(
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "a", "source": "./plugins/a"}, {"name": "b", "source": "./plugins/b"}]}"#,
        )],
    ),
    with(
        "marketplace-paths",
        &["sets/one", "sets/two"],
        &[(
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "a", "source": "./", "skills": ["./sets/one"]}]}"#,
        )],
    ),
    with(
        "marketplace-part",
        &["plugins/a/skills/one", "plugins/b/skills/two"],
        &[(
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "a", "source": "./plugins/a"}]}"#,
        )],
    ),
    with(
        "marketplace-root",
        &["plugins/a/skills/one"],
        &[(
            ".claude-plugin/marketplace.json",
            r#"{"name": "m", "owner": {"name": "o"}, "metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "a", "source": "./a"}]}"#,
        )],
    ),
    // Files.
    with(
        "lower-case",
        &["skills/one"],
        &[(
            "skills/two/skill.md",
            skill!("name: two\ndescription: Does two."),
        )],
    ),
    with(
        "lower-case-alone",
        &[],
        &[(
            "skills/one/skill.md",
            skill!("name: one\ndescription: Does one."),
        )],
    ),
    with(
        "no-front-matter",
        &["skills/one"],
        &[("skills/two/SKILL.md", "Go.\n")],
    ),
    with(
        "no-name",
        &["skills/one"],
        &[("skills/two/SKILL.md", skill!("description: Does two."))],
    ),
    with(
        "no-description",
        &["skills/one"],
        &[("skills/two/SKILL.md", skill!("name: two"))],
    ),
    with(
        "number",
        &["skills/one"],
        &[(
            "skills/42/SKILL.md",
            skill!("name: 42\ndescription: Does two."),
        )],
    ),
    with(
        "other-name",
        &[],
        &[(
            "skills/folder/SKILL.md",
            skill!("name: one\ndescription: Does one."),
        )],
    ),
    with(
        "title",
        &[],
        &[(
            "skills/one/SKILL.md",
            skill!("name: Title Case\ndescription: Does one."),
        )],
    ),
    with(
        "path-as-name",
        &[],
        &[(
            "skills/one/SKILL.md",
            skill!("name: ../../one\ndescription: Does one."),
        )],
    ),
    with(
        "colon",
        &[],
        &[(
            "skills/one/SKILL.md",
            skill!("name: one\ndescription: Does one: and two."),
        )],
    ),
    with(
        "internal",
        &["skills/one"],
        &[(
            "skills/two/SKILL.md",
            skill!("name: two\ndescription: Does two.\nmetadata:\n  internal: true"),
        )],
    ),
    with(
        "byte-order-mark",
        &["skills/one"],
        &[(
            "skills/two/SKILL.md",
            concat!("\u{feff}", skill!("name: two\ndescription: Does two.")),
        )],
    ),
    with(
        "line-before",
        &["skills/one"],
        &[(
            "skills/two/SKILL.md",
            concat!("\n", skill!("name: two\ndescription: Does two.")),
        )],
    ),
    with(
        "carriage-returns",
        &[],
        &[(
            "skills/one/SKILL.md",
            "---\r\nname: one\r\ndescription: Does one.\r\n---\r\nGo.\r\n",
        )],
    ),
    plain("megabyte", &["skills/one"]),
    plain("two-megabytes", &["skills/one"]),
    with(
        "internal-alone",
        &[],
        &[(
            "skills/one/SKILL.md",
            skill!("name: one\ndescription: Does one.\nmetadata:\n  internal: true"),
        )],
    ),
    // Links.
    linked("link", &["real/one"], &[("skills/linked", "../real/one")]),
    linked(
        "link-beside",
        &["skills/two", "real/part/one"],
        &[("skills/one", "../real/part/one")],
    ),
    linked(
        "link-to-file",
        &["real/one"],
        &[("skills/one/SKILL.md", "../../real/one/SKILL.md")],
    ),
    linked(
        "link-out",
        &["skills/two", "../outside/one"],
        &[("skills/one", "../../outside/one")],
    ),
    linked(
        "link-of-skills",
        &["real/one"],
        &[(".claude/skills", "../real")],
    ),
];

/// Writes every repository below a folder.
pub(crate) fn write_all(at: &Path) -> io::Result<()> {
    let mut all = LAYOUTS.iter();
    all.try_for_each(|layout| {
        layout
            .folder()
            .write(&at.join(layout.name).join(REPOSITORY))
    })
}

/// Returns a test for each repository, and one for the kept lists.
pub(crate) fn trials() -> Vec<Trial> {
    let kept = include_str!("kept/layouts.json");
    // A file that is not JSON fails each test.
    let kept: Value = serde_json::from_str(kept).unwrap_or(Value::Null);
    let names: Vec<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
    let mut kept_names: Vec<String> = Vec::new();
    kept_names.extend(
        kept.as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone()),
    );
    let all = LAYOUTS.iter().map(|layout| {
        let entry = kept.get(layout.name).cloned().unwrap_or_default();
        let trial = Trial::test(format!("layouts::{}", layout.name), move || {
            compare(layout, &entry)
        });
        // A link needs a right on Windows.
        trial.with_ignored_flag(cfg!(windows))
    });
    let mut all: Vec<Trial> = all.collect();
    all.push(Trial::test(
        "layouts::every kept list has a layout",
        move || {
            let stray = kept_names
                .iter()
                .find(|name| !names.contains(&name.as_str()));
            stray.map_or(Ok(()), |name| {
                Err(Failed::from(format!("no layout is called {name}")))
            })
        },
    ));
    all
}

fn compare(layout: &Layout, kept: &Value) -> Result<(), Failed> {
    let listed = listed(layout).map_err(|error| error.to_string())?;
    let expected: Vec<&str> = texts(kept, "ours").collect();
    if listed != expected {
        return Err(format!("ours: {listed:?}; kept: {expected:?}").into());
    }
    let theirs = kept.get("npx skills").unwrap_or(&Value::Null);
    let versions = theirs.as_object().into_iter().flatten();
    let mut versions = versions.map(|(version, _)| version).peekable();
    if versions.peek().is_none() {
        return Err("no list of npx skills is kept".into());
    }
    let differs = versions.any(|version| texts(theirs, version).ne(expected.iter().copied()));
    if differs != kept.get("why").is_some() {
        let message = format!("lists that differ need a `why`, and others have none: {kept}");
        return Err(message.into());
    }
    Ok(())
}

fn texts<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v str> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the names that our program would install, or its error.
fn listed(layout: &Layout) -> io::Result<Vec<String>> {
    let made = tempfile::tempdir()?;
    let (home, source) = (made.path().join("home"), made.path().join("source"));
    fs::create_dir_all(&home)?;
    layout.folder().write(&source.join(REPOSITORY))?;
    let mut program = own_program(&home, &source)?;
    program.args([
        "install",
        REPOSITORY,
        "--all",
        "--allow",
        "lenient",
        "--dry-run",
    ]);
    let done = program
        .args(["--to", "../to", "--format", "json"])
        .output()?;
    let printed: Value = serde_json::from_slice(&done.stdout)?;
    let skills = printed.pointer("/plan/skills").and_then(Value::as_array);
    let Some(skills) = skills else {
        let message = printed.pointer("/error/message").and_then(Value::as_str);
        let message = message.filter(|message| !message.starts_with("there is no skill"));
        // The source stands in the message with its whole path.
        let short = |text: &str| match text.find(&format!("/{REPOSITORY}")) {
            Some(at) => format!("error: {}", text.get(at + 1..).unwrap_or_default()),
            None => format!("error: {text}"),
        };
        return Ok(message.map(short).into_iter().collect());
    };
    let offered = skills.iter().filter(|skill| skill["action"] == "install");
    let names = offered.filter_map(|skill| skill["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

impl Layout {
    fn folder(&self) -> Folder {
        let mut folder = Folder::new(self.name);
        for path in self.skills {
            let name = path.rsplit('/').next().unwrap_or_default();
            folder.skill(path, &format!("name: {name}\ndescription: Does {name}."));
        }
        for (path, text) in self.files {
            folder.file(path, text);
        }
        folder.links.extend(self.links);
        let repeated = match self.name {
            "megabyte" => 140_000,
            "two-megabytes" => 280_000,
            _ => 0,
        };
        for (_, text) in &mut folder.files {
            text.push_str(&"Go on.\n".repeat(repeated));
        }
        folder
    }
}
