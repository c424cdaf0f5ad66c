//! Starts a skill with the values of a struct.

use crate::activation::Activation;
use crate::bundle::SkillRef;
use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::profile::Profile;
use crate::resolve::arguments::typed::TypedArguments;

impl Entry<'_> {
    /// Starts the skill with the values of a struct. The text is the same as when a person types the values.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Arguments`]: the struct is of another skill, or a value is outside of its bounds (`maximum`,
    /// `maxLength`), which a Rust type does not know; the errors of [`Entry::activate`].
    ///
    /// # Cost
    ///
    /// The cost of [`Entry::activate`].
    pub fn activate_typed<A: TypedArguments>(
        &self,
        arguments: &A,
        profile: &Profile,
    ) -> Result<Activation, Error> {
        if A::SKILL != self.name() {
            let what = format_args!(
                "the arguments are of the skill '{}', and the skill is '{}'",
                A::SKILL,
                self.name()
            );
            return Err(Error::new(ErrorKind::Arguments, what));
        }
        self.activate(&arguments.line(), profile)
    }
}

impl SkillRef {
    /// Starts the skill with the values of a struct, without a catalog. The source is named `bundled`. A host that has
    /// a catalog calls [`Entry::activate_typed`], which knows the name of the source and the disabled skills.
    ///
    /// # Errors
    ///
    /// The errors of [`Entry::activate_typed`].
    ///
    /// # Cost
    ///
    /// Makes a catalog of the bundle, about a microsecond a skill.
    pub fn activate_with<A: TypedArguments>(
        self,
        arguments: &A,
        profile: &Profile,
    ) -> Result<Activation, Error> {
        let catalog = Catalog::builder()
            .bundle("bundled", self.bundle)
            .load()
            .catalog;
        let entry = catalog.in_source("bundled", self.name());
        let entry = entry.ok_or_else(|| {
            let what = format_args!("skill '{}' is not in its bundle", self.name());
            Error::new(ErrorKind::NotFound, what)
        })?;
        entry.activate_typed(arguments, profile)
    }
}
