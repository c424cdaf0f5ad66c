//! `skills explain`: documentation generated from the rules.

use crate::catalog::find::did_you_mean;
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{ERROR, FAINT, WARNING};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption};
use clap::Args;
use clap::builder::styling::Style;
use serde::Serialize;
use serde_json::json;
use skills_format::Prose;
use skills_format::text::appearance::revealed;
use skills_lint::rules::{self, FixKind, OTHERS, Other, RULES, Rule};
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

/// `explain RULE --format json`
#[derive(Serialize)]
struct ExplainDocument {
    #[serde(flatten)]
    rule: RuleJson,
    why: &'static str,
    /// The whole Markdown, with the examples.
    text: String,
}

#[derive(Serialize)]
struct RuleJson {
    id: &'static str,
    group: &'static str,
    /// `error`, `warning` or `off`.
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
            level: rule.level.findings(),
            fix: rule.fix.as_str(),
            summary: rule.summary,
        }
    }
}

impl Explain {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let Some(written) = &self.rule else {
            let rules: Vec<RuleJson> = RULES.iter().map(RuleJson::of).collect();
            cx.report(&json!({ "rules": rules }))?;
            let table = Table::new(["RULE", "LEVEL", "FIX", "WHAT MUST HOLD"]);
            let mut table = table.styled(1, level_style);
            for rule in &rules {
                table.push([rule.id, rule.level, rule.fix, rule.summary].map(str::to_owned));
            }
            table.print(cx)?;
            return Ok(Outcome::Done);
        };
        // A person can copy an id with its brackets from a finding.
        let id = written.trim_start_matches('[').trim_end_matches(']');
        let document = match (rules::find(id), rules::find_other(id)) {
            (Some(rule), _) => ExplainDocument::of(rule),
            (None, Some(other)) => ExplainDocument::of_other(other),
            (None, None) => return Err(unknown(written, id)),
        };
        cx.report(&document)?;
        writeln!(cx, "{}\n", cx.strong(document.rule.id))?;
        for line in document.text.trim_end().lines() {
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

impl ExplainDocument {
    fn of(rule: &Rule) -> Self {
        Self {
            rule: RuleJson::of(rule),
            why: rule.why,
            text: rules::explain(rule),
        }
    }

    fn of_other(other: &Other) -> Self {
        Self {
            rule: RuleJson {
                id: other.id.as_str(),
                group: "load",
                level: other.severity.as_str(),
                fix: FixKind::No.as_str(),
                summary: other.summary,
            },
            why: other.why,
            text: rules::explain_other(other),
        }
    }
}

/// Returns the style of a level.
fn level_style(level: &str) -> Style {
    match level {
        "error" => ERROR,
        "warning" => WARNING,
        _ => FAINT,
    }
}
