//! The work that this program runs itself, in a process of its own under callgrind.

use crate::Result;
use crate::data::Data;
use skills_benches::api::{
    Budget, Catalog, CatalogText, Completer, Format, Options, Profile, Surface, scan,
};
use skills_benches::texts::{BROAD, HOSTILE, MB, NEAR, USUAL};
use skills_benches::{BUDGETS, BUNDLED, FORMATS, counted, load_names};
use skills_session::Dialect as _;
use skills_session::activation::activate;

/// Prepares a piece of work, then runs it so many times in the part that is counted.
pub fn run(name: &str, times: u32, data: &Data) -> Result<()> {
    let (kind, rest) = name.split_once('/').unwrap_or((name, ""));
    match kind {
        "discover" => discover(rest, times, data),
        "resolve" => resolve(rest, times, data),
        "scan" => {
            let text = text(rest)?;
            counted(times, || scan(&text, &|_| false).len());
            Ok(())
        }
        "near" => near(rest, times, data),
        "render" => render(rest, times, data),
        "tools" => tools(rest, times, data),
        "complete" => complete(rest, times, data),
        "activate" => activations(times),
        _ => unknown(name),
    }
}

fn discover(what: &str, times: u32, data: &Data) -> Result<()> {
    let folder = data.synth(1_000);
    let with_stamps = || Catalog::builder().directory("user", &folder).reloadable();
    match what {
        "load" => counted(times, || load(data)),
        "load with stamps" => counted(times, || with_stamps().load()),
        "reload, nothing changed" => {
            let catalog = with_stamps().load();
            counted(times, || catalog.reload());
        }
        _ => return unknown(what),
    }
    Ok(())
}

fn resolve(what: &str, times: u32, data: &Data) -> Result<()> {
    let catalog = load_names(&data.names(), Data::NAMES)?;
    let text = text(what)?;
    counted(times, || catalog.mentions(&text, Surface::User, 8));
    Ok(())
}

/// All texts of a list, one after the other.
fn near(what: &str, times: u32, data: &Data) -> Result<()> {
    let catalog = load_names(&data.names(), Data::NAMES)?;
    let typed: &[&str] = match what {
        "few near names" => &NEAR,
        "many near names" => &BROAD,
        _ => return unknown(what),
    };
    let texts: Vec<String> = typed.iter().map(|typed| format!("${typed} x")).collect();
    counted(times, || {
        for text in &texts {
            drop(catalog.mentions(text, Surface::User, 8));
        }
    });
    Ok(())
}

fn render(what: &str, times: u32, data: &Data) -> Result<()> {
    let catalog = load(data)?;
    let profile = prompts().find(|(name, _)| name == what);
    let (_, profile) = profile.ok_or_else(|| format!("no work has the name '{what}'"))?;
    counted(times, || profile.list(&catalog));
    Ok(())
}

/// The profile of each catalog text that is rendered, with its name.
pub fn prompts() -> impl Iterator<Item = (String, Options)> {
    let of = |format: Format, budget: (&str, Budget)| {
        let options = Options {
            catalog: CatalogText {
                budget: budget.1,
                ..CatalogText::new(format)
            },
            ..Options::DEFAULT
        };
        (format!("{format:?}, {}", budget.0).to_lowercase(), options)
    };
    FORMATS
        .into_iter()
        .flat_map(move |format| BUDGETS.map(|budget| of(format, budget)))
}

fn tools(profile: &str, times: u32, data: &Data) -> Result<()> {
    let catalog = load(data)?;
    let profile = match profile {
        "default" | "caliban" => Profile::named(profile).ok_or("no such profile")?,
        _ => return unknown(profile),
    };
    counted(times, || profile.tools(&catalog));
    Ok(())
}

fn complete(what: &str, times: u32, data: &Data) -> Result<()> {
    let catalog = load(data)?;
    let make = || Completer::new(&catalog, Options::DEFAULT);
    if what == "made, and one key" {
        counted(times, || make().complete("$s", 2));
    } else {
        let completer = make();
        counted(times, || completer.complete(what, what.len()));
    }
    Ok(())
}

fn activations(times: u32) -> Result<()> {
    let catalog = Catalog::builder().bundle("bundled", &BUNDLED).load();
    // The text alone, without the line of the default profile before it.
    let profile = Options {
        preamble: "".into(),
        ..Options::DEFAULT
    };
    for entry in &catalog {
        activate(&profile, &entry, "src/parser.rs")?;
    }
    counted(times, || {
        catalog
            .iter()
            .filter(|entry| activate(&profile, entry, "src/parser.rs").is_ok())
            .count()
    });
    Ok(())
}

/// The catalog of 1,000 skills of `synth`.
fn load(data: &Data) -> Result<Catalog> {
    let folder = data.synth(1_000);
    let catalog = Catalog::builder().directory("user", folder).load();
    match catalog.iter().count() {
        1_000 => Ok(catalog),
        found => Err(format!("{found} skills of 1,000").into()),
    }
}

fn text(name: &str) -> Result<String> {
    let text = USUAL.iter().chain(&HOSTILE).find(|text| text.0 == name);
    let (_, text) = text.ok_or_else(|| format!("no text has the name '{name}'"))?;
    Ok(text(MB))
}

fn unknown(name: &str) -> Result<()> {
    Err(format!("no work has the name '{name}'").into())
}
