//! Agent Skills as existing programs find, name, show and start them.
//!
//! A [`Profile`] is a [`Dialect`](skills_session::Dialect) as data: the choices of a host about mentions, commands, the texts for its model and the
//! folders of its skills. Five profiles follow the documents of systems for skills, and four follow what well-known
//! clients send:
//!
//! | profile | skills start by | what is its own |
//! |---|---|---|
//! | `codewhale` | `$name`, and the tool `load_skill` | one skill leads a turn; `allowed-tools` limits |
//! | `caliban` | the tool `Skill` | one tool, which lists the skills in its description |
//! | `openclaw` | `/name` | the model reads the skills' files; commands call tools without a model |
//! | `ouro` | `$name` | rules in the system prompt; what follows a mention is its arguments |
//! | `agenvoy` | `/name`, and the tool `run_skill` | both give the same call and result |
//! | `claude-code`, `codex`, `gemini-cli`, `opencode` | as the programs do | the bytes that they send |
//!
//! # A host as one of them
//!
//! The profile is the only difference between two hosts:
//!
//! ```
//! use skills_profiles::{Bases, Profile};
//! use skills_runtime::Surface;
//! use skills_session::{Dialect as _, Session};
//!
//! let profile = Profile::named("ouro").expect("a profile");
//! # let folder = tempfile::tempdir()?;
//! # std::fs::create_dir_all(folder.path().join(".ouro/skills/lint"))?;
//! # std::fs::write(folder.path().join(".ouro/skills/lint/SKILL.md"), "---\nname: lint\ndescription: Lints.\n---\nLint it.\n")?;
//! // In a program: `Bases::of_process()`.
//! let bases = Bases { home: Some(folder.path().to_owned()), ..Bases::default() };
//! let catalog = profile.catalog(&bases).load();
//! assert!(profile.list(&catalog).text.starts_with("## Skills"));
//!
//! let mut session = Session::new(profile.clone());
//! let turn = session.turn(&catalog, "$lint src/", Surface::User);
//! assert_eq!(turn.started, ["lint"]);
//! assert!(turn.messages[0].text().contains("ARGUMENTS: src/"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clients;
mod commands;
mod layout;
mod profile;
mod systems;
mod template;

pub use layout::{Base, Bases, Layout, Place, PlaceKind, Plugins};
pub use profile::Profile;
pub use template::{Content, Template};

use std::sync::LazyLock;

impl Profile {
    /// Returns every profile: the default first, then the others by name.
    pub fn all() -> &'static [Self; 10] {
        static ALL: LazyLock<[Profile; 10]> = LazyLock::new(|| {
            [
                Profile::default(),
                systems::agenvoy(),
                systems::caliban(),
                clients::claude_code(),
                systems::codewhale(),
                clients::codex(),
                clients::gemini_cli(),
                systems::openclaw(),
                clients::opencode(),
                systems::ouro(),
            ]
        });
        &ALL
    }

    /// Finds a profile by its name: `default`; `claude-code`, `codex`, `gemini-cli` and `opencode`, as these programs send
    /// it; `agenvoy`, `caliban`, `codewhale`, `openclaw` and `ouro`. [`Profile::reference`] names the document that a
    /// profile follows.
    ///
    /// ```
    /// use skills_profiles::Profile;
    ///
    /// let profile = Profile::named("codex").expect("a profile");
    /// assert_eq!(profile.name, "codex");
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|profile| profile.name == name)
    }
}
