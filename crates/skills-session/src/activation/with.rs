//! Starts a skill with the values of a struct.

use crate::activation::Activation;
use crate::profile::Profile;
use skills_arguments::TypedArguments;
use skills_runtime::{Catalog, Entry, SkillRef};
use skills_runtime::{Error, ErrorKind};

impl Profile {
    /// Starts a skill with the values of a struct. The text is the same as when a person types the values.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Arguments`]: the struct is of another skill, or a value is outside of its bounds (`maximum`,
    /// `maxLength`), which a Rust type does not know; the errors of [`Profile::activate`].
    ///
    /// # Cost
    ///
    /// The cost of [`Profile::activate`].
    pub fn activate_typed<A: TypedArguments>(
        &self,
        entry: &Entry<'_>,
        arguments: &A,
    ) -> Result<Activation, Error> {
        if A::SKILL != entry.name() {
            let what = format_args!(
                "the arguments are of the skill '{}', and the skill is '{}'",
                A::SKILL,
                entry.name()
            );
            return Err(Error::new(ErrorKind::Arguments, what));
        }
        self.activate(entry, &arguments.line())
    }

    /// Starts a bundled skill with the values of a struct, without a catalog. The source is named `bundled`. A host that has
    /// a catalog calls [`Profile::activate_typed`], which knows the name of the source and the disabled skills.
    ///
    /// # Errors
    ///
    /// The errors of [`Profile::activate_typed`].
    ///
    /// # Cost
    ///
    /// Makes a catalog of the bundle, about a microsecond a skill.
    pub fn activate_bundled<A: TypedArguments>(
        &self,
        skill: SkillRef,
        arguments: &A,
    ) -> Result<Activation, Error> {
        let builder = Catalog::builder().bundle("bundled", skill.bundle());
        let catalog = builder.load().catalog;
        let entry = catalog.in_source("bundled", skill.name());
        let entry = entry.ok_or_else(|| {
            let what = format_args!("skill '{}' is not in its bundle", skill.name());
            Error::new(ErrorKind::NotFound, what)
        })?;
        self.activate_typed(&entry, arguments)
    }
}
