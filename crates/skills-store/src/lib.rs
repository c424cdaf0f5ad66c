//! The files of a host program: disabled skills, trusted skills, and changes of a skill that survive a kill.
//!
//! Every operation works on the files that the caller names.
//!
//! - [`StateFile`], [`TrustFile`] and [`TrustedTexts`] hold the decisions of the user.
//! - [`files`] changes folders of skills atomically, with a trash, a store of versions, and a journal that the next
//!   run finishes.
//!
//! # A whole host with files
//!
//! Two files hold the decisions of the user: [`StateFile`] and [`TrustFile`]. This package has no file for the
//! session: the host stores the session with the conversation, by the feature `serde` of [`skills_runtime`]. The
//! model is left out of the example: the host sends `turn.messages` to it.
//!
//! ```
//! use skills_store::{StateFile, TrustFile};
//! use skills_runtime::resolve::{Meta, Verdict};
//! use skills_runtime::{Catalog, Notice, Profile, Session, Surface};
//! use std::path::{Path, PathBuf};
//!
//! type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
//!
//! struct Host {
//!     stored_session: PathBuf,
//!     state: StateFile,
//!     trust: TrustFile,
//!     catalog: Catalog,
//!     session: Session,
//!     profile: Profile,
//! }
//!
//! impl Host {
//!     fn open(config: &Path, project: &Path) -> Result<Self> {
//!         let state = StateFile::new(config.join("skills.json"));
//!         let trust = TrustFile::new(config.join("trust.json"));
//!         let (disabled, trusted) = (state.read()?, trust.read()?);
//!         let loaded = Catalog::builder()
//!             .untrusted("project", project.join(".agents/skills"))
//!             .directory("user", config.join("skills"))
//!             .state(disabled.value)
//!             .trusted(trusted.value)
//!             .load();
//!         let of_files = disabled.diagnostics.iter().chain(&trusted.diagnostics);
//!         for diagnostic in of_files.chain(&loaded.diagnostics) {
//!             eprintln!("{diagnostic}");
//!         }
//!         let profile = Profile::DEFAULT;
//!         let stored_session = config.join("session.json");
//!         let mut session = match std::fs::read(&stored_session) {
//!             Ok(json) => serde_json::from_slice(&json)?,
//!             Err(_) => Session::new(&profile),
//!         };
//!         session.set_tools(["read_file", "shell"]);
//!         let catalog = loaded.catalog;
//!         Ok(Self { stored_session, state, trust, catalog, session, profile })
//!     }
//!
//!     /// Does what a person typed. `yes` asks the person.
//!     fn turn(&mut self, text: &str, yes: impl Fn(&str) -> bool) -> Result<usize> {
//!         let turn = self.session.turn(&self.catalog, text, Surface::User, &self.profile);
//!         turn.notices.iter().for_each(|notice| println!("{notice}"));
//!         if let Some(dispatch) = turn.dispatch {
//!             match dispatch.ask(&self.catalog, |_tool, _arguments| Verdict::Unknown) {
//!                 Ok(call) => println!("calling {}", call.tool),
//!                 Err(refused) => println!("{refused}"),
//!             }
//!         }
//!         match turn.request {
//!             None => {}
//!             Some(Meta::Enable { id }) => {
//!                 let mut on = None;
//!                 let state = self.state.update(|state| on = self.catalog.enable(state, &id))?;
//!                 self.catalog = self.catalog.with_state(state);
//!                 match on {
//!                     Some(on) => println!("on: {}", on.enabled.join(", ")),
//!                     None => println!("{}", Notice::Unknown { id }),
//!                 }
//!             }
//!             Some(Meta::Disable { id }) => {
//!                 let mut off = None;
//!                 let state = self.state.update(|state| off = self.catalog.disable(state, &id))?;
//!                 self.catalog = self.catalog.with_state(state);
//!                 match off {
//!                     Some(off) => println!("off: {off}"),
//!                     None => println!("{}", Notice::Unknown { id }),
//!                 }
//!             }
//!             Some(Meta::Trust { id }) => match self.catalog.trust_question(&id) {
//!                 Err(error) => println!("{error:#}"),
//!                 Ok(question) if yes(&question.to_string()) => {
//!                     self.trust.trust(vec![question.record.clone()])?;
//!                     self.catalog = self.catalog.trusting(question.record).catalog;
//!                 }
//!                 Ok(_) => {}
//!             },
//!             // `/skill list`, and what a later version adds.
//!             Some(_) => {
//!                 for skill in self.catalog.iter() {
//!                     let (trust, missing) = (skill.trust(), skill.missing());
//!                     println!("{} {} {trust:?} {missing:?}", skill.id(), skill.is_enabled());
//!                 }
//!             }
//!         }
//!         // Here the host sends `turn.messages`, with the tools of `turn.tools`.
//!         // It stores the conversation together with the session.
//!         std::fs::write(&self.stored_session, serde_json::to_vec(&self.session)?)?;
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

#[doc(hidden)]
pub mod disk;
mod error;
pub mod files;
#[doc(hidden)]
pub mod json_file;
mod state_file;
mod trust_file;

pub use error::{Error, ErrorKind};
pub use json_file::Stored;
pub use state_file::StateFile;
pub use trust_file::{TrustFile, TrustedTexts};
