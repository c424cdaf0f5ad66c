//! The skills that a person has disabled: an overlay on the catalog, and not part of it.

// An unreadable state file fails closed: no skill of a folder starts (`unknown`), and `enable`
// and `disable` refuse. A damaged `trust.json` trusts nothing. Both files stay until a person corrects
// them or moves them away.

use skills_format::nfc;
use std::collections::BTreeSet;

/// The disabled skills. Pure data: the host decides where to store them.
///
/// ```
/// use skills_runtime::Catalog;
/// use skills_runtime::catalog::Disabled;
///
/// let disabled = Disabled::from_iter(["lint", "user:deploy"]);
/// let catalog = Catalog::builder().directory("user", "skills").disabled(disabled).load();
/// assert!(catalog.get("lint").is_none_or(|skill| !skill.is_enabled()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Disabled {
    /// The ids: a name disables the skill in every source, `source:name` in one.
    pub ids: BTreeSet<String>,
    /// Why other skills may be disabled too: the stored ids cannot be read. Then every skill of a folder or an MCP server
    /// is disabled, and a bundled skill is enabled unless `ids` disable it. The notice of a skill that is disabled this
    /// way gives the reason, which names what cannot be read, and the next step.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unknown: Option<String>,
}

impl Disabled {
    /// Returns the same with the ids in normal form, as catalogs compare them.
    pub(crate) fn normal(self) -> Self {
        let unknown = self.unknown;
        Self {
            unknown,
            ..Self::from_iter(self.ids)
        }
    }

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
