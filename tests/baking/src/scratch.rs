use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A package that a test writes, builds and changes. All packages share one target folder. Each requests the same
/// features of the runtime, and those of the format that the macro requests, so that their dependencies are compiled
/// once.
#[derive(Debug)]
pub struct Scratch {
    dir: PathBuf,
    target: PathBuf,
}

/// The result of one build.
#[derive(Debug)]
pub struct Built {
    /// True if the build succeeded.
    pub success: bool,
    /// The text on standard error.
    pub stderr: String,
    messages: Vec<Value>,
}

impl Scratch {
    /// Makes an empty folder below the `CARGO_TARGET_TMPDIR` of the test.
    pub fn new(tmp: &str, name: &str) -> Self {
        let tmp = Path::new(tmp);
        let dir = tmp.join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a folder");
        let lock = workspace().join("Cargo.lock");
        fs::copy(lock, dir.join("Cargo.lock")).expect("the workspace's lock");
        let target = tmp.parent().unwrap_or(tmp).join("tests/trybuild");
        Self { dir, target }
    }

    /// Returns the folder of the package.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the folder of the project's workspace.
    pub fn workspace(&self) -> &'static Path {
        workspace()
    }

    /// Writes a file, with missing parents. `$ROOT` in a text is replaced by the folder of the workspace.
    pub fn write(&self, path: &str, text: &str) -> &Self {
        let root = workspace().to_string_lossy().replace('\\', "/");
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.dir)).expect("a folder");
        fs::write(path, text.replace("$ROOT", &root)).expect("a file");
        self
    }

    /// Runs cargo in the folder.
    pub fn cargo<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_NET_OFFLINE", "true")
            // Each package is built only a few times.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("RUSTFLAGS")
            // The test's own variable: a package without a build script would take it for its own.
            .env_remove("OUT_DIR")
            .output()
            .expect("cargo runs")
    }

    /// Builds without a target, so that common dependencies of the macro and the program are compiled once.
    pub fn build(&self, arguments: &[&str]) -> Built {
        let common = ["build", "--message-format=json"];
        let output = self.cargo(common.iter().chain(arguments));
        Built {
            success: output.status.success(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            messages: String::from_utf8_lossy(&output.stdout)
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect(),
        }
    }

    /// Returns the path of a built program.
    pub fn program(&self, name: &str) -> PathBuf {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        self.target.join("debug").join(name)
    }
}

impl Built {
    /// Returns whether cargo had nothing to compile for a package.
    pub fn is_fresh(&self, package: &str) -> bool {
        assert!(self.success, "{}", self.stderr);
        let artifact = self.messages.iter().find(|message| {
            message["reason"] == "compiler-artifact"
                && message["target"]["kind"][0] != "custom-build"
                && message["target"]["name"] == package
        });
        let artifact = artifact.unwrap_or_else(|| panic!("{package} was not built"));
        artifact["fresh"] == true
    }

    /// Returns rustc's messages about a package, as they would be shown.
    pub fn said(&self, package: &str) -> String {
        self.messages
            .iter()
            .filter(|message| message["target"]["name"] == package)
            .filter_map(|message| message["message"]["rendered"].as_str())
            .collect()
    }
}

/// Returns the folder of the workspace.
fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}
