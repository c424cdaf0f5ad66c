//! `skills profile`: how hosts name, read and keep skills.

use crate::catalog::options::named;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use skills_runtime::Profile;
use std::io::Write as _;

#[derive(Args, Debug)]
pub(crate) struct ProfileCommand {
    #[command(subcommand)]
    command: Asked,
}

#[derive(Debug, Subcommand)]
enum Asked {
    /// List every profile
    List {
        /// How to print
        #[arg(short, long, value_enum, default_value_t)]
        format: Format,
    },
    /// Show every field of one profile
    Show {
        /// The name of the profile
        #[arg(value_parser = named)]
        profile: &'static Profile,
        /// How to print
        #[arg(short, long, value_enum, default_value_t)]
        format: Format,
    },
}

/// `profile list --format json`
#[derive(Serialize)]
struct ListDocument {
    schema: u32,
    profiles: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    name: &'static str,
    reference: &'static str,
}

/// `profile show --format json`
#[derive(Serialize)]
struct ShowDocument {
    schema: u32,
    #[serde(flatten)]
    profile: &'static Profile,
}

impl ProfileCommand {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        match self.command {
            Asked::List { format } => list(format, output)?,
            Asked::Show { profile, format } => show(profile, format, output)?,
        }
        Ok(Outcome::Done)
    }
}

fn list(format: Format, output: &mut Output) -> Result<(), Failure> {
    let profiles = Profile::ALL.map(|profile| Named {
        name: &profile.name,
        reference: &profile.reference,
    });
    match format {
        Format::Json => output.json(&ListDocument {
            schema: 1,
            profiles: profiles.into(),
        }),
        Format::Text => {
            for Named { name, reference } in profiles {
                writeln!(
                    output,
                    "{}  {reference}",
                    output.strong(format!("{name:9}"))
                )?;
            }
            Ok(())
        }
    }
}

fn show(profile: &'static Profile, format: Format, output: &mut Output) -> Result<(), Failure> {
    let document = ShowDocument { schema: 1, profile };
    match format {
        Format::Json => output.json(&document),
        Format::Text => {
            let fields = serde_json::to_value(profile).unwrap_or_default();
            print(&fields, 0, output)
        }
    }
}

/// Writes a field that is one of several on a line.
fn on_a_line((name, value): (&String, &Value)) -> String {
    match value {
        Value::String(text) => format!("{name} {text}"),
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(on_a_line).collect();
            format!("{name} {}", fields.join(", "))
        }
        value => format!("{name} {value}"),
    }
}

/// Prints the fields of an object, one a line. The fields of an inner object follow, indented.
fn print(fields: &Value, depth: usize, output: &mut Output) -> Result<(), Failure> {
    let Value::Object(fields) = fields else {
        return Ok(());
    };
    for (name, value) in fields {
        write!(output, "{:depth$}{}", "", output.strong(name))?;
        match value {
            Value::Object(_) => {
                writeln!(output)?;
                print(value, depth + 2, output)?;
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                writeln!(output)?;
                for item in items.iter().filter_map(Value::as_object) {
                    let fields: Vec<String> = item.iter().map(on_a_line).collect();
                    writeln!(output, "{:1$}- {2}", "", depth + 2, fields.join(", "))?;
                }
            }
            Value::String(text) if text.is_empty() || text.contains('\n') => {
                writeln!(output, "  {value}")?;
            }
            Value::String(text) => writeln!(output, "  {text}")?,
            value => writeln!(output, "  {value}")?,
        }
    }
    Ok(())
}
