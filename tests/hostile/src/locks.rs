//! Locks of clones and archives: what they name is read and fetched only after a person's word.

use crate::attack::Outcome;
use crate::case::{Case, text};
use crate::process::Ran;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::Path;

attacks![
    a_lock_reads_nothing_outside,
    a_path_with_a_scheme_is_a_path,
    nothing_is_fetched_unasked,
    a_link_is_not_the_installed_skill,
    skills_that_no_lock_names_are_reported,
    separators_of_lines_are_escaped,
];

const SECRET: &str = "A secret of this machine.";
/// The folder of skills of the clone.
const SKILLS: &str = "project/clone/.agents/skills";

/// A lock that came with a project reads nothing outside of the project's repository without `--allow local`:
/// wherever the program is started, however the folder is named, with a repository and without.
fn a_lock_reads_nothing_outside() -> Outcome {
    let case = cloned()?;
    let private = case.path("home/private");
    git(&case, &private, &["init", "-q"])?;
    git(&case, &private, &["add", "-A"])?;
    git(&case, &private, &["commit", "-q", "-m", "one"])?;
    let url = format!("file://{}", private.display());
    let path = private.to_string_lossy().into_owned();
    for source in ["../../../../home/private", &path, &url] {
        lock(&case, source)?;
        for git in [true, false] {
            let _ = fs::remove_dir_all(case.path("project/clone/.git"));
            if git {
                case.write("project/clone/.git/HEAD", "ref: refs/heads/main\n")?;
            }
            reads_nothing(&case, source)?;
        }
    }
    // A repository around all of it is not the project's.
    lock(&case, "../../../../home/private")?;
    let home = case.path("project/clone");
    let mut command = case.command()?;
    command.env("HOME", case.path(""));
    command.args(["update", "--to", ".agents/skills", "--force", "--yes"]);
    case.write(".git/HEAD", "ref: refs/heads/main\n")?;
    refused(
        &Ran::of(command.current_dir(home))?,
        "a home that is a repository",
    )
}

/// Every way to name the folder of the clone, for `update` and `install`.
fn reads_nothing(case: &Case, source: &str) -> Outcome {
    let absolute = case.path(SKILLS).to_string_lossy().into_owned();
    for (folder, to) in [
        ("project", "clone/.agents/skills"),
        ("project", absolute.as_str()),
        ("project", "link/.agents/skills"),
        ("home", "../project/clone/.agents/skills"),
        ("project/clone", ".agents/skills"),
        ("project/clone", "project"),
        ("project/clone", "../link/.agents/skills"),
        ("project/clone/.agents", "../.agents/skills"),
    ] {
        for command in [
            &["outdated"][..],
            &["update", "--force", "--dry-run"],
            &["update", "--force", "--yes"],
            &["install", "--frozen", "--dry-run"],
            &["install", "--frozen", "--yes"],
        ] {
            let skill = case.path(SKILLS).join("notes");
            let _ = fs::remove_dir_all(&skill);
            if command.first() != Some(&"install") {
                case.skill(&format!("{SKILLS}/notes"), "", "Old.")?;
            }
            let mut program = case.command()?;
            program.args(command).args(["--to", to]);
            let ran = Ran::of(program.current_dir(case.path(folder)))?;
            let what = format!("{source}: {command:?} --to {to} in {folder}");
            refused(&ran, &what)?;
            let file = fs::read_to_string(skill.join("SKILL.md")).unwrap_or_default();
            ensure!(!file.contains(SECRET), "{what}: it is installed");
        }
    }
    Ok(())
}

fn refused(ran: &Ran, what: &str) -> Outcome {
    ran.expect_any_code()?;
    ensure!(
        !ran.printed().contains(SECRET) && ran.printed().contains("on your disk"),
        "{what}: {}",
        ran.shown()
    );
    Ok(())
}

/// A path is a path, whatever it contains: `://` in it makes no URL of it.
fn a_path_with_a_scheme_is_a_path() -> Outcome {
    let case = cloned()?;
    case.write("project/clone/.git/HEAD", "ref: refs/heads/main\n")?;
    case.write("project/clone/x:/.keep", "")?;
    let absolute = format!(
        "{}/x://../../../home/private",
        case.path("project/clone").display()
    );
    for source in ["../../x://../../../home/private", &absolute] {
        lock(&case, source)?;
        reads_nothing(&case, source)?;
    }
    Ok(())
}

/// What a project's lock names is fetched only after a person's word, also to look.
fn nothing_is_fetched_unasked() -> Outcome {
    let case = cloned()?;
    case.write("project/clone/.git/HEAD", "ref: refs/heads/main\n")?;
    let server = TcpListener::bind("127.0.0.1:0")?;
    server.set_nonblocking(true)?;
    lock(&case, &format!("https://{}/x", server.local_addr()?))?;
    for command in [
        &["outdated"][..],
        &["outdated", "--format", "json"],
        &["update"],
        &["update", "--dry-run"],
        &["update", "--merge", "--dry-run", "--format", "json"],
    ] {
        for to in ["clone/.agents/skills", "project"] {
            let _ = fs::remove_dir_all(case.path(SKILLS).join("notes"));
            let mut program = case.command()?;
            let folder = if to == "project" {
                "project/clone"
            } else {
                "project"
            };
            program
                .args(command)
                .args(["--to", to])
                .current_dir(case.path(folder));
            let ran = Ran::of(&mut program)?;
            ran.expect(2)?;
            ensure!(
                server.accept().is_err(),
                "{command:?} --to {to}: it was fetched: {}",
                ran.shown()
            );
            ensure!(ran.printed().contains("--yes"), "{}", ran.shown());
        }
    }
    Ok(())
}

