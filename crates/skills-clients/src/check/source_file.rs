//! The source file `table.rs`: the facts of the table of clients as the rules of the group *portability* ask for them.

use crate::client::{
    Also, Client, Discovery, Fact, Field, FieldType, Folders, FrontMatter, Letters, Name,
    Placeholders, Positional, Replaced, Restraints, Spelling, all,
};
use crate::reading::Reader;
use crate::source::Source;
use skills_lint::{Condition, Loss};
use std::fmt::Write as _;

/// Renders the source file `table.rs`. A check of one skill would pay more for reading the files of the table than for all
/// else.
pub(crate) fn source_file() -> String {
    let mut text = String::from(
        "//! The facts about clients for the rules of the group *portability*.\n//!\n//! Generated from \
         crates/skills-clients/clients. `UPDATE_DOCS=1 cargo test -p skills-clients` writes the file again.\n\n\
         use crate::check::reads;\nuse skills_lint::{Client, Condition, Fact, Loss, Reads};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static CLIENTS: &[Client] = &[\n",
    );
    for client in all() {
        let Client {
            name, title, names, ..
        } = client;
        let common = client.check.as_ref().is_some_and(|check| check.common);
        let folders = folders(client);
        let _ = writeln!(
            text,
            "    Client {{\n        name: {name:?},\n        names: &{names:?},\n        title: {title:?},\n        \
             common: {common},\n        folders: &{folders:?},\n        facts: &["
        );
        for fact in facts(client) {
            write_fact(&mut text, &fact);
        }
        let reads = reads(client).unwrap_or_else(|| "None".to_owned());
        let _ = writeln!(text, "        ],\n        reads: {reads},\n    }},");
    }
    text + "];\n"
}

/// Returns the reader of a client as source text.
fn reads(client: &Client) -> Option<String> {
    let listing = client.listing.as_ref()?;
    let function = match listing.reads? {
        Reader::ClaudeCode => "claude_code",
        Reader::Codex => "codex",
        Reader::GeminiCli => "gemini_cli",
        Reader::Opencode => "opencode",
    };
    let facts = Facts {
        title: &client.title,
    };
    let fact = |does| {
        let mut text = String::new();
        let fact = facts.fact(&listing.source, Condition::Never, Loss::Skill, does);
        write_fact(&mut text, &fact);
        text.trim().trim_end_matches(',').to_owned()
    };
    let (dropped, misread) = (fact(UNLISTED), fact("another text is its description"));
    let closes = listing.reads?.closes();
    Some(format!(
        "Some(Reads {{\n            read: reads::{function},\n            closes: {closes},\n            dropped: {dropped},\n            misread: {misread},\n        }})"
    ))
}

fn write_fact(text: &mut String, fact: &Fact) {
    let Fact {
        on,
        does,
        loses,
        key,
        values,
        limit,
        source,
        seen,
    } = fact;
    let _ = writeln!(
        text,
        "            Fact {{\n                on: Condition::{on:?},\n                does: {does:?},\n                \
         loses: Loss::{loses:?},\n                key: {key:?},\n                values: &{values:?},\n                \
         limit: {limit},\n                source: {source:?},\n                seen: {seen:?},\n            }},"
    );
}

/// Returns the facts about a client: those of its section `check`, and those that its other sections imply.
fn facts(client: &Client) -> Vec<Fact> {
    let facts = Facts {
        title: &client.title,
    };
    let check = client.check.as_ref();
    let mut all: Vec<Fact> = check.map_or_else(Vec::new, |check| check.facts.clone());
    all.extend(client.discovery.iter().flat_map(|it| facts.discovery(it)));
    all.extend(client.restraints.iter().flat_map(|it| facts.restraints(it)));
    all.extend(
        client
            .placeholders
            .iter()
            .flat_map(|it| facts.placeholders(it)),
    );
    all.extend(client.front_matter.iter().flat_map(|it| facts.fields(it)));
    all.extend(client.name_rules.iter().flat_map(|it| facts.names(it)));
    all
}

/// Returns the folders of a project that belong to clients. A folder `skills` belongs to nobody: most repositories of
/// skills have one.
fn folders(client: &'static Client) -> Vec<&'static str> {
    let folders = client.folders.iter().flat_map(Folders::in_project);
    folders.filter(|folder| folder.starts_with('.')).collect()
}

/// Returns the ids of spellings in the facts. `paths` closes a skill only for a time.
fn ids(spellings: &[Spelling]) -> Vec<String> {
    let ids = spellings.iter().filter_map(|spelling| match spelling {
        Spelling::DisableModelInvocation => Some("disable-model-invocation"),
        Spelling::OpenaiYaml => Some("openai-yaml"),
        Spelling::OpencodeAutoinvoke => Some("opencode-autoinvoke"),
        Spelling::TopLevelAutoinvoke => Some("top-level-autoinvoke"),
        Spelling::UserInvocable => Some("user-invocable"),
        Spelling::OpencodeSlash => Some("opencode-slash"),
        Spelling::TopLevelSlash => Some("top-level-slash"),
        Spelling::Paths => None,
    });
    ids.map(str::to_owned).collect()
}

/// Creates facts from the sections of a client.
struct Facts<'c> {
    title: &'c str,
}

const UNLISTED: &str = "the skill is not listed";

