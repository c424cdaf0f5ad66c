//! The table of clients: one list of names, and the facts that are known about each program.
//!
//! A file `clients/NAME.toml` holds a client, and each section of the file is a fact group with one source. What the
//! sources do not say is absent: an absent section means that nothing is known, not that the program has nothing.

mod activation;
mod folders;
mod skill_file;
#[cfg(test)]
mod tests;
pub(crate) mod tools;

pub use activation::{AllowedTools, Commands, Meaning, Placeholders, Positional, Replaced};
pub use folders::{Also, Discovery, Folders};
pub use skill_file::{Field, FieldType, FrontMatter, Letters, Name, Restraints, Spelling};
pub use tools::ToolNames;

use crate::listing::Listing;
use serde::Deserialize;
use skills_lint::{Condition, Loss};
use std::sync::LazyLock;

/// A client: a program that uses Agent Skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Client {
    /// The name that `--client`, `--to` and `--profile` take: `claude-code`.
    pub name: String,
    /// The product name: `Claude Code`.
    pub title: String,
    /// Further names that are accepted, such as programs that read the same folder.
    #[serde(default)]
    pub names: Vec<String>,
    /// True if `--profile` takes the name: a host can behave as the client does.
    #[serde(default)]
    pub profile: bool,
    /// The folders of skills.
    pub folders: Option<Folders>,
    /// The files that count as skills in a folder.
    pub discovery: Option<Discovery>,
    /// The fields of the front matter.
    pub front_matter: Option<FrontMatter>,
    /// The rules for `name`.
    pub name_rules: Option<Name>,
    /// The ways to close a skill to the model or to the person.
    pub restraints: Option<Restraints>,
    /// The meaning of `allowed-tools`.
    pub allowed_tools: Option<AllowedTools>,
    /// The names of the client's tools, by what the tools do.
    pub tools: Option<ToolNames>,
    /// The placeholders that are replaced in the body when a skill starts.
    pub placeholders: Option<Placeholders>,
    /// The commands by which a person starts a skill.
    pub commands: Option<Commands>,
    /// The list of skills that the model reads.
    pub listing: Option<Listing>,
    /// Further facts for the rules of the linter.
    pub check: Option<Check>,
}

/// Facts for the rules about clients that no other section states.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Check {
    /// True if the rules about lost skills and lost restraints check the client without being told to.
    #[serde(default)]
    pub common: bool,
    /// The facts, each with its source.
    #[serde(default)]
    pub facts: Vec<Fact>,
}

/// A [`skills_lint::Fact`] as a file of the table states it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Fact {
    /// The condition.
    pub on: Condition,
    /// The consequence.
    pub does: String,
    /// The loss.
    pub loses: Loss,
    /// The field of the condition.
    pub key: String,
    /// The words of the condition.
    pub values: Vec<String>,
    /// The number of the condition.
    pub limit: usize,
    /// The source.
    pub source: String,
    /// The day on which the source was read or the program was run.
    pub seen: String,
}

/// The files of the table, this project's own first, and then the clients with most users first.
const FILES: [&str; 19] = [
    include_str!("../../clients/default.toml"),
    include_str!("../../clients/claude-code.toml"),
    include_str!("../../clients/claude-ai.toml"),
    include_str!("../../clients/codex.toml"),
    include_str!("../../clients/gemini-cli.toml"),
    include_str!("../../clients/opencode.toml"),
    include_str!("../../clients/copilot.toml"),
    include_str!("../../clients/cursor.toml"),
    include_str!("../../clients/goose.toml"),
    include_str!("../../clients/zed.toml"),
    include_str!("../../clients/windsurf.toml"),
    include_str!("../../clients/antigravity.toml"),
    include_str!("../../clients/amp.toml"),
    include_str!("../../clients/openclaw.toml"),
    include_str!("../../clients/hermes.toml"),
    include_str!("../../clients/codewhale.toml"),
    include_str!("../../clients/caliban.toml"),
    include_str!("../../clients/ouro.toml"),
    include_str!("../../clients/agenvoy.toml"),
];

/// Returns every client of the table.
///
/// ```
/// use skills_clients::client::{all, named};
///
/// assert!(all().iter().any(|client| client.name == "goose"));
/// assert_eq!(named("gemini").unwrap().name, "gemini-cli");
/// ```
pub fn all() -> &'static [Client] {
    static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        // A test parses the same texts, so the error cannot happen in a release.
        let clients = FILES.iter().filter_map(|text| parse(text).ok());
        clients.collect()
    });
    &CLIENTS
}

/// Finds the client with a name. Further names count.
pub fn named(name: &str) -> Option<&'static Client> {
    let is_it = |client: &&Client| client.name == name || client.names.iter().any(|it| it == name);
    all().iter().find(is_it)
}

/// Returns the clients whose list of skills is known, in the order of the table.
///
/// ```
/// use skills_clients::client::listings;
/// use skills_clients::listing::{Listed, Shown};
///
/// let codex = listings().find(|listing| listing.name == "codex").unwrap();
/// let skill = Listed { name: "tidy", description: "Sorts files.", location: "tidy/SKILL.md", ..Listed::default() };
/// let cut = codex.cut(Some(200_000), &[skill]);
/// assert_eq!(cut.budget, 4_000);
/// assert_eq!(cut.skills[0].shown, Shown::Whole);
/// ```
pub fn listings() -> impl Iterator<Item = &'static Listing> {
    all().iter().filter_map(|client| client.listing.as_ref())
}

/// Returns the files of the table as they are written, in the order of [`all`].
#[cfg(test)]
pub(crate) fn tables() -> impl Iterator<Item = toml::Table> {
    FILES.iter().filter_map(|text| text.parse().ok())
}

/// The remark about a list of which only the size is known.
const BOUND: &str = "The list is an estimate: which descriptions are cut, and where, can differ.";

fn parse(text: &str) -> Result<Client, toml::de::Error> {
    let mut client: Client = toml::from_str(text)?;
    if let Some(listing) = &mut client.listing {
        if listing.is_bound() {
            let remark = listing.remark.take().map(|remark| remark + " ");
            listing.remark = Some(remark.unwrap_or_default() + BOUND);
        }
        listing.name.clone_from(&client.name);
        listing.title.clone_from(&client.title);
    }
    Ok(client)
}
