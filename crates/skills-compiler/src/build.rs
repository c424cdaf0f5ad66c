//! Bakes skills in a build script.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads what cargo sets, and writes to OUT_DIR"
)]

use crate::compile::{Check, Compiled};
use crate::emit::{self, Baked};
use crate::folder::Folder;
use proc_macro2::TokenStream;
use quote::quote;
use skills_format::join;
use skills_format::text::control::pictured;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Checks and bakes a folder of skills in a build script, for `include_skills!(OUT_DIR, "…")`.
///
/// ```no_run
/// fn main() -> Result<(), skills_compiler::Error> {
///     skills_compiler::Build::new("skills").compile()
/// }
/// ```
///
/// An error of the skills does not fail the build script: the macro reports it, as it does without a build script, so
/// that editors show it. Files that no skill ships, such as `.env`, are named in a `cargo::warning`.
#[derive(Clone, Debug)]
#[must_use = "`compile` does the work"]
pub struct Build {
    path: String,
    checks: Vec<Check>,
}

/// The error of a build script. A problem of a skill is never the cause.
#[derive(Debug)]
pub struct Error {
    what: String,
    source: std::io::Error,
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.source)
    }
}

impl Build {
    /// Starts a build of the folder at `path`, relative to the manifest of the crate.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            checks: Vec::new(),
        }
    }

    /// Adds a check of every `SKILL.md`. Its errors are compile errors, as those of the format are. The crate `skills-fields`
    /// adds one for the type of an author's own fields.
    pub fn check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Checks the skills, writes the bundle to `OUT_DIR`, and prints the folder for cargo to watch. The macro takes the
    /// bundle only if the last run of the build script has baked it.
    ///
    /// # Errors
    ///
    /// If `OUT_DIR` or `CARGO_MANIFEST_DIR` is not set, or a file in `OUT_DIR` cannot be written.
    ///
    /// # Cost
    ///
    /// Reads, checks and digests every file of the skills.
    pub fn compile(self) -> Result<(), Error> {
        let out = PathBuf::from(environment("OUT_DIR")?);
        let manifest = PathBuf::from(environment("CARGO_MANIFEST_DIR")?);
        let folder = Folder::of_package(&manifest, &self.path).seen_from_workspace(&manifest);
        let mut compiled = folder.compile();
        for check in &self.checks {
            compiled.check(*check);
        }
        write(&out, &self.path, &folder, &compiled)?;
        inform_cargo(&out, &self.path, &folder, &compiled);
        Ok(())
    }
}

fn write(out: &Path, path: &str, folder: &Folder, compiled: &Compiled<'_>) -> Result<(), Error> {
    let (bundle, faults) = match emit::bake(folder, compiled) {
        Ok(baked) => (constant(&baked).to_string(), Vec::new()),
        Err(faults) => (String::new(), faults),
    };
    // NUL separates the findings: a rendered finding has several lines.
    // Every file is written, also an empty one: `OUT_DIR` keeps the files of earlier builds.
    for (kind, text) in [("rs", bundle), ("faults", faults.join("\0"))] {
        let file = out.join(file_of(path, kind));
        fs::write(&file, text).map_err(|source| Error {
            what: format!("{} cannot be written", file.display()),
            source,
        })?;
    }
    Ok(())
}

/// Renders the bundle as an expression. Lints treat an included file as hand-written code, so without the `allow`
/// strict crates would get warnings about generated code.
fn constant(Baked { items, value }: &Baked) -> TokenStream {
    quote!({
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, unused_qualifications)]
        const BUNDLE: __skills::Bundle = {
            #items
            #value
        };
        BUNDLE
    })
}

/// Prints what was left out, the folder for cargo to watch, and the stamp by which the macro takes the bundle. After an error,
/// cargo also watches a missing file and so runs the script again: restored skills may have older times than the failed
/// run.
#[expect(clippy::print_stdout, reason = "how a build script talks to cargo")]
fn inform_cargo(out: &Path, path: &str, folder: &Folder, compiled: &Compiled<'_>) {
    if !folder.left_out.is_empty() {
        println!("cargo::warning={}", left_out(folder));
    }
    println!("cargo::rustc-env={}={}", stamp_of(path), out.display());
    println!("cargo::rerun-if-changed={}", folder.path);
    if folder.config_text.is_some() {
        println!("cargo::rerun-if-changed={}", folder.config_path);
    }
    if compiled.is_faulty() {
        let absent = out.join("no-such-file");
        println!("cargo::rerun-if-changed={}", absent.display());
    }
}

/// Says in one line which files of the skills are not in the bundle.
fn left_out(folder: &Folder) -> String {
    const MOST: usize = 5;
    let shown = folder.left_out.iter().take(MOST);
    let shown: Vec<String> = shown.map(|path| join(&folder.path, path)).collect();
    let more = match folder.left_out.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = pictured(&shown.join(", ")).into_owned();
    format!(
        "not in the bundle, as no skill ships them: {shown}{more} (`include` in skills.toml brings a file back)"
    )
}

fn environment(name: &str) -> Result<OsString, Error> {
    std::env::var_os(name).ok_or_else(|| Error {
        what: format!("{name} is not set"),
        source: std::io::Error::other("only a build script that cargo runs can call this"),
    })
}

/// Returns the file of `OUT_DIR` in which a build script wrote the bundle of a path, or the errors because of which no bundle
/// exists.
pub(crate) fn written(path: &str) -> Result<String, Vec<String>> {
    let advice = format!("build.rs: `skills_compiler::Build::new(\"{path}\").compile()`");
    let fault = |what: &str| Err(vec![format!("{what}\n  = help: {advice}")]);
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
        return fault("this crate has no build script that bakes the skills");
    };
    // `OUT_DIR` keeps the files of earlier build scripts. Cargo passes on what the last run of the script printed.
    if std::env::var_os(stamp_of(path)).is_none_or(|stamp| Path::new(&stamp) != out) {
        return fault(&format!("the build script has not baked `{path}`"));
    }
    // First: with faults the file of the bundle exists too, and is empty.
    match fs::read_to_string(out.join(file_of(path, "faults"))) {
        Ok(faults) if !faults.is_empty() => Err(faults.split('\0').map(str::to_owned).collect()),
        _ => Ok(file_of(path, "rs")),
    }
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
