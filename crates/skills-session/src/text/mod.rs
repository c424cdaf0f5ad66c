#[cfg(test)]
pub(crate) mod counted;
pub(crate) mod escape;
pub(crate) mod shared;
