//! Workflow commands at the lines that fail the gate, and at changed instructions.

use skills_format::{Diagnostic, RuleId, Severity, join};
use skills_host::review::{ChangedFile, ChangedKind, Changes};
use skills_lint::render;
use skills_permit::PowerKind;

pub(super) fn render(changes: &Changes, prefix: &str) -> String {
    let finding = |path: String, message: String, is_denied: bool| {
        let severity = if is_denied {
            Severity::Warning
        } else {
            Severity::Info
        };
        Diagnostic::new(RuleId::PowersWidened, severity, path, message)
    };
    let file = |file: &ChangedFile, folder: &str| {
        let path = match file.kind {
            ChangedKind::Listed | ChangedKind::Moved => join(folder, "SKILL.md"),
            _ => join(folder, &file.path),
        };
        let message = format!("{} and not judged: read the change", file.note);
        finding(path, message, file.denied)
    };
    let mut found: Vec<Diagnostic> = changes.beside.iter().map(|it| file(it, prefix)).collect();
    for skill in &changes.skills {
        let folder = join(prefix, &skill.folder);
        for power in skill.loosened.iter().chain(&skill.gained) {
            let is_restraint = power.kind == PowerKind::Restraints;
            let what = if is_restraint {
                "lost the limit"
            } else {
                "gained a power"
            };
            let message = format!(
                "`{}` {what}: {}: {}",
                skill.name,
                power.kind.label(),
                power.text
            );
            // The place of a lost restraint is a line of the old version.
            let place = power.places.first().filter(|_| !is_restraint);
            let (path, line) = place.map_or(("SKILL.md", 1), |place| {
                (place.path.as_str(), place.line.max(1))
            });
            found.push(finding(join(&folder, path), message, true).on_line(line));
        }
        for field in skill.fields.iter().filter(|field| field.denied) {
            let message = format!(
                "`{}` changed the field `{}`, which is not judged",
                skill.name, field.key
            );
            found.push(finding(join(&folder, "SKILL.md"), message, true));
        }
        found.extend(skill.changed.iter().map(|it| file(it, &folder)));
    }
    render::github(&found)
}
