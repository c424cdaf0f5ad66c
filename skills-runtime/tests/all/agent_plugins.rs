//! Checks the plugins that have a manifest of an Agent Plugin.

use crate::support::{Disk, ids, link};
use skills_runtime::Catalog;
use std::path::Path;

const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

fn manifest(name: &str) -> String {
    format!("{{\"$schema\": \"{SCHEMA}\", \"name\": \"{name}\"}}")
}

/// Loads the plugins. Returns the ids and the findings.
fn load(disk: &Disk) -> (Vec<String>, Vec<String>) {
    let catalog = Catalog::builder().plugins(disk.path("plugins")).load();
    (ids(&catalog), disk.lines(catalog.diagnostics()))
}

#[test]
fn the_manifest_names_the_plugin() {
    let disk = Disk::new();
    for (folder, name) in [
        ("checkout-3f2a", "desk"),
        // No manifest takes the name of another plugin's folder.
        ("a", "tools"),
        ("b", "desk"),
        ("dotted", "acme.tools"),
        ("kind", "user"),
    ] {
        disk.write(&format!("plugins/{folder}/plugin.json"), manifest(name));
        disk.skill(&format!("plugins/{folder}/skills/{folder}"));
    }
    disk.skill("plugins/tools/skills/c");
    let (ids, found) = load(&disk);
    assert_eq!(
        ids,
        [
            "acme-tools:dotted",
            "desk:b",
            "desk-2:checkout-3f2a",
            "plugin-user:kind",
            "tools:c",
            "tools-2:a",
        ]
    );
    assert_eq!(
        found,
        [
            "plugins/a/plugin.json:1:1: warning[source-name]: `tools` is the name of another source; the source is named `tools-2`",
            "plugins/checkout-3f2a/plugin.json:1:1: warning[source-name]: `desk` is the name of another source; the source is named `desk-2`",
            "plugins/dotted/plugin.json:1:1: warning[source-name]: `acme.tools` is not a valid name; the source is named `acme-tools`",
            "plugins/kind/plugin.json:1:1: warning[source-name]: `user` is the name of another kind of source; the source is named `plugin-user`",
        ]
    );
}

#[test]
fn only_the_folders_directly_in_skills_are_skills() {
    let disk = Disk::new();
    disk.write("plugins/desk/plugin.json", manifest("desk"));
    for skill in [
        "skills/sweep",
        "skills/group/inner",
        "skills/group/other",
        "elsewhere",
    ] {
        disk.skill(&format!("plugins/desk/{skill}"));
    }
    disk.write(
        "plugins/desk/skills/SKILL.md",
        "---\nname: root\ndescription: Root.\n---\n",
    );
    // Without a manifest of an Agent Plugin, the folders are searched as every folder is.
    disk.write("plugins/loose/plugin.json", "{\"name\": \"other\"}");
    disk.skill("plugins/loose/skills/group/inner");
    // A plugin without skills has no fault.
    disk.write("plugins/none/plugin.json", manifest("none"));
    disk.write("plugins/odd/plugin.json", manifest("odd"));
    disk.write("plugins/odd/skills", "A file.");
    let (ids, found) = load(&disk);
    assert_eq!(ids, ["desk:sweep", "loose:inner"]);
    assert_eq!(
        found,
        [
            "plugins/desk/skills/group/inner: warning[manifest-path]: it is not read: only the folders directly in `skills` of an Agent Plugin are skills; 1 other folder is also too deep",
            "plugins/odd/skills: warning[unreadable]: it is not a folder",
        ]
    );
}

#[test]
fn a_wrong_manifest_loses_the_plugin_and_is_reported() {
    let name = format!("{{\"$schema\": \"{SCHEMA}\", \"name\"");
    let deep = format!(
        "{name}: \"a\", \"x\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for (bytes, message) in [
        (
            manifest("../up"),
            "1:83: error[manifest-name]: `../up` is not the name of an Agent Plugin",
        ),
        (
            manifest("/etc"),
            "1:83: error[manifest-name]: `/etc` is not the name of an Agent Plugin",
        ),
        (
            manifest("a").replace("1.0.0", "2.0.0"),
            "1:13: error[manifest-form]: `$schema` is not `https://agent-plugins.org/schemas/1.0.0/plugin.schema.json`",
        ),
        (
            format!("{name}: \"a\", \"name\": \"b\"}}"),
            "1:88: error[manifest-form]: `name` is written twice",
        ),
        (
            format!("{name}: \"a\", \"version\": 1}}"),
            "1:88: error[manifest-form]: `version` is not a string",
        ),
        (
            format!("{name}: \"a\","),
            "1:87: error[manifest-form]: it is not JSON: a key in double quotes is missing here",
        ),
        (
            deep,
            "1:156: error[manifest-form]: it is not JSON: the values are nested more than 64 deep",
        ),
        (
            " ".repeat(64 << 20),
            "1:1: error[manifest-form]: it cannot be read: it is larger than 1048576 bytes",
        ),
        (
            String::new(),
            "1:1: error[manifest-form]: it is not JSON: a value is missing here",
        ),
    ] {
        let disk = Disk::new();
        disk.write("plugins/a/plugin.json", &bytes);
        disk.skill("plugins/a/skills/x");
        let (ids, found) = load(&disk);
        let expected = format!("plugins/a/plugin.json:{message}; the plugin is not loaded");
        assert_eq!((ids.len(), found), (0, vec![expected]));
    }
    let disk = Disk::new();
    disk.write("plugins/a/plugin.json", b"{\"name\": \"\xff\"}");
    disk.skill("plugins/a/skills/x");
    let message = "plugins/a/plugin.json:1:1: error[manifest-form]: it is not UTF-8; the plugin is not loaded";
    assert_eq!(load(&disk), (Vec::new(), vec![message.to_owned()]));
}

