//! `skills lock`: writes the lock of reviewed skills, or compares skills with their lock.

use crate::commands::inspect::bundle::{DEFAULT, folder, refuse_faulty};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_compiler::{Folder, LOCK_FILE, LockError, LockKind};
use skills_format::disk;
use skills_format::text::command::Command;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Prose, command, prose};
use skills_host::lock::merged;
use skills_repository::lock::widened;
use skills_repository::{Change, Lock};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LockCommand {
    /// The folder of skills
    #[arg(value_name = "PATH", default_value = DEFAULT)]
    path: PathBuf,
    /// Write nothing; exit with 1 if the skills differ from the lock
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills lock                  after a review: writes skills/skills.lock
  skills lock --check          in CI
With `locked = true` in skills/skills.toml, `skills check` and builds report skills that differ from the lock.";

/// `lock --format json`
#[derive(Serialize)]
struct LockDocument {
    skills: usize,
    changes: Vec<ChangeJson>,
    /// The powers that changed skills gained.
    widened: Vec<WidenedJson>,
}

#[derive(Serialize)]
struct WidenedJson {
    path: String,
    line: usize,
    message: String,
}

#[derive(Serialize)]
struct ChangeJson {
    change: &'static str,
    skill: Option<String>,
}

impl LockCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let folder = folder("lock", &self.path, cx.env)?;
        if let Some(text) = &folder.lock_text
            && matches!(Lock::parse(text), Err(LockError { conflict: true, .. }))
        {
            return self.merge(&folder, text, cx);
        }
        let old = folder.lock_text.as_deref().map(Lock::parse);
        // `install` owns a lock of installed skills.
        if let Some(Ok(old)) = &old
            && old.kind == LockKind::Installed
        {
            return Err(Failure::not_so(
                prose!("{} lists installed skills", &self.file()),
                "`skills install --frozen --dry-run` compares them; `skills install` and `skills update` write it",
            ));
        }
        let compiled = folder.compile();
        refuse_faulty("lock", &self.path, &compiled, cx)?;
        let old = self.old(old)?;
        let now = Lock::of(&compiled.model).with_powers_of(&compiled.model);
        let (now, changes, widened) = match &old {
            Some(old) => {
                let now = now.with_provenance_of(old);
                let changes = old.changes(&now);
                let widened = widened(&folder, &compiled.model, old, &now);
                (now, changes, widened)
            }
            None if self.check => {
                return Err(Failure::not_so(
                    prose!("there is no {}", &self.file()),
                    self.review("skills"),
                ));
            }
            None => (now, Vec::new(), Vec::new()),
        };
        if !self.check {
            self.write(&now, cx.env)?;
            if folder.lock_text.is_none() {
                let folder = self.path.shown();
                let folder = folder.trim_end_matches('/').trim_start_matches("./");
                cx.note(format!(
                    "advice: `{folder}/** -text` in .gitattributes keeps the bytes on every platform"
                ));
            }
        }
        self.print(old.as_ref(), &now, &changes, &widened, cx)
    }

    /// Writes the lock anew from the sides of a conflict that git has left.
    fn merge(&self, folder: &Folder, text: &str, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.check {
            return Err(Failure::not_so(
                prose!("{} has conflict markers of git", &self.file()),
                prose!("merge the skills, then run {}", self.command()),
            ));
        }
        let (kind, entries) = Lock::parse_sides(text).map_err(|error| {
            let fact = prose!("cannot read {}: {error}", &self.file());
            Failure::failed(fact, "restore one side from version control")
        })?;
        let now = if kind == LockKind::Bundle {
            let compiled = folder.compile();
            refuse_faulty("lock", &self.path, &compiled, cx)?;
            let mut now = Lock::of(&compiled.model).with_powers_of(&compiled.model);
            for (name, locked) in &mut now.skills {
                let mut known = entries.iter().filter(|(known, _)| known == name);
                let same = known.find(|(_, known)| known.digest == locked.digest);
                locked.provenance = same.and_then(|(_, known)| known.provenance.clone());
            }
            now
        } else {
            let merged = merged(&cx.env.absolute(&self.path), text);
            merged?
        };
        self.write(&now, cx.env)?;
        self.print(None, &now, &[], &[], cx)
    }

    /// Returns the existing lock. Without `--check`, a damaged lock is replaced. A lock of a newer version is
    /// always an error.
    fn old(&self, old: Option<Result<Lock, LockError>>) -> Result<Option<Lock>, Failure> {
        let error = match old {
            None => return Ok(None),
            Some(Ok(lock)) => return Ok(Some(lock)),
            Some(Err(error)) if !self.check && !error.newer => return Ok(None),
            Some(Err(error)) => error,
        };
        let help = if error.newer {
            "use that version of `skills` here".into()
        } else {
            self.review("skills")
        };
        let fact = prose!("cannot read {}: {error}", &self.file());
        Err(Failure::failed(fact, help))
    }

    fn file(&self) -> PathBuf {
        self.path.join(LOCK_FILE)
    }

    fn review(&self, what: &str) -> Prose {
        prose!("review the {what}, then run {}", self.command())
    }

    fn command(&self) -> Command {
        match &*self.path.shown() {
            DEFAULT => command("lock"),
            _ => command("lock").path(&self.path),
        }
    }

    fn write(&self, now: &Lock, env: &Environment) -> Result<(), Failure> {
        let path = env.absolute(&self.path);
        let written = disk::Folder::open(&path)
            .and_then(|open| open.replace(LOCK_FILE.as_ref(), now.to_string().as_bytes(), None));
        written.map_err(|error| {
            let file = self.file();
            Failure::unwritten(&file, &error, "change the permissions of the folder")
        })
    }

    fn print(
        &self,
        old: Option<&Lock>,
        now: &Lock,
        changes: &[Change],
        widened: &[Diagnostic],
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        if cx.is_json {
            let changes = changes.iter().map(ChangeJson::of).collect();
            let widened = widened.iter().map(WidenedJson::of).collect();
            let document = LockDocument::of(now, changes);
            cx.json(&LockDocument {
                widened,
                ..document
            })?;
        } else {
            for change in changes {
                let described = old.map(|old| old.describe(change, widened));
                writeln!(cx, "{}", described.unwrap_or_default())?;
            }
            print_widened(widened, cx)?;
            let (file, skills) = (self.file(), counted(now.skills.len(), "skill"));
            let what = match (self.check, changes.is_empty()) {
                (false, _) => format!("{skills} locked"),
                (true, true) => format!("up to date, {skills}"),
                (true, false) => format!("stale; {}", self.review("changes")),
            };
            writeln!(cx, "{}: {what}", file.shown())?;
        }
        Ok(Outcome::of(self.check && !changes.is_empty()))
    }
}

fn print_widened(widened: &[Diagnostic], cx: &mut Ctx) -> Result<(), Failure> {
    for finding in widened {
        let (path, line) = (one_line(&finding.path), finding.start.line);
        let message = one_line(&finding.message.to_string());
        writeln!(cx, "{path}:{line}: {message}")?;
    }
    Ok(())
}

impl LockDocument {
    fn of(lock: &Lock, changes: Vec<ChangeJson>) -> Self {
        Self {
            skills: lock.skills.len(),
            changes,
            widened: Vec::new(),
        }
    }
}

impl WidenedJson {
    fn of(finding: &Diagnostic) -> Self {
        Self {
            path: finding.path.clone(),
            line: finding.start.line,
            message: finding.message.to_string(),
        }
    }
}

impl ChangeJson {
    fn of(change: &Change) -> Self {
        let (change, skill) = match change {
            Change::Added(name) => ("added", Some(name)),
            Change::Removed(name) => ("removed", Some(name)),
            Change::Changed(name) => ("changed", Some(name)),
            Change::Triggers(name) => ("triggers", Some(name)),
            Change::Powers(name) => ("powers", Some(name)),
            _ => ("changed", None),
        };
        Self {
            change,
            skill: skill.cloned(),
        }
    }
}
