//! The rules `lock-stale` and `powers-widened`: the skills of a locked folder must match its lock.

use crate::folder::{Folder, LOCK_FILE};
use crate::lock::{Change, Lock, LockKind};
use crate::model::BundleModel;
use skills_check::Level;
use skills_check::render::quoted;
use skills_format::{Diagnostic, RuleId, SKILL_FILE, Severity, TRIGGERS_FILE, join};
#[cfg(feature = "powers")]
use skills_format::{Power, PowerKind, Span};

const RULE: RuleId = RuleId::LockStale;

/// The lock holds other powers than its unchanged files.
const FOREIGN: &str = "somebody changed the lock, or an older version of `skills` wrote it: review what the skill may do";

/// Says how a change is reviewed and locked.
fn help(folder: &Folder) -> String {
    if cfg!(feature = "powers") {
        return after("review the change", folder);
    }
    let path = seen(folder);
    let review = format!("review the change (`skills lock --check {path}` lists gained powers)");
    after(&review, folder)
}

/// Returns the folder as seen from where cargo or the program `skills` runs, quoted for a shell.
fn seen(folder: &Folder) -> String {
    quoted(&join(&folder.before, &folder.path)).into_owned()
}

/// Says what to do, and then to write the lock.
fn after(review: &str, folder: &Folder) -> String {
    let path = seen(folder);
    format!("{review}, then run `skills lock {path}`")
}

/// Returns the level of a rule about the lock.
fn severity(folder: &Folder, rule: RuleId) -> Option<Severity> {
    folder.config.severity(&(rule, Level::Deny))
}

/// Reports every difference from the lock, and every power that the lock does not hold, if the folder is locked.
/// `exists` tells whether a skill has this name, usable or not.
pub(crate) fn check(
    folder: &Folder,
    model: &BundleModel<'_>,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let Some(severity) = severity(folder, RULE) else {
        return Vec::new();
    };
    let path = join(&folder.path, LOCK_FILE);
    let help = help(folder);
    let reported = |path: &str, message: String| {
        Diagnostic::new(RULE, severity, path, message).help(help.clone())
    };
    let lock = match folder
        .lock_text
        .as_deref()
        .map(|text| (text, Lock::parse(text)))
    {
        None => None,
        Some((_, Ok(lock))) => Some(lock),
        // A lock that cannot be read names no skill that is missing.
        Some((text, Err(error))) => {
            let found = if error.conflict {
                let message = format!("`{LOCK_FILE}` has conflict markers of git");
                reported(&path, message).help(after("merge the skills", folder))
            } else {
                reported(&path, error.message)
            };
            return vec![found.at(text.as_bytes(), error.span)];
        }
    };
    let Some(lock) = lock else {
        let message = format!("the build is locked, and `{LOCK_FILE}` does not exist");
        // There is nothing to compare with yet.
        let found = reported(&path, message).help(after("review the skills", folder));
        return folder.config.locked.then_some(found).into_iter().collect();
    };
    if !folder.config.locked {
        return missing(folder, &lock, severity, exists);
    }
    if lock.kind == LockKind::Installed {
        let message = format!("the build is locked, and `{LOCK_FILE}` lists installed skills only");
        return vec![reported(&path, message)];
    }
    let skill_of = |name: &str| {
        let mut skills = model.skills.iter();
        skills.find(|skill| skill.skill.name.as_str() == name)
    };
    let place = |name: &str, file: &str| {
        let skill = skill_of(name);
        // A `triggers.yaml` that was removed is no place to show.
        let file = skill.map(|skill| match file {
            TRIGGERS_FILE if skill.triggers.is_none() => join(skill.dir, SKILL_FILE),
            file => join(skill.dir, file),
        });
        file.map_or_else(|| path.clone(), |file| join(&folder.path, &file))
    };
    let now = Lock::of(model);
    #[cfg(feature = "powers")]
    let now = now.with_powers_of(model);
    let widened = widened(folder, model, &lock, &now);
    let mut stale = lock.changes(&now);
    // A skill that cannot be read has an error of its own, and was not removed.
    stale.retain(|change| match change {
        Change::Removed(name) => !exists(name),
        _ => true,
    });
    let stale = stale.iter().map(|change| {
        if let Change::Powers(name) = change {
            return reported(&place(name, SKILL_FILE), change.to_string())
                .help(after(FOREIGN, folder));
        }
        let added = match change {
            Change::Changed(name) => skill_of(name).zip(lock.skills.get(name)),
            _ => None,
        };
        // The lock has one digest for all files of a skill. Of all changes, only the addition of one file can be found.
        let added = added.and_then(|(skill, locked)| skill.added_to(locked.digest, locked.size));
        let path = match change {
            Change::Changed(name) => place(name, added.unwrap_or(SKILL_FILE)),
            Change::Added(name) => place(name, SKILL_FILE),
            Change::Triggers(name) => place(name, TRIGGERS_FILE),
            Change::Powers(_) | Change::Removed(_) => path.clone(),
        };
        let what = if cfg!(feature = "powers") {
            lock.describe(change, &widened)
        } else {
            change.to_string()
        };
        if let Change::Changed(name) = change
            && let (Some(skill), Some(locked)) = (skill_of(name), lock.skills.get(name))
            && skill.has_other_line_ends(locked.digest)
        {
            let message = format!("`{name}` differs from `{LOCK_FILE}` in line ends alone: this checkout has other line ends");
            let help = format!(
                "write `{}/** -text` into `.gitattributes` beside Cargo.toml, commit it, and check the skills out again",
                folder.path
            );
            return reported(&path, message).help(help);
        }
        let added = added.map(|file| format!(": `{file}` was added"));
        let added = added.unwrap_or_default();
        reported(
            &path,
            format!("{what} since `{LOCK_FILE}` was written{added}"),
        )
    });
    let mut found: Vec<_> = stale.collect();
    if self::severity(folder, RuleId::PowersWidened).is_some() {
        found.extend(widened);
    }
    found
}

