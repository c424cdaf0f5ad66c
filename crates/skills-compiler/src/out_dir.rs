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

/// Returns whether the crate has a build script.
pub(crate) fn has_build_script() -> bool {
    std::env::var_os("OUT_DIR").is_some()
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
    // First: with faults the file of the bundle exists too, and is empty.
    let faults = texts(&out, path, "faults");
    if !faults.is_empty() {
        return Written::Faults(faults);
    }
    if !out.join(&bundle).exists() {
        let fault = format!("the build script has not baked `{path}`\n  = help: {advice}");
        return Written::Faults(vec![fault]);
    }
    Written::Bundle(bundle)
}

/// Returns the name of a folder's file in `OUT_DIR`. Characters other than lowercase letters, digits and `-` are
/// encoded, so that two folders never share a file, also on a case-insensitive file system.
pub(crate) fn file_of(path: &str, kind: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let name: String = path
        .bytes()
        .map(|byte| match byte {
            byte if plain(byte) => char::from(byte).to_string(),
            byte => format!("_{byte:02x}"),
        })
        .collect();
    format!("skills-{name}.{kind}")
}
