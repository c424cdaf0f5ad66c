use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package with one program, which a bench writes and builds.
#[derive(Debug)]
pub struct Package {
    /// The folder of its manifest.
    pub folder: PathBuf,
    name: String,
}

impl Package {
    /// Writes a package below `target/packages` with the lock file of the workspace.
    ///
    /// `library` is the package that the program uses. `profile` is what the manifest says of the release profile.
    pub fn write(name: &str, library: &str, main: &str, profile: &str) -> io::Result<Self> {
        Self::with_features(name, library, "", main, profile)
    }

    /// As [`write`](Self::write), with more keys of the dependency: `, default-features = false`.
    pub fn with_features(
        name: &str,
        library: &str,
        keys: &str,
        main: &str,
        profile: &str,
    ) -> io::Result<Self> {
        // What people name in their manifests lies at the top, the other packages in `crates/`.
        let top = here().join("..").join(library);
        let path = if top.is_dir() {
            top
        } else {
            here().join("../crates").join(library)
        };
        let dependencies = format!("[dependencies]\n{library} = {{ path = {path:?}{keys} }}\n");
        Self::of_others(name, &dependencies, main, profile)
    }

    /// As [`write`](Self::write), with other packages: the sections of the manifest that name them.
    pub fn of_others(
        name: &str,
        dependencies: &str,
        main: &str,
        profile: &str,
    ) -> io::Result<Self> {
        let folder = packages().join(name);
        fs::create_dir_all(folder.join("src"))?;
        write_changed(
            &folder.join("Cargo.toml"),
            &format!(
                "[workspace]\n[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\
                 {dependencies}[profile.release]\n{profile}\n"
            ),
        )?;
        fs::copy(here().join("../Cargo.lock"), folder.join("Cargo.lock"))?;
        write_changed(&folder.join("src/main.rs"), main)?;
        write_changed(&folder.join("src/counted.rs"), include_str!("counted.rs"))?;
        let name = name.to_owned();
        Ok(Self { folder, name })
    }

    /// Builds the program, optimized.
    pub fn build(&self) -> io::Result<PathBuf> {
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--quiet", "--offline", "--release"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", Self::target());
        succeed(&mut cargo)?;
        Ok(Self::target().join("release").join(&self.name))
    }

    /// The target folder of all packages.
    pub fn target() -> PathBuf {
        packages().join("target")
    }
}

/// The program `skills` of the workspace, as cargo builds it for release.
pub fn skills_program() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| here().join("../target"));
    target.join("release/skills")
}

/// Builds the program `skills`, optimized.
pub fn build_skills() -> io::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--quiet", "--release", "--package", "skills-tool"])
        .arg("--manifest-path")
        .arg(here().join("../Cargo.toml"));
    succeed(&mut cargo)?;
    Ok(skills_program())
}

/// The bytes of the program `skills` as it is released, with some of its features alone.
pub fn skills_size(features: &[&str]) -> io::Result<u64> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--quiet", "--release", "--package", "skills-tool"])
        .args(["--no-default-features", "--features", &features.join(",")])
        .arg("--manifest-path")
        .arg(here().join("../Cargo.toml"))
        .env("CARGO_TARGET_DIR", Package::target());
    succeed(&mut cargo)?;
    Ok(fs::metadata(Package::target().join("release/skills"))?.len())
}

/// Runs a command. Its output is only seen when it fails.
pub fn succeed(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command:?} fails:\n{errors}")))
}

/// A file that is as before keeps its time: cargo does not build it again.
fn write_changed(file: &Path, text: &str) -> io::Result<()> {
    match fs::read_to_string(file) {
        Ok(before) if before == text => Ok(()),
        _ => fs::write(file, text),
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn packages() -> PathBuf {
    here().join("target/packages")
}
