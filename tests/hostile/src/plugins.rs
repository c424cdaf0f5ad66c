//! Plugins whose manifests are made to mislead, to crash or to hang: `check`, `install` and the listing of skills.

use crate::attack::Outcome;
use crate::case::Case;
use crate::process::Ran;
use std::os::unix::fs::symlink;

attacks![
    no_manifest_hangs_or_crashes,
    many_faults_take_no_long_time,
    a_path_of_a_manifest_reads_nothing_outside,
    a_rejected_plugin_starts_no_skill,
    a_plugin_takes_no_other_plugins_name,
];

const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const SECRET: &str = "SECRET-4711";

fn manifest(members: &str) -> String {
    format!("{{\"$schema\": \"{SCHEMA}\"{members}}}")
}

/// Runs what reads the plugin in `home/.agents/plugins/a`. Returns what was printed.
fn read(case: &Case) -> Outcome<Vec<Ran>> {
    let plugin = case.path("home/.agents/plugins/a");
    let plugin = plugin.to_str().ok_or("no text")?;
    let mut all = Vec::new();
    for arguments in [
        &["check", plugin][..],
        &["list"],
        &["install", plugin, "--to", "project", "--yes"],
    ] {
        let ran = case.run(arguments)?;
        ran.expect_any(&[0, 1, 2])?;
        let said = format!("{}{}", ran.stdout, ran.stderr);
        ensure!(!said.contains("panicked"), "{arguments:?}: {said}");
        ensure!(said.len() < 100_000, "{arguments:?}: {} bytes", said.len());
        all.push(ran);
    }
    Ok(all)
}

/// Every manifest is read to its end or refused; a pipe is not waited for.
fn no_manifest_hangs_or_crashes() -> Outcome {
    let deep = "[".repeat(1_000_000);
    let wide = format!("{{{}}}", "\"a\": 1, ".repeat(100_000));
    for bytes in [
        Vec::new(),
        vec![b' '; 64 << 20],
        deep.clone().into_bytes(),
        manifest(&format!(", \"name\": {deep}")).into_bytes(),
        manifest(&format!(", \"name\": \"{}\"", "a".repeat(1 << 20))).into_bytes(),
        wide.into_bytes(),
        manifest(&", \"name\": \"b\"".repeat(50_000)).into_bytes(),
        b"{\"name\": \"\xff\xfe\"}".to_vec(),
        b"\xff\xfe{\x00}\x00".to_vec(),
        manifest(", \"name\": \"\\ud800\"").into_bytes(),
        manifest(", \"name\": \"a\\u0000b\\u001b[31m\"").into_bytes(),
    ] {
        let case = Case::new()?;
        case.skill("home/.agents/plugins/a/skills/x", "", "Text.")?;
        case.write("home/.agents/plugins/a/plugin.json", bytes)?;
        for ran in read(&case)? {
            let said = format!("{}{}", ran.stdout, ran.stderr);
            ensure!(
                !said.contains(['\u{1b}', '\0']),
                "a control character: {said}"
            );
        }
    }
    let case = Case::new()?;
    case.skill("home/.agents/plugins/a/skills/x", "", "Text.")?;
    let pipe = case.path("home/.agents/plugins/a/plugin.json");
    Ran::of(case.command_of("mkfifo").arg(&pipe))?.expect(0)?;
    read(&case)?;
    let list = case.run(&["list"])?;
    ensure!(
        list.stderr.contains("plugin.json"),
        "the pipe is not reported: {}",
        list.stderr
    );
    Ok(())
}

/// A repository's marketplace and its plugins have as many faults as fit.
fn many_faults_take_no_long_time() -> Outcome {
    let count = 20_000;
    let named = "{\"name\": \"a\", \"source\": \"./a\"},".repeat(count);
    let out = "\"../x\",".repeat(count);
    for (path, text) in [
        (
            ".claude-plugin/marketplace.json",
            format!("{{\"plugins\": [{named}1]}}"),
        ),
        (
            ".claude-plugin/plugin.json",
            format!("{{\"name\": \"a\", \"skills\": [{out}1]}}"),
        ),
    ] {
        let case = Case::new()?;
        case.skill("project/skills/x", "", "Text.")?;
        case.write("project/plugin.json", manifest(", \"name\": \"a\""))?;
        case.write(format!("project/{path}"), text)?;
        let ran = case.run(&["check", "--format", "concise"])?;
        ran.expect(1)?;
        let told = ran.stdout.lines().count();
        ensure!(told < 110, "{path}: {told} lines");
        ensure!(ran.stdout.contains("more faults"), "{path}: {}", ran.stdout);
    }
    Ok(())
}

