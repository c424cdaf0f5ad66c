//! The rule `powers-widened`, and powers that somebody changed in a lock.

use crate::lock::{Change, Lock, powers_of};
use skills_check::Level;
use skills_check::render::quoted;
use skills_compiler::{BundleModel, Compiled, Folder, LockKind};
use skills_format::{Diagnostic, RuleId, SKILL_FILE, Severity, Span, join};
use skills_permit::{Power, PowerKind};

/// The lock holds other powers than its unchanged files.
const FOREIGN: &str = "somebody changed the lock, or an older version of `skills` wrote it: review what the skill may do";

/// Says what to do, and then to write the lock.
fn after(review: &str, folder: &Folder) -> String {
    format!("{review}, then run `skills lock {}`", quoted(&folder.path))
}

fn severity(folder: &Folder, rule: RuleId) -> Option<Severity> {
    folder.config.severity(&(rule, Level::Deny))
}

/// Returns the findings of a locked folder about the powers of its lock. The findings of [`Folder::compile`] say whether its
/// digests are stale.
pub(crate) fn check(folder: &Folder, compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    let lock = folder.lock_text.as_deref().map(Lock::parse);
    let lock = match lock {
        Some(Ok(lock)) if folder.config.locked && lock.kind == LockKind::Bundle => lock,
        Some(Err(error)) if folder.config.locked => {
            // A lock whose digests cannot be read is reported by the build too.
            let is_reported = compiled
                .diagnostics
                .iter()
                .any(|it| it.is(RuleId::LockStale));
            let path = join(&folder.path, skills_compiler::LOCK_FILE);
            let Some(severity) = severity(folder, RuleId::LockStale).filter(|_| !is_reported)
            else {
                return Vec::new();
            };
            let found = Diagnostic::new(RuleId::LockStale, severity, path, error.message);
            let found = found.help(after("review the change", folder));
            let text = folder.lock_text.as_deref().unwrap_or_default();
            return vec![found.at(text.as_bytes(), error.span)];
        }
        _ => return Vec::new(),
    };
    let now = Lock::of(&compiled.model).with_powers_of(&compiled.model);
    let mut found = Vec::new();
    if let Some(severity) = severity(folder, RuleId::LockStale) {
        for change in lock.changes(&now) {
            let Change::Powers(name) = &change else {
                continue;
            };
            let mut skills = compiled.model.skills.iter();
            let skill = skills.find(|skill| skill.skill.name.as_str() == name);
            let dir = skill.map_or("", |skill| skill.dir);
            let path = join(&folder.path, &join(dir, SKILL_FILE));
            let finding = Diagnostic::new(RuleId::LockStale, severity, path, change.to_string());
            found.push(finding.help(after(FOREIGN, folder)));
        }
    }
    if severity(folder, RuleId::PowersWidened).is_some() {
        found.extend(widened(folder, &compiled.model, &lock, &now));
    }
    found
}

/// Reports each power of a skill that a lock does not hold, also of a skill with the locked bytes, and also if the rule is
/// allowed. `now` is the lock of the model, with its powers.
///
/// # Cost
///
/// Reads the text of every file of the skills with other powers than those of the lock.
pub fn widened(
    folder: &Folder,
    model: &BundleModel<'_>,
    lock: &Lock,
    now: &Lock,
) -> Vec<Diagnostic> {
    let severity = severity(folder, RuleId::PowersWidened).unwrap_or(Severity::Error);
    let help = after("review the change", folder);
    let mut found = Vec::new();
    for skill in &model.skills {
        let name = skill.skill.name.as_str();
        let Some(locked) = lock.skills.get(name) else {
            continue;
        };
        let dir = join(&folder.path, skill.dir);
        // Powers that nobody read are unknown, and not none.
        let Some(known) = &locked.powers else {
            continue;
        };
        // Equal powers have no places to look for.
        let present = now.skills.get(name).and_then(|now| now.powers.as_ref());
        if present == Some(known) {
            continue;
        }
        for widening in powers_of(skill).for_lock_with_places().widenings(known) {
            let finding = powers_widened(name, &dir, &widening).help(help.clone());
            let has_place = !widening.places.is_empty();
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
pub(super) fn line_of(text: &[u8], line: usize) -> Span {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let start: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let start = start + line.len() - line.trim_ascii_start().len();
    Span::new(start, start + line.trim_ascii().len())
}

/// Returns the finding of a power that a lock does not hold, at the line that gives the power. `dir` is the folder of
/// the skill.
pub fn powers_widened(name: &str, dir: &str, power: &Power) -> Diagnostic {
    let (message, place) = if power.kind == PowerKind::Restraints {
        let message = format!("`{name}` has lost the limit: {}", power.text);
        (message, None)
    } else {
        let (kind, text) = (power.kind.label(), &power.text);
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