impl Facts<'_> {
    fn fact(&self, source: &Source, on: Condition, loses: Loss, does: &str) -> Fact {
        let page = source.at.split(": ").next().unwrap_or_default();
        Fact {
            on,
            does: does.to_owned(),
            loses,
            source: match &source.version {
                Some(version) => format!("{} {version}", self.title),
                None => page.to_owned(),
            },
            seen: source.seen.clone(),
            ..Fact::default()
        }
    }

    fn discovery(&self, discovery: &Discovery) -> Vec<Fact> {
        let fact = |on| self.fact(&discovery.source, on, Loss::Skill, UNLISTED);
        let depth = discovery.depth.map(|limit| Fact {
            limit,
            ..fact(Condition::Depth)
        });
        let hidden =
            (!discovery.also.contains(&Also::Hidden)).then(|| fact(Condition::HiddenFolder));
        let reserved = (!discovery.reserved.is_empty()).then(|| Fact {
            values: discovery.reserved.clone(),
            ..fact(Condition::ReservedFolder)
        });
        depth.into_iter().chain(hidden).chain(reserved).collect()
    }

    fn restraints(&self, restraints: &Restraints) -> Vec<Fact> {
        let mut all = self.closed_to_model(restraints);
        all.push(self.closed_to_person(restraints));
        all
    }

    fn closed_to_model(&self, restraints: &Restraints) -> Vec<Fact> {
        // A client that reads no restraint at all makes no difference between two spellings.
        let (loses, does) = if restraints.model.is_empty() {
            (
                Loss::Nothing,
                "no spelling closes it and the model may start the skill",
            )
        } else {
            (Loss::Restraint, "the model may start the skill")
        };
        let fact = |on| self.fact(&restraints.source, on, loses, does);
        let closed = Fact {
            values: ids(&restraints.model),
            ..fact(Condition::Closed)
        };
        let truths = (!restraints.truths.is_empty()).then(|| Fact {
            key: "disable-model-invocation".to_owned(),
            values: restraints.truths.clone(),
            ..fact(Condition::LooseBoolean)
        });
        std::iter::once(closed).chain(truths).collect()
    }

    fn closed_to_person(&self, restraints: &Restraints) -> Fact {
        let does = if restraints.person.is_empty() {
            "no spelling closes it and a person can start the skill"
        } else {
            "a person can start the skill"
        };
        let on = Condition::ClosedToPerson;
        Fact {
            values: ids(&restraints.person),
            ..self.fact(&restraints.source, on, Loss::Nothing, does)
        }
    }

    fn placeholders(&self, placeholders: &Placeholders) -> Vec<Fact> {
        let fact = |on, does| self.fact(&placeholders.source, on, Loss::Nothing, does);
        let positional = match placeholders.positional {
            Positional::Given => Some(Fact {
                limit: placeholders.first,
                ..fact(
                    Condition::Positional,
                    "a word of the arguments takes its place, if a person gives enough of them,",
                )
            }),
            Positional::Never => Some(fact(Condition::PositionalKept, "it stays as it is")),
            Positional::Declared => None,
        };
        let replaces = |it| placeholders.replaces.contains(&it);
        let names = replaces(Replaced::Names).then(|| {
            fact(
                Condition::NamedArguments,
                "what a person types for it is lost",
            )
        });
        let words = placeholders.replaces.iter().filter_map(|it| match it {
            Replaced::Arguments => Some("arguments"),
            Replaced::Names => Some("names"),
            Replaced::Commands => Some("commands"),
            Replaced::Code => None,
        });
        let values = words.map(str::to_owned);
        let values = values.chain(placeholders.variables.iter().cloned());
        let kept = Fact {
            values: values.collect(),
            ..fact(Condition::PlaceholderKept, "it stays as it is")
        };
        let escape = if placeholders.escape {
            fact(Condition::EscapeDropped, "the backslash is removed")
        } else {
            fact(Condition::EscapeKept, "the backslash stays")
        };
        let commands = replaces(Replaced::Commands).then(|| {
            let does = "the argument becomes a part of a command that runs at once";
            let no_names = (!replaces(Replaced::Names)).then(|| "no-names".to_owned());
            Fact {
                values: no_names.into_iter().collect(),
                ..fact(Condition::Injection, does)
            }
        });
        positional
            .into_iter()
            .chain(names)
            .chain(commands)
            .chain([kept, escape])
            .collect()
    }

    fn fields(&self, front: &FrontMatter) -> Vec<Fact> {
        let known = Fact {
            values: front.fields.keys().cloned().collect(),
            ..if front.refuses_unknown {
                let does = "the upload is refused";
                self.fact(&front.source, Condition::UnknownField, Loss::Skill, does)
            } else {
                let does = "it has no effect";
                self.fact(&front.source, Condition::FieldIgnored, Loss::Nothing, does)
            }
        };
        let values = front.fields.iter().filter_map(|(key, field)| {
            let values = match field {
                Field::Values(values) => values.clone(),
                // The words for truth values of a restraint are facts of the restraints.
                Field::Type(FieldType::Boolean)
                    if !matches!(&**key, "disable-model-invocation" | "user-invocable") =>
                {
                    ["true", "false"].map(str::to_owned).into()
                }
                Field::Type(_) => return None,
            };
            let does = "the value has no effect";
            Some(Fact {
                key: key.clone(),
                values,
                ..self.fact(&front.source, Condition::OtherValue, Loss::Nothing, does)
            })
        });
        std::iter::once(known).chain(values).collect()
    }

    fn names(&self, names: &Name) -> Vec<Fact> {
        let fact = |on, does| self.fact(&names.source, on, Loss::Skill, does);
        let ascii = (names.letters == Letters::Ascii)
            .then(|| fact(Condition::NameBeyondAscii, "the name is not valid"));
        let words = (!names.refuses.is_empty()).then(|| Fact {
            values: names.refuses.clone(),
            ..fact(Condition::WordInName, "the upload is refused")
        });
        ascii.into_iter().chain(words).collect()
    }
}
