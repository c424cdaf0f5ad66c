//! `skills inspect`: what hosts, models and other programs get from the skills.

mod tools;

use crate::catalog::options::profile_named;
use crate::commands::inspect::tools::{Activate, Complete, Tools};
use crate::commands::line::Deferred;
use crate::outcome::{Failure, Outcome};
use crate::output::table::{Table, print_field};
use crate::output::{Ctx, FormatOption, counted};
use clap::{Args, Command, Subcommand, ValueEnum, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man as Page;
#[cfg(feature = "agent")]
use serde_json::Value;
use serde_json::json;
#[cfg(feature = "agent")]
use skills_agent::improve::is_automatic;
use skills_profiles::Profile;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    #[command(subcommand)]
    command: InspectCommand,
}

#[derive(Debug, Subcommand)]
enum InspectCommand {
    /// Print what enters the conversation when a skill starts
    Activate(Deferred<Activate>),
    /// List the completions of the $name or /name at the cursor
    Complete(Deferred<Complete>),
    /// Print the definitions of the skill tools that a model gets, or call one
    ///
    /// A call prints the result of the tool; the exit code is 1 if the tool reports an error.
    Tools(Deferred<Tools>),
    /// Show how clients name, read and store skills
    Profile(Deferred<ProfileCommand>),
    /// Print a JSON Schema for editors
    Schema(Deferred<Schema>),
    /// Print the completion script of a shell, for commands and options
    Completions(Deferred<Completions>),
    /// Write the manual pages of the program and of each command into a folder
    Man(Deferred<Man>),
}

impl Inspect {
    pub(crate) fn run(&self, program: fn() -> Command, cx: &mut Ctx) -> Result<Outcome, Failure> {
        match &self.command {
            InspectCommand::Activate(command) => command.run(cx),
            InspectCommand::Complete(command) => command.run(cx),
            InspectCommand::Tools(command) => command.run(cx),
            InspectCommand::Profile(command) => command.run(cx),
            InspectCommand::Schema(command) => command.run(cx),
            InspectCommand::Completions(command) => command.run(program(), cx),
            InspectCommand::Man(command) => command.run(program(), cx),
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct Schema {
    /// The file that the schema is of
    #[arg(value_enum, default_value_t)]
    of: SchemaOf,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum SchemaOf {
    /// The front matter of SKILL.md
    #[default]
    Skill,
    /// skills.toml
    Config,
    /// triggers.yaml
    Triggers,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  skills inspect schema > skill.schema.json
  skills inspect schema triggers > triggers.schema.json";

impl Schema {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let schema = match self.of {
            SchemaOf::Skill => skills_lint::json_schema(),
            SchemaOf::Config => skills_lint::config_schema(),
            SchemaOf::Triggers => skills_clients::triggers_schema(),
        };
        writeln!(cx, "{}", schema.trim_end())?;
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  skills inspect completions bash > ~/.local/share/bash-completion/completions/skills
  skills inspect completions zsh > ~/.zfunc/_skills
  skills inspect completions fish > ~/.config/fish/completions/skills.fish";

impl Completions {
    pub(crate) fn run(&self, mut program: Command, cx: &mut Ctx) -> Result<Outcome, Failure> {
        // The generator finds a command by the name of its program, and these two are called by another program.
        for name in ["deps", "init"] {
            program = program.mut_subcommand(name, |it| it.bin_name(format!("skills {name}")));
        }
        // Into memory: the generator panics if a write fails.
        let mut script = Vec::new();
        generate(self.shell, &mut program, "skills", &mut script);
        cx.write_all(&script)?;
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// The folder of the pages
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    into: PathBuf,
}

const MAN_EXAMPLES: &str = "Examples:\n  skills inspect man ~/.local/share/man/man1";

impl Man {
    pub(crate) fn run(&self, mut program: Command, cx: &mut Ctx) -> Result<Outcome, Failure> {
        program.build();
        let version = program.get_version().unwrap_or_default().to_owned();
        let folder = cx.env.absolute(&self.into);
        let count = write(&program, &version, &folder).map_err(|error| {
            Failure::unwritten(&*folder, &error, "name a folder that you can write to")
        })?;
        let folder = cx.env.shown(&folder);
        writeln!(cx, "{} in {folder}", counted(count, "page"))?;
        Ok(Outcome::Done)
    }
}

/// Writes the page of a command, and the pages of its subcommands. Returns the number of pages.
fn write(command: &Command, version: &str, folder: &Path) -> std::io::Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = Page::new(command.clone()).source(format!("skills {version}"));
    let mut text = Vec::new();
    page.title(name).render(&mut text)?;
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.1")), text)?;
    let mut count = 1;
    for below in command.get_subcommands() {
        if below.get_name() != "help" {
            count += write(below, version, folder)?;
        }
    }
    Ok(count)
}

#[derive(Args, Debug)]
pub(crate) struct ProfileCommand {
    /// The profile to describe; without a name, the profiles are listed
    name: Option<String>,
    #[command(flatten)]
    format: FormatOption,
}

impl ProfileCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let Some(name) = &self.name else {
            let profiles = Profile::all();
            let documents = profiles.iter().map(|it| {
                json!({ "name": it.name, "reference": it.reference, "known_for": known_for(it.name) })
            });
            let documents: Vec<_> = documents.collect();
            cx.report(&json!({ "profiles": documents }))?;
            let mut table = Table::new(["NAME", "REFERENCE", "KNOWN FOR"]);
            for it in profiles {
                table.push([it.name, it.reference, known_for(it.name)].map(str::to_owned));
            }
            table.print(cx)?;
            return Ok(Outcome::Done);
        };
        let profile = profile_named(name).ok_or_else(|| {
            let help = "`skills inspect profile` lists the profiles";
            Failure::not_so(format!("no profile is named '{name}'"), help)
        })?;
        let document = json!(profile);
        #[cfg(feature = "agent")]
        let document = improving(document, profile.name);
        cx.report(&document)?;
        let options = &profile.options;
        let bases = cx.env.bases();
        let places = profile.folders.places.iter();
        let folders = places.filter_map(|it| Some(cx.env.shown(&it.folder(&bases)?)));
        let folders = folders.collect::<Vec<_>>().join(", ");
        let started = match (options.mentions, options.commands) {
            (true, true) => "$name or /name",
            (true, false) => "$name",
            (false, true) => "/name",
            (false, false) => "nothing: only the model starts skills",
        };
        let lasts = ["the conversation", "one turn"][usize::from(options.lasts_one_turn)];
        let tool = options.tool.as_ref().map_or("none", |it| &it.name);
        print_field(LABEL, "known for", known_for(profile.name), cx)?;
        print_field(LABEL, "folders", &folders, cx)?;
        print_field(LABEL, "you type", started, cx)?;
        print_field(LABEL, "model's tool", tool, cx)?;
        print_field(LABEL, "active for", lasts, cx)?;
        cx.note("`--format json` prints every field");
        Ok(Outcome::Done)
    }
}

/// The width of a label in cells.
const LABEL: usize = 12;

/// Adds the mode of `skills improve`.
#[cfg(feature = "agent")]
fn improving(mut document: Value, profile: &str) -> Value {
    let modes = ["propose", "automatic"];
    document["improvement"] = modes[usize::from(is_automatic(profile))].into();
    document
}

/// Returns the characteristics of a system, by the name of its profile.
fn known_for(profile: &str) -> &'static str {
    match profile {
        "agenvoy" => {
            "slash commands that do what its tool run_skill does; failed skills are repaired"
        }
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
