//! Checks which skill answers to a name, and how the other skills are reported.

use skills_format::text::path::PathText as _;

use crate::support::{BUNDLED, Disk, OTHER, get, ids, skill};
use skills_runtime::{Bundle, Catalog, Surface};
use skills_session::Dialect as _;
use skills_session::options::Options;
use skills_session::resolve::named;

#[test]
fn the_higher_rank_answers_and_the_other_is_kept() {
    let disk = Disk::new();
    disk.skill("project/a");
    disk.skill("user/a");
    disk.skill("user/code-review");
    let catalog = Catalog::builder()
        .directory("project", disk.path("project"))
        .directory("user", disk.path("user"))
        .bundle("bundled", &BUNDLED)
        .load();
    assert_eq!(
        ids(&catalog),
        [
            "project:a",
            "user:a",
            "user:code-review",
            "bundled:code-review",
            "bundled:deploy-safely"
        ]
    );
    assert_eq!(get(&catalog, "a").as_deref(), Some("project:a"));
    assert_eq!(get(&catalog, "user:a").as_deref(), Some("user:a"));
    assert_eq!(
        get(&catalog, "code-review").as_deref(),
        Some("user:code-review")
    );
    assert_eq!(
        get(&catalog, "bundled:code-review").as_deref(),
        Some("bundled:code-review")
    );
    let shadowed = catalog.get("user:a").and_then(|entry| entry.shadowed_by());
    assert_eq!(
        shadowed.map(|entry| entry.to_string()).as_deref(),
        Some("project:a")
    );
    assert_eq!(
        disk.lines(catalog.diagnostics()),
        [
            // That a person's `code-review` takes the place of the bundled one is what is promised, and not reported.
            "user/a/SKILL.md:1:1: info[shadowed]: `user:a` is shadowed by `project:a`, which answers to the name",
        ]
    );
}

#[test]
fn of_several_roots_the_nearer_wins_and_a_path_reaches_the_other() {
    let disk = Disk::new();
    let near = disk.skill("near/a");
    let far = disk.skill("far/a");
    disk.skill("far/b");
    let catalog = Catalog::builder()
        .directory("project", disk.path("near"))
        .directory("project", disk.path("far"))
        .load();
    assert!(catalog.folders().all(|(source, _)| source == "project"));
    assert_eq!(ids(&catalog), ["project:a", "project:a", "project:b"]);
    for id in ["a", "project:a"] {
        let entry = catalog.get(id).expect("a skill");
        assert_eq!(entry.description(), "near/a");
    }
    let other = catalog.get(&far.to_string_lossy()).expect("a skill");
    assert_eq!(other.description(), "far/a");
    assert_eq!(other.shadowed_by(), catalog.get(&near.to_string_lossy()));
    assert_eq!(
        catalog.get(&far.join("SKILL.md").to_string_lossy()),
        Some(other)
    );
    assert_eq!(catalog.get(&disk.path("far").to_string_lossy()), None);
    assert_eq!(catalog.get(&other.id()), Some(other));
    let text = format!("[$a]({}) go", other.id());
    let resolution = Options::DEFAULT.resolve(&catalog, &text, Surface::User);
    let (_, activations) = resolution.start_all(&text, &catalog, &Options::DEFAULT);
    let [activation] = activations.as_slice() else {
        panic!("one skill: {activations:?}")
    };
    let directory = format!("directory=\"{}\"", far.shown());
    assert!(activation.text.contains(&directory), "{}", activation.text);
    assert_eq!(
        disk.lines(catalog.diagnostics()),
        [
            "far/a/SKILL.md:1:1: info[shadowed]: `a` is also the name of `near/a/SKILL.md`, which is nearer"
        ]
    );
}

#[test]
fn plugins_are_sources_of_one_rank() {
    let disk = Disk::new();
    disk.skill("user/a");
    disk.skill("plugins/one/skills/a");
    disk.skill("plugins/one/skills/b");
    disk.skill("plugins/two/skills/b");
    disk.skill("plugins/two/skills/c");
    disk.skill("plugins/.hidden/skills/d");
    disk.skill("plugins/none/d");
    disk.write("plugins/README.md", "not a plugin");
    let mut catalog = Catalog::builder()
        .directory("user", disk.path("user"))
        .plugins(disk.path("plugins"))
        .bundle("bundled", &BUNDLED)
        .load();
    let sources = sources(&catalog);
    assert_eq!(sources, ["user", "one", "two", "bundled"]);
    assert_eq!(get(&catalog, "a").as_deref(), Some("user:a"));
    assert_eq!(get(&catalog, "b"), None);
    assert_eq!(get(&catalog, "c").as_deref(), Some("two:c"));
    assert_eq!(get(&catalog, "one:b").as_deref(), Some("one:b"));
    let twin = catalog.get("one:b").expect("a skill");
    assert_eq!(twin.id(), "one:b");
    assert_eq!(twin.shadowed_by(), None);
    assert_eq!(
        disk.lines(catalog.diagnostics()),
        [
            "plugins/one/skills/a/SKILL.md:1:1: info[shadowed]: `one:a` is shadowed by `user:a`, which answers to the name",
            "plugins/one/skills/b/SKILL.md:1:1: info[ambiguous-name]: `b` alone names none of `one:b`, `two:b`: they have equal rank",
        ]
    );
    catalog = catalog.with(|builder| builder.disabled(["one:b"]));
    assert_eq!(get(&catalog, "b").as_deref(), Some("two:b"));
    catalog = catalog.with(|builder| builder.disabled(["b"]));
    assert_eq!(get(&catalog, "b").as_deref(), Some("one:b"));
}

