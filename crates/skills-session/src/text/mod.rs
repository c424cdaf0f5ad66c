#[cfg(test)]
pub(crate) mod counted;
pub(crate) mod shared;
