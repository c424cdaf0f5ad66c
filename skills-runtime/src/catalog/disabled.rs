//! The skills that a person has disabled: an overlay on the catalog, and not part of it.

// An unreadable state file fails closed: no skill of a folder starts (`unknown`), and `enable`
// and `disable` refuse. A damaged `trust.json` trusts nothing. Both files stay until a person corrects
// them or moves them away.

use skills_format::nfc;
use std::collections::BTreeSet;

/// The disabled skills.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disabled {
    /// In normal form, as catalogs compare them.
    ids: BTreeSet<String>,
    /// Why other skills may be disabled too: the stored ids cannot be read.
    pub(crate) unknown: Option<String>,
}

impl Disabled {
    /// Returns whether an id disables a skill of a source.
    pub(crate) fn has(&self, source: &str, name: &str) -> bool {
        !self.ids.is_empty()
            && (self.ids.contains(name) || self.ids.contains(&format!("{source}:{name}")))
    }
}

impl<S: AsRef<str>> FromIterator<S> for Disabled {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Self {
        Self {
            ids: ids
                .into_iter()
                .map(|id| nfc(id.as_ref()).into_owned())
                .collect(),
            unknown: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_qualified_ids() {
        let mut disabled = Disabled::from_iter(["aleph", "user:beth"]);
        assert!(disabled.has("user", "aleph") && disabled.has("bundled", "aleph"));
        assert!(disabled.has("user", "beth") && !disabled.has("bundled", "beth"));
        disabled.ids.remove("user:aleph");
        assert!(disabled.has("user", "aleph"), "by its name");
    }

    #[test]
    fn ids_are_compared_in_normal_form() {
        let disabled = Disabled::from_iter(["de\u{301}mo"]);
        assert!(disabled.has("user", "d\u{e9}mo"));
    }
}
