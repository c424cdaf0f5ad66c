//! A script, prepared for reading.

use crate::powers::code::assigned::Assigned;
use crate::powers::code::names::Names;
use crate::powers::code::skeleton::Skeleton;

/// A script, with its names and assignments. Each file beside this one reads one thing of the script.
pub(super) struct Script<'s> {
    pub(super) language: &'s str,
    pub(super) skeleton: &'s Skeleton,
    pub(super) names: Names,
    pub(super) assigned: Assigned<'s>,
}
