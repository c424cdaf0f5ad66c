//! `skills inspect profile`: how hosts name, read and keep skills.

use crate::catalog::options::{known, profile_named};
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption};
use clap::{Args, Subcommand};
use serde::Serialize;
use skills_host::improve::Mode;
use skills_session::Profile;

#[derive(Args, Debug)]
pub(crate) struct ProfileCommand {
    #[command(subcommand)]
    command: ProfileSubcommand,
}

#[derive(Debug, Subcommand)]
enum ProfileSubcommand {
    /// List every profile
    List {
        #[command(flatten)]
        format: FormatOption,
    },
    /// Print every field of one profile, as JSON
    Show {
        /// The name of the profile
        #[arg(default_value = "default")]
        profile: String,
        #[command(flatten)]
        format: FormatOption,
    },
}

/// `inspect profile list --format json`
#[derive(Serialize)]
struct ProfileListDocument {
    profiles: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    reference: &'static str,
    known_for: &'static str,
}

/// `inspect profile show`
#[derive(Serialize)]
struct ProfileShowDocument {
    #[serde(flatten)]
    profile: &'static Profile,
    /// The mode of `skills improve`.
    improvement: Mode,
}

impl ProfileCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match &self.command {
            ProfileSubcommand::List { .. } => list(cx)?,
            ProfileSubcommand::Show { profile, .. } => {
                let found = profile_named(profile).ok_or_else(|| {
                    let fact = format!("no profile is named '{profile}'");
                    Failure::not_so(fact, known(profile))
                })?;
                let document = ProfileShowDocument {
                    profile: found,
                    improvement: Mode::of(found),
                };
                cx.json(&document)?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn list(cx: &mut Ctx) -> Result<(), Failure> {
    let profiles = Profile::ALL.map(|profile| Named {
        name: &profile.name,
        reference: &profile.reference,
        known_for: known_for(&profile.name),
    });
    if cx.is_json {
        return cx.json(&ProfileListDocument {
            profiles: profiles.into(),
        });
    }
    let mut table = Table::new(["NAME", "REFERENCE", "KNOWN FOR"]);
    for it in profiles {
        table.push([it.name, it.reference, it.known_for].map(str::to_owned));
    }
    table.print(cx)
}

/// Returns the characteristics of a system, by the name of its profile.
fn known_for(profile: &str) -> &'static str {
    match profile {
        "agenvoy" => "slash commands that do what its tool run_skill does; repairs made at once",
        "caliban" => "a tool Skill that lists the skills in its description; no $name",
        "claude-code" => "slash commands, and a tool Skill; $1 is replaced everywhere",
        "codewhale" => "skills that $name starts for one turn",
        "codex" => "$name in a message, and the whole file of the skill after it",
        "default" => "the specification, and what most of its clients do",
        "gemini-cli" => "a tool activate_skill, which slash commands call too",
        "openclaw" => "a model that reads the skills' files; commands that call tools",
        "opencode" => "slash commands, and a tool skill; $1 is the first word",
        "ouro" => "rules in the system prompt, skills in the user's message",
        _ => "",
    }
}
