//! Lists the skills of a catalog by the ids that a person or the model types.
use skills_format::mention::Id;
use skills_format::text::shorten::{one_line, shortened};
use skills_runtime::{Catalog, Skill};
use std::borrow::Cow;

/// Iterates over every trusted skill that is not shadowed, in the catalog's order, enabled or disabled.
pub(crate) fn listed(catalog: &Catalog) -> impl Iterator<Item = Skill<'_>> {
    catalog
        .iter()
        .filter(|skill| skill.is_trusted() && skill.shadowed_by().is_none())
}

/// Iterates over the skills that the model may start: enabled, trusted, eligible and open to the model, in the catalog's
/// order.
pub fn for_model(catalog: &Catalog) -> impl Iterator<Item = Skill<'_>> {
    listed(catalog).filter(|skill| !skill.fields().disable_model_invocation && is_ready(skill))
}

/// Iterates over the skills that a person may start: enabled, trusted, eligible and open to people, in the catalog's order.
pub fn for_user(catalog: &Catalog) -> impl Iterator<Item = Skill<'_>> {
    listed(catalog).filter(|skill| skill.fields().user_invocable && is_ready(skill))
}

/// Returns whether a skill is enabled and the host meets its needs.
pub(crate) fn is_ready(skill: &Skill<'_>) -> bool {
    skill.is_enabled() && skill.missing().is_empty()
}

/// Returns a description for a menu: one line of at most 100 characters.
pub(crate) fn described(description: &str) -> String {
    shortened(&one_line(description), 100).into_owned()
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
