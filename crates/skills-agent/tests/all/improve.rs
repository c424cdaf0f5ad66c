//! Repairs that cases cannot show: an agent that hangs, sealed skills, large traces, links and executable bits in a
//! rollback, and two proposals for one skill.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use jiff::Timestamp;
use skills_agent::agent::{AgentCommand, no_progress};
use skills_agent::improve::{
    Attempt, AttemptLog, AttemptOutcome, CommandImprover, Improver, MAX_TRACE, Proposals, Site,
    Step, Task, Trace, attempt, rollback,
};
use skills_host::Error;
use skills_host::files::data::DataFolder;
use skills_host::files::snapshot::Snapshot;
use skills_host::git::{Git, Quiet};
use skills_host::install::Host;
use skills_runtime::{Bundle, Catalog, include_skills};
use skills_session::options::ToolNames;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

static SEALED: Bundle = include_skills!("tests/skills");

struct World {
    folder: tempfile::TempDir,
    data: DataFolder,
    git: Git,
}

/// An agent that replaces one text of SKILL.md.
struct Replaces(&'static str);

impl Improver for Replaces {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Error> {
        assert!(task.prompt.contains("Repair it.") && task.prompt.contains("no such tool"));
        let file = task.folder.join("SKILL.md");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, text.replace("FileSearch", self.0)).unwrap();
        Ok("changed: another tool".to_owned())
    }
}

impl World {
    fn new() -> Self {
        let folder = crate::folder();
        let world = Self {
            data: DataFolder::new(folder.path().join("data")),
            git: Git::default().own([folder.path().join("skills")]),
            folder,
        };
        let skill = world.skills().join("find");
        fs::create_dir_all(skill.join("scripts")).unwrap();
        let text = "---\nname: find\ndescription: Finds code. Use when asked to find.\n---\nCall FileSearch.\n";
        fs::write(skill.join("SKILL.md"), text).unwrap();
        world
    }

    fn skills(&self) -> PathBuf {
        self.folder.path().join("skills")
    }

    fn host(&self) -> Host<'_> {
        Host {
            data: &self.data,
            git: &self.git,
            clock: &Timestamp::UNIX_EPOCH,
            observer: &Quiet,
        }
    }

    fn after(&self, skills: &[&str], automatic: bool, improver: &dyn Improver) -> Vec<Attempt> {
        let user = self.skills();
        let catalog = Catalog::builder()
            .directory("user", &user)
            .bundle("bundled", &SEALED)
            .load();
        let site = Site {
            host: self.host(),
            tool_names: &ToolNames::NONE,
            user: &user,
            automatic,
            instructions: "Repair it.",
        };
        let step = Step {
            tool: "FileSearch".to_owned(),
            input: None,
            error: Some("no such tool".to_owned()),
        };
        let skills = skills.iter().map(|skill| (*skill).to_owned());
        let trace = Trace::new(skills, vec![step]);
        let attempts = trace.skills.iter().map(|id| {
            let skill = catalog.get(id).unwrap();
            attempt(&site, &skill, &trace, improver).unwrap()
        });
        attempts.collect()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::read(&self.skills().join("find")).unwrap()
    }
}

#[test]
fn every_skill_that_was_active() {
    let world = World::new();
    let attempts = world.after(&["user:find", "c"], true, &Replaces("Grep"));
    let outcomes: Vec<(&str, AttemptOutcome, &str)> = attempts
        .iter()
        .map(|attempt| {
            let record = &attempt.record;
            (
                record.skill.as_str(),
                record.outcome,
                record.reason.as_str(),
            )
        })
        .collect();
    assert_eq!(
        outcomes,
        [
            ("find", AttemptOutcome::Taken, ""),
            (
                "c",
                AttemptOutcome::Refused,
                "it is sealed: no other skill may take its place"
            ),
        ]
    );
    let log = AttemptLog::of(&world.data).list(None).unwrap();
    assert_eq!(log.len(), 2, "each is written down");
}

