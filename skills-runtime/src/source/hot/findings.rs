//! Makes the diagnostics about bundles that are read from their folders.

use crate::bundle::Origin;
use crate::source::diagnostics::{info, warning};
use crate::source::hot::look::{Refused, Why};
use skills_format::disk::owner::Exposed;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, RuleId, prose};
use std::path::Path;

/// The variable that turns the reading on or off.
pub(crate) const SWITCH: &str = "SKILLS_HOT";

/// Reports that the folder of a bundle is not read.
/// `root` is the whole path of the folder.
pub(crate) fn refused(
    folder: &Path,
    root: &Path,
    found: &Refused,
    name: &str,
    origin: Origin,
) -> Diagnostic {
    let Refused { path, why } = found;
    let (why, help) = match why {
        Why::Exposed(exposed) => {
            // Below the folder one command closes everything. Above it lie files of other projects.
            let (recursive, closed) = if path.starts_with(root) {
                ("-R ", root)
            } else {
                ("", &**path)
            };
            let closed = closed.shown();
            let word = quoted(&closed);
            let help = match exposed {
                Exposed::Group => format!("`chmod {recursive}g-w {word}`"),
                Exposed::Others => {
                    format!("`chmod {recursive}go-w {word}`; a list of `getfacl` counts too")
                }
                Exposed::Link => "build the program from the folder that the link leads to".into(),
                Exposed::Foreign => "work in a checkout of your own".into(),
                _ => "look at the folder".to_owned(),
            };
            (exposed.to_string(), help)
        }
        Why::Elsewhere => (
            "is not below the folder of your profile, and other users may be able to write it"
                .into(),
            "work in a folder below `%USERPROFILE%`".to_owned(),
        ),
    };
    let kept = kept(name, origin);
    let message = prose!(
        "it is not read while the program runs, and {kept}: {} {why}",
        path
    );
    warning(RuleId::HotBundle, folder, message)
        .help(format!("{help}, or turn this off with {SWITCH}=0"))
}

/// Reports that the version before stays, since the folder has errors, which are reported beside this.
pub(crate) fn faulty(folder: &Path, name: &str, origin: Origin) -> Diagnostic {
    let message = format!("the skills have errors, and {}", kept(name, origin));
    warning(RuleId::HotBundle, folder, message)
}

/// Reports that a changed folder still has errors. `first` is the first of them. Each change of the folder gives another
/// text, so that a host that shows only new findings shows it.
pub(crate) fn still_faulty(
    folder: &Path,
    (first, errors): (&Diagnostic, usize),
    (name, origin): (&str, Origin),
    changes: usize,
) -> Diagnostic {
    let place = match errors {
        1 => "still broken".to_owned(),
        2 => "still broken here and in one other place".to_owned(),
        errors => format!("still broken here and in {} other places", errors - 1),
    };
    let kept = kept(name, origin);
    let message = prose!(
        "{place}: {}; {kept}, and the folder as it is now (change {changes}) waits until this is fixed",
        &first.message
    );
    let mut found = warning(RuleId::HotBundle, folder, message);
    (found.path, found.start, found.end) = (first.path.clone(), first.start, first.end);
    found
}

/// Reports that a bundle is read from its folder.
pub(crate) fn on(folder: &Path, name: &str) -> Diagnostic {
    let message = format!("`{name}` is read from this folder while the program runs");
    info(RuleId::HotBundle, folder, message)
}

/// Reports that the version of the folder is in force, after a version that was not.
pub(crate) fn again(folder: &Path, name: &str) -> Diagnostic {
    let message = format!("`{name}` is in force again, as the folder holds it now");
    info(RuleId::HotBundle, folder, message)
}

/// Reports that a folder was changed each time that it was read.
pub(crate) fn unsettled(folder: &Path, name: &str) -> Diagnostic {
    let message = format!("it changes while it is read: `{name}` stays as it was");
    warning(RuleId::HotBundle, folder, message).help("the next reload reads it again")
}

/// Reports a value of the switch that means nothing.
pub(crate) fn misspelt(value: &str) -> Diagnostic {
    let message = format!("{SWITCH} is `{value}`, which means nothing");
    warning(RuleId::HotBundle, Path::new(SWITCH), message)
        .help("write 1 to read bundled skills from their folder, 0 to leave it")
}

fn kept(name: &str, origin: Origin) -> String {
    match origin {
        Origin::Binary => format!("`{name}` stays as it was compiled"),
        Origin::Folder(_) => format!("`{name}` stays as it was before"),
    }
}

/// Quotes a path as one word of a shell's command.
fn quoted(path: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@' | ',');
    if path.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}
