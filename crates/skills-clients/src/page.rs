//! Writes the documents and source files that are made from the table of clients, in a test.

use crate::client::{self, Client, FrontMatter, all, tools};
use crate::listing::Listing;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// Renders every client with its facts, their sources and their days as a Markdown page.
fn page() -> String {
    let mut page = String::from(
        "# Clients\n\n<!-- Generated from crates/skills-clients/clients. `UPDATE_DOCS=1 cargo test -p skills-clients` \
         writes it again. -->\n\n\
         This page lists what is known about other programs that use skills, and [which fields](#fields) they read. Every \
         command uses these names:\n\n\
         - `--client` of `skills prompt` and `skills test`: clients whose list of skills is known.\n\
         - `--client` of `skills check`: clients that the portability rules cover.\n\
         - `--to`: clients whose folders are known.\n\
         - `--profile`: clients that a host can behave like.\n\n\
         Each fact has its source and the day on which the source was read. If the program itself was run, its version is \
         named, and `tests/clients` holds what it sent. The lists of Claude Code, Codex, Gemini CLI and OpenCode are exact \
         where `tests/clients` compares them. For the other clients, which descriptions are cut, and where, is an estimate.\n\n\
         The keys are those of the files in `crates/skills-clients/clients`:\n\n\
         | key | meaning |\n|---|---|\n\
         | `also` | in *Folders*: the clients whose folders are read too; in *Discovery*: what counts as a skill besides \
         `NAME/SKILL.md` |\n\
         | `depth`, `up` | the maximum number of folders above `SKILL.md`; whether the folders above the working folder are \
         read |\n\
         | `links`, `reserved` | which links are followed; which folders are not read |\n\
         | `settings` | the folders whose presence means that the client is used on this machine |\n\
         | `variable` | a variable that names the settings folder: `skills` in it replaces the first personal folder |\n\
         | `folder` in *Names* | whether the name is taken from the folder, must be the same, or can be any |\n\
         | `model`, `person` | the fields that keep the model, or a person, from starting the skill. `openai-yaml` is \
         `allow_implicit_invocation` in `agents/openai.yaml`; `opencode-autoinvoke` and `opencode-slash` are \
         `opencode/autoinvoke` and `opencode/slash` in `metadata`, and `top-level-…` the same keys outside of it |\n\
         | `truths` | the values of these fields that count as true |\n\
         | `replaces`, `first`, `escape` | which placeholders are filled; the number of the first word; whether a backslash \
         keeps a placeholder |\n\
         | `positional` | when `$1` and the like are filled: if arguments are `given`, or `never` |\n\n\
         These lines say what the client does with a fault:\n\n\
         | line | fault |\n|---|---|\n\
         | `byte-order-mark`, `text-before`, `space-before` | a mark, text or a space before the first `---` |\n\
         | `dots`, `dashes-inside`, `dashes-in-block` | `...` in place of the second `---`; `---` in a value |\n\
         | `plain-name`, `plain-description` | a value that YAML reads as a number, a boolean or a date |\n\
         | `depth`, `own-command` | a deeper folder; a name of the client's own commands |\n\
         | `open-ai-file` | a wrong value in `agents/openai.yaml` |\n\n\
         In the next table, the last column is the maximum length of a description, if it is known. A longer description is \
         cut in the list of skills. If the client's line *Front matter* has a `longest description`, the client refuses the \
         skill instead. The specification allows 1,024 characters.\n\n\
         | name | client | other names | `--client` | `--to` | `--profile` | `check --client` | description |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for client in all() {
        let mark = |has: bool| if has { "yes" } else { "" };
        let has_facts = crate::check::clients()
            .iter()
            .any(|known| known.name == client.name && !known.facts.is_empty());
        let _ = writeln!(
            page,
            "| [`{}`](#{}) | {} | {} | {} | {} | {} | {} | {} |",
            client.name,
            client.name,
            client.title,
            codes(&client.names),
            mark(client.listing.is_some()),
            mark(client.folders.is_some()),
            mark(client.profile),
            mark(has_facts),
            description_limit(client).unwrap_or_default(),
        );
    }
    page.push_str(&fields());
    for (client, table) in all().iter().zip(client::tables()) {
        // The heading is the name, for the links of the table.
        let _ = write!(page, "\n## {}\n\n**{}**\n\n", client.name, client.title);
        sections(&mut page, client, &table);
    }
    page
}

