//! The order of the chapters of each crate, as data.
//!
//! A chapter is a file or a folder at the top of `src`. It imports only from chapters that stand
//! before it. A new chapter gets its place here.

/// The chapters of a crate.
pub(crate) struct Order {
    /// The package's folder.
    pub(crate) package: &'static str,
    /// From the lowest to the highest.
    pub(crate) chapters: &'static [&'static str],
    /// Files of one chapter that may import each other.
    pub(crate) pairs: &'static [(&'static str, &'static str)],
    /// The most entries at the top of `src`.
    pub(crate) most: usize,
}

/// Every crate that others link.
pub(crate) const CRATES: &[Order] = &[
    Order {
        package: "skills-format",
        chapters: &[
            "text",
            "digest",
            "name",
            "disk",
            "tree",
            "diagnostic",
            "yaml",
            "skill",
            "markdown",
            "lenient",
            "mention",
            "view",
            "rules",
            "config",
            "check",
            "render",
        ],
        // The view of a skill caches its references, which are read of the view.
        pairs: &[("view/skill.rs", "view/references.rs")],
        most: 20,
    },
    Order {
        package: "skills-compiler",
        chapters: &[
            "options",
            "out_dir",
            "package",
            "folder",
            "model",
            "lock",
            "missing",
            "compile",
            "report",
            "tables",
            "emit",
            "input",
            "module",
            "rustc",
            "stale",
            "expand",
            "build",
            "repository",
        ],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "skills-macros",
        chapters: &[],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "skills-runtime",
        chapters: &[
            "error",
            "text",
            "disk",
            "bundle",
            "source",
            "catalog",
            "mention",
            "command",
            "prompt",
            "activation",
            "profile",
            "turn",
            "tool",
            "session",
            "complete",
            "guide",
        ],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "skills-host",
        chapters: &[
            "error",
            "disk",
            "json_file",
            "state_file",
            "trust_file",
            "files",
            "git",
            "agent",
            "history",
            "install",
            "export",
            "improve",
            "schedule",
        ],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "skills-mcp",
        chapters: &[
            "address",
            "pages",
            "held",
            "live",
            "listing",
            "skills",
            "resources",
            "tools",
            "prompts",
            "server",
            "stdio",
            "http",
        ],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "bundled-skills",
        chapters: &[],
        pairs: &[],
        most: 20,
    },
    Order {
        package: "skills-tool",
        chapters: &[
            "shell",
            "environment",
            "outcome",
            "output",
            "input",
            "catalog",
            "completion",
            "commands",
        ],
        pairs: &[],
        most: 20,
    },
];
