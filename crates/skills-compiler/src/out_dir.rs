//! The files of `OUT_DIR` in which a build script leaves a bundle for the macro.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what the build script wrote to OUT_DIR"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The result of a build script.
pub(crate) enum Written {
    /// The bundle is in this file of `OUT_DIR`.
    Bundle(String),
    /// There is no bundle, for these reasons.
    Faults(Vec<String>),
}

/// Whether the crate that is compiled has a build script.
pub(crate) fn has_build_script() -> bool {
    std::env::var_os("OUT_DIR").is_some()
}

/// Finds the warnings that `Build::compile` wrote for a path.
pub(crate) fn warnings(path: &str) -> Vec<String> {
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    out.map_or_else(Vec::new, |out| texts(&out, path, "warnings"))
}

/// Reads texts that are separated by NUL.
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

/// Names the file of a folder in `OUT_DIR`. Other characters than letters, digits and `-` are encoded,
/// so that two folders never get one name.
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
