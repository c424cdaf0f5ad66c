//! The place of a skill whose name was looked up, so that the skill is found again without a look-up.

use crate::catalog::Catalog;
use crate::catalog::entry::Skill;
use crate::catalog::index::Spot;
use crate::catalog::merge::Merged;
use crate::catalog::plugins::Plugins;
use std::sync::{Arc, Weak};

/// The place of a skill in the skills among which its name was looked up.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Weak, so that a resolution that a host keeps does not keep the skills of an old catalog. The
    /// address is not used again while the reference lives.
    skills: Weak<Merged>,
    spot: Spot,
    plugins: Plugins,
}

impl Skill<'_> {
    /// Returns the place of the skill, which was looked up under this policy of plugins.
    pub(crate) fn place(&self, plugins: Plugins) -> Place {
        Place {
            skills: Arc::downgrade(&self.catalog.inner.merged),
            spot: self.spot(),
            plugins,
        }
    }
}

impl Catalog {
    /// Returns the skill at a place. Returns `None` if the place is of other skills, because a folder was
    /// read again, or of another policy: the id can mean another skill then, and is looked up.
    pub(crate) fn at(&self, place: &Place, plugins: Plugins) -> Option<Skill<'_>> {
        let is_of = std::ptr::eq(place.skills.as_ptr(), Arc::as_ptr(&self.inner.merged));
        (is_of && place.plugins == plugins).then(|| Skill::of(self, place.spot))?
    }
}

/// A place adds nothing to the id beside it: two equal texts over two equal catalogs are equal.
impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Place {}
