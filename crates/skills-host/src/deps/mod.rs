//! The skills that the dependencies of a cargo workspace ship, installed at the versions of `Cargo.lock`.
//!
//! A crate ships a folder `skills` in its package, or names another folder:
//!
//! ```toml
//! [package.metadata.skills]
//! path = "agents/skills"
//! ```
//!
//! `cargo metadata --frozen` says where the sources of the dependencies are ([`Workspace::read`]). The plan
//! ([`plan_deps`]) is a plan of [`install`](crate::install), and is applied by [`apply`](crate::install::apply). An entry
//! of the lock has the source `crate NAME VERSION`. Several workspaces can install into one folder of skills: then the
//! source ends with `for` and their folders, relative to the folder of skills. The first one decides the version.

mod cargo;
mod gone;
mod graph;
mod options;
mod owner;
mod plan;
mod refusal;
mod shared;
mod sharing;
mod shipped;

pub use cargo::Cargo;
pub use graph::{Dependency, Workspace};
pub use options::{DepsOptions, LockUse, Reach};
pub use owner::{may_ship, skill_prefix};
pub use plan::{DepsPlan, plan_deps};
pub use shipped::{NotWritten, skills_folder};
