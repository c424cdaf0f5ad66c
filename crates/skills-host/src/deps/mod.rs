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
//! of the lock has the source `crate NAME VERSION`.

mod cargo;
mod graph;
mod plan;
mod shipped;

pub use cargo::Cargo;
pub use graph::{Dependency, Workspace};
pub use plan::{DepsOptions, DepsPlan, plan_deps};
pub use shipped::NotWritten;