/// Reports the skills of a lock that the folder does not have: `cargo publish` builds what it packed, and an `exclude` or a
/// nested manifest can keep a skill out of it. Without `locked = true`, a lock promises only that no skill is lost.
fn missing(
    folder: &Folder,
    lock: &Lock,
    severity: Severity,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let path = join(&folder.path, LOCK_FILE);
    let lost = lock.skills.keys().filter(|name| !exists(name));
    let lost = lost.map(|name| {
        let message = format!("`{name}` is in `{LOCK_FILE}`, and the folder does not have it");
        let help = format!(
            "restore it, or look whether `exclude`, `include` or a Cargo.toml in its folder keeps it out of the package; \
             if it was removed, run `skills lock {}`",
            seen(folder)
        );
        Diagnostic::new(RULE, severity, path.as_str(), message).help(help)
    });
    lost.collect()
}

/// Reports nothing: without the feature, `lock-stale` reports a skill that gained a power as changed.
#[cfg(not(feature = "powers"))]
fn widened(_: &Folder, _: &BundleModel<'_>, _: &Lock, _: &Lock) -> Vec<Diagnostic> {
    Vec::new()
}

#[cfg(feature = "powers")]
impl Folder {
    /// Reports each power of a skill that a lock does not hold, also if the rule is allowed. `now` is the lock of the model,
    /// with its powers.
    ///
    /// # Cost
    ///
    /// Reads the text of every file of the skills with other powers than those of the lock.
    pub fn widened(&self, model: &BundleModel<'_>, lock: &Lock, now: &Lock) -> Vec<Diagnostic> {
        widened(self, model, lock, now)
    }
}

/// Reports each power of a skill that the lock does not hold, also of a skill with the locked bytes: who writes the
/// digest of other bytes into a lock can leave the powers as they were.
#[cfg(feature = "powers")]
fn widened(folder: &Folder, model: &BundleModel<'_>, lock: &Lock, now: &Lock) -> Vec<Diagnostic> {
    let severity = severity(folder, RuleId::PowersWidened).unwrap_or(Severity::Error);
    let mut found = Vec::new();
    for skill in &model.skills {
        let name = skill.skill.name.as_str();
        let Some(locked) = lock.skills.get(name) else {
            continue;
        };
        let dir = join(&folder.path, skill.dir);
        // Powers that nobody read are unknown, and not none.
        let Some(held) = &locked.powers else {
            continue;
        };
        // Equal powers have no places to look for.
        let now = now.skills.get(name).and_then(|now| now.powers.as_ref());
        if now == Some(held) {
            continue;
        }
        for widening in skill.powers().for_lock_with_places().widenings(held) {
            let finding = powers_widened(name, &dir, &widening.power).help(help(folder));
            let has_place = !widening.power.places.is_empty();
            let text = folder.source(&finding.path).filter(|_| has_place);
            let mut finding = match text {
                Some(text) => {
                    let line = line_of(&text, finding.start.line);
                    finding.at(&text, line)
                }
                None => finding,
            };
            finding.severity = severity;
            found.push(finding);
        }
    }
    found
}

/// Returns the bytes of a line, without the white space around its text. Lines count from 1.
#[cfg(feature = "powers")]
fn line_of(text: &[u8], line: usize) -> Span {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let start: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let start = start + line.len() - line.trim_ascii_start().len();
    Span::new(start, start + line.trim_ascii().len())
}

/// Returns the finding of a power that a lock does not hold, at the line that gives the power. `dir` is the folder of
/// the skill.
#[cfg(feature = "powers")]
pub fn powers_widened(name: &str, dir: &str, power: &Power) -> Diagnostic {
    let (message, place) = if power.kind == PowerKind::Restraints {
        let message = format!("`{name}` has lost the restraint: {}", power.text);
        (message, None)
    } else {
        let (kind, text) = (power.kind.as_str(), &power.text);
        let message = format!("`{name}` may do more than `skills.lock` holds: {kind}: {text}");
        (message, power.places.first())
    };
    let (path, line) = place.map_or((SKILL_FILE, 1), |place| {
        (place.path.as_str(), place.line.max(1))
    });
    Diagnostic::new(
        RuleId::PowersWidened,
        Severity::Error,
        join(dir, path),
        message,
    )
    .on_line(line)
}