/// Renders the table of all known fields.
fn fields() -> String {
    let clients = || {
        all()
            .iter()
            .filter_map(|client| Some((client.title.as_str(), client.front_matter.as_ref()?)))
    };
    let known: BTreeSet<&String> = clients()
        .flat_map(|(_, front)| front.fields.keys())
        .collect();
    let mut text = String::from(
        "\n## Fields\n\nWhat each client does with a field of the front matter, for the clients whose fields are known. The \
         sections below have the types and the sources.\n\n\
         | field | is read by | has no effect in | makes the skill invalid in |\n|---|---|---|---|\n",
    );
    for field in known {
        let titles = |is_meant: &dyn Fn(&FrontMatter) -> bool| {
            let meant = clients().filter(|(_, front)| is_meant(front));
            meant.map(|(title, _)| title).collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(
            text,
            "| `{field}` | {} | {} | {} |",
            titles(&|front| front.fields.contains_key(field)),
            titles(&|front| !front.fields.contains_key(field) && !front.refuses_unknown),
            titles(&|front| !front.fields.contains_key(field) && front.refuses_unknown),
        );
    }
    text
}

/// Writes the maximum length of a description.
fn description_limit(client: &Client) -> Option<String> {
    let listing = client.listing.as_ref();
    let listed = listing.and_then(Listing::description_limit);
    let front = client.front_matter.as_ref();
    let documented = || Some(format!("{} characters", front?.longest_description?));
    listed.or_else(documented)
}

/// The sections of a file of the table, with their titles. What a word of a section means stands in the types of [`client`].
const SECTIONS: [(&str, &str); 10] = [
    ("folders", "Folders"),
    ("discovery", "Discovery"),
    ("front-matter", "Front matter"),
    ("name-rules", "Names"),
    ("restraints", "Limits"),
    ("allowed-tools", "`allowed-tools`"),
    ("tools", "Tools"),
    ("placeholders", "Placeholders"),
    ("commands", "Commands"),
    ("listing", "List"),
];

fn sections(page: &mut String, client: &Client, table: &Table) {
    for (key, title) in SECTIONS {
        let Some(Value::Table(section)) = table.get(key) else {
            continue;
        };
        let text = match &client.listing {
            Some(it) if key == "listing" => listing(it),
            _ => match words(section) {
                none if none.is_empty() => "None.".to_owned(),
                words => words + ".",
            },
        };
        let source = |key| section.get("source")?.get(key)?.as_str();
        let (at, seen) = (linked(source("at").unwrap_or_default()), source("seen"));
        let _ = write!(
            page,
            "- **{title}.** {text} *{at} ({}",
            seen.unwrap_or_default()
        );
        if let Some(version) = source("version") {
            let _ = write!(page, ", version {version}");
        }
        page.push_str(")*\n");
    }
    let facts = table
        .get("check")
        .and_then(|check| check.get("facts")?.as_array());
    for fact in facts.into_iter().flatten().filter_map(Value::as_table) {
        let word = |key| fact.get(key).and_then(Value::as_str).unwrap_or_default();
        let on: Table = fact
            .clone()
            .into_iter()
            .filter(|(key, _)| ON.contains(&&**key))
            .collect();
        let on = if on.is_empty() {
            String::new()
        } else {
            words(&on) + "; "
        };
        let (does, source) = (word("does"), linked(word("source")));
        let _ = writeln!(
            page,
            "- **{}.** {on}{does}. *{source} ({})*",
            word("on"),
            word("seen")
        );
    }
}

/// The keys of a fact that say more about its condition.
const ON: [&str; 3] = ["key", "limit", "values"];

/// Writes the entries of a section as they stand in its file: `depth: 1; links: folders`.
fn words(section: &Table) -> String {
    let strings = |items: &[Value]| {
        let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
        codes(&items)
    };
    let mut all = Vec::new();
    for (key, value) in section.iter().filter(|(key, _)| *key != "source") {
        let value = match value {
            Value::Array(items) if items.is_empty() => "nothing".to_owned(),
            Value::Array(items) => strings(items),
            Value::Table(entries) => {
                let mut all = Vec::new();
                for (key, value) in entries {
                    let words = value.as_array().map(|items| strings(items));
                    let word = value.as_str().unwrap_or_default();
                    all.push(format!("`{key}` ({})", words.as_deref().unwrap_or(word)));
                }
                all.join(", ")
            }
            Value::Boolean(is_so) => if *is_so { "yes" } else { "no" }.to_owned(),
            Value::Integer(number) => number.to_string(),
            value => value.as_str().unwrap_or_default().to_owned(),
        };
        all.push(format!("{}: {value}", key.replace('-', " ")));
    }
    all.join("; ")
}

/// Makes the addresses of a text links.
fn linked(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.find("https://") {
        Some(start) => {
            let (before, address) = word.split_at(start);
            let end = address.trim_end_matches([',', ';', ':', '.', ')']).len();
            let (address, after) = address.split_at(end);
            format!("{before}<{address}>{after}")
        }
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn listing(listing: &Listing) -> String {
    let (budget, unit) = listing.budget(None);
    let mut text = if listing.has_budget() {
        let varies = listing.budget(Some(1)).0 != budget;
        let unknown = if varies {
            " if the context size is unknown"
        } else {
            ""
        };
        format!("At most {budget} {}{unknown}.", unit.as_str())
    } else {
        "Everything is listed.".to_owned()
    };
    let (count, size) = listing.own_skills();
    if count > 0 {
        let _ = write!(
            text,
            " The client has {count} skills of its own, with {size} characters of description."
        );
    }
    if let Some(remark) = &listing.remark {
        let _ = write!(text, " {remark}");
    }
    text
}

fn codes<T: AsRef<str>>(words: &[T]) -> String {
    let words = words.iter().map(|word| format!("`{}`", word.as_ref()));
    words.collect::<Vec<_>>().join(", ")
}

/// `UPDATE_DOCS=1` regenerates the files. They are in the repository, not in the package.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test compares a file")]
fn the_files_are_up_to_date() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    if package.join("Cargo.toml.orig").exists() {
        return;
    }
    for (path, text) in [
        ("../../docs/clients.md", page()),
        ("../skills-permit/src/known_names.rs", tools::source_file()),
        ("src/check/table.rs", crate::check::source_file()),
    ] {
        let at = package.join(path);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&at, &text).expect("the file is written");
        }
        let written = fs::read_to_string(&at).expect("the file is there");
        assert!(
            written == text,
            "{path} is stale: UPDATE_DOCS=1 writes it again"
        );
    }
}
