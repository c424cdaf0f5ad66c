//! A page about skills: one HTML file that needs no network and is readable without scripts.
//!
//! A [`Page`] is data. [`Page::of_folder`] and `Repository::page_bundle` gather the data from folders. A caller
//! that knows the skills only as a list fills in the known fields. [`Page::html`] renders the page: the same
//! data gives the same bytes. Every text of a skill is foreign, and is escaped by one function before it enters
//! the page.

mod bar;
mod budget;
mod bundles;
mod counts;
mod data;
mod escape;
mod file;
mod findings;
mod frame;
pub(crate) mod gather;
mod geometry;
mod graph;
mod html;
mod links;
mod mentions;
mod neighbours;
mod skills;
#[cfg(test)]
mod tests;
mod treemap;
mod verdict;
mod weight;

pub use data::{
    LockState, Page, PageBundle, PageFile, PageFinding, PageLink, PageSkill, Reference, Subject,
};
pub use file::write_page;
