//! Text that is written into other text: escaped, shortened, put together.

pub(crate) mod escape;
pub(crate) mod shorten;
