//! `skills lock`: writes the lock of reviewed skills, or compares skills with their lock.

use crate::commands::install::session::Session;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde_json::json;
use skills_compiler::{Compiled, Folder, LOCK_FILE, LockError, LockKind};
use skills_format::disk;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Position, RuleId, Severity, command, prose};
use skills_host::install::{LockDifference, lock_differences};
use skills_host::lock::merged;
use skills_repository::lock::{powers_widened, widened};
use skills_repository::{Change, Lock};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LockCommand {
    /// The folder of skills
    #[arg(value_name = "PATH", default_value = "skills")]
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

With `locked = true` in skills/skills.toml, `skills check` fails if skills differ from the lock, and so does compiling \
them into a program. `skills install` writes a lock of its own: --check compares it too, and after a merge \
conflict this command rebuilds it.";

/// The help for a lock that has to be written.
const REVIEW: &str = "review the skills, then run this without --check";

impl LockCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let folder = self.folder(cx.env)?;
        let old = match folder.lock_text.as_deref().map(Lock::parse) {
            None => None,
            Some(Err(LockError { conflict: true, .. })) => return self.merge(&folder, cx),
            Some(Ok(old)) if old.kind == LockKind::Installed => return self.installed(&old, cx),
            Some(read) => Some(read),
        };
        let compiled = folder.compile();
        self.refuse_faulty(&compiled, cx)?;
        let old = match old.transpose() {
            Ok(old) => old,
            // A damaged lock is written anew, and a lock of a newer version never.
            Err(error) if !self.check && !error.newer => None,
            Err(error) => {
                let fact = prose!("cannot read {}: {error}", &self.file());
                let newer = "use that version of `skills` here";
                return Err(Failure::failed(
                    fact,
                    if error.newer { newer } else { REVIEW },
                ));
            }
        };
        let mut now = Lock::of(&compiled.model).with_powers_of(&compiled.model);
        let (mut changes, mut gained) = (Vec::new(), Vec::new());
        if let Some(old) = &old {
            now = now.with_provenance_of(old);
            changes = old.changes(&now);
            gained = widened(&folder, &compiled.model, old, &now);
        } else if self.check {
            let fact = prose!("there is no {}", &self.file());
            return Err(Failure::not_so(fact, REVIEW));
        }
        if !self.check {
            self.write(&now, cx.env)?;
            if folder.lock_text.is_none() {
                let folder = cx.env.shown(&cx.env.absolute(&self.path));
                let folder = folder.trim_end_matches('/').trim_start_matches("./");
                cx.note(format!(
                    "advice: add `{folder}/** -text` to .gitattributes, so that git does not convert line endings"
                ));
            }
        }
        let digest = compiled.model.digest.to_string();
        self.print(old.as_ref(), &now, &changes, &gained, Some(&digest), cx)
    }

    /// Reads the folder of skills.
    fn folder(&self, env: &Environment) -> Result<Folder, Failure> {
        let fail = |wrong: &str| {
            Failure::failed(
                prose!("cannot read {}: {wrong}", &self.path),
                "name a folder of skills, such as .agents/skills",
            )
        };
        let base = env.working_folder.as_deref().unwrap_or(Path::new(""));
        if !env.absolute(&self.path).is_dir() {
            return Err(fail("there is no such folder"));
        }
        let path = self.path.to_str();
        Ok(Folder::read(
            base,
            path.ok_or_else(|| fail("the path is not UTF-8"))?,
        ))
    }

    /// Refuses a folder with errors, and prints the first: `skills check` does not report all of them. A difference from the
    /// lock is not an error here, nor a skill that gained a power.
    fn refuse_faulty(&self, compiled: &Compiled<'_>, cx: &mut Ctx) -> Result<(), Failure> {
        const MOST: usize = 10;
        let errors = compiled.diagnostics.iter().filter(|found| {
            let is_expected = found.is(RuleId::LockStale) || found.is(RuleId::PowersWidened);
            !is_expected && found.severity == Severity::Error
        });
        let errors: Vec<&Diagnostic> = errors.collect();
        for error in errors.iter().take(MOST) {
            // A finding about a whole file has no line.
            let place = match (error.start, error.end) {
                (Position::START, Position::START) => String::new(),
                (start, _) => format!(":{start}"),
            };
            let text = format_args!("{}{place}: {}", error.path, error.message);
            cx.finding(Severity::Error, error.rule.as_str(), text);
            cx.help(&error.help);
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(Failure::not_so(
            prose!(
                "cannot lock {}: {}",
                &self.path,
                counted(errors.len(), "error")
            ),
            "a program that ships these skills does not build either: correct them",
        ))
    }

    /// Compares installed skills with their lock, which `install` owns.
    fn installed(&self, old: &Lock, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if !self.check {
            let fact = prose!("{} is the lock of `skills install`", &self.file());
            let check = command("lock --check").path(&self.path);
            let help = prose!("{} compares it; `skills install` writes it", check);
            return Err(Failure::not_so(fact, help));
        }
        let session = Session::new(cx.env)?;
        let found = lock_differences(&cx.env.absolute(&self.path), session.host())?;
        let change = |it: &LockDifference| match it.state {
            "missing" => Change::Removed(it.name.clone()),
            "powers" => Change::Powers(it.name.clone()),
            _ => Change::Changed(it.name.clone()),
        };
        let changes: Vec<Change> = found.iter().map(change).collect();
        let gained = found.iter().flat_map(|it| {
            let powers = it.gained.iter();
            powers.map(|power| powers_widened(&it.name, &it.name, power))
        });
        let gained: Vec<Diagnostic> = gained.collect();
        self.print(Some(old), old, &changes, &gained, None, cx)
    }

    /// Writes the lock anew from the sides of a conflict that git has left.
    fn merge(&self, folder: &Folder, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let text = folder.lock_text.as_deref().unwrap_or_default();
        if self.check {
            return Err(Failure::not_so(
                prose!("{} has conflict markers of git", &self.file()),
                prose!(
                    "merge the skills, then run {}",
                    command("lock").path(&self.path)
                ),
            ));
        }
        let (kind, entries) = Lock::parse_sides(text).map_err(|error| {
            let fact = prose!("cannot read {}: {error}", &self.file());
            Failure::failed(fact, "restore one side from version control")
        })?;
        let mut digest = None;
        let now = if kind == LockKind::Bundle {
            let compiled = folder.compile();
            self.refuse_faulty(&compiled, cx)?;
            let mut now = Lock::of(&compiled.model).with_powers_of(&compiled.model);
            for (name, locked) in &mut now.skills {
                let mut known = entries.iter().filter(|(known, _)| known == name);
                let same = known.find(|(_, known)| known.digest == locked.digest);
                locked.provenance = same.and_then(|(_, known)| known.provenance.clone());
            }
            digest = Some(compiled.model.digest.to_string());
            now
        } else {
            merged(&cx.env.absolute(&self.path), text)?
        };
        self.write(&now, cx.env)?;
        self.print(None, &now, &[], &[], digest.as_deref(), cx)
    }

    fn file(&self) -> PathBuf {
        self.path.join(LOCK_FILE)
    }

    fn write(&self, now: &Lock, env: &Environment) -> Result<(), Failure> {
        let path = env.absolute(&self.path);
        let written = disk::Folder::open(&path)
            .and_then(|open| open.replace(LOCK_FILE.as_ref(), now.to_string().as_bytes(), None));
        written.map_err(|error| {
            let help = "change the permissions of the folder";
            Failure::unwritten(&self.file(), &error, help)
        })
    }

    fn print(
        &self,
        old: Option<&Lock>,
        now: &Lock,
        changes: &[Change],
        widened: &[Diagnostic],
        digest: Option<&str>,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let gained = widened.iter().map(|it| {
            json!({ "path": it.path, "line": it.start.line, "message": it.message.to_string() })
        });
        let document = json!({
            "digest": digest,
            "skills": now.skills.len(),
            "changes": changes.iter().map(changed).collect::<Vec<_>>(),
            // The powers that changed skills gained.
            "widened": gained.collect::<Vec<_>>(),
        });
        cx.report(&document)?;
        for change in changes {
            let described = old.map(|old| old.describe(change, widened));
            writeln!(cx, "{}", described.unwrap_or_default())?;
        }
        for it in widened {
            let (path, message) = (one_line(&it.path), one_line(&it.message.to_string()));
            writeln!(cx, "{path}:{}: {message}", it.start.line)?;
        }
        let skills = counted(now.skills.len(), "skill");
        let what = match (self.check, changes.is_empty()) {
            (false, _) => format!("{skills} locked"),
            (true, true) => format!("up to date, {skills}"),
            (true, false) if now.kind == LockKind::Installed => {
                "stale; `skills install --frozen` restores missing skills, `skills update --force` changed ones".to_owned()
            }
            (true, false) => format!("stale; {REVIEW}"),
        };
        writeln!(cx, "{}: {what}", self.file().shown())?;
        Ok(Outcome::of(self.check && !changes.is_empty()))
    }
}

fn changed(change: &Change) -> serde_json::Value {
    let (change, skill) = match change {
        Change::Added(name) => ("added", Some(name)),
        Change::Removed(name) => ("removed", Some(name)),
        Change::Changed(name) => ("changed", Some(name)),
        Change::Triggers(name) => ("triggers", Some(name)),
        Change::Powers(name) => ("powers", Some(name)),
        _ => ("changed", None),
    };
    json!({ "change": change, "skill": skill })
}
