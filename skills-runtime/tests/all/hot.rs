//! Checks bundles that are read from their folders while the program runs.
//!
//! The variables of this process decide, so each test runs in a process of its own: it starts its program again.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test makes its folders, and runs where it is told"
)]

use crate::support::Disk;
use skills_arguments::TypedArguments;
use skills_runtime::__private::Site;
use skills_runtime::bundle::Origin;
use skills_runtime::{
    Bundle, Catalog, Diagnostic, Loaded, Severity, SkillRef, Surface, include_skills,
};
use skills_session::Session;
use skills_session::activation::activate_typed;
use skills_session::options::Options;
use skills_session::options::{ToolKind, Tools};
use std::collections::BTreeSet;
use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

const INNER: &str = "SKILLS_TEST_INNER";

/// Runs a test in a process with these variables, beside those of cargo.
fn within(test: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    if env::var_os(INNER).is_some_and(|inner| inner == test) {
        return body();
    }
    let mut program = Command::new(env::current_exe().expect("this program"));
    program
        .args([&format!("hot::{test}"), "--exact", "--nocapture"])
        .env_remove("CARGO_MANIFEST_DIR")
        .env_remove("SKILLS_HOT")
        .envs(variables.iter().copied())
        .env(INNER, test);
    let ended = program.output().expect("it starts");
    let shown = String::from_utf8_lossy(&ended.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{shown}{errors}");
    assert!(shown.contains("1 passed"), "{shown}");
}

const ON: &[(&str, &str)] = &[("SKILLS_HOT", "1")];

/// A package whose skills were baked when they were empty.
struct Package {
    disk: Disk,
    bundle: &'static Bundle,
}

impl Package {
    fn new() -> Self {
        let disk = Disk::new();
        disk.write(
            "app/Cargo.toml",
            "[package]\nname = \"app\"\nversion = \"1.0.0\"\n",
        );
        disk.write("app/Cargo.lock", "");
        let manifest = disk.path("app").into_os_string().into_string();
        let site = Site::new(String::leak(manifest.expect("UTF-8")), "skills");
        let bundle = Box::leak(Box::new(Bundle::empty().__noted(site)));
        // Whatever the umask of the tests is.
        for folder in ["", "app"] {
            mode(&disk.path(folder), 0o755);
        }
        // As a person starts the program: the paths of findings begin there.
        env::set_current_dir(disk.path("app")).expect("a folder");
        Self { disk, bundle }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self
            .disk
            .write(&format!("app/skills/{name}/SKILL.md"), text);
        for path in file.ancestors().skip(1).take(2) {
            mode(path, 0o755);
        }
        mode(&file, 0o644);
        file
    }

    /// Writes a skill whose argument takes these values.
    fn write_typed(&self, placeholder: &str, values: &str) {
        let more = "arguments: [environment]\n";
        let body = format!("Deploy to ${placeholder}.");
        self.write("deploy", &skill("deploy", more, &body));
        let schema = format!(
            "{{\"type\": \"object\", \"properties\": {{\"environment\": {{\"enum\": [{values}]}}}}, \
             \"required\": [\"environment\"]}}"
        );
        let path = "app/skills/deploy/arguments.schema.json";
        mode(&self.disk.write(path, schema), 0o644);
    }

    fn skills(&self) -> PathBuf {
        self.disk.path("app/skills")
    }

    fn load(&self) -> Loaded {
        let builder = Catalog::builder().bundle("bundled", self.bundle);
        builder.reloadable().load()
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

fn skill(name: &str, more: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does it. Use when asked to.\n{more}---\n\n{body}\n")
}

fn body(catalog: &Catalog, name: &str) -> String {
    let entry = catalog.get(name).expect("a skill");
    entry.body().expect("a body").trim().to_owned()
}

fn origin(catalog: &Catalog) -> Origin {
    catalog.sources()[0].bundle().expect("a bundle").origin()
}

/// Returns the findings that were not there before, as a host prints them.
fn new(now: &[Diagnostic], before: &[Diagnostic]) -> Vec<String> {
    let new = now.iter().filter(|found| !before.contains(found));
    new.map(|found| format!("{found:#}")).collect()
}

/// Returns the line about a broken folder that was changed.
fn still(change: usize) -> String {
    format!(
        "skills/greet/SKILL.md:2:7: warning[hot-bundle]: still broken: the skill is named `greets`, its folder `greet`; \
         `bundled` stays as it was before, and the folder as it is now (change {change}) waits until this is fixed"
    )
}

/// Returns the rules of the findings.
fn rules(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics
        .iter()
        .map(|found| found.rule.as_str())
        .collect()
}

#[test]
fn an_edit_is_met_at_the_next_reload() {
    within("an_edit_is_met_at_the_next_reload", ON, || {
        let package = Package::new();
        package.write("greet", &skill("greet", "", "Say hello."));
        let Loaded {
            catalog,
            diagnostics,
            ..
        } = package.load();
        assert_eq!(rules(&diagnostics), ["hot-bundle"], "that it is on");
        assert_eq!(
            diagnostics[0].to_string(),
            "skills: info[hot-bundle]: `bundled` is read from this folder while the program runs"
        );
        let folder = package.skills();
        assert_eq!(
            format!("{:#}", catalog.sources()[0]),
            format!("bundled (read from {})", folder.display())
        );
        assert!(matches!(origin(&catalog), Origin::Folder(path) if path == folder));
        assert_eq!(body(&catalog, "greet"), "Say hello.");
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.turn(&catalog, "$greet", Surface::User);
        assert!(turn.messages[0].text().contains("Say hello."));

        package.write("greet", &skill("greet", "", "Say good day."));
        package.write("leave", &skill("leave", "", "Say good bye."));
        let edited = catalog.reload();
        assert_eq!(edited.added, ["bundled:leave"]);
        assert_eq!(edited.changed, ["bundled:greet"]);
        assert!(edited.removed.is_empty());
        let before = catalog.sources()[0].bundle().expect("a bundle").digest();
        let catalog = edited.catalog;
        assert_ne!(
            catalog.sources()[0].bundle().expect("a bundle").digest(),
            before
        );
        let turn = session.turn(&catalog, "$greet", Surface::User);
        assert!(
            turn.messages[0].text().contains("Say good day."),
            "{turn:?}"
        );
        assert!(catalog.reload().is_unchanged());

        fs::remove_dir_all(package.skills().join("greet")).expect("removed");
        let gone = catalog.reload();
        assert_eq!(gone.removed, ["bundled:greet"]);
        assert!(gone.catalog.get("greet").is_none() && catalog.get("greet").is_some());
        let turn = session.turn(&gone.catalog, "go on", Surface::User);
        assert!(
            turn.notices
                .iter()
                .any(|told| told.to_string().contains("greet")),
            "{turn:?}"
        );
    });
}

/// The paths of findings, and of the commands in them, lead to the files from the folder in which the program runs.
#[test]
fn paths_are_those_of_the_folder_in_which_the_program_was_started() {
    let test = "paths_are_those_of_the_folder_in_which_the_program_was_started";
    within(test, ON, || {
        let package = Package::new();
        let file = package.write("greet", &skill("greets", "", "Say hello."));
        let found = |start: &str| {
            env::set_current_dir(package.disk.path(start)).expect("a folder");
            let found = package.load().diagnostics.into_iter();
            let found: Vec<String> = found.map(|it| format!("{it:#}")).collect();
            found.join("\n")
        };
        let whole = file.display().to_string();
        let folder = package.skills().display().to_string();
        for (start, file, folder) in [
            ("app", "skills/greet/SKILL.md", "skills"),
            ("", "app/skills/greet/SKILL.md", "app/skills"),
            ("app/skills", &*whole, &*folder),
            ("app/skills/greet", &*whole, &*folder),
        ] {
            let found = found(start);
            assert!(
                found.contains(&format!("\n{file}:2:7: error[name-mismatch]: ")),
                "{found}"
            );
            let on = format!("{folder}: info[hot-bundle]: ");
            assert!(found.contains(&on), "{found}");
        }
    });
}

/// A folder that comes back gives one line, and no warning again. Until then the words about the source say so.
#[test]
fn a_folder_that_comes_back_is_told_in_one_line() {
    within("a_folder_that_comes_back_is_told_in_one_line", ON, || {
        let package = Package::new();
        let text = |body: &str| format!("---\nname: greet\ndescription: Greets.\n---\n\n{body}\n");
        package.write("greet", &text("Say hello."));
        let first = package.load();
        let (skills, aside) = (package.skills(), package.disk.path("aside"));
        let shown = |catalog: &Catalog| format!("{:#}", catalog.sources()[0]);
        let folder = skills.display().to_string();

        fs::rename(&skills, &aside).expect("moved");
        let gone = first.catalog.reload();
        assert_eq!(new(&gone.diagnostics, &first.diagnostics).len(), 1);
        assert_eq!(
            shown(&gone.catalog),
            format!(
                "bundled (as it was before in {folder}, which is not read now, as the finding hot-bundle says)"
            )
        );
        assert!(gone.catalog.reload().diagnostics == gone.diagnostics);

        fs::rename(&aside, &skills).expect("moved back");
        let back = gone.catalog.reload();
        assert_eq!(
            new(&back.diagnostics, &gone.diagnostics),
            ["skills: info[hot-bundle]: `bundled` is read from this folder while the program runs"]
        );
        assert_eq!(
            shown(&back.catalog),
            format!("bundled (read from {folder})")
        );

        // The next edits tell nothing again, and errors are told as before.
        package.write("greet", &text("Say good day."));
        let edited = back.catalog.reload();
        assert_eq!(new(&edited.diagnostics, &back.diagnostics), [""; 0]);
        package.write("greet", &skill("greets", "", "Say nothing."));
        let broken = edited.catalog.reload();
        assert_eq!(
            shown(&broken.catalog),
            format!("bundled (as it was before in {folder}, which has errors now)")
        );
        package.write("greet", &text("Say good night."));
        let mended = broken.catalog.reload();
        let told = new(&mended.diagnostics, &broken.diagnostics);
        let told: Vec<&str> = told
            .iter()
            .map(|it| it.lines().next().unwrap_or_default())
            .collect();
        assert!(
            matches!(told[..], [one] if one.ends_with("in force again, as the folder holds it now")),
            "{told:?}"
        );
    });
}

#[test]
fn a_version_with_errors_is_reported_and_the_version_before_stays() {
    let test = "a_version_with_errors_is_reported_and_the_version_before_stays";
    within(test, ON, || {
        let package = Package::new();
        package.write("greet", &skill("greet", "", "Say hello."));
        let catalog = package.load().catalog;
        package.write("greet", &skill("greets", "", "Say nothing."));
        package.write("other", &skill("other", "", "Is not met alone."));
        let broken = catalog.reload();
        assert!(broken.is_unchanged());
        assert_eq!(body(&broken.catalog, "greet"), "Say hello.");
        assert!(broken.catalog.get("other").is_none(), "a version is whole");
        let errors = broken.diagnostics.iter();
        let errors: Vec<_> = errors.filter(|it| it.severity == Severity::Error).collect();
        let [found] = errors.as_slice() else {
            panic!("{:?}", broken.diagnostics);
        };
        assert_eq!(found.path, "skills/greet/SKILL.md");
        assert_eq!(
            format!("{found:#}"),
            "skills/greet/SKILL.md:2:7: error[name-mismatch]: the skill is named `greets`, its folder `greet`\n \
             help: write `greet`, or rename the folder"
        );
        let kept = broken
            .diagnostics
            .iter()
            .find(|it| it.rule.as_str() == "hot-bundle" && it.severity == Severity::Warning);
        assert_eq!(
            kept.expect("the version before is named")
                .message
                .to_string(),
            "the skills have errors, and `bundled` stays as it was before"
        );
        assert_eq!(
            broken.catalog.reload().diagnostics,
            broken.diagnostics,
            "until it is mended"
        );

        // Another edit of the folder, which has no effect either.
        package.write("other", &skill("other", "", "Is still not met alone."));
        let more = broken.catalog.reload();
        assert_eq!(
            new(&more.diagnostics, &broken.diagnostics),
            [still(2)],
            "the error itself was told"
        );
        assert_eq!(more.catalog.reload().diagnostics, more.diagnostics);
        package.write("other", &skill("other", "", "Not yet."));
        let third = more.catalog.reload();
        assert_eq!(new(&third.diagnostics, &more.diagnostics), [still(3)]);

        package.write("greet", &skill("greet", "", "Say good day."));
        let mended = third.catalog.reload();
        assert_eq!(mended.changed, ["bundled:greet"]);
        assert_eq!(mended.added, ["bundled:other"]);
        assert!(!rules(&mended.diagnostics).contains(&"name-mismatch"));
        let again = |diagnostics: &[Diagnostic]| {
            let words = "`bundled` is in force again, as the folder holds it now";
            diagnostics.iter().any(|it| it.message.to_string() == words)
        };
        assert!(again(&mended.diagnostics), "{:?}", mended.diagnostics);
        package.write("greet", &skill("greet", "", "Say good bye."));
        assert!(
            !again(&mended.catalog.reload().diagnostics),
            "once for each repair"
        );

        let package = Package::new();
        package.write("greet", &skill("greets", "", "Say hello."));
        let found = package.load();
        assert_eq!(
            origin(&found.catalog),
            Origin::Binary,
            "no version was good before"
        );
        let shown = format!("{:#}", found.catalog.sources()[0]);
        let folder = package.skills();
        let why = format!("{} has errors", folder.display());
        assert_eq!(shown, format!("bundled (as it was compiled: {why})"));
    });
}

#[test]
fn a_hot_skill_of_an_extracted_bundle_has_its_own_folder() {
    let name = "a_hot_skill_of_an_extracted_bundle_has_its_own_folder";
    within(name, ON, || {
        let package = Package::new();
        let text = skill("sort", "", "Run `bash ${CLAUDE_SKILL_DIR}/sort.sh`.");
        package.write("tools/sort", &text);
        let builder = || {
            let builder = Catalog::builder().bundle("bundled", package.bundle);
            builder.reloadable()
        };
        let catalog = builder()
            .extracted("bundled", "/of/the/build")
            .load()
            .catalog;
        let folder = package.skills().join("tools/sort");
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.turn(&catalog, "$sort", Surface::User);
        let text = turn.messages[0].text();
        let folder = folder.display();
        assert!(text.contains(&format!("directory=\"{folder}\"")), "{text}");
        assert!(text.contains(&format!("`bash {folder}/sort.sh`")), "{text}");
        // A host that did not extract has addresses, as its release build.
        let catalog = builder().load().catalog;
        let turn = Session::new(Options::DEFAULT).turn(&catalog, "$sort", Surface::User);
        let text = turn.messages[0].text();
        assert!(
            text.contains("directory=\"skill://bundled/sort\""),
            "{text}"
        );
    });
}

/// The arguments as the module form made them when the program was compiled.
struct Deploy;

impl TypedArguments for Deploy {
    const SKILL: &'static str = "deploy";

    fn line(&self) -> String {
        "--environment=staging".to_owned()
    }
}

#[test]
fn a_schema_that_changes_is_met_with_its_text() {
    within("a_schema_that_changes_is_met_with_its_text", ON, || {
        let started = |catalog: &Catalog, text: &str| {
            let mut session = Session::new(Options::DEFAULT);
            let turn = session.turn(catalog, text, Surface::User);
            match turn.messages.first() {
                Some(message) if !turn.started.is_empty() => message.text().to_owned(),
                _ => turn.notices[0].to_string(),
            }
        };
        let package = Package::new();
        package.write_typed("environment", r#""staging", "production""#);
        let catalog = package.load().catalog;
        assert!(started(&catalog, "/deploy staging").contains("Deploy to staging."));
        let mut session = Session::new(Options::DEFAULT);
        session.turn(&catalog, "/deploy staging", Surface::User);

        // A schema that cannot be read: the text and the schema before stay, and the place is reported.
        package.write_typed("environment", "canary");
        let broken = catalog.reload();
        assert!(broken.is_unchanged());
        assert!(
            rules(&broken.diagnostics).contains(&"hot-bundle"),
            "{:?}",
            broken.diagnostics
        );
        let error = broken
            .diagnostics
            .iter()
            .find(|it| it.severity == Severity::Error)
            .expect("the finding");
        assert!(
            format!("{error:#}").contains("arguments.schema.json:1:"),
            "{error:#}"
        );
        assert!(started(&broken.catalog, "/deploy staging").contains("Deploy to staging."));
        assert!(
            started(&broken.catalog, "/deploy canary").contains("it takes staging or production")
        );

        // Text and schema are swapped together.
        package.write_typed("environment", r#""canary""#);
        let mended = broken.catalog.reload();
        assert_eq!(mended.changed, ["bundled:deploy"]);
        let catalog = mended.catalog;
        assert!(started(&catalog, "/deploy canary").contains("Deploy to canary."));
        assert_eq!(
            started(&catalog, "/deploy staging"),
            "Not started: skill 'deploy': argument 'environment' does not take 'staging'; it takes canary."
        );
        // A struct of the compiled schema is checked by the schema that is in force.
        let entry = catalog.get("deploy").expect("a skill");
        let error = activate_typed(&Options::DEFAULT, &entry, &Deploy);
        assert_eq!(
            error.expect_err("another schema").to_string(),
            "skill 'deploy': argument 'environment' does not take 'staging'; it takes canary"
        );
        // A conversation that has the text before gets the text of now, and no reminder.
        let turn = session.turn(&catalog, "/deploy canary", Surface::User);
        let text = turn.messages[0].text();
        assert!(text.contains("Deploy to canary."), "{turn:?}");
        // Without its schema a skill takes any arguments.
        fs::remove_file(package.skills().join("deploy/arguments.schema.json")).expect("removed");
        let plain = catalog.reload().catalog;
        assert!(started(&plain, "/deploy anywhere").contains("Deploy to anywhere."));
    });
}

#[test]
fn hot_skills_approve_and_seal_nothing() {
    within("hot_skills_approve_and_seal_nothing", ON, || {
        let package = Package::new();
        let text = skill("look", "allowed-tools: read_file\n", "Look.");
        package.write("look", &text);
        let user = Disk::new();
        let tools = || Tools::from([("read_file", ToolKind::Read)]);
        let catalog = package.load().catalog;
        let entry = catalog.get("look").expect("a skill");
        assert!(matches!(origin(&catalog), Origin::Folder(_)));
        assert!(!entry.is_sealed());
        let mut session = Session::new(Options::DEFAULT);
        session.set_tools(tools());
        let turn = session.turn(&catalog, "$look", Surface::User);
        assert_eq!(turn.started, ["look"]);
        assert!(turn.approved.rules.is_empty(), "{:?}", turn.approved);

        // A person's skill takes the name of a skill that the build seals.
        user.write(
            "deploy-safely/SKILL.md",
            skill("deploy-safely", "", "Deploy."),
        );
        let both = Catalog::builder()
            .directory("user", user.path(""))
            .bundle("bundled", &BUNDLED);
        let loaded = both.reloadable().load();
        let told = loaded.diagnostics.iter();
        let told = told.filter(|it| it.severity != Severity::Info);
        let told: Vec<String> = told.map(|it| it.message.to_string()).collect();
        assert_eq!(
            told,
            [
                "`user:deploy-safely` shadows `bundled:deploy-safely`, which is sealed in a build, and not while its bundle is read from its \
              folder"
            ]
        );
        let both = loaded.catalog;
        assert_eq!(
            both.get("deploy-safely").expect("a skill").qualified_id(),
            "user:deploy-safely"
        );
    });
}

#[test]
fn a_folder_that_another_user_can_write_is_not_read() {
    within(
        "a_folder_that_another_user_can_write_is_not_read",
        ON,
        || {
            let package = Package::new();
            let file = package.write("greet", &skill("greet", "", "Say hello."));
            let baked = |path: &Path| {
                let found = package.load();
                assert_eq!(origin(&found.catalog), Origin::Binary, "{}", path.display());
                assert!(found.catalog.is_empty());
                let [told] = found.diagnostics.as_slice() else {
                    panic!("{:?}", found.diagnostics);
                };
                assert_eq!(told.rule.as_str(), "hot-bundle");
                assert!(told.message.contains(&*path.to_string_lossy()), "{told}");
                assert!(told.message.contains("stays as it was compiled"), "{told}");
                let shown = format!("{:#}", found.catalog.sources()[0]);
                let folder = package.skills();
                let why = format!(
                    "{} is not read, as the finding hot-bundle says",
                    folder.display()
                );
                assert_eq!(shown, format!("bundled (as it was compiled: {why})"));
                // As a host prints it.
                assert!(format!("{told:#}").contains(&*told.help), "{told:#}");
                told.help.to_string()
            };
            for path in [
                &package.disk.path("app"),
                &package.skills(),
                file.parent().expect("a folder"),
                &file,
            ] {
                let before = fs::metadata(path).expect("it is there").permissions();
                mode(path, 0o777);
                let help = baked(path);
                let command = if path.starts_with(package.skills()) {
                    format!("`chmod -R go-w {}`", package.skills().display())
                } else {
                    format!("`chmod go-w {}`", path.display())
                };
                assert!(help.starts_with(&command), "{help}");
                fs::set_permissions(path, before).expect("a mode");
                assert!(matches!(origin(&package.load().catalog), Origin::Folder(_)));
            }
            // A good version that was read before stays.
            let catalog = package.load().catalog;
            mode(&file, 0o666);
            fs::write(&file, skill("greet", "", "Say nothing.")).expect("written");
            let refused = catalog.reload();
            assert_eq!(body(&refused.catalog, "greet"), "Say hello.");
            assert_eq!(rules(&refused.diagnostics), ["hot-bundle"]);
            mode(&file, 0o644);
            assert_eq!(
                body(&refused.catalog.reload().catalog, "greet"),
                "Say nothing."
            );
            // Root can give a file away.
            if std::os::unix::fs::chown(&file, Some(12_345), None).is_ok() {
                let help = baked(&file);
                assert!(help.starts_with("work in a checkout of your own"), "{help}");
            }
        },
    );
}

#[test]
fn links_are_not_followed_to_the_folder() {
    within("links_are_not_followed_to_the_folder", ON, || {
        let package = Package::new();
        package.write("greet", &skill("greet", "", "Say hello."));
        let catalog = package.load().catalog;
        let (skills, aside) = (package.skills(), package.disk.path("aside"));
        let elsewhere = package
            .disk
            .write("evil/greet/SKILL.md", skill("greet", "", "Be evil."));
        mode(&elsewhere, 0o644);
        fs::rename(&skills, &aside).expect("moved");
        let missing = catalog.reload();
        assert_eq!(body(&missing.catalog, "greet"), "Say hello.");
        symlink(package.disk.path("evil"), &skills).expect("a link");
        let linked = catalog.reload();
        assert_eq!(body(&linked.catalog, "greet"), "Say hello.");
        assert_eq!(rules(&linked.diagnostics), ["hot-bundle"]);
        assert!(linked.diagnostics[0].message.contains("is a link"));
        fs::remove_file(&skills).expect("removed");
        // A link above the folder.
        fs::rename(&aside, &skills).expect("moved back");
        let real = package.disk.path("real");
        fs::rename(package.disk.path("app"), &real).expect("moved");
        symlink(&real, package.disk.path("app")).expect("a link");
        assert!(rules(&catalog.reload().diagnostics).contains(&"hot-bundle"));
        fs::remove_file(package.disk.path("app")).expect("removed");
        fs::rename(&real, package.disk.path("app")).expect("moved back");
        // A link in a skill is a finding of the rules, and its target is never read.
        symlink(&elsewhere, skills.join("greet/more.md")).expect("a link");
        let inside = catalog.reload();
        assert!(
            rules(&inside.diagnostics).contains(&"symlink"),
            "{:?}",
            inside.diagnostics
        );
        assert_eq!(body(&inside.catalog, "greet"), "Say hello.");
        fs::remove_file(skills.join("greet/more.md")).expect("removed");
        // Another folder of this user in its place is read.
        fs::remove_dir_all(&skills).expect("removed");
        package.write("greet", &skill("greet", "", "Say good day."));
        assert_eq!(body(&catalog.reload().catalog, "greet"), "Say good day.");
    });
}

/// The skills of this package, with the folder that the macro noted.
static BUNDLED: Bundle = include_skills!("tests/bundled");

#[test]
fn a_switch_or_cargo_turns_it_on() {
    let cargo = env!("CARGO_MANIFEST_DIR");
    let origins = |test: &str, variables: &[(&str, &str)], hot: bool| {
        within(test, variables, || {
            let builder = || Catalog::builder().bundle("bundled", &BUNDLED);
            assert_eq!(origin(&builder().load().catalog), Origin::Binary);
            let loaded = builder().reloadable().load();
            let refused = loaded
                .diagnostics
                .iter()
                .find(|it| it.message.contains("not read"));
            let shown = format!("{:#}", loaded.catalog.sources()[0]);
            match (hot, refused) {
                (false, _) => {
                    assert_eq!(origin(&loaded.catalog), Origin::Binary);
                    let why = if env::var_os("SKILLS_HOT").is_some_and(|it| it == "0") {
                        "SKILLS_HOT is 0"
                    } else {
                        "cargo did not start this program in its workspace; SKILLS_HOT=1 reads the folder"
                    };
                    assert_eq!(shown, format!("bundled (as it was compiled: {why})"));
                }
                // The checkout can be such that others may write it.
                (true, Some(refused)) => println!("not compared: {refused}"),
                (true, None) => {
                    assert!(matches!(origin(&loaded.catalog), Origin::Folder(_)));
                    assert!(shown.starts_with("bundled (read from "), "{shown}");
                    let fixed = builder().load().catalog;
                    assert_eq!(
                        format!("{:#}", fixed.sources()[0]),
                        "bundled (as it was compiled: the catalog is not reloadable)"
                    );
                    assert_eq!(
                        origin(&builder().load().catalog.reload().catalog),
                        origin(&loaded.catalog)
                    );
                    assert_same(
                        &BUNDLED,
                        loaded.catalog.sources()[0].bundle().expect("a bundle"),
                    );
                }
            }
            assert_eq!(BUNDLED.origin(), Origin::Binary);
        });
    };
    let test = "a_switch_or_cargo_turns_it_on";
    let workspace = Path::new(cargo).parent().expect("the workspace");
    let neighbour = workspace.join("examples/minimal-agent");
    let neighbour = neighbour.to_str().expect("UTF-8");
    let cases: [(&[(&str, &str)], bool); 8] = [
        (&[], false),
        (&[("CARGO_MANIFEST_DIR", cargo)], true),
        (&[("CARGO_MANIFEST_DIR", neighbour)], true),
        (&[("CARGO_MANIFEST_DIR", "/")], false),
        (&[("CARGO_MANIFEST_DIR", "/"), ("SKILLS_HOT", "1")], true),
        (&[("CARGO_MANIFEST_DIR", cargo), ("SKILLS_HOT", "0")], false),
        (&[("CARGO_MANIFEST_DIR", cargo), ("SKILLS_HOT", "")], true),
        (&[("SKILLS_HOT", "yes")], false),
    ];
    // Inside, one case alone is run: the variables tell which.
    if let Some(inner) = env::var_os("SKILLS_TEST_CASE") {
        let case: usize = inner
            .to_str()
            .and_then(|it| it.parse().ok())
            .expect("a number");
        return origins(test, &[], cases[case].1);
    }
    for (number, (variables, hot)) in cases.iter().enumerate() {
        let number = number.to_string();
        let mut variables = variables.to_vec();
        variables.push(("SKILLS_TEST_CASE", &number));
        origins(test, &variables, *hot);
    }
}

/// A debug program that was copied to another place, or is started by cargo as a tool of another project, has the
/// skills that it was compiled with.
#[test]
fn a_program_elsewhere_is_not_hot() {
    const TEST: &str = "hot::a_program_elsewhere_is_not_hot";
    if env::var_os(INNER).is_some() {
        let loaded = Catalog::builder().bundle("bundled", &BUNDLED);
        let loaded = loaded.reloadable().load();
        let is_baked = origin(&loaded.catalog) == Origin::Binary;
        assert!(is_baked, "{:?}", loaded.diagnostics);
        assert!(!rules(&loaded.diagnostics).contains(&"hot-bundle"));
        let again = loaded.catalog.reload();
        assert!(again.is_unchanged() && again.diagnostics == loaded.diagnostics);
        return;
    }
    let elsewhere = tempfile::tempdir().expect("a folder");
    let program = elsewhere.path().join("program");
    fs::copy(env::current_exe().expect("this program"), &program).expect("copied");
    let project = elsewhere.path().join("project");
    fs::create_dir(&project).expect("a folder");
    fs::write(project.join("Cargo.lock"), "").expect("a file");
    for manifest in [None, Some(&project)] {
        let mut started = Command::new(&program);
        started
            .args([TEST, "--exact", "--nocapture"])
            .current_dir(elsewhere.path())
            .env_remove("SKILLS_HOT")
            .env_remove("CARGO_MANIFEST_DIR")
            .envs(manifest.map(|manifest| ("CARGO_MANIFEST_DIR", manifest)))
            .env(INNER, TEST);
        let ended = started.output().expect("it starts");
        let shown = String::from_utf8_lossy(&ended.stdout).into_owned();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{shown}{errors}");
        assert!(shown.contains("1 passed"), "{shown}");
    }
}

#[test]
fn a_switch_that_means_nothing_is_reported() {
    let yes = &[("SKILLS_HOT", "yes")];
    within("a_switch_that_means_nothing_is_reported", yes, || {
        let found = Package::new().load().diagnostics;
        let [told] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(told.message.contains("SKILLS_HOT is `yes`"), "{told}");
    });
}

/// Compares the version of a folder with the baked version.
fn assert_same(baked: &'static Bundle, read: &'static Bundle) {
    let shown = |bundle: &'static Bundle| -> Vec<String> {
        let of = |skill: SkillRef| {
            let files: Vec<_> = skill
                .files()
                .map(|it| (it.path, it.bytes, it.digest))
                .collect();
            format!(
                "{} {} {} {} {:?} {} {} {} {} {:?} {files:?}",
                skill.name(),
                skill.description(),
                skill.body(),
                skill.raw(),
                skill.fields(),
                skill.front_matter(),
                skill.command(),
                skill.dir(),
                skill.tokens(),
                skill.digest(),
            )
        };
        bundle.iter().map(of).collect()
    };
    assert_eq!(shown(baked), shown(read));
    assert_eq!(
        (baked.digest(), baked.budget()),
        (read.digest(), read.budget())
    );
    assert!(!baked.is_empty());
    for skill in baked {
        let found = read.by_name(skill.name()).expect("a skill");
        assert_eq!(found.name(), skill.name());
        assert!(read.by_alias(skill.name()).is_none());
    }
    assert!(read.get("no-such-skill").is_none());
}

#[test]
fn resources_and_odd_bytes() {
    within("resources_and_odd_bytes", ON, || {
        let package = Package::new();
        package.write("a", "\u{feff}---\r\nname: a\r\ndescription: Does it. Use when asked to.\r\n---\r\n\r\nSee [x](r/deep/x.md).\r\n");
        for (path, bytes) in [("r/deep/x.md", "X\n"), ("r/y.bin", "\u{0}\u{ff}")] {
            let file = package.disk.write(&format!("app/skills/a/{path}"), bytes);
            mode(&file, 0o644);
            let above = file
                .ancestors()
                .skip(1)
                .take_while(|it| *it != package.skills());
            above.for_each(|folder| mode(folder, 0o755));
        }
        let loaded = package.load();
        let entry = loaded
            .catalog
            .get("a")
            .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        assert_eq!(
            entry.body().expect("a body").trim(),
            "See [x](r/deep/x.md)."
        );
        assert_eq!(&*entry.read("r/deep/x.md").expect("a file"), b"X\n");
        let files: Vec<_> = entry
            .bundled()
            .expect("bundled")
            .files()
            .map(|it| it.path)
            .collect();
        assert_eq!(files, ["SKILL.md", "r/deep/x.md", "r/y.bin"]);
    });
}

#[test]
fn what_is_too_large_or_no_skill_changes_nothing() {
    within("what_is_too_large_or_no_skill_changes_nothing", ON, || {
        let package = Package::new();
        let file = package.write("greet", &skill("greet", "", "Say hello."));
        let mut catalog = package.load().catalog;
        let huge = "x".repeat(17 * 1024 * 1024);
        let half = skill("greet", "", "Say hello.");
        for text in [
            &*huge,
            "",
            "---\nname: greet\n",
            &half[..30],
            "\u{0}",
            "---\n---\n",
        ] {
            fs::write(&file, text).expect("written");
            let found = catalog.reload();
            assert_eq!(body(&found.catalog, "greet"), "Say hello.");
            let has_error = found
                .diagnostics
                .iter()
                .any(|it| it.severity == Severity::Error);
            assert!(has_error, "{:?} {:?}", text.get(..20), found.diagnostics);
            catalog = found.catalog;
        }
        fs::remove_file(&file).expect("removed");
        let pipe = Command::new("mkfifo").arg(&file).status();
        if pipe.is_ok_and(|made| made.success()) {
            mode(&file, 0o600);
            let found = catalog.reload();
            assert_eq!(
                body(&found.catalog, "greet"),
                "Say hello.",
                "a pipe is not waited for"
            );
            assert!(!found.diagnostics.is_empty());
        }
    });
}

#[test]
fn threads_that_reload_while_files_are_written_see_whole_versions() {
    let test = "threads_that_reload_while_files_are_written_see_whole_versions";
    within(test, ON, || {
        const LINES: usize = 4_000;
        let package = Package::new();
        let numbered =
            |number: usize| skill("count", "", format!("{number}\n").repeat(LINES).trim());
        let file = package.write("count", &numbered(0));
        let catalog = package.load().catalog;
        let done = AtomicBool::new(false);
        let seen: BTreeSet<String> = std::thread::scope(|scope| {
            let readers: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        let (mut catalog, mut seen) = (catalog.clone(), BTreeSet::new());
                        // Once at least: all files can be written before this thread has its first turn.
                        let mut is_last = false;
                        while !is_last {
                            is_last = done.load(Ordering::Relaxed);
                            catalog = catalog.reload().catalog;
                            let body = body(&catalog, "count");
                            let lines: BTreeSet<&str> = body.lines().collect();
                            assert_eq!(lines.len(), 1, "one version");
                            assert_eq!(body.lines().count(), LINES, "all of it");
                            seen.extend(lines.into_iter().map(str::to_owned));
                        }
                        seen
                    })
                })
                .collect();
            // As editors write: the new file takes the place of the old one.
            for number in 1..60 {
                let new = file.with_file_name("new.swp");
                fs::write(&new, numbered(number)).expect("written");
                mode(&new, 0o644);
                fs::rename(&new, &file).expect("renamed");
            }
            done.store(true, Ordering::Relaxed);
            let seen = readers.into_iter().map(|it| it.join().expect("no panic"));
            seen.flatten().collect()
        });
        assert!(!seen.is_empty());
        let last = catalog.reload().catalog;
        assert!(body(&last, "count").starts_with("59\n"));
        // Equal versions are one bundle: what many catalogs read does not fill the memory.
        let again = package.load().catalog;
        let bundle = |catalog: &Catalog| catalog.sources()[0].bundle().expect("a bundle");
        assert!(std::ptr::eq(bundle(&last), bundle(&again)));
    });
}

