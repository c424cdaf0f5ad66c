//! A host that offers the skills of another MCP server. It fetches; `skills-session` checks.
//!
//! A skill of a server starts only after a person has approved exactly its files. Nothing is fetched before that.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{ClientServiceExt as _, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, RoleClient};
use skills_runtime::Catalog;
use skills_session::activation::activate;
use skills_session::options::Options;
use skills_session::remote::{RemoteApproval, RemoteServer, RemoteSkill};
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::process::Command;

/// An error of the connection, of the server, or of what the server sent.
pub type Failure = Box<dyn Error + Send + Sync>;

/// The maximum number of pages of a list: a server could send pages for ever.
const PAGES: usize = 1000;

/// A connection to a server, and its skills.
#[derive(Debug)]
pub struct Remote {
    client: RunningService<RoleClient, ()>,
    label: String,
    server: RemoteServer,
    approvals: Approvals,
}

/// What a person approved, in a file of the host. No server and no project can write it.
#[derive(Debug)]
struct Approvals {
    path: PathBuf,
    kept: Vec<RemoteApproval>,
}

impl Remote {
    /// Connects to a server by its address, or by the command that starts it, and lists its skills. `label` is the
    /// host's own name for the server. `approvals` is the file of what a person approved.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, has no skills extension, or the file of approvals cannot be read.
    pub async fn connect(
        label: &str,
        target: &[OsString],
        approvals: &Path,
    ) -> Result<Self, Failure> {
        let address = target.first().and_then(|target| target.to_str());
        let address = address.filter(|target| target.starts_with("http://"));
        // Servers of both lifecycles: `server/discover` first, then `initialize`.
        let lifecycle = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        };
        let client = match (address, target) {
            (Some(address), _) => {
                let transport = StreamableHttpClientTransport::from_uri(address);
                ().serve_with_lifecycle(transport, lifecycle).await?
            }
            (None, [program, arguments @ ..]) => {
                let mut command = Command::new(program);
                command.args(arguments);
                ().serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle)
                    .await?
            }
            (None, []) => return Err("name a server: its address, or its command".into()),
        };
        let mut remote = Self {
            client,
            label: label.to_owned(),
            server: RemoteServer::new(label)?,
            approvals: Approvals::read(approvals)?,
        };
        remote.list().await?;
        Ok(remote)
    }

    /// Lists the skills of the server again. An approval does not cover a skill whose files have changed.
    ///
    /// # Errors
    ///
    /// If the server does not answer.
    pub async fn list(&mut self) -> Result<(), Failure> {
        let mut cursor = None;
        for _ in 0..PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = self.client.list_skills(Some(page)).await?;
            self.server.list(&serde_json::to_string(&page)?)?;
            cursor = page.next_cursor;
            if cursor.is_none() {
                self.server.approve(&self.approvals.kept);
                return Ok(());
            }
        }
        Err("the list of skills does not end".into())
    }

    /// Returns the skills, each with whether a person approved it.
    pub fn skills(&self) -> Vec<(Arc<RemoteSkill>, bool)> {
        let skills = self.server.skills().iter();
        skills
            .map(|skill| {
                (
                    Arc::clone(skill),
                    self.approvals.kept.contains(&skill.approval()),
                )
            })
            .collect()
    }

    /// Returns why entries of the server's list are not used.
    pub fn declined(&self) -> Vec<String> {
        let declined = self.server.declined().iter();
        declined.map(ToString::to_string).collect()
    }

    /// Returns the catalog with the skills of the server. A real host adds its own skills to the builder.
    pub fn catalog(&self) -> Catalog {
        self.server.add_to(Catalog::builder()).load()
    }

    /// Keeps the approval of a person for exactly the files that the server lists now.
    ///
    /// # Errors
    ///
    /// If no skill has the name, or the approvals cannot be written.
    pub fn approve(&mut self, name: &str) -> Result<(), Failure> {
        let approval = self.skill(name)?.approval();
        self.server.approve([&approval]);
        self.approvals.keep(approval)?;
        Ok(())
    }

    /// Starts an approved skill, and returns the text for the model, which names the server. Fetches its files first.
    ///
    /// # Errors
    ///
    /// If no skill has the name, a person has not approved the skill, or a file is not what the server listed.
    pub async fn start(&self, name: &str, task: &str) -> Result<String, Failure> {
        let skill = self.skill(name)?;
        if self.approvals.kept.contains(&skill.approval()) {
            for uri in skill.missing() {
                skill.supply(uri, &self.fetch(uri).await?)?;
            }
        }
        let catalog = self.catalog();
        let id = format!("mcp:{}:{name}", self.label);
        let entry = catalog
            .get(&id)
            .ok_or_else(|| format!("no skill is '{id}'"))?;
        Ok(activate(&Options::DEFAULT, &entry, task)?.text.to_string())
    }

    /// Reads one file of the server. [`RemoteSkill::supply`] compares it with the list.
    async fn fetch(&self, uri: &str) -> Result<Vec<u8>, Failure> {
        let read = self
            .client
            .read_resource(ReadResourceRequestParams::new(uri))
            .await?;
        match read.contents.into_iter().next() {
            Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text.into_bytes()),
            Some(ResourceContents::BlobResourceContents { blob, .. }) => {
                Ok(BASE64_STANDARD.decode(blob)?)
            }
            _ => Err(format!("'{uri}' has no contents").into()),
        }
    }

    fn skill(&self, name: &str) -> Result<Arc<RemoteSkill>, Failure> {
        let skill = self.server.skills().iter().find(|skill| skill.name == name);
        Ok(Arc::clone(skill.ok_or_else(|| {
            format!("the server has no skill '{name}'")
        })?))
    }

    /// Ends the connection.
    ///
    /// # Errors
    ///
    /// If the connection had failed.
    pub async fn end(self) -> Result<(), Failure> {
        self.client.cancel().await?;
        Ok(())
    }
}

impl Approvals {
    fn read(path: &Path) -> Result<Self, Failure> {
        let kept = match fs::read(path) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let path = path.to_owned();
        Ok(Self { path, kept })
    }

    fn keep(&mut self, approval: RemoteApproval) -> Result<(), Failure> {
        self.kept.push(approval);
        fs::write(&self.path, serde_json::to_vec_pretty(&self.kept)?)?;
        Ok(())
    }
}
