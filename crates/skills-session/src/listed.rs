//! Lists the skills of a catalog by the ids that a person or the model types.
use skills_format::mention::Id;
use skills_runtime::{Catalog, Skill};
use std::borrow::Cow;

/// A skill with the id that it is listed by.
#[derive(Clone, Debug)]
pub struct Listed<'c> {
    /// The id by which the skill is listed.
    pub id: Cow<'c, str>,
    /// The skill.
    pub entry: Skill<'c>,
}

/// Iterates over every trusted skill that is not shadowed, in the catalog's order, enabled or disabled.
pub(crate) fn listed(catalog: &Catalog) -> impl Iterator<Item = Listed<'_>> {
    catalog.iter().filter_map(move |skill| {
        let is_listed = skill.is_trusted() && skill.shadowed_by().is_none();
        is_listed.then(|| Listed {
            id: skill.id(),
            entry: skill,
        })
    })
}

/// Iterates over the skills that the model may start: enabled, trusted, eligible and open to the model, in the catalog's
/// order.
pub fn for_model(catalog: &Catalog) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog)
        .filter(|skill| !skill.entry.fields().disable_model_invocation && is_ready(&skill.entry))
}

/// Iterates over the skills that a person may start: enabled, trusted, eligible and open to people, in the catalog's order.
pub fn for_user(catalog: &Catalog) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog).filter(|skill| skill.entry.fields().user_invocable && is_ready(&skill.entry))
}

fn is_ready(skill: &Skill<'_>) -> bool {
    skill.is_enabled() && skill.missing().is_empty()
}

/// Returns the id that finds the skill, also for a skill that is not listed.
pub(crate) fn id_of<'c>(skill: &Skill<'c>) -> Cow<'c, str> {
    if skill.is_trusted() && skill.shadowed_by().is_none() {
        skill.id()
    } else {
        skill.to_string().into()
    }
}

/// Returns the names in the skill's `metadata.requires.skills` that no skill of its catalog answers to, in the order
/// written. The skill can be started all the same. At most 100 names are looked up.
pub(crate) fn missing_skills(skill: &Skill<'_>) -> Vec<String> {
    let Some(catalog) = skill.catalog() else {
        return Vec::new();
    };
    let needed = skill.fields().requires.needed();
    needed
        .filter(|name| catalog.get(name.trim_start_matches('$')).is_none())
        .map(str::to_owned)
        .collect()
}

/// Returns whether a skill has the name of an id and is in its source, if the id names one. Shadowed skills count, aliases do
/// not.
pub fn has_id(catalog: &Catalog, id: &Id<'_>) -> bool {
    catalog.iter().any(|skill| {
        let is_of = |source| skill.source() == source;
        skill.name() == id.name && id.source.is_none_or(is_of)
    })
}
