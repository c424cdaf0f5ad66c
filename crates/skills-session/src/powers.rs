//! The powers that a lock holds skills to.

use skills_format::text::path::PathText as _;
use skills_format::text::shorten::one_line;
use skills_format::{Diagnostic, RuleId, SKILL_FILE, Severity, ToolRule};
use skills_permit::Powers;
use skills_runtime::{Catalog, CatalogBuilder, Skill};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

/// The powers of locked skills by folder, attached to a catalog.
struct Locked(Arc<BTreeMap<PathBuf, Powers>>);

/// Holds skills to the powers of a lock. Each skill is given by the folder of the lock, joined with the name that the
/// lock has for the skill. It is found by the name of the skill and by the name of its folder, also in a group
/// folder below. A folder of skills stands for all skills in it that are not given. A rule of `allowed-tools` that
/// these powers do not hold approves nothing: a file that changed after the install is not approved by the consent
/// to an older one. A skill that is not among them approves what its file says.
///
/// Powers are for the person's own folders. A skill that a person trusted by digest needs none, because any change
/// ends the trust.
#[must_use]
pub fn locked(
    builder: CatalogBuilder,
    powers: impl IntoIterator<Item = (PathBuf, Powers)>,
) -> CatalogBuilder {
    let powers = Arc::new(powers.into_iter().collect());
    builder.attach(move |_| Locked(Arc::clone(&powers)))
}

/// Returns the powers that a lock holds a skill to. Returns `None` if no lock does.
///
/// The files of the skill can ask for more by now. `skills_lint::powers` reads what they ask for.
fn powers<'c>(skill: &Skill<'c>) -> Option<&'c Powers> {
    let Locked(locked) = skill.catalog()?.attached()?;
    let folder = skill.folder()?;
    locked.get(folder).or_else(|| {
        // A lock names skills by name, and a skill can be in a group folder or in a folder of another name.
        let names = [Some(OsStr::new(skill.name())), folder.file_name()];
        folder.ancestors().skip(1).find_map(|above| {
            let mut places = names.iter().flatten().map(|name| above.join(name));
            places
                .find_map(|place| locked.get(&place))
                .or_else(|| locked.get(above))
        })
    })
}

/// Returns those of the rules that approve nothing, because a lock holds the skill to fewer powers. The rules are given,
/// since a file that changed after the catalog was loaded has others than the entry.
pub fn beyond_lock(skill: &Skill<'_>, rules: &[ToolRule]) -> Vec<ToolRule> {
    let Some(held) = powers(skill) else {
        return Vec::new();
    };
    let beyond = rules.iter().filter(|rule| !held.hold_rule(rule));
    beyond.cloned().collect()
}

/// Reports the rules that approve nothing. Without this report a person who changed an installed skill would see only
/// that the gate asks.
pub fn findings(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if catalog.attached::<Locked>().is_none() {
        return found;
    }
    for skill in catalog {
        let rules = beyond_lock(&skill, &skill.fields().allowed_tools);
        let Some(folder) = skill.folder() else {
            continue;
        };
        if rules.is_empty() || !skill.fields().may_approve {
            continue;
        }
        let rules: Vec<String> = rules
            .iter()
            .map(|rule| one_line(&rule.to_string()).into_owned())
            .collect();
        let message = format!(
            "`{}`: calls of these tools need approval, since skills.lock does not list them: {}",
            skill.id(),
            rules.join(", ")
        );
        let place = skill.place();
        let file = place.rsplit('/').next().unwrap_or(SKILL_FILE);
        let finding = Diagnostic::new(
            RuleId::PowersWidened,
            Severity::Warning,
            folder.join(file).shown(),
            message,
        );
        found.push(finding.help(
            "the file was changed after it was installed: read the change, and install the skill again",
        ));
    }
    found
}
