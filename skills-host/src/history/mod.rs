//! The history of a folder of skills that is a git repository of its own.
//!
//! A change is committed without a checkout and without `git add`: files are handed to git as they are,
//! so that no hook and no filter runs. Only the paths of the change are committed. What else a person
//! has changed or staged stays as it is. A folder of skills that merely lies in another repository has
//! no history here.

mod commit;
pub(crate) mod repository;

pub use repository::History;