#[test]
fn an_agent_that_hangs() {
    let world = World::new();
    let before = world.snapshot();
    let mark = world.folder.path().join("late");
    // The child leaves the group, and would write later.
    let command = format!(
        "sh -c 'echo x > SKILL.md; setsid sh -c \"sleep 5; touch {}\" & sleep 600'",
        mark.display()
    );
    let command = AgentCommand::parse(&command).unwrap();
    let agent = CommandImprover {
        command,
        limit: Duration::from_millis(400),
        progress: no_progress(),
    };
    let start = Instant::now();
    let attempts = world.after(&["find"], true, &agent);
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(attempts[0].record.outcome, AttemptOutcome::Failed);
    let reason = &attempts[0].record.reason;
    assert!(reason.contains("killed at its limit"), "{reason}");
    assert_eq!(world.snapshot(), before);
    if cfg!(target_os = "linux") {
        // No process of the agent is left, so nothing writes later.
        let left = Command::new("pgrep").arg("-f").arg(&mark).output();
        assert!(left.is_ok_and(|left| left.stdout.is_empty()));
    }
    assert!(!world.folder.path().join("data/tmp").exists());
}

#[test]
fn a_huge_trace() {
    let bytes = vec![b' '; usize::try_from(MAX_TRACE).unwrap() + 1];
    let error = Trace::parse(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "the trace is larger than 67108864 bytes");
}

#[test]
fn two_proposals_for_one_skill() {
    let world = World::new();
    for tool in ["Grep", "Glob", "Grep"] {
        let attempts = world.after(&["find"], false, &Replaces(tool));
        assert_eq!(attempts[0].record.outcome, AttemptOutcome::Proposed);
    }
    let proposals = Proposals::of(&world.data);
    let all = proposals.list().unwrap();
    assert_eq!(all.len(), 2, "the same change is kept once");
    let [first, second] = &all[..] else {
        panic!("{all:?}");
    };
    proposals.approve(first, world.host()).unwrap();
    assert_eq!(
        world.snapshot().digest().to_string(),
        first.record.after.clone().unwrap()
    );
    assert!(second.is_stale());
    let error = proposals.approve(second, world.host());
    assert!(error.unwrap_err().to_string().contains("is stale"));
    assert_eq!(
        world.snapshot().digest().to_string(),
        first.record.after.clone().unwrap()
    );
}

