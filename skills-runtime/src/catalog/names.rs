//! The skills that answer to an id, and to which one.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::turn::resolution::Plugins;
use std::borrow::Cow;

/// A skill and the id that it is listed by.
#[derive(Clone, Debug)]
pub(crate) struct Listed<'c> {
    pub(crate) id: Cow<'c, str>,
    pub(crate) entry: Entry<'c>,
}

/// Every trusted skill that nothing shadows, in the catalog's order, whether enabled or not.
pub(crate) fn listed(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    catalog
        .iter()
        .filter_map(move |entry| listed_as(&entry, plugins).map(|id| Listed { id, entry }))
}

/// Those of [`listed`] that the model may start.
pub(crate) fn for_model(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| skill.entry.is_model_invocable() && is_ready(&skill.entry))
}

/// Those of [`listed`] that a person may start.
pub(crate) fn for_user(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| skill.entry.is_user_invocable() && is_ready(&skill.entry))
}

/// Those of [`listed`] that a person cannot start: they are switched off, the host lacks what they
/// need, or they are the model's.
pub(crate) fn for_user_asleep(
    catalog: &Catalog,
    plugins: Plugins,
) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| !(skill.entry.is_user_invocable() && is_ready(&skill.entry)))
}

fn is_ready(entry: &Entry<'_>) -> bool {
    entry.is_enabled() && entry.is_eligible()
}

/// The id that finds the skill, whether it is listed or not.
pub(crate) fn id_of<'c>(entry: &Entry<'c>, plugins: Plugins) -> Cow<'c, str> {
    listed_as(entry, plugins).unwrap_or_else(|| entry.qualified_id().into())
}

/// The id that the skill is listed by: the bare name, or the qualified id of one of several
/// of equal rank, or of a plugin's skill where plugins are namespaces. `None` when it is shadowed or
/// not trusted.
pub(crate) fn listed_as<'c>(entry: &Entry<'c>, plugins: Plugins) -> Option<Cow<'c, str>> {
    if !entry.is_trusted() {
        return None;
    }
    let in_namespace = |entry: &Entry<'_>| !entry.answers_to_bare_names(plugins);
    let mut same = entry.catalog.named(entry.name()).filter(Entry::is_trusted);
    if in_namespace(entry) {
        let first = same.find(|other| other.source == entry.source)?;
        return (first == *entry).then(|| entry.qualified_id().into());
    }
    let mut same = same.filter(|other| !in_namespace(other));
    let first = same.next()?;
    if first == *entry && first.is_sealed() {
        return Some(entry.name().into());
    }
    if first.is_sealed() || first.source().rank() != entry.source().rank() {
        return None;
    }
    let mut twins = vec![first];
    for other in same.take_while(|other| other.source().rank() == first.source().rank()) {
        if twins.last().is_some_and(|last| last.source != other.source) {
            twins.push(other);
        }
    }
    if !twins.contains(entry) {
        return None;
    }
    let alone = match twins.as_slice() {
        [_] => true,
        twins => entry.is_enabled() && twins.iter().filter(|twin| twin.is_enabled()).count() == 1,
    };
    Some(if alone {
        entry.name().into()
    } else {
        entry.qualified_id().into()
    })
}
