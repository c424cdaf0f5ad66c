//! What a page shows.

use skills_format::Diagnostic;
use skills_lint::render::{Excerpt, Sources};

/// Everything that a page shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// What the skills belong to.
    pub subject: Subject,
    /// The bundles, in the order in which they are shown.
    pub bundles: Vec<PageBundle>,
    /// The findings of a check; `None`: not known.
    pub findings: Option<Vec<PageFinding>>,
    /// How many tokens the context of the model has for which the budgets are shown; `None`: not known.
    pub context: Option<u64>,
    /// What is not on the page, one sentence each.
    pub notes: Vec<String>,
    /// What stands after `skills check`, as a shell takes it; `None`: there is no folder to check.
    pub arguments: Option<String>,
}

/// What the skills of a page belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A folder or a repository, by its path.
    Folder(String),
    /// A program, by its name.
    Program(String),
}

/// Skills that are loaded together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageBundle {
    /// The name.
    pub name: String,
    /// The folder, as it is shown; `None` for the skills of a program.
    pub path: Option<String>,
    /// The digest; `None`: not known, or a skill of the bundle cannot be used.
    pub digest: Option<String>,
    /// What `skills.lock` says.
    pub lock: LockState,
    /// The most characters of the catalog text, if `skills.toml` sets them.
    pub budget: Option<usize>,
    /// The skills, in order of names.
    pub skills: Vec<PageSkill>,
}

/// The state of a `skills.lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockState {
    /// It is not known whether there is a lock.
    Unknown,
    /// There is no lock.
    Missing,
    /// The skills are those of the lock.
    Current,
    /// The differences from the lock.
    Stale(Vec<String>),
    /// The lock lists installed skills, with their sources.
    Installed,
    /// The lock cannot be read, for this reason.
    Unreadable(String),
}

/// One skill of a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageSkill {
    /// The name.
    pub name: String,
    /// The description; empty when there is none.
    pub description: String,
    /// When to use it, if a field of its own says that.
    pub when_to_use: String,
    /// The folder, as it is shown; `None`: not known.
    pub path: Option<String>,
    /// The path of the `SKILL.md`, as a client writes it; `None`: not known.
    pub location: Option<String>,
    /// Why a program cannot carry the skill; empty when it can.
    pub fault: String,
    /// Whether only a person may start it, so that no model is offered it.
    pub is_for_people_alone: bool,
    /// The estimated tokens of the body.
    pub tokens: Option<usize>,
    /// The files: the `SKILL.md`, then the other files in order.
    pub files: Option<Vec<PageFile>>,
    /// The digest of the skill.
    pub digest: Option<String>,
    /// The licence, as the front matter states it.
    pub license: Option<String>,
    /// The source of an installed skill.
    pub source: Option<String>,
    /// Whether a person trusts the skill, in words.
    pub trust: Option<String>,
    /// The other skills that the `SKILL.md` refers to; `None`: not known.
    pub links: Option<Vec<PageLink>>,
}

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageFile {
    /// The path, relative to the folder of the skill.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
}

/// A reference of one skill to another skill of its bundle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct PageLink {
    /// The name of the other skill.
    pub to: String,
    /// How it is referred to.
    pub how: Reference,
}

/// How a `SKILL.md` refers to another skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reference {
    /// A link to a file of the skill.
    Link,
    /// `$name`.
    Mention,
    /// The name in a code span.
    Code,
}

/// One finding of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageFinding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The lines that it is about; `None` when it is about a whole file or folder.
    pub excerpt: Option<Excerpt>,
}

impl Page {
    /// Starts a page without skills.
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            bundles: Vec::new(),
            findings: None,
            context: None,
            notes: Vec::new(),
            arguments: None,
        }
    }

    /// Whether there is no skill.
    pub fn is_empty(&self) -> bool {
        self.bundles.iter().all(|bundle| bundle.skills.is_empty())
    }
}

impl PageBundle {
    /// Starts a bundle of which nothing is known but its name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            path: None,
            digest: None,
            lock: LockState::Unknown,
            budget: None,
            skills: Vec::new(),
        }
    }
}

impl PageSkill {
    /// Starts a skill of which nothing is known but its name and description.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            ..Self::default()
        }
    }

    /// The bytes of all files.
    pub fn size(&self) -> Option<u64> {
        let files = self.files.as_ref()?;
        Some(files.iter().map(|file| file.size).sum())
    }
}

impl PageFile {
    /// A file of a skill. The path is relative to the folder of the skill.
    pub fn new(path: impl Into<String>, size: u64) -> Self {
        Self {
            path: path.into(),
            size,
        }
    }
}

impl PageFinding {
    /// A finding with the lines that it is about.
    pub fn new(diagnostic: Diagnostic, sources: &Sources<'_>) -> Self {
        let source = sources(&diagnostic.path);
        let excerpt = source.and_then(|source| Excerpt::of(&source, &diagnostic));
        Self {
            diagnostic,
            excerpt,
        }
    }
}

impl Reference {
    /// How it is referred to, in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Mention => "mention",
            Self::Code => "name in code",
        }
    }
}
