//! The files of a host program: disabled skills, trusted skills, and changes of a skill that survive a kill.
//!
//! Every operation works on the files that the caller names.
//!
//! - [`Decisions`] are the files with the decisions of the user, and carry out `/skill enable` and the like.
//! - [`StateFile`], [`TrustFile`] and [`TrustedTexts`] hold the decisions of the user.
//! - [`files`] changes folders of skills atomically, with a trash, a store of versions, and a journal that the next
//!   run finishes.
//!
//! # A whole host with files
//!
//! [`Decisions`] are the two files with the decisions of the user. This package has no file for the session: the
//! host stores the result of [`Session::save`](skills_runtime::Session::save) with the conversation, by the feature
//! `serde` of [`skills_runtime`]. The model is left out of the example: the host sends `turn.messages` to it.
//!
//! ```
//! use skills_runtime::options::ToolKind;
//! use skills_runtime::{Catalog, Profile, Session, Surface};
//! use skills_store::Decisions;
//! use std::path::{Path, PathBuf};
//!
//! type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
//!
//! struct Host {
//!     stored_session: PathBuf,
//!     decisions: Decisions,
//!     catalog: Catalog,
//!     session: Session,
//! }
//!
//! impl Host {
//!     fn open(config: &Path, project: &Path) -> Result<Self> {
//!         let decisions = Decisions::in_folder(config);
//!         let sources = Catalog::builder()
//!             .untrusted("project", project.join(".agents/skills"))
//!             .directory("user", config.join("skills"));
//!         let loaded = decisions.load(sources)?;
//!         for diagnostic in &loaded.diagnostics {
//!             eprintln!("{diagnostic}");
//!         }
//!         let stored_session = config.join("session.json");
//!         let mut session = match std::fs::read(&stored_session) {
//!             Ok(json) => Session::restore(serde_json::from_slice(&json)?, Profile::DEFAULT),
//!             Err(_) => Session::new(Profile::DEFAULT),
//!         };
//!         session.set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
//!         let catalog = loaded.catalog;
//!         Ok(Self { stored_session, decisions, catalog, session })
//!     }
//!
//!     /// Does what a person typed. `yes` asks the person.
//!     fn turn(&mut self, text: &str, yes: impl Fn(&str) -> bool) -> Result<usize> {
//!         let turn = self.session.turn(&self.catalog, text, Surface::User);
//!         let mut notices = turn.notices;
//!         if let Some(dispatch) = turn.dispatch {
//!             match dispatch.ask(&self.catalog, |_tool, _arguments| false) {
//!                 Ok(call) => println!("calling {}", call.tool),
//!                 Err(refused) => println!("{refused}"),
//!             }
//!         }
//!         if let Some(request) = turn.request {
//!             let ask = |question: &_| yes(&format!("{question}"));
//!             notices.extend(self.decisions.carry_out(request, &mut self.catalog, ask)?);
//!         }
//!         notices.iter().for_each(|notice| println!("{notice}"));
//!         // Here the host sends `turn.messages`, with the tools of `turn.tools`.
//!         // It stores the conversation together with the session.
//!         std::fs::write(&self.stored_session, serde_json::to_vec(&self.session.save())?)?;
//!         Ok(turn.messages.len())
//!     }
//! }
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let skill = folder.path().join("project/.agents/skills/deploy");
//! # std::fs::create_dir_all(&skill).unwrap();
//! # std::fs::write(skill.join("SKILL.md"), "---\nname: deploy\ndescription: Ships it.\n---\nShip.\n").unwrap();
//! # let (config, project) = (folder.path().join("config"), folder.path().join("project"));
//! # std::fs::create_dir(&config).unwrap();
//! let mut host = Host::open(&config, &project)?;
//! assert_eq!(host.turn("$deploy it", |_| true)?, 1, "not trusted: only the text");
//! host.turn("/skill trust deploy", |question| question.contains("Ship."))?;
//! assert_eq!(host.turn("$deploy it", |_| true)?, 2, "the skill, and the task");
//! host.turn("/skill disable deploy", |_| true)?;
//!
//! // What the person decided is there at the next start.
//! let mut host = Host::open(&config, &project)?;
//! assert_eq!(host.turn("$deploy it", |_| true)?, 1, "disabled");
//! host.turn("/skill enable deploy", |_| true)?;
//! assert_eq!(host.turn("$deploy it", |_| true)?, 2, "enabled, and still trusted");
//! let host = Host::open(&config, &project)?;
//! assert_eq!(host.session.active().len(), 1, "the stored session has it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

mod decisions;
#[doc(hidden)]
pub mod disk;
mod error;
pub mod files;
#[doc(hidden)]
pub mod json_file;
mod state_file;
mod trust_file;

pub use decisions::Decisions;
pub use error::{Error, ErrorKind};
pub use json_file::Stored;
pub use state_file::StateFile;
pub use trust_file::{TrustFile, TrustedTexts};
