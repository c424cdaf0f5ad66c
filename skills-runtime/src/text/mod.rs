//! Text that is written into other text: escaped, shortened.

pub(crate) mod escape;
pub(crate) mod shorten;