/// Nothing that a manifest names outside of its plugin is read, printed or installed.
fn a_path_of_a_manifest_reads_nothing_outside() -> Outcome {
    for members in [
        ", \"name\": \"../../outside\"",
        ", \"name\": \"/etc/passwd\"",
        ", \"name\": \"a\", \"skills\": \"../../../outside\"",
        ", \"name\": \"a\", \"skills\": [\"/\", \"../../../outside/key\"]",
    ] {
        let case = Case::new()?;
        case.skill("home/outside/key", "", SECRET)?;
        case.skill("home/.agents/plugins/a/skills/x", "", "Text.")?;
        case.write("home/.agents/plugins/a/plugin.json", manifest(members))?;
        for ran in read(&case)? {
            let said = format!("{}{}", ran.stdout, ran.stderr);
            ensure!(!said.contains(SECRET), "{members}: {said}");
        }
        let shown = case.run(&["inspect", "activate", "key"])?;
        ensure!(
            !shown.stdout.contains(SECRET),
            "{members}: {}",
            shown.stdout
        );
        ensure!(
            !case.path("project/.agents/skills/key").exists(),
            "{members}"
        );
    }
    for (link, target) in [
        ("skills", "../../../outside"),
        ("skills/key", "../../../../outside/key"),
    ] {
        let case = Case::new()?;
        case.skill("home/outside/key", "", SECRET)?;
        case.write(
            "home/.agents/plugins/a/plugin.json",
            manifest(", \"name\": \"a\""),
        )?;
        if link.contains('/') {
            case.skill("home/.agents/plugins/a/skills/x", "", "Text.")?;
        }
        symlink(target, case.path("home/.agents/plugins/a").join(link))?;
        read(&case)?;
        let shown = case.run(&["inspect", "activate", "key"])?;
        ensure!(!shown.stdout.contains(SECRET), "{link}: {}", shown.stdout);
        ensure!(!case.path("project/.agents/skills/key").exists(), "{link}");
    }
    Ok(())
}

/// A plugin that clients reject is listed by none of its skills.
fn a_rejected_plugin_starts_no_skill() -> Outcome {
    for bytes in [
        manifest(""),
        manifest(", \"name\": \"A\""),
        manifest(", \"name\": \"a\", \"name\": \"b\""),
        manifest(", \"name\": \"a\"").replace("1.0.0", "9.0.0"),
        manifest(", \"name\": \"a\", \"keywords\": {}"),
        manifest(", \"name\": \"a\"") + "x",
    ] {
        let case = Case::new()?;
        case.skill("home/.agents/plugins/a/skills/x", "", SECRET)?;
        case.write("home/.agents/plugins/a/plugin.json", &bytes)?;
        let ran = case.run(&["inspect", "activate", "x"])?;
        ensure!(!ran.stdout.contains(SECRET), "{bytes}: {}", ran.stdout);
        let list = case.run(&["list"])?;
        ensure!(
            list.stderr.contains("not loaded"),
            "{bytes}: {}",
            list.stderr
        );
    }
    Ok(())
}

/// `$trusted:x` means the plugin in the folder `trusted`, whatever another plugin calls itself.
fn a_plugin_takes_no_other_plugins_name() -> Outcome {
    let case = Case::new()?;
    case.skill(
        "home/.agents/plugins/trusted/skills/x",
        "",
        "The right one.",
    )?;
    case.skill("home/.agents/plugins/a/skills/x", "", SECRET)?;
    for name in ["trusted", "user", "bundled", "project"] {
        let text = manifest(&format!(", \"name\": \"{name}\""));
        case.write("home/.agents/plugins/a/plugin.json", text)?;
        let ran = case.run(&["inspect", "activate", &format!("{name}:x")])?;
        ensure!(!ran.stdout.contains(SECRET), "{name}: {}", ran.stdout);
        let list = case.run(&["list"])?;
        ensure!(
            list.stderr.contains("source-name"),
            "{name}: {}",
            list.stderr
        );
    }
    Ok(())
}