#[test]
fn plugins_get_names_that_are_free_and_valid() {
    let disk = Disk::new();
    for plugin in ["My Plugin", "my-plugin", "user", "Project", "team", "🚀"] {
        disk.skill(&format!("plugins/{plugin}/skills/a"));
    }
    disk.skill("team/b");
    let loaded = Catalog::builder()
        .plugins(disk.path("plugins"))
        .directory("team", disk.path("team"))
        .load();
    let sources = sources(&loaded);
    assert_eq!(
        sources,
        [
            "my-plugin",
            "my-plugin-2",
            "plugin-project",
            "plugin-user",
            "source",
            "team-2",
            "team"
        ]
    );
    let lines = disk.lines(loaded.diagnostics());
    let lines: Vec<_> = lines
        .iter()
        .filter(|line| line.contains("source-name"))
        .collect();
    assert_eq!(
        lines,
        [
            "plugins/My Plugin/skills: warning[source-name]: `My Plugin` is not a valid name; the source is named `my-plugin-2`",
            "plugins/Project/skills: warning[source-name]: `Project` is the name of another kind of source; the source is named `plugin-project`",
            "plugins/team/skills: warning[source-name]: `team` is the name of another source; the source is named `team-2`",
            "plugins/user/skills: warning[source-name]: `user` is the name of another kind of source; the source is named `plugin-user`",
            "plugins/🚀/skills: warning[source-name]: `🚀` is not a valid name; the source is named `source`",
        ]
    );
}

#[test]
fn two_sources_never_have_one_name() {
    let disk = Disk::new();
    disk.skill("a/x");
    disk.skill("b/x");
    let loaded = Catalog::builder()
        .bundle("bundled", &BUNDLED)
        .directory("bundled", disk.path("a"))
        .untrusted("My Layer", disk.path("b"))
        .load();
    let sources = sources(&loaded);
    assert_eq!(sources, ["bundled", "bundled-2", "my-layer"]);
    assert_eq!(
        loaded
            .diagnostics()
            .iter()
            .filter(|d| d.rule.as_str() == "source-name")
            .count(),
        2
    );
}

#[test]
fn what_is_sealed_cannot_be_shadowed() {
    let disk = Disk::new();
    disk.skill("user/deploy-safely");
    let catalog = Catalog::builder()
        .directory("user", disk.path("user"))
        .bundle("bundled", &BUNDLED)
        .load();
    assert_eq!(
        get(&catalog, "deploy-safely").as_deref(),
        Some("bundled:deploy-safely")
    );
    let loser = catalog.get("user:deploy-safely").expect("it is kept");
    assert_eq!(loser.shadowed_by(), catalog.get("deploy-safely"));
    assert!(
        catalog
            .get("deploy-safely")
            .expect("a skill")
            .fields()
            .sealed
    );
    assert_eq!(
        disk.lines(catalog.diagnostics()),
        [
            "user/deploy-safely/SKILL.md:1:1: warning[sealed]: `user:deploy-safely` cannot shadow `bundled:deploy-safely`, which is sealed"
        ]
    );
}

#[test]
fn of_two_bundles_the_higher_answers() {
    let catalog = Catalog::builder()
        .bundle("other", &OTHER)
        .bundle("bundled", &BUNDLED)
        .load();
    assert_eq!(
        get(&catalog, "code-review").as_deref(),
        Some("other:code-review")
    );
    assert_eq!(named(&catalog, "code-review").len(), 2);
    assert_eq!(
        catalog
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        [
            "skill://bundled/code-review/SKILL.md:1:1: info[shadowed]: `bundled:code-review` is shadowed by `other:code-review`, which answers to the name"
        ]
    );
}

/// Skills of the names of `BUNDLED`, none of them sealed.
static UNSEALED: Bundle = skills_runtime::include_skills!("tests/unsealed");