#[cfg(feature = "watch")]
#[test]
fn a_watch_delivers_edits_and_findings() {
    within("a_watch_delivers_edits_and_findings", ON, || {
        use std::sync::mpsc::channel;
        use std::time::Duration;
        let package = Package::new();
        package.write("greet", &skill("greet", "", "Say hello."));
        let mut catalog = package.load().catalog;
        let (send, changes) = channel();
        let _watch = catalog
            .watch(move |change| _ = send.send(change))
            .expect("a watch");
        let next = |catalog: &Catalog,
                    until: &dyn Fn(&skills_runtime::catalog::Reloaded) -> bool| {
            loop {
                let change = changes
                    .recv_timeout(Duration::from_secs(20))
                    .expect("a change");
                let reloaded = catalog.apply(&change);
                if until(&reloaded) {
                    return reloaded;
                }
            }
        };
        package.write("greet", &skill("greet", "", "Say good day."));
        catalog = next(&catalog, &|it| it.changed == ["bundled:greet"]).catalog;
        package.write("greet", &skill("greets", "", "Say nothing."));
        let broken = next(&catalog, &|it| {
            rules(&it.diagnostics).contains(&"name-mismatch")
        });
        assert_eq!(body(&broken.catalog, "greet"), "Say good day.");
        package.write("leave", &skill("leave", "", "Waits for greet."));
        let broken = next(&broken.catalog, &|it| {
            let found = it.diagnostics.iter();
            let mut found = found.map(ToString::to_string);
            found.any(|line| line.contains("still broken"))
        });
        package.write("greet", &skill("greet", "", "Say good night."));
        package.write("leave", &skill("leave", "", "Say good bye."));
        catalog = next(&broken.catalog, &|it| it.added == ["bundled:leave"]).catalog;
        assert_eq!(body(&catalog, "greet"), "Say good night.");
        // A file of a new folder.
        package.write("leave", &skill("leave", "", "Go."));
        next(&catalog, &|it| it.changed == ["bundled:leave"]);
    });
}
