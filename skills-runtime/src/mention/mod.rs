//! What `$name` in a text means: the resolver and what it reports.

pub(crate) mod address;
pub(crate) mod by_path;
pub(crate) mod find;
pub(crate) mod memo;
pub(crate) mod near;
pub(crate) mod notice;
pub(crate) mod resolver;