#[test]
fn the_way_back_keeps_links_run_bits_and_ignored_files() {
    let world = World::new();
    let skill = world.skills().join("find");
    let script = skill.join("scripts/run.sh");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("SKILL.md", skill.join("link")).unwrap();
    fs::write(skill.join("Größe \"1\".txt"), [0, 255, 10]).unwrap();
    fs::write(world.skills().join(".gitignore"), "*.log\n").unwrap();
    fs::write(skill.join("run.log"), "one").unwrap();
    let before = world.snapshot();
    world.after(&["find"], true, &Replaces("Grep"));
    assert_ne!(world.snapshot(), before);
    fs::write(skill.join("run.log"), "two").unwrap();
    let back = rollback(&world.skills(), "find", None, world.host()).unwrap();
    assert!(back.taken.is_some_and(|taken| taken.commit.is_some()));
    assert_eq!(fs::read_to_string(skill.join("run.log")).unwrap(), "two");
    fs::write(skill.join("run.log"), "one").unwrap();
    assert_eq!(world.snapshot(), before, "byte for byte");
    let mut git = Command::new("git");
    git.arg("-C").arg(world.skills());
    let output = git
        .args(["status", "--porcelain", "find"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

#[test]
fn without_a_repository_of_its_own_the_trash_is_the_way_back() {
    let world = World::new();
    let status = Command::new("git")
        .args(["init", "-q"])
        .arg(world.folder.path())
        .status();
    assert!(status.unwrap().success());
    let attempts = world.after(&["find"], true, &Replaces("Grep"));
    assert_eq!(attempts[0].record.outcome, AttemptOutcome::Taken);
    assert!(!world.skills().join(".git").exists());
    assert_eq!(world.data.trash().list().unwrap().len(), 1);
    for name in ["find", "../find"] {
        assert!(rollback(&world.skills(), name, None, world.host()).is_err());
    }
}

/// An agent that leaves files behind that are not part of a skill.
struct Litters {
    also: Option<&'static str>,
}

impl Improver for Litters {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Error> {
        fs::create_dir_all(task.folder.join("scripts")).unwrap();
        fs::write(
            task.folder.join("scripts/setup.sh~"),
            "#!/bin/sh\nrm -rf ~\n",
        )
        .unwrap();
        fs::write(task.folder.join(".x.swp"), "").unwrap();
        fs::write(task.folder.join("triggers.yaml"), "other").unwrap();
        if let Some(text) = self.also {
            return Replaces(text).improve(task, &|| false);
        }
        Ok("unchanged: nothing to do".to_owned())
    }
}

#[test]
fn what_is_no_part_of_a_skill_is_not_taken() {
    let world = World::new();
    let skill = world.skills().join("find");
    fs::write(skill.join("triggers.yaml"), "mine").unwrap();
    fs::write(skill.join("mine~"), "mine").unwrap();
    let left_out = [".x.swp", "scripts/setup.sh~", "triggers.yaml"];
    let before = world.snapshot();
    let attempts = world.after(&["find"], true, &Litters { also: None });
    assert_eq!(attempts[0].record.outcome, AttemptOutcome::Unchanged);
    assert_eq!(attempts[0].record.left_out, left_out);
    assert_eq!(world.snapshot(), before);
    let litters = Litters { also: Some("Grep") };
    let attempts = world.after(&["find"], true, &litters);
    let record = &attempts[0].record;
    assert_eq!(record.outcome, AttemptOutcome::Taken, "{}", record.reason);
    assert_eq!(record.left_out, left_out);
    assert!(!skill.join("scripts/setup.sh~").exists() && !skill.join(".x.swp").exists());
    assert_eq!(
        fs::read_to_string(skill.join("triggers.yaml")).unwrap(),
        "mine"
    );
    assert_eq!(fs::read_to_string(skill.join("mine~")).unwrap(), "mine");
    assert!(
        fs::read_to_string(skill.join("SKILL.md"))
            .unwrap()
            .contains("Grep")
    );
}

/// An agent that puts a link in the place of the copy.
struct Links(PathBuf);

impl Improver for Links {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Error> {
        fs::rename(&task.folder, &self.0).unwrap();
        symlink(&self.0, &task.folder).unwrap();
        fs::write(
            self.0.join("SKILL.md"),
            "---\nname: find\ndescription: Finds code. Use when asked to find.\n---\nCall Grep.\n",
        )
        .unwrap();
        Ok("changed: another tool".to_owned())
    }
}

#[test]
fn a_link_in_the_place_of_the_copy_is_refused() {
    let world = World::new();
    let before = world.snapshot();
    let away = Links(world.folder.path().join("away"));
    let attempts = world.after(&["find"], true, &away);
    assert_eq!(attempts[0].record.outcome, AttemptOutcome::Refused);
    assert!(
        attempts[0].record.reason.contains("a link"),
        "{}",
        attempts[0].record.reason
    );
    assert_eq!(world.snapshot(), before);
}

/// An agent that puts a link in the place of its copy, or of a folder above it.
struct Displaces {
    above: usize,
    target: PathBuf,
}

impl Improver for Displaces {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Error> {
        let place = task.folder.ancestors().nth(self.above).unwrap();
        fs::remove_dir_all(place).unwrap();
        symlink(&self.target, place).unwrap();
        Ok("changed: the place".to_owned())
    }
}

#[test]
fn a_link_above_the_copy_is_refused() {
    for (above, target) in [
        (0, "outside/skills/find"),
        (1, "outside/skills"),
        (2, "outside"),
    ] {
        let world = World::new();
        let outside = world.folder.path().join("outside/skills/find");
        fs::create_dir_all(&outside).unwrap();
        let text = fs::read_to_string(world.skills().join("find/SKILL.md")).unwrap();
        fs::write(outside.join("SKILL.md"), text.replace("FileSearch", "Grep")).unwrap();
        let before = world.snapshot();
        let target = world.folder.path().join(target);
        let attempts = world.after(&["find"], true, &Displaces { above, target });
        assert_eq!(
            attempts[0].record.outcome,
            AttemptOutcome::Refused,
            "{above}"
        );
        let reason = &attempts[0].record.reason;
        assert!(
            reason.contains("in the place of its copy"),
            "{above}: {reason}"
        );
        assert_eq!(world.snapshot(), before);
        assert!(outside.join("SKILL.md").exists(), "{above}");
    }
}
