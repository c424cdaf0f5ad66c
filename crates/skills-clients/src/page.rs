//! Renders the table of clients as a document.

use crate::client::{
    AllowedTools, Also, Client, Discovery, Fact, Field, FieldType, FolderRule, Folders,
    FrontMatter, Letters, Links, Meaning, Name, Placeholders, Positional, Replaced, Restraints,
    Spelling, ToolNames, all, tools::source_file,
};
use crate::listing::Listing;
use crate::source::Source;
use skills_lint::Condition;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Renders every client with its facts, their sources and their days as a Markdown page.
pub fn page() -> String {
    let mut page = String::from(
        "# Clients\n\n<!-- Generated from crates/skills-clients/clients. `UPDATE_DOCS=1 cargo test -p skills-clients` \
         writes it again. -->\n\n\
         What is known about other programs that use skills, and [which fields](#fields) they read. Every command \
         uses these names. `--client` of `skills prompt` and `test` takes a client whose list is known, `--to` \
         a client with folders, \
         `--profile` a client whose behaviour a host can have, and `--client` of `skills check` a client about \
         which the rules of the group portability know facts.\n\n\
         Each fact has its source and the day on which the source was read. Where the program itself was run, its \
         version is named, and `tests/clients` holds what it sent. A fact that no source states is left out.\n\n\
         The last column is the maximum length of a description: a longer text is cut in the list of skills, or the \
         skill is refused where the front matter of the client says so. Empty: no maximum is known. The specification \
         allows 1,024 characters.\n\n\
         | name | client | further names | `--client` | `--to` | `--profile` | `check --client` | description |\n\
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
    for client in all() {
        let _ = write!(page, "\n## {}\n\n", client.name);
        // The heading is the name, for the links of the table.
        let _ = write!(page, "**{}**\n\n", client.title);
        sections(&mut page, client);
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
        "\n## Fields\n\nWhat the clients whose fields are known do with a field of the front matter. The sections of the \
         clients have the types and the sources.\n\n\
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

fn sections(page: &mut String, client: &Client) {
    let mut fact = |title: &str, text: String, source: &Source| {
        let Source { at, seen, version } = source;
        let version = version.as_ref();
        let version = version.map_or_else(String::new, |version| format!(", version {version}"));
        let at = linked(at);
        let _ = writeln!(page, "- **{title}.** {text} *{at} ({seen}{version})*");
    };
    if let Some(it) = &client.folders {
        fact("Folders", folders(it), &it.source);
    }
    if let Some(it) = &client.discovery {
        fact("Discovery", discovery(it), &it.source);
    }
    if let Some(it) = &client.front_matter {
        fact("Front matter", front_matter(it), &it.source);
    }
    if let Some(it) = &client.name_rules {
        fact("Names", names(it), &it.source);
    }
    if let Some(it) = &client.restraints {
        fact("Restraints", restraints(it), &it.source);
    }
    if let Some(it) = &client.allowed_tools {
        fact("`allowed-tools`", allowed_tools(it), &it.source);
    }
    if let Some(it) = &client.tools {
        fact("Tools", tools(it), &it.source);
    }
    if let Some(it) = &client.placeholders {
        fact("Placeholders", placeholders(it), &it.source);
    }
    if let Some(it) = &client.commands {
        let text = format!("A person writes the name after {}.", codes(&it.prefixes));
        fact("Commands", text, &it.source);
    }
    if let Some(it) = &client.listing {
        fact("List", listing(it), &it.source);
    }
    for it in client.check.iter().flat_map(|check| &check.facts) {
        let Fact { source, seen, .. } = it;
        let _ = writeln!(page, "- {} *{} ({seen})*", condition(it), linked(source));
    }
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

fn folders(folders: &Folders) -> String {
    let mut text = Vec::new();
    if !folders.project.is_empty() {
        text.push(format!("Project: {}.", codes(&folders.project)));
    }
    let person: Vec<String> = folders.person.iter().map(|it| format!("~/{it}")).collect();
    text.push(format!("User: {}.", codes(&person)));
    if let Some(variable) = &folders.variable {
        text.push(format!(
            "`{variable}` names the folder above `skills` instead."
        ));
    }
    if !folders.also.is_empty() {
        text.push(format!(
            "Reads the folders of {} too.",
            codes(&folders.also)
        ));
    }
    if folders.up {
        text.push(
            "Reads the folders above the working folder, up to the root of the repository.".into(),
        );
    }
    text.join(" ")
}

fn discovery(discovery: &Discovery) -> String {
    let mut text = vec![match discovery.depth {
        None => "`SKILL.md` counts at every depth.".to_owned(),
        Some(1) => "`SKILL.md` counts one folder deep.".to_owned(),
        Some(depth) => format!("`SKILL.md` counts up to {depth} folders deep."),
    }];
    for also in &discovery.also {
        text.push(match also {
            Also::Root => "A `SKILL.md` directly in the folder of skills counts.".to_owned(),
            Also::Hidden => "Folders with a dot before the name are searched.".to_owned(),
        });
    }
    text.push(match discovery.links {
        Links::All => "Links are followed.".to_owned(),
        Links::Folders => "Links to folders are followed.".to_owned(),
        Links::Never => "Links are not followed.".to_owned(),
    });
    if !discovery.reserved.is_empty() {
        text.push(format!("Not read: {}.", codes(&discovery.reserved)));
    }
    text.join(" ")
}

fn front_matter(front: &FrontMatter) -> String {
    let fields = front.fields.iter().map(|(key, field)| match field {
        Field::Values(values) => format!("`{key}` ({})", codes(values)),
        Field::Type(kind) => {
            let kind = match kind {
                FieldType::Text => "text",
                FieldType::Boolean => "boolean",
                FieldType::Items => "items",
                FieldType::Mapping => "mapping",
            };
            format!("`{key}` ({kind})")
        }
    });
    let fields: Vec<String> = fields.collect();
    let others = if front.refuses_unknown {
        "A skill with another field is refused."
    } else {
        "Other fields have no effect."
    };
    let longest = front.longest_description.map_or_else(String::new, |limit| {
        format!(" A description has at most {limit} characters.")
    });
    format!("Fields: {}. {others}{longest}", fields.join(", "))
}

fn names(name: &Name) -> String {
    let mut text = Vec::new();
    if let Some(longest) = name.longest {
        text.push(format!("At most {longest} characters."));
    }
    text.push(match name.letters {
        Letters::Ascii => "`a` to `z`, digits and hyphens.".to_owned(),
        Letters::Any => "Every character.".to_owned(),
    });
    text.push(match name.folder {
        FolderRule::Taken => "The name of the folder is taken.".to_owned(),
        FolderRule::Same => "The same as the folder.".to_owned(),
        FolderRule::Any => "The folder may have another name.".to_owned(),
    });
    if !name.refuses.is_empty() {
        text.push(format!("Refused words: {}.", codes(&name.refuses)));
    }
    text.join(" ")
}

fn restraints(restraints: &Restraints) -> String {
    let spelled = |all: &[Spelling]| {
        let all: Vec<String> = all.iter().map(|it| it.as_str().to_owned()).collect();
        codes(&all)
    };
    let mut text = Vec::new();
    for (who, spellings) in [
        ("the model", &restraints.model),
        ("a person", &restraints.person),
    ] {
        text.push(if spellings.is_empty() {
            format!("Nothing closes a skill to {who}.")
        } else {
            format!("Closed to {who} by {}.", spelled(spellings))
        });
    }
    if !restraints.truths.is_empty() {
        text.push(format!("True is written {}.", codes(&restraints.truths)));
    }
    text.join(" ")
}

fn allowed_tools(tools: &AllowedTools) -> String {
    let mut text = vec![match tools.meaning {
        Meaning::Approves => "The tools run without a question, and all others stay.",
        Meaning::Narrows => "Only these tools stay.",
        Meaning::Ignored => "No effect.",
    }];
    match tools.commas {
        Some(true) => text.push("Commas may separate them."),
        Some(false) => text.push("Commas are not understood."),
        None => {}
    }
    match tools.lists {
        Some(true) => text.push("A list is understood."),
        Some(false) => text.push("A list is not understood."),
        None => {}
    }
    text.join(" ")
}

fn tools(tools: &ToolNames) -> String {
    let kinds = tools.names.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, names)| format!("{}: {}", kind.as_str(), codes(names)))
        .collect();
    format!("{}.", kinds.join("; "))
}

/// Renders the source file of `skills-format` that holds the names of tools.
#[doc(hidden)]
pub fn tool_names() -> String {
    source_file()
}

/// Renders the source file of the facts that the rules of the linter ask for.
#[doc(hidden)]
pub fn facts() -> String {
    crate::check::source_file()
}

fn placeholders(placeholders: &Placeholders) -> String {
    let mut text = Vec::new();
    if placeholders.replaces.is_empty() {
        text.push("Nothing is replaced.");
    }
    for replaced in &placeholders.replaces {
        text.push(match replaced {
            // Clients that count from one know no `$ARGUMENTS[0]`.
            Replaced::Arguments if placeholders.first == 1 => "`$ARGUMENTS` is replaced.",
            Replaced::Arguments => "`$ARGUMENTS` and `$ARGUMENTS[0]` are replaced.",
            Replaced::Names => "The names of `arguments` are replaced: `$issue`.",
            Replaced::Code => "Code and prices are no exception: `$1,000`.",
            Replaced::Commands => "Commands after an exclamation mark are run.",
        });
    }
    match placeholders.positional {
        Positional::Given if placeholders.first == 1 => {
            text.push("`$1` is replaced by the first word of the arguments.");
        }
        Positional::Given => {
            text.push(
                "`$0` and `$1` are replaced when arguments are given: `$1` by the second word.",
            );
        }
        Positional::Declared => {
            text.push("`$0` and `$1` are replaced when arguments are declared.");
        }
        Positional::Never => {}
    }
    if placeholders.escape {
        text.push("A backslash before a placeholder keeps it.");
    }
    let mut text = text.join(" ");
    if !placeholders.variables.is_empty() {
        let _ = write!(text, " Also {}.", codes(&placeholders.variables));
    }
    text
}

fn listing(listing: &Listing) -> String {
    let (budget, unit) = listing.budget(None);
    let mut text = if listing.has_budget() {
        format!(
            "At most {budget} {} where the context is not known.",
            unit.as_str()
        )
    } else {
        "Everything is listed.".to_owned()
    };
    if let Some(limit) = listing.description_limit() {
        let _ = write!(text, " A description is cut to {limit}.");
    }
    let (count, size) = listing.own_skills();
    if count > 0 {
        let _ = write!(
            text,
            " {count} skills of the client itself count, with {size} characters of description."
        );
    }
    if let Some(remark) = &listing.remark {
        let _ = write!(text, " {remark}");
    }
    text
}

/// Writes the condition of a fact, and what follows from it.
fn condition(fact: &Fact) -> String {
    let Fact { key, limit, .. } = fact;
    let values = codes(&fact.values);
    let on = match fact.on {
        Condition::ByteOrderMark => "A byte-order mark at the start of the file".to_owned(),
        Condition::TextBefore => "Lines before the first `---`".to_owned(),
        Condition::SpaceBefore => "White space before the first `---`".to_owned(),
        Condition::Dots => "`...` in place of the second `---`".to_owned(),
        Condition::DashesInBlock => "`---` alone on a line of a value".to_owned(),
        Condition::DashesInside => "`---` anywhere in a value".to_owned(),
        Condition::PlainName => "A `name` that is a number, a truth value or a date".to_owned(),
        Condition::PlainDescription => {
            "A `description` that is a number, a truth value or a date".to_owned()
        }
        Condition::ListForText => format!("A list in `{key}`"),
        Condition::LongText if fact.values.len() == 1 => {
            format!("{values} of more than {limit} characters")
        }
        Condition::LongText => format!("{values} of more than {limit} characters together"),
        Condition::FieldAlone => format!("`{key}` without {values}"),
        Condition::Globs => format!("A glob with an open bracket in `{key}`"),
        Condition::NoGlob => {
            format!("`{key}` that holds no glob, or only globs for every file such as `**`")
        }
        Condition::Hooks => format!("`hooks` of other events than {values}"),
        Condition::OpenAiValue => "A value of `agents/openai.yaml` that is not known".to_owned(),
        Condition::OpenAiFile => {
            "An `agents/openai.yaml` that cannot be read, or has a value of another type".to_owned()
        }
        other => format!("{other:?}"),
    };
    format!("{on}: {}.", fact.does.trim_end_matches(','))
}

fn codes(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
