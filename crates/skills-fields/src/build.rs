use crate::read::{Error, read};
use serde::de::DeserializeOwned;
use skills_compiler::Build;

/// Checks the front matter of every skill in a build script.
///
/// ```no_run
/// use skills_fields::BuildFields as _;
///
/// # #[derive(serde::Deserialize)]
/// # struct Extra {}
/// fn main() -> Result<(), skills_compiler::Error> {
///     skills_compiler::Build::new("skills").fields::<Extra>().compile()
/// }
/// ```
///
/// `T` lies in a file or crate that the build script and the program share, such as `#[path = "src/extra.rs"] mod extra;`.
pub trait BuildFields {
    /// Makes front matter that is not a `T` a compile error, at its line of the `SKILL.md`.
    #[must_use]
    fn fields<T: DeserializeOwned>(self) -> Self;
}

impl BuildFields for Build {
    fn fields<T: DeserializeOwned>(self) -> Self {
        self.check(|path, text| {
            let error = read::<T>(path, text).err();
            error.map(Error::into_diagnostic).into_iter().collect()
        })
    }
}
