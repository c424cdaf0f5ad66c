//! `skills explain`: documentation generated from the rules.

use crate::catalog::find::did_you_mean;
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{ERROR, FAINT, WARNING};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption};
use clap::Args;
use clap::builder::styling::Style;
use serde_json::{Value, json};
use skills_format::Prose;
use skills_format::text::appearance::revealed;
use skills_lint::rules::{self, FixKind, OTHERS, RULES, Rule};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The id of the rule, or another id that is printed with a finding; without it, the rules of `skills check`
    rule: Option<String>,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills explain                   the rules, with their default levels
  skills explain link-broken
  skills explain trust-changed
  skills explain name-form --format json";

/// Returns the facts of a rule as a document.
fn listed(rule: &Rule) -> Value {
    json!({
        "id": rule.id.as_str(),
        "group": rule.group.as_str(),
        // `error`, `warning` or `off`.
        "level": rule.level.findings(),
        // `no`, `safe` or `unsafe`.
        "fix": rule.fix.as_str(),
        "summary": rule.summary,
    })
}

impl Explain {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let Some(written) = &self.rule else {
            let rules: Vec<Value> = RULES.iter().map(listed).collect();
            cx.report(&json!({ "rules": rules }))?;
            let table = Table::new(["RULE", "LEVEL", "FIX", "WHAT MUST HOLD"]);
            let mut table = table.styled(1, level_style);
            for it in RULES {
                let row = [it.id.as_str(), it.level.findings(), it.fix.as_str()];
                let [id, level, fix] = row.map(str::to_owned);
                table.push([id, level, fix, it.summary.to_owned()]);
            }
            table.print(cx)?;
            return Ok(Outcome::Done);
        };
        // A person can copy an id with its brackets from a finding.
        let id = written.trim_start_matches('[').trim_end_matches(']');
        let (mut document, why, text) = match (rules::find(id), rules::find_other(id)) {
            (Some(rule), _) => (listed(rule), rule.why, rules::explain(rule)),
            (None, Some(other)) => {
                let document = json!({
                    "id": other.id.as_str(),
                    "group": "load",
                    "level": other.severity.as_str(),
                    "fix": FixKind::No.as_str(),
                    "summary": other.summary,
                });
                (document, other.why, rules::explain_other(other))
            }
            (None, None) => return Err(unknown(written, id)),
        };
        document["why"] = why.into();
        // The whole Markdown, with the examples.
        document["text"] = text.as_str().into();
        cx.report(&document)?;
        writeln!(cx, "{}\n", cx.strong(id))?;
        for line in text.trim_end().lines() {
            cx.wrapped_line(line)?;
        }
        Ok(Outcome::Done)
    }
}

fn unknown(written: &str, id: &str) -> Failure {
    let rules = RULES.iter().map(|rule| rule.id.as_str());
    let others = OTHERS.iter().map(|other| other.id.as_str());
    let near = did_you_mean(&id.to_lowercase().replace('_', "-"), rules.chain(others));
    Failure::not_so(
        format_args!("no rule is named '{}'", revealed(written)),
        near.map_or("`skills explain` lists the rules".into(), Prose::from),
    )
}

/// Returns the style of a level.
fn level_style(level: &str) -> Style {
    match level {
        "error" => ERROR,
        "warning" => WARNING,
        _ => FAINT,
    }
}
