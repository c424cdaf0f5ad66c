//! The commands that write, each with its initial folder.

use crate::attack::Outcome;
use crate::case::{Case, text};

/// A command that writes.
pub(crate) struct Deed {
    /// Makes the initial folder.
    pub(crate) prepare: fn(&Case) -> Outcome,
    pub(crate) arguments: &'static [&'static str],
}

pub(crate) const TRUST: Deed = Deed {
    prepare: |case| {
        case.skill("project/.agents/skills/a", "", "Text.")?;
        case.trust("a")?;
        case.skill("project/.agents/skills/b", "", "Text.")
    },
    arguments: &["trust", "b", "--yes"],
};

pub(crate) const DISABLE: Deed = Deed {
    prepare: |case| {
        state(case)?;
        case.write("home/.config/skills/skills.json", DISABLED)
    },
    arguments: &["disable", "b"],
};

pub(crate) const ENABLE: Deed = Deed {
    prepare: |case| {
        state(case)?;
        case.write("home/.config/skills/skills.json", DISABLED)
    },
    arguments: &["enable", "a"],
};

pub(crate) const LOCK: Deed = Deed {
    prepare: |case| {
        case.skill("project/skills/a", "", "Text.")?;
        case.write("project/skills/skills.lock", OLD_LOCK)
    },
    arguments: &["lock", "skills"],
};

pub(crate) const FIX: Deed = Deed {
    prepare: |case| {
        let text = text("a", "", "Text.").replace("Does a.", "Does: a.");
        case.write("project/skills/a/SKILL.md", text)
    },
    arguments: &["check", "--fix", "skills"],
};

pub(crate) const NEW: Deed = Deed {
    prepare: |case| case.skill("project/skills/a", "", "Text."),
    arguments: &["new", "fresh", "--to", "skills"],
};

pub(crate) const INSTALL: Deed = Deed {
    prepare: |case| {
        case.skill("project/source/a", "", "Text.")?;
        case.skill("home/.agents/skills/b", "", "Text.")
    },
    arguments: &["install", "./source", "a", "--yes"],
};

pub(crate) const UNINSTALL: Deed = Deed {
    prepare: |case| {
        (INSTALL.prepare)(case)?;
        case.run(INSTALL.arguments)?.expect(0)
    },
    arguments: &["uninstall", "a"],
};

/// Every command that writes.
pub(crate) const DEEDS: &[Deed] = &[TRUST, DISABLE, ENABLE, LOCK, FIX, NEW, INSTALL, UNINSTALL];

const DISABLED: &str = "{\n  \"disabled\": [\n    \"a\"\n  ],\n  \"version\": 1\n}\n";
/// A state that only a newer program can read.
/// A lock without skills, which `lock` replaces.
const OLD_LOCK: &str = "version = 1\n";

fn state(case: &Case) -> Outcome {
    case.skill("home/.agents/skills/a", "", "Text.")?;
    case.skill("home/.agents/skills/b", "", "Text.")
}
