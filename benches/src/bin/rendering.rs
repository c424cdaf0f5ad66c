//! `rendering`: how fast a model's view of a catalog is written, and a key is completed.

use skills_benches::api::{Catalog, CatalogText, Completer, Options, Profile, Surface};
use skills_benches::texts::TYPED;
use skills_benches::{BUDGETS, BUNDLED, FORMATS, Temporary, synth, time};
use skills_session::Dialect as _;
use skills_session::activation::activate;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    for count in [1_000, 10_000] {
        let folder = Temporary::new("rendering")?;
        synth(folder.path(), count)?;
        let catalog = Catalog::builder().directory("user", folder.path()).load();
        println!("{count} skills");
        texts(&catalog);
        tools(&catalog);
        keys(&catalog);
        commands(&catalog);
    }
    activations()
}

fn texts(catalog: &Catalog) {
    println!("  catalog text, ms            whole  8,000 characters  20,000 tokens");
    for format in FORMATS {
        let mut profile = Options::DEFAULT;
        profile.catalog = CatalogText::new(format);
        let [whole, characters, tokens] = BUDGETS.map(|(_, budget)| {
            profile.catalog.budget = budget;
            time(|| profile.list(catalog)).ms()
        });
        println!(
            "    {:<24} {whole:>8.2} {characters:>17.2} {tokens:>14.2}",
            format.as_str()
        );
    }
}

fn tools(catalog: &Catalog) {
    println!("  tool definitions, ms");
    for profile in ["default", "caliban"]
        .into_iter()
        .filter_map(Profile::named)
    {
        println!(
            "    {:<24} {:>8.2}",
            profile.name,
            time(|| profile.tools(catalog)).ms()
        );
    }
}

fn keys(catalog: &Catalog) {
    let completer = Completer::new(catalog, Options::DEFAULT);
    println!("  completion, ms a key");
    for typed in TYPED {
        let taken = time(|| completer.complete(typed, typed.len())).ms();
        println!("    {typed:<24} {taken:>8.3}");
    }
    let made = time(|| Completer::new(catalog, Options::DEFAULT).complete("$s", 2)).ms();
    println!("    {:<24} {made:>8.2}", "made, and one key");
}

/// A changed state is a catalog of its own, whose names are not computed yet.
fn commands(catalog: &Catalog) {
    let resolve = |catalog: &Catalog, text| Options::DEFAULT.resolve(catalog, text, Surface::User);
    let fresh = || catalog.with(|builder| builder);
    println!("  a slash command, µs");
    let first = time(|| resolve(&fresh(), "/skill-00042 x")).ms() * 1_000.0;
    println!("    {:<24} {first:>8.1}", "the first");
    let next = time(|| resolve(catalog, "/skill-00042 x")).ms() * 1_000.0;
    println!("    {:<24} {next:>8.1}", "each further one");
    let other = time(|| resolve(catalog, "/help")).ms() * 1_000.0;
    println!("    {:<24} {other:>8.1}", "one of the host's");
}

fn activations() -> Result<(), Box<dyn Error>> {
    let catalog = Catalog::builder().bundle("bundled", &BUNDLED).load();
    let profile = Options {
        preamble: "".into(),
        ..Options::DEFAULT
    };
    println!("activation of a bundled skill, µs");
    for entry in &catalog {
        activate(&profile, &entry, "src/parser.rs")?;
        let times = 1_000;
        let taken = time(|| {
            for _ in 0..times {
                std::hint::black_box(activate(&profile, &entry, "src/parser.rs").is_ok());
            }
        });
        let micros = taken.ms() * 1e3 / f64::from(times);
        let bytes = entry.body()?.len();
        println!("  {:<26} {micros:>8.2}  {bytes:>6} bytes", entry.name());
    }
    Ok(())
}
