//! `skills rules` and `skills explain`: the rules, from the rules themselves.

use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_format::rules::{self, RULES, Rule};
use skills_format::{Config, Level};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = RULES_EXAMPLES)]
pub(crate) struct Rules {
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const RULES_EXAMPLES: &str = "\
Examples:
  skills rules
  skills rules --format json
  skills explain link-broken";

#[derive(Args, Debug)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct Explain {
    /// The id of the rule
    rule: String,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  skills explain link-broken
  skills explain name-form --format json";

/// `rules --format json`
#[derive(Serialize)]
struct RulesDocument {
    schema: u32,
    rules: Vec<RuleJson>,
}

/// `explain --format json`
#[derive(Serialize)]
struct ExplainDocument {
    schema: u32,
    #[serde(flatten)]
    rule: RuleJson,
    why: &'static str,
    /// Markdown: all of it, with the examples.
    text: String,
}

#[derive(Serialize)]
struct RuleJson {
    id: &'static str,
    group: &'static str,
    level: &'static str,
    /// `no`, `safe` or `unsafe`.
    fix: &'static str,
    summary: &'static str,
}

impl RuleJson {
    fn of(rule: &Rule) -> Self {
        Self {
            id: rule.id.as_str(),
            group: rule.group.as_str(),
            level: rule.level.as_str(),
            fix: rule.fix.as_str(),
            summary: rule.summary,
        }
    }
}

impl Rules {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        match self.format {
            Format::Json => output.json(&RulesDocument {
                schema: 1,
                rules: RULES.iter().map(RuleJson::of).collect(),
            })?,
            Format::Text => {
                let width = RULES
                    .iter()
                    .map(|rule| rule.id.as_str().len())
                    .max()
                    .unwrap_or(0);
                let head = format!("{:width$}  LEVEL    FIX     WHAT MUST HOLD", "RULE");
                writeln!(output, "{}", output.strong(head))?;
                for rule in RULES {
                    let RuleJson {
                        id, fix, summary, ..
                    } = RuleJson::of(rule);
                    let level = match rule.level {
                        Level::Deny => "error",
                        Level::Warn => "warning",
                        Level::Allow => "allowed",
                    };
                    writeln!(output, "{id:width$}  {level:7}  {fix:6}  {summary}")?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

impl Explain {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let Some(rule) = rules::find(&self.rule) else {
            let unknown = Config::default().set(&self.rule, Level::Warn);
            let fact = unknown
                .err()
                .map_or_else(String::new, |unknown| unknown.to_string());
            return Err(Failure::not_so(fact, "`skills rules` lists the rules"));
        };
        let text = rules::explain(rule);
        match self.format {
            Format::Json => output.json(&ExplainDocument {
                schema: 1,
                rule: RuleJson::of(rule),
                why: rule.why,
                text,
            })?,
            Format::Text => {
                writeln!(output, "{}\n", output.strong(rule.id.as_str()))?;
                writeln!(output, "{}", text.trim_end())?;
            }
        }
        Ok(Outcome::Done)
    }
}
