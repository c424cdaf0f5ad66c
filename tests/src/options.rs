//! The catalog of a table: the program's own catalog options, in an `options` block.

use crate::folder::Folder;
use crate::words::words;
use clap::Parser;
use skills_profiles::Profile;
use skills_runtime::Catalog;
use skills_session::options::AllowedTools;
use skills_tool::CatalogOptions;

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Options {
    #[command(flatten)]
    catalog: CatalogOptions,
    /// The ids of disabled skills.
    #[arg(long)]
    disable: Vec<String>,
    /// As if a person had trusted the project.
    #[arg(long)]
    trusted: bool,
    /// The meaning of `allowed-tools`, in place of the profile's: `narrows`.
    #[arg(long)]
    allowed_tools: Option<String>,
    /// The names of the host's own commands, with commas between them.
    #[arg(long, value_delimiter = ',')]
    own_commands: Vec<String>,
}

/// Loads the catalog of a folder like the program with these options. Returns it with the profile.
pub(crate) fn catalog(
    options: &str,
    folder: &Folder,
    named: Option<&Profile>,
) -> Result<(Catalog, Profile), String> {
    let options = Options::try_parse_from(words(options)?).map_err(|error| error.to_string())?;
    // The ids of plugins follow the profile that reads the text.
    let plugins = named.unwrap_or(options.catalog.profile()).plugins;
    let mut catalog = options
        .catalog
        .load_as(plugins, &folder.environment())
        .map_err(|error| error.to_string())?
        .catalog;
    if options.trusted {
        let untrusted = catalog.iter().filter(|skill| !skill.is_trusted());
        let records: Result<Vec<_>, _> = untrusted.map(|skill| skill.trust_record()).collect();
        let records = records.map_err(|error| error.to_string())?;
        catalog = catalog.with(|builder| builder.trusted(records));
    }
    let mut profile = options.catalog.profile().clone();
    match options.allowed_tools.as_deref() {
        None => {}
        Some("narrows") => profile.options.allowed_tools = AllowedTools::Narrows,
        Some(other) => return Err(format!("no meaning of allowed-tools is called `{other}`")),
    }
    profile.options.reserved = options.own_commands;
    let catalog = catalog.with(|builder| builder.disabled(options.disable));
    Ok((catalog, profile))
}
