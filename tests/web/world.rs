//! A home folder and a project, for the program.

use crate::server::{Answer, Server};
use skills_tests::own_program;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A server, and the folders of a person.
pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) server: Server,
}

impl World {
    pub(crate) fn new(answers: impl Fn(&str, u16) -> Answer + Send + Sync + 'static) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(answers);
        let world = Self { folder, server };
        for folder in ["home", "project/.git"] {
            fs::create_dir_all(world.path(folder)).unwrap();
        }
        fs::write(world.path("ca.pem"), &world.server.certificate).unwrap();
        // What must not count: settings, names with passwords, cookies.
        let settings = "insecure\nheader = \"X-Of-Curlrc: secret\"\n";
        fs::write(world.path("home/.curlrc"), settings).unwrap();
        fs::write(
            world.path("home/.netrc"),
            "default login me password secret\n",
        )
        .unwrap();
        world
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    /// Returns the URL of the server on loopback.
    pub(crate) fn own(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}/{path}", self.server.port)
    }

    /// Returns the program, which trusts the server.
    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut program = own_program(&self.path("home"), &self.path("project")).unwrap();
        program
            .args(arguments)
            .env("CURL_CA_BUNDLE", self.path("ca.pem"))
            .env("CURL_HOME", self.path("home"));
        program
    }

    /// Runs the program. Returns what it prints, and its exit code.
    pub(crate) fn run(&self, arguments: &[&str]) -> (String, Option<i32>) {
        printed(&mut self.program(arguments))
    }

    /// Runs the program with the server as its proxy, which answers for every host.
    pub(crate) fn through_proxy(&self, arguments: &[&str]) -> (String, Option<i32>) {
        let proxy = format!("http://127.0.0.1:{}", self.server.port);
        printed(self.program(arguments).env("https_proxy", proxy))
    }

    /// Asserts that nothing was installed, and that no temporary folder is left.
    pub(crate) fn is_untouched(&self) {
        assert!(!self.path("home/.agents").exists());
        assert!(!self.path("home/.local/share/skills/tmp").exists());
    }
}

fn printed(program: &mut Command) -> (String, Option<i32>) {
    let output = program.output().unwrap();
    let [out, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    let all = out + &errors;
    // Of no setting, no redirect and no URL is a secret ever shown.
    assert!(!all.contains("secret"), "{all}");
    (all, output.status.code())
}
