//! Notes about moved and newer tags.

use crate::install::revision::Resolved;
use skills_repository::Provenance;

/// Returns a note if the requested tag has moved, or a newer tag exists.
pub(crate) fn note(from: &Provenance, resolved: &Resolved) -> Option<String> {
    let tag = from.requested.as_ref().filter(|_| resolved.is_pinned)?;
    if is_moved(from, resolved) {
        return Some(format!(
            "the tag {tag} has moved, and the skill is unchanged; --rev {tag} updates to it"
        ));
    }
    newer(from, resolved).map(|newest| format!("a newer tag exists; --rev {newest} updates to it"))
}

fn is_moved(from: &Provenance, resolved: &Resolved) -> bool {
    from.commit
        .as_ref()
        .is_some_and(|commit| *commit != resolved.commit)
}

/// Returns the newest tag, if it is newer than the requested tag.
pub(crate) fn newer(from: &Provenance, resolved: &Resolved) -> Option<String> {
    let tag = from.requested.as_deref().filter(|_| resolved.is_pinned)?;
    if is_moved(from, resolved) {
        return None;
    }
    let newest = resolved
        .tags
        .iter()
        .filter_map(|tag| Some((version(tag)?, tag)))
        .max()?;
    (newest.0 > version(tag)?).then(|| newest.1.clone())
}

/// Parses the numbers of a tag such as `v1.2.3`; `None` for other names, and for pre-releases.
fn version(tag: &str) -> Option<Vec<u64>> {
    let numbers = tag.strip_prefix('v').unwrap_or(tag);
    numbers
        .split('.')
        .map(|number| number.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert!(version("v1.10") > version("v1.9.9"));
        assert!(version("2") > version("v1"));
        assert_eq!(version("v2.0-rc1"), None);
        assert_eq!(version("nightly"), None);
    }
}
