//! The options that choose a client.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use skills_clients::client;
use skills_clients::listing::Listing;

/// `--client` and `--context`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClientOptions {
    /// Take the list as this client shows it; `default` is the specification
    #[arg(long, value_name = "NAME", value_parser = listed())]
    pub(crate) client: Option<&'static Listing>,
    /// The context size of the client's model in tokens, such as 200k or 1m
    #[arg(long, value_name = "TOKENS", requires = "client", value_parser = tokens)]
    pub(crate) context: Option<u64>,
}

/// Returns the parser of a name: names complete in a shell, and an error names a near one. Further names of a client
/// count.
pub(crate) fn names_of(
    names: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(names.into_iter().map(|name| {
        let further = client::named(name).map_or(&[][..], |client| &*client.names);
        PossibleValue::new(name).aliases(further.iter().map(String::as_str))
    }))
}

/// Parses the name of a client whose list is known.
fn listed() -> impl TypedValueParser<Value = &'static Listing> {
    let names = client::listings().map(|listing| &*listing.name);
    names_of(names).try_map(|name| {
        let client = client::named(&name);
        client
            .and_then(|it| it.listing.as_ref())
            .ok_or("unknown client")
    })
}

/// Parses a positive number of tokens: `200000`, `200k`, `1m`.
pub(crate) fn tokens(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, times) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(thousands), _) => (thousands, 1_000),
        (_, Some(millions)) => (millions, 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let number: Option<u64> = digits.parse().ok().filter(|number| *number > 0);
    let tokens = number.and_then(|number| number.checked_mul(times));
    tokens.ok_or_else(|| "write a number of tokens, such as 200000, 200k or 1m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tokens() {
        assert_eq!(tokens("200k"), Ok(200_000));
        assert_eq!(tokens("1M"), Ok(1_000_000));
        assert_eq!(tokens("7"), Ok(7));
        for text in ["", "0", "k", "1kk", "-1", "1.5k", "18446744073709551615m"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    /// A profile gives `allowed-tools` the meaning that the sources of the table state.
    #[test]
    fn the_profiles_mean_what_the_table_says() {
        use skills_clients::client::Meaning;
        use skills_profiles::Profile;
        use skills_session::options::AllowedTools;

        let mut compared = 0;
        for profile in Profile::all() {
            let client = client::named(profile.name).expect("a client");
            let Some(tools) = &client.allowed_tools else {
                continue;
            };
            let meaning = match tools.meaning {
                Meaning::Approves => AllowedTools::Approves,
                Meaning::Narrows => AllowedTools::Narrows,
                _ => AllowedTools::Ignored,
            };
            assert_eq!(profile.options.allowed_tools, meaning, "{}", profile.name);
            compared += 1;
        }
        assert!(compared >= 9, "{compared}");
    }

    /// Help, completion, errors and the commands name the same clients.
    #[test]
    fn one_list_of_names() {
        use crate::commands::Arguments;
        use clap::{CommandFactory as _, Parser as _};
        use skills_host::places::Agent;
        use skills_profiles::Profile;

        let mut command = Arguments::command();
        // Deferred arguments are defined when their command is built.
        command.build();
        let values = |of: &str| {
            let command = command.find_subcommand(of).expect(of);
            let mut arguments = command.get_arguments();
            let client = arguments.find(|arg| arg.get_id() == "client").expect(of);
            let values = client.get_possible_values();
            values
                .iter()
                .map(|it| it.get_name().to_owned())
                .collect::<Vec<_>>()
        };
        let listed: Vec<&str> = client::listings().map(|listing| &*listing.name).collect();
        for of in ["prompt", "test"] {
            assert_eq!(values(of), listed, "{of}");
        }
        assert!(
            values("check")
                .iter()
                .all(|name| name == "all" || client::named(name).is_some())
        );
        let profiles: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
        let is_profile = |name| Arguments::try_parse_from(["skills", "list", "-p", name]).is_ok();
        let is_listed =
            |name| Arguments::try_parse_from(["skills", "prompt", "--client", name]).is_ok();
        for client in client::all() {
            let name = &*client.name;
            assert_eq!(client.profile, profiles.contains(&name), "{name}");
            assert_eq!(is_profile(name), client.profile, "{name}");
            assert_eq!(is_listed(name), listed.contains(&name), "{name}");
            assert_eq!(
                Agent::named(name).is_ok(),
                client.folders.is_some(),
                "{name}"
            );
            for further in &client.names {
                assert_eq!(is_profile(further), client.profile, "{further}");
                assert_eq!(is_listed(further), client.listing.is_some(), "{further}");
            }
        }
        assert!(profiles.iter().all(|name| client::named(name).is_some()));
        let error = Arguments::try_parse_from(["skills", "list", "-p", "claude-cod"]);
        let error = error.expect_err("a misspelt name").to_string();
        assert!(error.contains("'claude-code'"), "{error}");
    }
}