#[test]
fn what_a_client_ignores_is_reported() {
    let disk = Disk::new();
    let text = manifest("desk").replace('}', ", \"skills\": \"../../etc\", \"extensions\": 1}");
    disk.write("plugins/desk/plugin.json", text);
    disk.skill("plugins/desk/skills/sweep");
    let (ids, found) = load(&disk);
    assert_eq!(ids, ["desk:sweep"]);
    assert_eq!(
        found,
        [
            "plugins/desk/plugin.json:1:91: warning[manifest-form]: `skills` is not a field of an Agent Plugin; clients ignore it",
            "plugins/desk/plugin.json:1:114: warning[manifest-form]: `extensions` is not an object of objects",
        ]
    );
}

#[expect(clippy::disallowed_methods, reason = "a test exchanges a link")]
#[test]
fn links_stay_in_the_plugin() {
    let disk = Disk::new();
    disk.write("plugins/desk/plugin.json", manifest("desk"));
    disk.skill("plugins/desk/skills/sweep");
    disk.skill("plugins/desk/shared/tidy");
    disk.skill("outside/key");
    link("../shared/tidy", disk.path("plugins/desk/skills/tidy"));
    link("../../../outside/key", disk.path("plugins/desk/skills/key"));
    disk.write("plugins/desk/skills/file/notes.md", "");
    link(
        "../../../../outside/key/SKILL.md",
        disk.path("plugins/desk/skills/file/SKILL.md"),
    );
    let loaded = Catalog::builder().plugins(disk.path("plugins")).load();
    assert_eq!(ids(&loaded), ["desk:sweep", "desk:tidy"]);
    assert_eq!(
        disk.lines(loaded.diagnostics()),
        [
            "plugins/desk/skills/file/SKILL.md:1:1: warning[link-escape]: the link leads out of `plugins/desk`, or is absolute, and is not followed",
            "plugins/desk/skills/key: warning[link-escape]: the link leads out of `plugins/desk`, or is absolute, and is not followed",
        ]
    );
    let tidy = loaded.get("tidy").expect("the skill");
    assert!(
        tidy.body()
            .expect("the linked file")
            .contains("The body of tidy.")
    );
    // The target was exchanged after the load.
    std::fs::remove_file(disk.path("plugins/desk/skills/tidy")).expect("a link");
    link(
        "../../../outside/key",
        disk.path("plugins/desk/skills/tidy"),
    );
    assert!(tidy.body().is_err());
}

#[test]
fn a_manifest_or_folder_of_skills_outside_is_not_read() {
    for (path, target) in [
        ("plugins/a/plugin.json", "../../outside/plugin.json"),
        ("plugins/a/plugin.json", "nothing"),
        ("plugins/a/skills", "../../outside"),
    ] {
        let disk = Disk::new();
        disk.write("outside/plugin.json", manifest("a"));
        disk.skill("outside/x");
        disk.write("plugins/a/README.md", "");
        if path.ends_with("skills") {
            disk.write("plugins/a/plugin.json", manifest("a"));
        } else {
            disk.skill("plugins/a/skills/x");
        }
        link(Path::new(target), disk.path(path));
        let (ids, found) = load(&disk);
        assert!(ids.is_empty(), "{path} {target}");
        assert!(
            matches!(&found[..], [one] if one.starts_with(path)),
            "{found:?}"
        );
    }
}

#[test]
fn a_changed_manifest_counts_at_the_next_load() {
    let disk = Disk::new();
    disk.write("plugins/a/plugin.json", manifest("desk"));
    disk.skill("plugins/a/skills/x");
    let mut catalog = Catalog::builder().plugins(disk.path("plugins")).load();
    disk.write("plugins/a/plugin.json", manifest("chair"));
    catalog = catalog.reload();
    assert_eq!(ids(&catalog), ["chair:x"]);
    disk.write("plugins/a/plugin.json", "{");
    assert_eq!(ids(&catalog.reload()), [""; 0]);
}
