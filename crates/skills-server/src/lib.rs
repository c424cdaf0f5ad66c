//! A server of Agent Skills over the Model Context Protocol (MCP), by the official SDK `rmcp`.
//!
//! Any program with a [`Catalog`](skills_runtime::Catalog) can be a server:
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! use skills_server::SkillsServer;
//! use skills_runtime::Catalog;
//!
//! let catalog = Catalog::builder().bundle("bundled", &bundled_skills::SKILLS).load();
//! SkillsServer::new("my-agent", "1.0.0", catalog).serve_stdio().await
//! # }
//! ```
//!
//! [`serve_stdio`] does the same in a program without an asynchronous runtime. A program that already is a server
//! keeps a [`Skills`] beside its own tools and calls its methods: each method answers one request of the protocol.
//!
//! # What is served
//!
//! | for clients that know | requests |
//! |---|---|
//! | the Skills extension (SEP-2640) | `skills/list`, `skills/get`, `resources/directory/read` |
//! | resources | `resources/list` with each `SKILL.md`, `resources/read` for every file, `resources/templates/list` |
//! | tools | those of [`Dialect::tools`](skills_session::Dialect::tools): `skill`, `list_skills`, `read_skill_resource` |
//! | prompts | one for each skill that a person may start, with its arguments; `completion/complete` |
//!
//! The address of a file is `skill://SOURCE/NAME/PATH`. A skill that is disabled, untrusted or ineligible is not
//! served. A skill that does not follow the specification strictly, or is over the limits of the extension, has no
//! address either; [`Skills::left_out`] reports why. The model can still start such a skill by the tools.
//!
//! A bundled skill is served from the program, with the digests that were computed at compile time. A skill of a
//! folder is hashed when it is listed, and each file again when it is read. A file that has changed in between is
//! an error that says so.
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `http` | [`http`]: the server over HTTP |
//! | `watch` | [`Skills::watch`]: folders are read again when they change, and clients are notified |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(
    not(all(feature = "http", feature = "watch")),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the page links to every feature"
    )
)]

#[cfg(feature = "http")]
pub mod http;
mod listing;
mod live;
mod prompts;
mod resources;
mod server;
mod skills;
mod stdio;
#[cfg(feature = "watch")]
mod watch;

pub use listing::NotServed;
pub use server::SkillsServer;
pub use skills::Skills;
pub use stdio::serve_stdio;
#[cfg(feature = "watch")]
pub use watch::Watch;
