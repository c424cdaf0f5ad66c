//! The data of a page.

use skills_format::{Diagnostic, Powers};
use skills_lint::render::{Excerpt, Sources, hidden_near};

/// The data of a page, which [`Page::html`] renders.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// The folder or program that the skills belong to.
    pub subject: Subject,
    /// The bundles, in the order in which they are shown.
    pub bundles: Vec<PageBundle>,
    /// The findings of a check; `None` if unknown.
    pub findings: Option<Vec<PageFinding>>,
    /// The context of the model in tokens, for the budgets; `None` if unknown.
    pub context: Option<u64>,
    /// The number of skills that are copies of, or links to, skills of the page. The page does not show the copies.
    pub copies: usize,
    /// Notes about skills that the page does not show, one sentence each.
    pub notes: Vec<String>,
    /// The arguments of `skills check`, quoted for a shell; `None` if there is no folder to check.
    pub arguments: Option<String>,
    /// The time at which the page was made, as a person reads it; `None` leaves the time out.
    pub made: Option<String>,
    /// The id of the folder's commit; `None` if unknown.
    pub commit: Option<String>,
}

/// The folder or program that the skills of a page belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A folder or a repository, by its path.
    Folder(String),
    /// A program, by its name.
    Program(String),
}

/// A bundle on a page: skills that are loaded together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageBundle {
    /// The name of the bundle.
    pub name: String,
    /// The printed path of the folder; `None` for the skills of a program.
    pub path: Option<String>,
    /// The digest; `None` if unknown, or if a skill of the bundle cannot be used.
    pub digest: Option<String>,
    /// The state of the bundle's `skills.lock`.
    pub lock: LockState,
    /// The maximum characters of the catalog text, if `skills.toml` sets a budget.
    pub budget: Option<usize>,
    /// The skills, in order of names.
    pub skills: Vec<PageSkill>,
}

/// The state of a `skills.lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockState {
    /// The page does not know whether a lock exists.
    Unknown,
    /// No lock exists.
    Missing,
    /// The skills match the lock.
    Current,
    /// The skills differ from the lock, in these ways.
    Stale(Vec<String>),
    /// The lock lists installed skills, with their sources.
    Installed,
    /// The lock is unreadable, for this reason.
    Unreadable(String),
}

/// One skill of a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageSkill {
    /// The name of the skill.
    pub name: String,
    /// The description; empty if missing.
    pub description: String,
    /// The text of the field `when-to-use`; empty if missing.
    pub when_to_use: String,
    /// The printed path of the folder; `None` if unknown.
    pub path: Option<String>,
    /// The path of the `SKILL.md`, as a client writes it; `None` if unknown.
    pub location: Option<String>,
    /// The reason why a program cannot carry the skill; empty if it can.
    pub fault: String,
    /// True if only a person may start the skill. Such a skill is not offered to a model.
    pub is_for_people_alone: bool,
    /// The estimated tokens of the body.
    pub tokens: Option<usize>,
    /// The files: the `SKILL.md` first, then the other files in order.
    pub files: Option<Vec<PageFile>>,
    /// The digest of the skill.
    pub digest: Option<String>,
    /// The licence, as the front matter states it.
    pub license: Option<String>,
    /// The source of an installed skill.
    pub source: Option<String>,
    /// The trust state, in words.
    pub trust: Option<String>,
    /// The other skills that the `SKILL.md` refers to; `None` if unknown.
    pub links: Option<Vec<PageLink>>,
    /// The powers of the skill; `None` if unknown.
    pub powers: Option<Powers>,
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
    /// The kind of the reference.
    pub how: Reference,
}

/// The kind of a reference to another skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reference {
    /// A link to a file of the other skill.
    Link,
    /// A mention, `$name`.
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
    /// The lines of the finding; `None` for a finding about a whole file or folder.
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
            copies: 0,
            notes: Vec::new(),
            arguments: None,
            made: None,
            commit: None,
        }
    }

    /// Returns a printed path relative to the folder of the page.
    pub(crate) fn below<'t>(&self, path: &'t str) -> &'t str {
        let Subject::Folder(folder) = &self.subject else {
            return path;
        };
        let rest = path.strip_prefix(folder.trim_end_matches('/'));
        let inside = rest.and_then(|rest| rest.strip_prefix('/'));
        inside.filter(|inside| !inside.is_empty()).unwrap_or(path)
    }

    /// Returns whether the page has no skill.
    pub fn is_empty(&self) -> bool {
        self.bundles.iter().all(|bundle| bundle.skills.is_empty())
    }
}

impl PageBundle {
    /// Starts a bundle with a name, and everything else unknown.
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
    /// Starts a skill with a name and a description, and everything else unknown.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            ..Self::default()
        }
    }

    /// Returns the size of all files in bytes, or `None` if the files are unknown.
    pub fn size(&self) -> Option<u64> {
        let files = self.files.as_ref()?;
        Some(files.iter().map(|file| file.size).sum())
    }
}

impl PageFile {
    /// Creates a file from its path, relative to the folder of the skill, and its size in bytes.
    pub fn new(path: impl Into<String>, size: u64) -> Self {
        Self {
            path: path.into(),
            size,
        }
    }
}

impl PageFinding {
    /// Creates a finding, with its lines from the source file.
    pub fn new(diagnostic: Diagnostic, sources: &Sources<'_>) -> Self {
        let source = sources(&diagnostic.path);
        let excerpt =
            source.and_then(|source| Excerpt::of(&source, &diagnostic, Some(hidden_near)));
        Self {
            diagnostic,
            excerpt,
        }
    }
}

impl Reference {
    /// Returns the kind of the reference in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Mention => "mention",
            Self::Code => "name in code",
        }
    }
}
