//! `skills mcp`: serves the skills over the Model Context Protocol.

use crate::catalog::faults;
use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted};
use clap::Args;
use skills_format::{Prose, prose};
use skills_runtime::{Catalog, Skill};
use skills_server::http::{HttpOptions, PATH, serve_http};
use skills_server::{Skills, SkillsServer, serve_stdio};
use std::io::IsTerminal as _;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, SystemTime};
use std::{fs, io};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mcp {
    /// Serve over HTTP at this address instead, such as 127.0.0.1:8000. Port 0 takes a free port
    #[arg(long, value_name = "ADDRESS")]
    http: Option<String>,
    /// Accept requests for this host name. Required for an address that is not loopback. Repeatable
    #[arg(long = "allow-host", value_name = "HOST", requires = "http")]
    allow_hosts: Vec<String>,
    /// Accept requests from web pages of this origin, written SCHEME://HOST:PORT. Repeatable
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    allow_origins: Vec<String>,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills mcp                                  on standard input and output, started by a client
  skills mcp --layer team=./skills            only these skills
  skills mcp --http 127.0.0.1:8000            http://127.0.0.1:8000/mcp

The entry for the settings of a client (Claude Code: .mcp.json of the project; Cursor: .cursor/mcp.json):
  { \"mcpServers\": { \"skills\": { \"command\": \"skills\", \"args\": [\"mcp\"] } } }";

impl Mcp {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        // Before the load, so that a change during the load is noticed.
        let decisions = Decisions::new(&self.catalog, cx.env);
        let catalog = self.catalog.catalog(&[], cx)?;
        let address = self.address(cx)?;
        if let Some(note) = not_served(&catalog) {
            cx.note(&note);
        }
        if self.http.is_none() && io::stdin().is_terminal() {
            cx.note(
                "a client starts this server, and speaks to it over standard input; Ctrl-D ends it",
            );
        }
        let (news, heard) = channel();
        let skills = Skills::new(catalog).with_profile(self.catalog.profile().clone());
        let mut options = HttpOptions::default();
        options.allowed_hosts.clone_from(&self.allow_hosts);
        options.allowed_origins.clone_from(&self.allow_origins);
        let served =
            Builder::new().spawn(move || serve(skills, address, &options, decisions, &news));
        let served = served.map_err(|error| self.failed(&error))?;
        // The loop ends with the server, which holds the senders.
        for news in heard {
            news(cx);
        }
        let served = served
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the server stopped")));
        served.map_err(|error| self.failed(&error))?;
        Ok(Outcome::Done)
    }

    /// Returns the address of `--http`.
    fn address(&self, cx: &mut Ctx) -> Result<Option<SocketAddr>, Failure> {
        let Some(written) = &self.http else {
            return Ok(None);
        };
        let found = written
            .to_socket_addrs()
            .ok()
            .and_then(|mut found| found.next());
        let address = found.ok_or_else(|| {
            Failure::failed(
                format_args!("--http {written}: it is not an address with a port"),
                "write an address such as 127.0.0.1:8000",
            )
        })?;
        // The server refuses such an address without a host.
        if address.ip().is_loopback() || self.allow_hosts.is_empty() {
            return Ok(Some(address));
        }
        cx.warning(format_args!(
            "--http {written}: every machine that reaches this address can read the skills; there is no password; \
             use 127.0.0.1, or put a server with a password in front"
        ));
        Ok(Some(address))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match &self.http {
            Some(written) => {
                let help = match error.kind() {
                    io::ErrorKind::PermissionDenied => {
                        "allow each host name with --allow-host HOST, or use 127.0.0.1"
                    }
                    io::ErrorKind::InvalidInput => {
                        "write a host such as skills.example, and an origin such as https://app.example"
                    }
                    _ => "write another address, such as 127.0.0.1:0 for a free port",
                };
                Failure::failed(format_args!("cannot serve at {written}: {error}"), help)
            }
            None => Failure::failed(
                format_args!("the connection failed: {error}"),
                "a client starts this command and speaks the protocol on its standard input",
            ),
        }
    }
}

fn serve(
    skills: Skills,
    address: Option<SocketAddr>,
    options: &HttpOptions,
    decisions: Decisions,
    news: &Sender<News>,
) -> io::Result<()> {
    let (watched, warn) = (skills.clone(), news.clone());
    // The watch reads all folders first. A thread of its own keeps the client from waiting.
    let watching = Builder::new().spawn(move || {
        let watch = watched.watch();
        let fault = watch.as_ref().err();
        let fault = fault.map(|error| format!("changes of skills are not noticed: {error:#}"));
        let left_out = watched.left_out();
        for warning in fault
            .into_iter()
            .chain(left_out.iter().map(ToString::to_string))
        {
            let _ = warn.send(Box::new(move |cx| cx.warning(warning)));
        }
        watch
    })?;
    let (decided, told) = (skills.clone(), news.clone());
    let (end, is_over) = channel();
    let following = Builder::new().spawn(move || decisions.follow(&decided, &told, &is_over))?;
    let server = SkillsServer::of("skills", env!("CARGO_PKG_VERSION"), skills);
    let result = match address {
        None => serve_stdio(server),
        Some(address) => serve_http(server, address, options, |at| {
            let note = format!("serving at http://{at}{PATH}");
            let _ = news.send(Box::new(move |cx| cx.note(&note)));
        }),
    };
    // A closed channel ends `follow`; without it the join would wait forever.
    drop(end);
    drop(following.join());
    drop(watching.join());
    result
}

/// The interval between two checks of the two files. Not a watch: the files are small and few, their
/// folder can be missing at first, and not every file system reports changes.
const EVERY: Duration = Duration::from_millis(500);

/// The length and the time of a file. `None` without a file.
type FileStamp = Option<(u64, Option<SystemTime>)>;

/// The state file and the trust file, followed while the server runs.
struct Decisions {
    options: CatalogOptions,
    env: Environment,
    files: Vec<PathBuf>,
    looks: Vec<FileStamp>,
}

impl Decisions {
    /// Records the stamps of the files. The catalog must be loaded afterwards: a change in between is then
    /// noticed later.
    fn new(options: &CatalogOptions, env: &Environment) -> Self {
        let state = env.state_file().map(|file| file.path().to_owned());
        let trust = env.trust_file().map(|file| file.path().to_owned());
        let files: Vec<PathBuf> = [state, trust].into_iter().flatten().collect();
        Self {
            options: options.clone(),
            env: env.clone(),
            looks: looks(&files),
            files,
        }
    }

    /// Applies each change of the files, until `end` is closed.
    fn follow(mut self, skills: &Skills, news: &Sender<News>, end: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(EVERY) {
            let now = looks(&self.files);
            if now != self.looks {
                // Before the load: a change during the load is seen at the next check.
                self.looks = now;
                skills.update(|before| self.catalog(before, news));
            }
        }
    }

    /// Loads the catalog with the present decisions. Returns `None` if no decision has changed, or a file
    /// cannot be read.
    fn catalog(&self, before: &Catalog, news: &Sender<News>) -> Option<Catalog> {
        match self.options.load(&self.env) {
            Ok(loaded) => {
                let (found, strict) = (loaded.diagnostics, self.options.profile().folders.strict);
                let _ = news.send(Box::new(move |cx| {
                    faults::report(&found, &[], strict, cx);
                }));
                // Changes of the folders reach the server through its own watch.
                (decided(&loaded.catalog) != decided(before)).then_some(loaded.catalog)
            }
            Err(failure) => {
                let _ = news.send(Box::new(move |cx| cx.failure(&failure)));
                None
            }
        }
    }
}

/// Returns whether each skill is enabled and trusted.
fn decided(catalog: &Catalog) -> Vec<(String, bool, bool)> {
    let entries = catalog.iter();
    entries
        .map(|entry| (entry.to_string(), entry.is_enabled(), entry.is_trusted()))
        .collect()
}

fn looks(files: &[PathBuf]) -> Vec<FileStamp> {
    let look = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.len(), found.modified().ok()))
    };
    files.iter().map(look).collect()
}

/// A report of the server, which the thread of the command prints.
type News = Box<dyn FnOnce(&mut Ctx) + Send>;

/// Counts the skills that may not be started, and so are not served. Returns `None` when every skill is served.
fn not_served(catalog: &Catalog) -> Option<Prose> {
    let starts =
        |entry: &Skill<'_>| entry.is_enabled() && entry.is_trusted() && entry.missing().is_empty();
    let all = catalog.iter().filter(|entry| !starts(entry)).count();
    let skills = counted(all, "skill");
    (all > 0).then(|| prose!("{skills} not served: `skills list` says why"))
}