#[test]
fn of_two_bundles_the_sealed_skill_answers() {
    let loaded = Catalog::builder()
        .bundle("higher", &UNSEALED)
        .bundle("bundled", &BUNDLED)
        .load();
    let answer = |name: &str| get(&loaded, name);
    assert_eq!(
        answer("deploy-safely").as_deref(),
        Some("bundled:deploy-safely")
    );
    assert_eq!(answer("code-review").as_deref(), Some("higher:code-review"));
}

#[test]
fn what_is_not_trusted_shadows_nothing_that_is() {
    let disk = Disk::new();
    disk.skill("project/a");
    disk.skill("project/b");
    disk.skill("user/a");
    let catalog = Catalog::builder()
        .untrusted("project", disk.path("project"))
        .directory("user", disk.path("user"))
        .load();
    assert_eq!(get(&catalog, "a").as_deref(), Some("user:a"));
    assert_eq!(catalog.get("a").and_then(|entry| entry.shadowed_by()), None);
    assert!(!catalog.get("b").expect("it is listed").is_trusted());
    assert_eq!(get(&catalog, "project:b").as_deref(), Some("project:b"));
    assert!(!catalog.get("project:b").expect("it is listed").is_trusted());
    assert_eq!(
        disk.lines(catalog.diagnostics()),
        [
            "project: info[untrusted]: 2 skills are listed, and cannot be started until a person trusts them"
        ]
    );
}

#[test]
fn aliases_of_what_is_not_shadowed_in_its_source() {
    let disk = Disk::new();
    let alias = |name: &str| {
        format!("---\nname: {name}\ndescription: x\nmetadata:\n  aliases: short\n---\n")
    };
    disk.write("near/a/SKILL.md", skill("a", "x"));
    disk.write("far/a/SKILL.md", alias("a"));
    disk.write("far/b/SKILL.md", alias("b"));
    let catalog = Catalog::builder()
        .directory("user", disk.path("near"))
        .directory("user", disk.path("far"))
        .bundle("bundled", &BUNDLED)
        .load();
    let aliased = |alias| {
        let named = named(&catalog, alias);
        named.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(aliased("short"), ["user:b"]);
    assert_eq!(aliased("review"), ["bundled:code-review"]);
}

#[test]
fn switches_lie_over_the_catalog() {
    let disk = Disk::new();
    disk.skill("user/a");
    let catalog = Catalog::builder()
        .directory("user", disk.path("user"))
        .load();
    let off = catalog.with(|builder| builder.disabled(["a"]));
    assert!(catalog.get("a").expect("a skill").is_enabled());
    assert!(!off.get("a").expect("a skill").is_enabled());
}

/// The sources that have skills, highest rank first.
fn sources(catalog: &Catalog) -> Vec<&str> {
    let mut sources: Vec<&str> = catalog.iter().map(|skill| skill.source()).collect();
    sources.dedup();
    sources
}

/// Of several skills with one name in one root, one answers, and each other is told why it does not.
#[test]
fn of_one_name_in_one_root_the_reason_is_told() {
    let disk = Disk::new();
    let write = |dir: &str, name: &str| {
        disk.write(&format!("{dir}/SKILL.md"), skill(name, "Does it."));
    };
    write("one/a", "a");
    write("one/b", "a");
    write("two/x", "A");
    write("two/y", "a");
    write("three/x", "a");
    write("three/deep/y", "a");
    write("four/x", "a");
    write("four/y", "a");
    for (root, below, why) in [
        ("one", "b", "`one/a/SKILL.md`, whose folder has the name"),
        ("two", "x", "`two/y/SKILL.md`, which spells the name itself"),
        (
            "three",
            "deep/y",
            "`three/x/SKILL.md`, which is in fewer folders",
        ),
        (
            "four",
            "y",
            "`four/x/SKILL.md`, which comes first in order of paths",
        ),
    ] {
        let told = format!(
            "{root}/{below}/SKILL.md:1:1: warning[shadowed]: `a` is also the name of {why}"
        );
        let trusted = Catalog::builder().directory("s", disk.path(root));
        let untrusted = Catalog::builder().untrusted("s", disk.path(root));
        for catalog in [trusted.load(), untrusted.load()] {
            let mut found = disk.lines(catalog.diagnostics());
            found.retain(|line| line.contains("[shadowed]"));
            assert_eq!(found, [&*told]);
        }
    }
    // A person's skill takes the place of those that the program ships: nothing is told.
    disk.skill("user/code-review");
    let catalog = Catalog::builder()
        .directory("user", disk.path("user"))
        .bundle("bundled", &BUNDLED)
        .bundle("other", &OTHER)
        .load();
    assert_eq!(disk.lines(catalog.diagnostics()), [""; 0]);
}
