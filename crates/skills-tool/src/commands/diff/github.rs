//! Workflow commands at the lines that brought a power.

use crate::commands::diff::report::Report;
use skills_format::{Diagnostic, PowerKind, RuleId, Severity, join};
use skills_lint::render;

pub(super) fn render(report: &Report) -> String {
    let mut found = Vec::new();
    for (path, what) in report.loosened() {
        found.push(Diagnostic::new(
            RuleId::PowersWidened,
            Severity::Error,
            join(&report.prefix, path),
            format!("`{path}` {what}"),
        ));
    }
    for path in &report.plugin_files {
        found.push(Diagnostic::new(
            RuleId::PowersWidened,
            Severity::Info,
            join(&report.prefix, path),
            "what this file lets an agent do is not compared: read the change",
        ));
    }
    for skill in &report.skills {
        let folder = join(&report.prefix, &skill.folder);
        for power in &skill.powers.gained {
            let what = if power.kind == PowerKind::Restraints {
                "lost the restraint"
            } else {
                "gained a power"
            };
            let message = format!(
                "`{}` {what}: {}: {}",
                skill.name,
                power.kind.as_str(),
                power.text
            );
            let (path, line) = match power.places.first() {
                // The place of a lost restraint is a line of the old version.
                Some(place) if power.kind != PowerKind::Restraints => {
                    (place.path.as_str(), place.line.max(1))
                }
                _ => ("SKILL.md", 1),
            };
            let diagnostic = Diagnostic::new(
                RuleId::PowersWidened,
                Severity::Warning,
                join(&folder, path),
                message,
            )
            .on_line(line);
            found.push(diagnostic);
        }
    }
    render::github(&found)
}
