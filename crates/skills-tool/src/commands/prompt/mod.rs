//! `skills prompt`: prints the catalog text, which lists the skills for a model.

use crate::catalog::clients::read_as;
use crate::catalog::clients::{ClientOptions, Offered, cut};
use crate::catalog::options::{CatalogArguments, OpenCatalog};
use crate::catalog::options::{CatalogOptions, profile_named};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted};
use clap::Args;
use serde::Serialize;
use skills_clients::Source;
use skills_clients::listing::{Cut, Listing, Shown, Unit};
use skills_format::{estimate_tokens, prose};
use skills_session::Dialect as _;
use skills_session::options::Budget;
use skills_session::prompt::Rendered;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Prompt {
    /// The maximum number of characters, instead of the budget of the profile
    #[arg(long, value_name = "N", conflicts_with = "client")]
    budget: Option<usize>,
    /// With --client: a folder of skills, instead of the folders in which the client looks
    #[arg(value_name = "PATH", requires = "client")]
    path: Option<PathBuf>,
    #[command(flatten)]
    client: ClientOptions,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills prompt
  skills prompt --budget 2000
  skills prompt --profile codewhale
  skills prompt --client codex --context 200k
  skills prompt skills --client claude-code --context 200k

With --client, only the lines that the client would list are printed, without the text around them, which counts too.";

/// `prompt --format json`
#[derive(Serialize)]
struct PromptDocument {
    #[serde(flatten)]
    rendered: Rendered,
}

impl Prompt {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if let (Some(client), Some(path)) = (self.client.client, &self.path) {
            return self.of_folder(client, path, cx);
        }
        let OpenCatalog { catalog, profile } = self.arguments(cx).open(&[], cx)?;
        if let Some(client) = self.client.client {
            let skills = Offered::all(&catalog);
            print(client, self.client.context, &skills, cx)?;
            return Ok(Outcome::Done);
        }
        let mut profile = profile.clone();
        if let Some(characters) = self.budget {
            profile.options.catalog.budget = Budget::Characters(characters);
        }
        let rendered = profile.list(&catalog);
        if cx.is_json {
            cx.json(&PromptDocument { rendered })?;
        } else {
            cx.foreign(&rendered.text)?;
            if !rendered.text.is_empty() {
                writeln!(cx)?;
            }
            cx.note(format!("about {}", counted(rendered.tokens, "token")));
            note_skills("shortened", &rendered.shortened, cx);
            note_skills("left out", &rendered.omitted, cx);
        }
        Ok(Outcome::Done)
    }

    /// Returns the arguments of the catalog. Without options, they are those of the client's own profile.
    fn arguments(&self, cx: &mut Ctx) -> CatalogArguments {
        let CatalogArguments { format, options } = &self.catalog;
        let format = *format;
        let client = self.client.client.filter(|_| !options.is_given());
        let Some(client) = client.filter(|client| client.name != "default") else {
            let options = options.clone();
            return CatalogArguments { format, options };
        };
        let profile = profile_named(&client.name);
        if profile.is_none() {
            let title = &client.title;
            cx.note(prose!(
                "how {title} reads its folders is not known: these are the skills of `skills list`"
            ));
        }
        let profile = profile.unwrap_or_else(|| options.profile());
        let options = CatalogOptions::of(Some(profile));
        CatalogArguments { format, options }
    }

    /// Prints the skills of a folder as a client lists them.
    fn of_folder(&self, client: &Listing, path: &Path, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let context = self.client.context;
        let read = match client.reads {
            Some(reader) => read_as(reader, path, cx.env)?,
            None => None,
        };
        let Some(folder) = read else {
            return Err(Failure::not_so(
                prose!("{} reads no skill in {}", &client.title, path),
                "name a folder of skills, each in a folder of its own",
            ));
        };
        print(client, context, &folder.skills, cx)?;
        note_skills("not listed", &folder.others, cx);
        Ok(Outcome::Done)
    }
}

/// The maximum number of skills that a note names. The document names all skills.
const NAMED: usize = 5;

/// Notes a fact about skills, and names the first skills.
pub(crate) fn note_skills(what: &str, skills: &[String], cx: &mut Ctx) {
    if !skills.is_empty() {
        let count = counted(skills.len(), "skill");
        let first = skills.get(..NAMED).unwrap_or(skills).join(", ");
        let more = match skills.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        cx.note(format!("{count} {what}: {first}{more}"));
    }
}

/// `prompt --client NAME --format json`
#[derive(Serialize)]
struct PromptPrintDocument<'a> {
    text: String,
    shortened: Vec<String>,
    omitted: Vec<String>,
    without_path: [String; 0],
    tokens: usize,
    client: About<'a>,
    bare: Vec<String>,
    /// `null` for a client that lists everything.
    budget: Option<usize>,
    unit: Unit,
    whole: usize,
    used: usize,
}

/// A client, and the origin of the facts about the client.
#[derive(Serialize)]
struct About<'a> {
    name: &'a str,
    title: &'a str,
    source: &'a str,
    seen: &'a str,
    /// The version of the program that was run.
    version: Option<&'a str>,
    context: Option<u64>,
}

/// Prints the part of these skills that a client would show.
fn print(
    client: &Listing,
    context: Option<u64>,
    skills: &[Offered],
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let cut = cut(client, context, skills, cx.env);
    let text = cut.text();
    let ids = |shown| {
        let with = skills
            .iter()
            .zip(&cut.skills)
            .filter(move |(_, kept)| kept.shown == shown);
        with.map(|(skill, _)| skill.id.clone()).collect::<Vec<_>>()
    };
    let (shortened, bare, omitted) = (ids(Shown::Shortened), ids(Shown::Bare), ids(Shown::Gone));
    if cx.is_json {
        let Listing {
            name,
            title,
            source,
            ..
        } = client;
        return cx.json(&PromptPrintDocument {
            tokens: estimate_tokens(&text),
            text,
            shortened,
            omitted,
            without_path: [],
            client: About {
                name,
                title,
                source: &source.at,
                seen: &source.seen,
                version: source.version.as_deref(),
                context,
            },
            bare,
            budget: client.has_budget().then_some(cut.budget),
            unit: cut.unit,
            whole: cut.whole,
            used: cut.used,
        });
    }
    cx.foreign(&text)?;
    if !text.is_empty() {
        writeln!(cx)?;
    }
    let (title, used, unit) = (&client.title, cut.used, cut.unit.as_str());
    cx.note(if client.has_budget() {
        let Cut { budget, whole, .. } = cut;
        format!("{title}: {used} of at most {budget} {unit}; {whole} without cuts")
    } else {
        format!("{title}: {used} {unit}; it lists everything")
    });
    note_skills("shortened", &shortened, cx);
    note_skills("by name alone", &bare, cx);
    note_skills("left out", &omitted, cx);
    let is_cut = !(shortened.is_empty() && bare.is_empty() && omitted.is_empty());
    if let Some(remark) = client.remark.as_ref().filter(|_| is_cut) {
        cx.note(remark);
    }
    let Source {
        at, seen, version, ..
    } = &client.source;
    let version = version
        .as_ref()
        .map_or_else(String::new, |version| format!(", version {version}"));
    cx.note(format!("source, read {seen}{version}: {at}"));
    Ok(())
}