/// A link in the place of an installed skill is a change, also when the folder it leads to has the digest.
fn a_link_is_not_the_installed_skill() -> Outcome {
    let case = installed()?;
    let skill = case.path("project/clone/.agents/skills/lint");
    fs::rename(&skill, case.path("home/outside"))?;
    symlink(case.path("home/outside"), &skill)?;
    let ran = case.run(&["install", "--frozen", "--to", "clone/.agents/skills"])?;
    ran.expect(1)?;
    ensure!(ran.printed().contains("lint"), "{}", ran.shown());
    Ok(())
}

/// `install --frozen` finds every skill that the lock of a bundle does not name, as `lock` finds skills.
fn skills_that_no_lock_names_are_reported() -> Outcome {
    for name in ["evil/skill.md", "grp/evil/SKILL.md", "evil/SKILL.md"] {
        let case = installed()?;
        fs::remove_file(case.path(SKILLS).join("skills.lock"))?;
        case.run(&["lock", "clone/.agents/skills"])?.expect(0)?;
        let frozen = ["install", "--frozen", "--to", "clone/.agents/skills"];
        case.run(&frozen)?.expect(0)?;
        case.write(Path::new(SKILLS).join(name), text("evil", "", "Evil."))?;
        let ran = case.run(&frozen)?;
        ensure!(
            ran.code == Some(1) && ran.printed().contains("evil"),
            "{name}: {}",
            ran.shown()
        );
    }
    // The digest of the whole bundle is compared too.
    let case = installed()?;
    fs::remove_file(case.path(SKILLS).join("skills.lock"))?;
    case.run(&["lock", "clone/.agents/skills"])?.expect(0)?;
    let lock = fs::read_to_string(case.path(SKILLS).join("skills.lock"))?;
    let zero = format!("digest = \"sha256:{}\"", "0".repeat(64));
    let lines: Vec<&str> = lock.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("digest"));
    let edited: Vec<&str> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| if Some(n) == at { zero.as_str() } else { line })
        .collect();
    case.write(
        Path::new(SKILLS).join("skills.lock"),
        edited.join("\n") + "\n",
    )?;
    case.run(&["install", "--frozen", "--to", "clone/.agents/skills"])?
        .expect(1)
}

/// A lock that is written again holds no character that ends a line for some readers and not for others.
fn separators_of_lines_are_escaped() -> Outcome {
    let case = Case::new()?;
    case.skill("src/lint", "", "Lint.")?;
    let to = "project/.agents/skills";
    case.write(
        format!("{to}/skills.lock"),
        format!(
            "version = 4\nkind = \"installed\"\n\n[[skill]]\nname = \"notes\"\ndigest = \"sha256:{0}\"\nsize = 1\nsource = \"https://a.example/\\u0085\\u2028\\u2029\\u202e\"\n",
            "0".repeat(64)
        ),
    )?;
    case.run(&[
        "install",
        "../src",
        "lint",
        "--to",
        ".agents/skills",
        "--yes",
    ])?
    .expect(0)?;
    let lock = fs::read_to_string(case.path(to).join("skills.lock"))?;
    ensure!(
        !lock.contains(['\u{85}', '\u{2028}', '\u{2029}', '\u{202e}']) && lock.contains("lint"),
        "{lock:?}"
    );
    Ok(())
}

/// A folder of a private skill, a clone, and a link to the clone.
fn cloned() -> Outcome<Case> {
    let case = Case::new()?;
    case.skill("home/private/notes", "", SECRET)?;
    case.skill(&format!("{SKILLS}/notes"), "", "Old.")?;
    symlink("clone", case.path("project/link"))?;
    Ok(case)
}

/// A clone with an installed skill.
fn installed() -> Outcome<Case> {
    let case = Case::new()?;
    case.skill("src/lint", "", "Lint.")?;
    case.write("project/clone/.git/HEAD", "ref: refs/heads/main\n")?;
    case.run(&[
        "install",
        "../src",
        "lint",
        "--to",
        "clone/.agents/skills",
        "--yes",
    ])?
    .expect(0)?;
    Ok(case)
}

/// Writes the lock of the clone, with one skill from a source.
fn lock(case: &Case, source: &str) -> Outcome {
    let digest = "0".repeat(64);
    case.write(
        Path::new(SKILLS).join("skills.lock"),
        format!(
            "version = 4\nkind = \"installed\"\n\n[[skill]]\nname = \"notes\"\ndigest = \"sha256:{digest}\"\nsize = 1\nsource = \"{source}\"\npath = \"notes\"\n"
        ),
    )
}

fn git(case: &Case, folder: &Path, arguments: &[&str]) -> Outcome {
    let mut git = case.command_of("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
    Ran::of(git.args(arguments).current_dir(folder))?.expect(0)
}
