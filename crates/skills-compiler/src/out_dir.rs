//! The files in `OUT_DIR` by which a build script passes a bundle to the macro.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what the build script wrote to OUT_DIR"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The result of a build script.
pub(crate) enum Written {
    /// The bundle, in this file of `OUT_DIR`.
    Bundle(String),
    /// The errors because of which no bundle exists.
    Faults(Vec<String>),
}

/// Reads NUL-separated texts.
fn texts(out: &Path, path: &str, kind: &str) -> Vec<String> {
    let text = fs::read_to_string(out.join(file_of(path, kind))).unwrap_or_default();
    let texts = text.split('\0').filter(|text| !text.is_empty());
    texts.map(str::to_owned).collect()
}

/// Finds the bundle that `Build::compile` wrote for a path.
pub(crate) fn written(path: &str) -> Written {
    let bundle = file_of(path, "rs");
    let advice = format!("build.rs: `skills_compiler::Build::new(\"{path}\").compile()`");
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
        let fault =
            format!("this crate has no build script that bakes the skills\n  = help: {advice}");
        return Written::Faults(vec![fault]);
    };
    // `OUT_DIR` keeps the files of earlier build scripts. Cargo passes on what the last run of the script printed.
    if std::env::var_os(stamp_of(path)).is_none_or(|stamp| Path::new(&stamp) != out) {
        let fault = format!("the build script has not baked `{path}`\n  = help: {advice}");
        return Written::Faults(vec![fault]);
    }
    // First: with faults the file of the bundle exists too, and is empty.
    let faults = texts(&out, path, "faults");
    if !faults.is_empty() {
        return Written::Faults(faults);
    }
    Written::Bundle(bundle)
}

/// Returns the name of a folder's file in `OUT_DIR`.
pub(crate) fn file_of(path: &str, kind: &str) -> String {
    format!("skills-{}.{kind}", encoded(path))
}

/// Returns the variable that a build script sets, to its `OUT_DIR`, for each folder that the script bakes.
///
/// The value tells the crate's own variable from an inherited one: a test that cargo runs has the variables of its
/// package, and can start the build of another package.
pub(crate) fn stamp_of(path: &str) -> String {
    format!("SKILLS_BAKED_{}", encoded(path))
}

/// Encodes characters other than lowercase letters, digits and `-`, so that two folders never share a name, also where
/// the case of letters does not count.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    path.bytes()
        .map(|byte| match byte {
            byte if plain(byte) => char::from(byte).to_string(),
            byte => format!("_{byte:02x}"),
        })
        .collect()
}
